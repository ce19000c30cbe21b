//===- AutWriter.cpp - Writing AUT and DOT ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Names.h"
#include "cif/LTS/Aut.h"
#include "cif/Support/Thread.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <zlib.h>

using namespace cif;

std::string cif::autLabel(const Label &label) {
  std::string text = labelText(label);
  if (StringRef(text).find_first_of("\n\r") != StringRef::npos)
    text = quoteAlways(label.message); // only a plain text can have them
  return "\"" + text + "\"";
}

/// Pieces of text are copied by blocks of this size, and what is copied too
/// much is written over.
constexpr size_t block = 16;

static void copyBlocks(char *to, const char *from, size_t size) {
  std::memcpy(to, from, block);
  for (size_t at = block; at < size; at += block)
    std::memcpy(to + at, from + at, block);
}

/// The eight digits of \p value, which has no more, as the bytes of a word.
static inline uint64_t digitsOf(uint32_t value) {
  // By fours, by pairs and by digits, each part in its place of the word.
  uint64_t word = value / 10000 | uint64_t(value % 10000) << 32;
  uint64_t high = (word * 10486 >> 20) & 0x0000007f0000007f; // divided by 100
  word = high | (word - 100 * high) << 16;
  high = (word * 103 >> 10) & 0x000f000f000f000f; // divided by 10
  return high | (word - 10 * high) << 8;
}

/// Puts \p value at \p at, where a block can be written.
LLVM_ATTRIBUTE_ALWAYS_INLINE static char *putNumber(char *at, uint32_t value) {
  constexpr uint32_t more = 100000000; // the least that has more digits
  constexpr uint64_t zeros = 0x3030303030303030;
  using llvm::support::endian::write64le;
  if (LLVM_UNLIKELY(value >= more)) {
    uint32_t head = value / more;
    if (head >= 10)
      *at++ = static_cast<char>('0' + head / 10);
    *at++ = static_cast<char>('0' + head % 10);
    write64le(at, digitsOf(value % more) | zeros);
    return at + 8;
  }
  uint64_t digits = digitsOf(value);
  auto leading =
      static_cast<unsigned>(llvm::countr_zero(digits | uint64_t(1) << 56) / 8);
  write64le(at, (digits | zeros) >> 8 * leading);
  return at + 8 - leading;
}

namespace {
/// The text of an LTS, piece by piece: some transitions that follow each other.
class AutText {
public:
  explicit AutText(const Lts &of);

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
  /// Labels as they stand in a transition, `,"text",`; one after the other.
  std::string texts;
  struct Range {
    size_t begin, size;
  };
  std::vector<Range> textOf;
  size_t longest = 0;
};
} // namespace

AutText::AutText(const Lts &of) : lts(of) {
  for (const Label &label : lts.labels) {
    size_t begin = texts.size();
    texts += "," + autLabel(label) + ",";
    textOf.push_back({begin, texts.size() - begin});
    longest = std::max(longest, textOf.back().size);
  }
  texts.append(block, '\0');
}

StringRef AutText::piece(size_t number, std::vector<char> &buffer) const {
  // Two numbers, parentheses and a line end, and what is copied too much.
  constexpr size_t numbers = 32 + 2 * block;
  uint32_t e = static_cast<uint32_t>(number) * pieceSize;
  const uint32_t end = e + std::min<size_t>(pieceSize, lts.label.size() - e);
  StateIndex s = std::upper_bound(lts.rowBegin.begin(), lts.rowBegin.end(), e) -
                 lts.rowBegin.begin() - 1;
  const LabelIndex *labels = lts.label.data();
  const StateIndex *targets = lts.target.data();
  const size_t room = longest + numbers;
  char *at = buffer.data(), *limit = at + buffer.size();
  char source[2 * block] = {'('};
  for (; e < end; ++s) {
    auto sourceSize = static_cast<size_t>(putNumber(source + 1, s) - source);
    for (const uint32_t rowEnd = std::min(end, lts.rowBegin[s + 1]); e < rowEnd;
         ++e) {
      if (static_cast<size_t>(limit - at) < room) {
        auto used = static_cast<size_t>(at - buffer.data());
        buffer.resize(2 * used + room + (1 << 17));
        at = buffer.data() + used;
        limit = buffer.data() + buffer.size();
      }
      std::memcpy(at, source, block);
      at += sourceSize;
      Range text = textOf[labels[e]];
      copyBlocks(at, texts.data() + text.begin, text.size);
      at = putNumber(at + text.size, targets[e]);
      *at++ = ')';
      *at++ = '\n';
    }
  }
  return {buffer.data(), static_cast<size_t>(at - buffer.data())};
}

namespace {
/// Pieces of a text that several threads make, and one after the other hands
/// over in order. Who makes a piece too early leaves it for others and goes on.
class PiecesInOrder {
public:
  PiecesInOrder(const AutText &of, unsigned threads,
                function_ref<void(StringRef)> to)
      : text(of), sink(to), made(threads > 1 ? 4 * threads : 1) {}

  /// What each thread does, until all is handed over or in others' hands.
  void work() {
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      room.wait(lock, [&] { return next < turn + made.size(); });
      if (next >= text.numPieces())
        return;
      size_t number = next++;
      Piece &piece = made[number % made.size()];
      lock.unlock();
      piece.text = text.piece(number, piece.buffer);
      lock.lock();
      piece.isReady = true;
      if (!handsOver)
        handOver(lock);
    }
  }

private:
  struct Piece {
    std::vector<char> buffer;
    StringRef text;
    bool isReady = false;
  };
  void handOver(std::unique_lock<std::mutex> &lock) {
    handsOver = true;
    for (Piece *piece; (piece = &made[turn % made.size()])->isReady; ++turn) {
      lock.unlock();
      sink(piece->text);
      lock.lock();
      piece->isReady = false;
      room.notify_all();
    }
    handsOver = false;
  }

  const AutText &text;
  function_ref<void(StringRef)> sink;
  std::mutex mutex;
  std::condition_variable room; ///< for one more piece
  std::vector<Piece> made;      ///< a ring
  size_t next = 0, turn = 0;    ///< to be made, to be handed over
  bool handsOver = false;       ///< some thread does
};
} // namespace

/// Hands the text of \p lts to \p sink in large pieces, in order.
static void produceAut(const Lts &lts, unsigned threads,
                       function_ref<void(StringRef)> sink) {
  AutText text(lts);
  sink(text.header());
  PiecesInOrder pieces(text, threads, sink);
  const size_t useful = std::min<size_t>(threads, text.numPieces() / 8);
  std::vector<Thread> others;
  startThreads(others, std::max<size_t>(useful, 1) - 1,
               [&](size_t) { pieces.work(); });
  pieces.work();
  for (Thread &other : others)
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
