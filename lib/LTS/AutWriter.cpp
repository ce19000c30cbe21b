//===- AutWriter.cpp - Writing AUT and DOT ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Names.h"
#include "cif/LTS/Aut.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <zlib.h>

using namespace cif;

std::string cif::autLabel(const Label &label) {
  std::string text = labelText(label);
  if (StringRef(text).find_first_of("\n\r") != StringRef::npos)
    text = quoteAlways(label.message); // only a plain text can have them
  return "\"" + text + "\"";
}

/// Labels as they stand in a transition, `,"text",`.
static std::vector<std::string> labelTexts(const Lts &lts) {
  std::vector<std::string> texts;
  for (const Label &label : lts.labels)
    texts.push_back("," + autLabel(label) + ",");
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

namespace {
/// The text of an LTS, piece by piece: some transitions that follow each other.
class AutText {
public:
  explicit AutText(const Lts &of) : lts(of), texts(labelTexts(of)) {
    for (const std::string &text : texts)
      longest = std::max(longest, text.size());
  }

  std::string header() const {
    return "des (" + std::to_string(lts.initial) + "," +
           std::to_string(lts.numTransitions()) + "," +
           std::to_string(lts.numStates()) + ")\n";
  }
  size_t numPieces() const {
    return (lts.numTransitions() + pieceSize - 1) / pieceSize;
  }
  /// Valid until the buffer is used again.
  StringRef piece(size_t number, std::vector<char> &buffer) const;

private:
  static constexpr uint32_t pieceSize = 4096;
  const Lts &lts;
  std::vector<std::string> texts;
  size_t longest = 0;
};
} // namespace

StringRef AutText::piece(size_t number, std::vector<char> &buffer) const {
  constexpr size_t numbers = 32; // two of them, parentheses and a line end
  uint32_t e = static_cast<uint32_t>(number) * pieceSize;
  const uint32_t end = e + std::min<size_t>(pieceSize, lts.label.size() - e);
  StateIndex s = std::upper_bound(lts.rowBegin.begin(), lts.rowBegin.end(), e) -
                 lts.rowBegin.begin() - 1;
  char *at = buffer.data();
  char source[12] = {'('};
  for (; e < end; ++s) {
    size_t sourceSize = static_cast<size_t>(putNumber(source + 1, s) - source);
    for (const uint32_t rowEnd = std::min(end, lts.rowBegin[s + 1]); e < rowEnd;
         ++e) {
      size_t used = static_cast<size_t>(at - buffer.data());
      if (buffer.size() - used < longest + numbers) {
        buffer.resize(2 * used + longest + (1 << 17));
        at = buffer.data() + used;
      }
      std::memcpy(at, source, sourceSize);
      at += sourceSize;
      const std::string &text = texts[lts.label[e]];
      at = std::copy(text.begin(), text.end(), at);
      at = putNumber(at, lts.target[e]);
      *at++ = ')';
      *at++ = '\n';
    }
  }
  return {buffer.data(), static_cast<size_t>(at - buffer.data())};
}

/// Hands the text of \p lts to \p sink in large pieces, in order. Each thread
/// makes the next piece and hands it over when its turn comes.
static void produceAut(const Lts &lts, unsigned threads,
                       function_ref<void(StringRef)> sink) {
  AutText text(lts);
  const size_t numPieces = text.numPieces();
  sink(text.header());
  std::atomic<size_t> next{0}, turn{0};
  auto work = [&] {
    std::vector<char> buffer;
    for (size_t number; (number = next++) < numPieces;) {
      StringRef piece = text.piece(number, buffer);
      for (size_t now; (now = turn.load()) != number;)
        turn.wait(now);
      sink(piece);
      turn = number + 1;
      turn.notify_all();
    }
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < std::min<size_t>(threads, numPieces / 8); ++i)
    others.emplace_back(work);
  work();
  for (std::thread &other : others)
    other.join();
}

void cif::writeAut(const Lts &lts, raw_ostream &os, unsigned threads) {
  produceAut(lts, threads, [&](StringRef piece) { os << piece; });
}

llvm::Error cif::writeAutGz(const Lts &lts, raw_ostream &os, unsigned threads) {
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
  produceAut(lts, threads, [&](StringRef piece) { run(piece, Z_NO_FLUSH); });
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
