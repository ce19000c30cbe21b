//===- AutReader.cpp - Reading AUT files --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A text is read in pieces of whole lines. After the first megabyte threads
/// share them: one fetches the text, all read lines, each with a label table of
/// its own, and the first puts together what they found, in order. So labels
/// are numbered as they first occur in the text, whatever the number of
/// threads. A piece in which something is wrong is read once more when its turn
/// comes: the lines before it are counted then, and nothing behind the first
/// error is reported. The header alone never causes memory to be allocated.
///
//===----------------------------------------------------------------------===//

#include "AutLines.h"
#include "cif/LTS/Aut.h"
#include "cif/Support/Diagnostics/Lts.h"
#include "cif/Support/Diagnostics/Text.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/InputBytes.h"
#include "cif/Support/Limits.h"
#include "cif/Support/Thread.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

using namespace cif;

namespace {

/// A line is longer than this only in a file that is no AUT.
constexpr size_t maxLine = 16u << 20;
constexpr size_t pieceSize = 1u << 18;
/// So much is read before it pays to start threads.
constexpr size_t alone = 1u << 20;
/// More have nothing to do: one fetches the text.
constexpr unsigned maxThreads = 16;

/// Whole lines of a text, in room that is used again.
struct TextPiece {
  // No page of it is touched before bytes are read into it: small files are
  // read often.
  std::unique_ptr<char[]> buffer;
  size_t capacity = 0;
  StringRef lines; ///< the last one of the text may lack its end
  StringRef rest;  ///< how the first line of the next piece begins
};

/// Cuts a text into pieces.
class AutPieces {
public:
  AutPieces(InputBytes &source, uint64_t maxBytes)
      : source(source), maxBytes(maxBytes) {}

  /// Fetches what comes after \p before, which may be \p to itself. False: that
  /// was all, or there is an obstacle.
  bool fetch(const TextPiece &before, TextPiece &to);
  /// Reports why there is no more, if that is not the end of the text.
  bool isWhole(AutLines &lines, StringRef name, DiagnosticEngine &diags) const;
  uint64_t size() const { return taken; }

private:
  InputBytes &source;
  const uint64_t maxBytes;
  uint64_t taken = 0; ///< of the text, unpacked
  enum { None, Unreadable, TooLarge, LineTooLong } obstacle = None;
};

/// Threads that read pieces, and what they share.
class AutThreads {
public:
  AutThreads(AutPieces &pieces, AutLines &all, LtsBuilder &builder,
             StringRef self, unsigned number)
      : pieces(pieces), all(all), builder(builder), self(self), number(number),
        ring(4 * number), numberOf(number) {}

  /// Reads the pieces behind \p last. False: an error was reported.
  bool read(TextPiece last);

private:
  struct Piece : TextPiece {
    LtsBuilder found;
    std::vector<Label> newLabels; ///< that the thread did not know before
    unsigned reader;              ///< the thread
    uint32_t numLines;
    bool isFine, isRead;
  };
  /// What a thread knows.
  class Reader;

  Piece &at(size_t piece) { return ring[piece % ring.size()]; }
  void work(unsigned thread);
  bool lead();
  bool take(Piece &piece);

  AutPieces &pieces;
  AutLines &all;
  LtsBuilder &builder;
  const StringRef self;
  const unsigned number;

  std::mutex mutex;
  std::condition_variable fetched, wasRead;
  std::vector<Piece> ring;
  // Pieces before `turn` are in the LTS, before `next` a thread has them, and
  // before `end` they are fetched.
  size_t turn = 0, next = 0, end = 0;
  bool isOver = false;                           ///< no more will be fetched
  std::vector<std::vector<LabelIndex>> numberOf; ///< labels, by thread
};

class AutThreads::Reader {
public:
  Reader(AutThreads &threads, unsigned thread)
      : thread(thread),
        lines("", diags, threads.self, labels,
              AutHeader{0, UINT64_MAX, threads.all.header.states, 1}) {}

  void read(Piece &piece) {
    const size_t known = labels.size();
    piece.found.clear();
    piece.newLabels.clear();
    lines.line = 0;
    piece.isFine = lines.read(piece.lines, piece.found);
    for (size_t l = known; l < labels.size(); ++l)
      piece.newLabels.push_back(labels[static_cast<LabelIndex>(l)]);
    piece.numLines = lines.line;
    piece.reader = thread;
  }

private:
  const unsigned thread;
  // What is wrong is found again, and reported, when the piece has its turn.
  SourceManager sources;
  DiagnosticCollector ignored;
  DiagnosticEngine diags{sources, ignored};
  LabelTable labels;
  AutLines lines;
};

} // namespace

bool AutPieces::fetch(const TextPiece &before, TextPiece &to) {
  size_t size = before.rest.size();
  const char *from = before.rest.data();
  while (obstacle == None) {
    if (size >= maxLine) {
      obstacle = LineTooLong;
      break;
    }
    if (to.capacity < size + pieceSize) {
      to.capacity = std::min(size * 2, maxLine) + pieceSize;
      auto larger = std::make_unique_for_overwrite<char[]>(to.capacity);
      if (size)
        std::memcpy(larger.get(), from, size);
      to.buffer = std::move(larger);
    } else if (size && from != to.buffer.get()) {
      std::memmove(to.buffer.get(), from, size);
    }
    from = to.buffer.get();
    char *more = to.buffer.get() + size;
    size_t got = interrupted ? 0 : source.read(more, to.capacity - size);
    if (interrupted && source.error.empty())
      source.error = "interrupted";
    const bool isEnd = got == 0;
    if (isEnd && !source.error.empty()) {
      obstacle = Unreadable;
      break;
    }
    taken += got;
    if (taken > maxBytes) {
      obstacle = TooLarge;
      got -= static_cast<size_t>(std::min<uint64_t>(got, taken - maxBytes));
    }
    size += got;
    const StringRef text(from, size);
    // What came before has no line end.
    const size_t lineEnd = StringRef(more, got).rfind('\n');
    if (lineEnd == StringRef::npos && !isEnd)
      continue;
    to.lines = isEnd ? text : text.take_front(more + lineEnd + 1 - from);
    to.rest = text.drop_front(to.lines.size());
    return !to.lines.empty();
  }
  return false;
}

bool AutPieces::isWhole(AutLines &lines, StringRef name,
                        DiagnosticEngine &diags) const {
  if (obstacle == None)
    return true;
  if (obstacle == TooLarge) {
    diags.report(Place{name.str(), 0, 0, ""}, diag::source_too_large)
        << "the " + std::to_string(maxBytes) + " bytes of --max-input";
    return false;
  }
  ++lines.line;
  if (std::string stopped = readingStopped(); !stopped.empty())
    diags.report(diag::reading_stopped) << name << stopped;
  else if (obstacle == Unreadable)
    lines.error(diag::aut_unreadable) << source.error;
  else
    lines.error(diag::aut_line_too_long) << maxLine;
  return false;
}

void AutThreads::work(unsigned thread) {
  Reader reader(*this, thread);
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    fetched.wait(lock, [&] { return next < end || isOver; });
    if (next == end)
      return;
    Piece &piece = at(next++);
    lock.unlock();
    reader.read(piece);
    lock.lock();
    piece.isRead = true;
    wasRead.notify_one();
  }
}

/// Adds what was found in \p piece. False: an error was reported.
bool AutThreads::take(Piece &piece) {
  std::vector<LabelIndex> &labelOf = numberOf[piece.reader];
  if (labelOf.empty())
    labelOf.push_back(tauLabel);
  for (const Label &label : piece.newLabels)
    labelOf.push_back(builder.labels.intern(label));
  if (!piece.isFine || piece.found.numTransitions() >
                           all.header.transitions - builder.numTransitions())
    return all.read(piece.lines, builder);
  builder.append(piece.found, labelOf);
  all.line += piece.numLines;
  return true;
}

/// What the first thread does. Signals reach it: only it waits for the text.
bool AutThreads::lead() {
  Reader reader(*this, 0);
  TextPiece *last = &at(0);
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    Piece &oldest = at(turn);
    if (turn < end && oldest.isRead) {
      lock.unlock();
      if (!take(oldest))
        return false;
      lock.lock();
      ++turn;
    } else if (!isOver && end - turn < ring.size()) {
      Piece &piece = at(end);
      lock.unlock();
      piece.isRead = false;
      const bool more = pieces.fetch(*last, piece);
      last = &piece;
      lock.lock();
      end += more;
      isOver = !more;
      fetched.notify_one();
    } else if (next < end) {
      Piece &piece = at(next++);
      lock.unlock();
      reader.read(piece);
      lock.lock();
      piece.isRead = true;
    } else if (turn < end) {
      wasRead.wait(lock, [&] { return oldest.isRead; });
    } else {
      return true;
    }
  }
}

bool AutThreads::read(TextPiece last) {
  static_cast<TextPiece &>(at(0)) = std::move(last);
  std::vector<Thread> others;
  startThreads(others, number - 1, [this](unsigned thread) { work(thread); });
  const bool isFine = lead();
  {
    std::lock_guard<std::mutex> lock(mutex);
    isOver = true;
    next = end;
  }
  fetched.notify_all();
  for (Thread &other : others)
    other.join();
  return isFine;
}

/// The LTS when all lines are read. Nothing: an error was reported.
static std::optional<Lts> finish(AutLines &lines, LtsBuilder builder) {
  const AutHeader &header = lines.header;
  if (!header.line) {
    lines.line = std::max(lines.line, 1u);
    lines.error(diag::aut_header) << "'des'"
                                  << "the end of the file";
    return std::nullopt;
  }
  if (builder.numTransitions() < header.transitions) {
    lines.error(diag::aut_too_few_transitions)
        << header.transitions << builder.numTransitions();
    return std::nullopt;
  }
  // A state without transitions takes room too: believe in so many only when
  // the file is of a size to go with them.
  if (header.states > (1u << 20) &&
      header.states > 16 * (header.transitions + 1)) {
    lines.line = header.line;
    lines.error(diag::aut_states_implausible)
        << header.states << header.transitions;
    return std::nullopt;
  }
  return std::move(builder).finish(static_cast<StateIndex>(header.initial),
                                   static_cast<size_t>(header.states));
}

bool cif::looksLikeAut(StringRef text) {
  text = text.ltrim();
  return text.consume_front("des") && text.ltrim(" \t").starts_with("(");
}

std::optional<Lts> cif::readAut(StringRef text, StringRef name,
                                DiagnosticEngine &diags, StringRef self) {
  LtsBuilder builder;
  AutLines lines(name, diags, self, builder.labels);
  if (!lines.read(text, builder))
    return std::nullopt;
  return finish(lines, std::move(builder));
}

/// Reads \p source, of about \p sizeHint bytes.
static std::optional<Lts> readPieces(InputBytes &source, size_t sizeHint,
                                     StringRef name, DiagnosticEngine &diags,
                                     StringRef self, uint64_t maxBytes,
                                     unsigned threads) {
  LtsBuilder builder;
  AutLines lines(name, diags, self, builder.labels);
  AutPieces pieces(source, maxBytes);
  TextPiece piece;
  while (pieces.fetch(piece, piece)) {
    const bool hadHeader = lines.header.line;
    if (!lines.read(piece.lines, builder))
      return std::nullopt;
    // Eight bytes is the shortest line: `(0,a,0)` and its end.
    if (lines.header.line && !hadHeader)
      builder.reserve(
          std::min<uint64_t>(lines.header.transitions, sizeHint / 8 + 1));
    if (threads < 2 || pieces.size() < alone || !lines.header.line)
      continue;
    if (!AutThreads(pieces, lines, builder, self, std::min(threads, maxThreads))
             .read(std::move(piece)))
      return std::nullopt;
    break;
  }
  if (!pieces.isWhole(lines, name, diags))
    return std::nullopt;
  return finish(lines, std::move(builder));
}

std::optional<Lts> cif::readAutFile(StringRef path, DiagnosticEngine &diags,
                                    StringRef self, uint64_t maxBytes,
                                    unsigned threads) {
  int fd = STDIN_FILENO;
  std::string name = path == "-" ? "<stdin>" : path.str();
  if (path != "-") {
    fd = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
      diags.report(diag::cannot_open) << name << std::strerror(errno);
      return std::nullopt;
    }
  }
  llvm::sys::fs::file_status status;
  uint64_t size = 0;
  if (!llvm::sys::fs::status(fd, status) &&
      status.type() == llvm::sys::fs::file_type::regular_file)
    size = status.getSize();
  if (!size)
    size = 1 << 20;
  InputBytes bytes(fd);
  std::optional<Lts> lts;
  if (std::string stopped = readingStopped(); !stopped.empty())
    diags.report(diag::reading_stopped) << name << stopped;
  else if (!bytes.error.empty())
    diags.report(diag::cannot_open) << name << bytes.error;
  else
    lts = readPieces(bytes, bytes.isCompressed() ? size * 8 : size, name, diags,
                     self, maxBytes, threads);
  if (path != "-")
    ::close(fd);
  return lts;
}
