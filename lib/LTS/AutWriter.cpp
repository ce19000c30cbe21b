//===- AutWriter.cpp - Writing AUT and DOT ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Names.h"
#include "cif/LTS/Aut.h"
#include <cstring>
#include <zlib.h>

using namespace cif;

/// A label as it stands in a file, `,"text",`. A label is one line whatever its
/// text.
static std::vector<std::string> labelTexts(const Lts &lts) {
  std::vector<std::string> texts;
  for (const Label &label : lts.labels) {
    std::string text = labelText(label);
    if (StringRef(text).find_first_of("\n\r") != StringRef::npos)
      text = quoteAlways(label.message); // only a plain text can have them
    texts.push_back(",\"" + text + "\",");
  }
  return texts;
}

static char *putNumber(char *at, uint32_t value) {
  static const char digits[] =
      "000102030405060708091011121314151617181920212223242526272829303132333435"
      "36"
      "373839404142434445464748495051525354555657585960616263646566676869707172"
      "73"
      "7475767778798081828384858687888990919293949596979899";
  char text[10];
  char *end = text + 10, *p = end;
  while (value >= 100) {
    p -= 2;
    std::memcpy(p, digits + 2 * (value % 100), 2);
    value /= 100;
  }
  if (value >= 10) {
    p -= 2;
    std::memcpy(p, digits + 2 * value, 2);
  } else {
    *--p = static_cast<char>('0' + value);
  }
  size_t size = static_cast<size_t>(end - p);
  std::memcpy(at, p, size);
  return at + size;
}

/// Hands the text of \p lts to \p sink in large pieces.
static void produceAut(const Lts &lts, function_ref<void(StringRef)> sink) {
  std::vector<std::string> texts = labelTexts(lts);
  size_t longest = 0;
  for (const std::string &text : texts)
    longest = std::max(longest, text.size());
  std::vector<char> buffer(longest + (1 << 17));
  char *begin = buffer.data(), *at = begin, *full = begin + (1 << 16);
  std::string header = "des (" + std::to_string(lts.initial) + "," +
                       std::to_string(lts.numTransitions()) + "," +
                       std::to_string(lts.numStates()) + ")\n";
  sink(header);
  char source[12];
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    uint32_t e = lts.rowBegin[s], end = lts.rowBegin[s + 1];
    if (e == end)
      continue;
    source[0] = '(';
    size_t sourceSize = static_cast<size_t>(putNumber(source + 1, s) - source);
    for (; e < end; ++e) {
      std::memcpy(at, source, sourceSize);
      at += sourceSize;
      const std::string &text = texts[lts.label[e]];
      std::memcpy(at, text.data(), text.size());
      at += text.size();
      at = putNumber(at, lts.target[e]);
      *at++ = ')';
      *at++ = '\n';
      if (at >= full) {
        sink(StringRef(begin, static_cast<size_t>(at - begin)));
        at = begin;
      }
    }
  }
  sink(StringRef(begin, static_cast<size_t>(at - begin)));
}

void cif::writeAut(const Lts &lts, raw_ostream &os) {
  produceAut(lts, [&](StringRef piece) { os << piece; });
}

llvm::Error cif::writeAutGz(const Lts &lts, raw_ostream &os) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return llvm::createStringError("cannot start the compression");
  std::vector<char> buffer(1 << 16);
  auto run = [&](StringRef piece, int flush) {
    stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<char *>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    do {
      stream.next_out = reinterpret_cast<Bytef *>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, flush);
      os << StringRef(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  };
  produceAut(lts, [&](StringRef piece) { run(piece, Z_NO_FLUSH); });
  run({}, Z_FINISH);
  deflateEnd(&stream);
  return llvm::Error::success();
}

void cif::writeDot(const Lts &lts, raw_ostream &os) {
  os << "digraph lts {\n  node [shape=circle];\n";
  os << "  start [shape=point, label=\"\"];\n  start -> " << lts.initial
     << ";\n";
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (lts.isFinal(s))
      os << "  " << s << " [shape=doublecircle];\n";
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (auto [label, target] :
         llvm::zip_equal(lts.labelsOf(s), lts.targetsOf(s))) {
      os << "  " << s << " -> " << target << " [label=\"";
      // In DOT only the quote, the backslash and line ends need care.
      for (char c : labelText(lts.labels[label])) {
        if (c == '\n') {
          os << "\\n";
          continue;
        }
        if (c == '"' || c == '\\')
          os << '\\';
        os << c;
      }
      os << "\"" << (label == tauLabel ? ", style=dashed" : "") << "];\n";
    }
  os << "}\n";
}
