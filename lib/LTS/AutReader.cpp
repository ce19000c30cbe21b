//===- AutReader.cpp - Reading AUT files --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A hand-written scanner over a window of whole lines. The usual line,
/// `(12,"label",34)`, is read in a single scan; anything else takes a slower
/// path, which also finds errors. The scan processes eight bytes at a time:
/// SWAR arithmetic finds where digits end or where a quote is, and turns digits
/// into a number. Labels are parsed once per distinct text. The header alone
/// never causes memory to be allocated.
///
//===----------------------------------------------------------------------===//

#include "cif/LTS/Aut.h"
#include "cif/LTS/LtsBuilder.h"
#include "cif/Support/Diagnostics/Lts.h"
#include "cif/Support/Diagnostics/Text.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/InputBytes.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace cif;

namespace {

/// A line is longer than this only in a file that is no AUT.
constexpr size_t maxLine = 16u << 20;
constexpr size_t windowSize = 1u << 18;

/// Eight bytes as a word, the first one lowest.
uint64_t wordAt(const char *at) { return llvm::support::endian::read64le(at); }
constexpr uint64_t eachByte(uint64_t byte) { return 0x0101010101010101 * byte; }
/// The bit 0x80 of the first byte of \p word that is \p byte, and perhaps of
/// some after it; 0: there is none.
constexpr uint64_t findByte(uint64_t word, uint8_t byte) {
  uint64_t x = word ^ eachByte(byte);
  return (x - eachByte(0x01)) & ~x & eachByte(0x80);
}
/// The place of the lowest bit of \p word, which is not 0.
unsigned lowestBit(uint64_t word) {
  return static_cast<unsigned>(__builtin_ctzll(word));
}
/// The two bytes at \p at are these.
bool areAt(const char *at, char first, char second) {
  return llvm::support::endian::read16le(at) ==
         (static_cast<unsigned char>(first) | static_cast<unsigned char>(second)
                                                  << 8);
}

/// What was read, and where it ends. Both are handed over in registers: a line
/// is read by steps each of which waits for the place where the last one ended.
template <class Value>
struct ReadTo {
  Value value;
  const char *end;
};

/// The number of the digits at \p at; more than any state when there are none,
/// or too many.
LLVM_ATTRIBUTE_NOINLINE ReadTo<uint64_t> longNumber(const char *at) {
  constexpr uint64_t none = ~uint64_t(0);
  const char *start = at;
  uint64_t value = 0;
  for (; static_cast<unsigned char>(*at - '0') < 10; ++at) {
    if (at - start == 10)
      return {none, at};
    value = value * 10 + static_cast<uint64_t>(*at - '0');
  }
  return {at == start ? none : value, at};
}
/// The same where eight bytes can be read.
inline ReadTo<uint64_t> fastNumber(const char *at) {
  uint64_t word = wordAt(at) ^ eachByte('0');
  // What is no digit is above 9, or sets its highest bit when 0x76 is added.
  uint64_t others = ((word + eachByte(0x76)) | word) & eachByte(0x80);
  if (LLVM_UNLIKELY(!others || others & 0x80))
    return longNumber(at);
  unsigned bit = lowestBit(others); // 7 + 8 times the digits, of which one is
  // Zeros before them; then pairs, fours and all eight are put together.
  word <<= 71 - bit;
  word = word * 10 + (word >> 8);
  constexpr uint64_t pairs = 0x000000ff000000ff;
  return {((word & pairs) * (100 + (uint64_t(1000000) << 32)) +
           (word >> 16 & pairs) * (1 + (uint64_t(10000) << 32))) >>
              32,
          at + bit / 8};
}

class AutParser {
public:
  AutParser(StringRef name, DiagnosticEngine &diags, StringRef self,
            uint64_t maxBytes)
      : name(name), self(self), diags(diags), maxBytes(maxBytes) {}

  /// Parses the window at hand, then whatever \p source gives (may be null).
  std::optional<Lts> parse(StringRef window, InputBytes *source,
                           size_t sizeHint);

private:
  DiagnosticBuilder error(const char *at, diag::Kind kind) {
    failed = true;
    auto column = static_cast<uint32_t>(at - lineStart + 1);
    return diags.report(Place{name.str(), line, column, ""}, kind);
  }
  /// What stands at \p at, to be shown.
  std::string found(const char *at) const {
    if (at >= lineEnd)
      return "the end of the line";
    return ("'" + StringRef(at, std::min<size_t>(lineEnd - at, 40)) + "'")
        .str();
  }
  void blanks(const char *&at) const {
    while (at < lineEnd && (*at == ' ' || *at == '\t'))
      ++at;
  }
  bool expect(const char *&at, char c, diag::Kind kind);
  bool number(const char *&at, uint64_t most, uint64_t &value, diag::Kind kind);
  bool header();
  bool transition();
  ReadTo<LabelIndex> fastLabel(const char *at, const char *safe);
  ReadTo<LabelIndex> longLabel(const char *at, const char *safe);
  LabelIndex labelOf(StringRef text);
  void growLabels();
  size_t fastLines(const char *begin, const char *end);
  bool refill(InputBytes *source);
  std::optional<Lts> finish();

  StringRef name, self;
  DiagnosticEngine &diags;
  bool failed = false;

  // The window when there is a source. No page of it is touched before bytes
  // are read into it: small files are read often.
  std::unique_ptr<char[]> buffer;
  size_t bufferSize = 0;
  const char *next = nullptr, *limit = nullptr;
  const char *lineStart = nullptr, *lineEnd = nullptr;
  uint32_t line = 0;

  uint64_t initial = 0, transitions = 0, states = 0;
  uint32_t headerLine = 0;
  LtsBuilder builder;
  uint64_t maxBytes, taken = 0; ///< of the text, unpacked
  // Open addressing from the text of a label to its index. A text is kept as
  // words of eight bytes; the last one has seven at most, and the quote.
  struct LabelSlot {
    uint64_t hash = 0;
    uint64_t only = 0;  // its word if there is one only; that is never 0
    uint32_t words = 0; // where they begin in `words`
    uint32_t size = 0;  // 1 + the bytes of the text; 0: the slot is free
    LabelIndex index = 0;
  };
  static constexpr LabelIndex noLabel = ~0u;
  static uint64_t hashWith(uint64_t hash, uint64_t word) {
    return ((hash ^ hash >> 32) ^ word) * 0x9fb21c651e98df25;
  }
  /// The last word of a text: \p word up to the first quote, of which findByte
  /// gave \p quote.
  static uint64_t lastWord(uint64_t word, uint64_t quote) {
    return word & (quote ^ (quote - 1));
  }
  LabelSlot &slotOf(uint64_t hash, StringRef text, uint64_t last);
  std::vector<LabelSlot> slots{512};
  unsigned shift = 64 - 9; // to a slot from a hash, whose upper bits are best
  std::vector<uint64_t> words;
  size_t numTexts = 0;
};

} // namespace

bool AutParser::expect(const char *&at, char c, diag::Kind kind) {
  blanks(at);
  if (at < lineEnd && *at == c) {
    ++at;
    return true;
  }
  error(at, kind) << ("'" + Twine(c) + "'").str() << found(at);
  return false;
}

/// Reads a number of at most \p most.
bool AutParser::number(const char *&at, uint64_t most, uint64_t &value,
                       diag::Kind kind) {
  blanks(at);
  const char *start = at;
  value = 0;
  bool tooLarge = false;
  for (; at < lineEnd && *at >= '0' && *at <= '9'; ++at) {
    value = value * 10 + static_cast<uint64_t>(*at - '0');
    tooLarge |= value > most;
    value = std::min(value, most + 1);
  }
  if (at == start) {
    error(at, kind) << "a number" << found(at);
    return false;
  }
  if (tooLarge) {
    StringRef digits(start, std::min<size_t>(at - start, 40));
    error(start, diag::aut_number_too_large) << digits << most;
    return false;
  }
  return true;
}

bool AutParser::header() {
  const char *at = lineStart;
  headerLine = line;
  blanks(at);
  constexpr uint64_t most = 0xfffffffe;
  if (!StringRef(at, lineEnd - at).starts_with("des")) {
    error(at, diag::aut_header) << "'des'" << found(at);
    return false;
  }
  at += 3;
  if (!expect(at, '(', diag::aut_header) ||
      !number(at, most, initial, diag::aut_header) ||
      !expect(at, ',', diag::aut_header) ||
      !number(at, most, transitions, diag::aut_header) ||
      !expect(at, ',', diag::aut_header) ||
      !number(at, most, states, diag::aut_header) ||
      !expect(at, ')', diag::aut_header))
    return false;
  blanks(at);
  if (at < lineEnd) {
    error(at, diag::aut_header) << "the end of the line" << found(at);
    return false;
  }
  if (states == 0) {
    (void)error(lineStart, diag::aut_no_state);
    return false;
  }
  if (initial >= states) {
    error(lineStart, diag::aut_state_out_of_range) << initial << states;
    return false;
  }
  return true;
}

/// The slot of \p text, whose last word is \p last; a free one when it is new.
AutParser::LabelSlot &AutParser::slotOf(uint64_t hash, StringRef text,
                                        uint64_t last) {
  size_t mask = slots.size() - 1, whole = text.size() / 8;
  for (size_t at = hash >> shift;; at = (at + 1) & mask) {
    LabelSlot &slot = slots[at];
    if (slot.size == 0)
      return slot;
    if (slot.hash != hash || slot.size != text.size() + 1)
      continue;
    const uint64_t *known = words.data() + slot.words;
    size_t i = 0;
    while (i < whole && known[i] == wordAt(text.data() + 8 * i))
      ++i;
    if (i == whole && known[whole] == last)
      return slot;
  }
}

/// The label whose text begins at \p at and ends with a quote, and where that
/// is. noLabel: the usual way does not do, from \p safe on at the latest.
LLVM_ATTRIBUTE_NOINLINE
ReadTo<LabelIndex> AutParser::longLabel(const char *at, const char *safe) {
  const char *start = at;
  uint64_t hash = 0, word = wordAt(at), quote = findByte(word, '"');
  for (; !quote; quote = findByte(word, '"')) {
    hash = hashWith(hash, word);
    at += 8;
    if (at >= safe)
      return {noLabel, at};
    word = wordAt(at);
  }
  uint64_t last = lastWord(word, quote);
  at += lowestBit(quote) / 8;
  StringRef text(start, at - start);
  const LabelSlot &slot = slotOf(hashWith(hash, last), text, last);
  if (slot.size)
    return {slot.index, at};
  return {text.contains('\n') ? noLabel : labelOf(text), at};
}

inline ReadTo<LabelIndex> AutParser::fastLabel(const char *at,
                                               const char *safe) {
  uint64_t word = wordAt(at), quote = findByte(word, '"');
  if (LLVM_UNLIKELY(!quote))
    return longLabel(at, safe);
  uint64_t only = lastWord(word, quote);
  const LabelSlot &slot = slots[hashWith(0, only) >> shift];
  if (LLVM_UNLIKELY(slot.only != only))
    return longLabel(at, safe);
  return {slot.index, at + lowestBit(quote) / 8};
}

LabelIndex AutParser::labelOf(StringRef text) {
  std::string padded = text.str() + '"' + std::string(7, '\0');
  size_t whole = text.size() / 8;
  uint64_t hash = 0;
  for (size_t i = 0; i < whole; ++i)
    hash = hashWith(hash, wordAt(padded.data() + 8 * i));
  uint64_t last = wordAt(padded.data() + 8 * whole);
  hash = hashWith(hash, last);
  LabelSlot &slot = slotOf(hash, StringRef(padded).drop_back(8), last);
  if (slot.size)
    return slot.index;
  slot = {hash, whole ? 0 : last, static_cast<uint32_t>(words.size()),
          static_cast<uint32_t>(text.size() + 1),
          builder.labels.intern(parseLabel(text, self))};
  for (size_t i = 0; i < whole; ++i)
    words.push_back(wordAt(padded.data() + 8 * i));
  words.push_back(last);
  LabelIndex index = slot.index;
  if (++numTexts * 4 > slots.size())
    growLabels();
  return index;
}

void AutParser::growLabels() {
  std::vector<LabelSlot> old(slots.size() * 2);
  old.swap(slots);
  --shift;
  size_t mask = slots.size() - 1;
  for (const LabelSlot &slot : old) {
    if (!slot.size)
      continue;
    size_t at = slot.hash >> shift;
    while (slots[at].size)
      at = (at + 1) & mask;
    slots[at] = slot;
  }
}

/// A line in any of the forms that are allowed, or what is wrong with it.
bool AutParser::transition() {
  const char *at = lineStart;
  blanks(at);
  uint64_t from = 0, to = 0;
  constexpr uint64_t most = 0xfffffffe;
  if (!expect(at, '(', diag::aut_transition) ||
      !number(at, most, from, diag::aut_transition) ||
      !expect(at, ',', diag::aut_transition))
    return false;
  blanks(at);
  const char *fromAt = lineStart;
  // From the end: `)`, the target, the comma before it.
  StringRef rest = StringRef(at, lineEnd - at).rtrim(" \t\r");
  StringRef body = rest;
  bool closed = body.consume_back(")");
  body = body.rtrim(" \t");
  StringRef digits = body;
  while (!body.empty() && body.back() >= '0' && body.back() <= '9')
    body = body.drop_back();
  digits = digits.substr(body.size());
  StringRef label = body.rtrim(" \t");
  bool comma = closed && !digits.empty() && label.consume_back(",");
  if (!comma) {
    if (rest.starts_with("\"") &&
        rest.drop_front().find('"') == StringRef::npos)
      (void)error(at, diag::aut_missing_quote);
    else if (!closed)
      error(rest.end(), diag::aut_transition) << "')'" << found(rest.end());
    else if (digits.empty())
      error(rest.end() - 1, diag::aut_transition)
          << "a number" << found(rest.end() - 1);
    else
      error(digits.begin(), diag::aut_transition)
          << "','" << found(digits.begin());
    return false;
  }
  const char *toAt = digits.begin();
  if (!number(toAt, most, to, diag::aut_transition))
    return false;
  label = label.rtrim(" \t");
  if (label.starts_with("\"")) {
    if (label.size() < 2 || !label.ends_with("\"")) {
      (void)error(at, diag::aut_missing_quote);
      return false;
    }
    label = label.drop_front().drop_back();
  } else if (label.ends_with("\"") && label.count('"') == 1) {
    (void)error(at, diag::aut_missing_quote);
    return false;
  }
  if (from >= states) {
    error(fromAt, diag::aut_state_out_of_range) << from << states;
    return false;
  }
  if (to >= states) {
    error(digits.begin(), diag::aut_state_out_of_range) << to << states;
    return false;
  }
  builder.add(static_cast<StateIndex>(from), labelOf(label),
              static_cast<StateIndex>(to));
  return true;
}

/// Takes lines of the usual form off [begin, end) and stops at the first that
/// is not, or that may end within a few bytes of \p end: words are read whole.
/// Returns how many bytes were taken.
size_t AutParser::fastLines(const char *begin, const char *end) {
  constexpr ptrdiff_t margin = 64; // a line without its label, and two words
  if (end - begin < margin)
    return 0;
  const char *at = begin, *safe = end - margin;
  // The source of the last line as it stands there, with the comma and the
  // quote behind it: most often the next one is the same.
  uint64_t source = 0, sourceMask = ~uint64_t(0);
  unsigned sourceSize = 0;
  if (builder.numTransitions() == transitions)
    return 0;
  const LtsBuilder::Room room = builder.room();
  const size_t most =
      std::min<uint64_t>(room.size, transitions - builder.numTransitions());
  const uint64_t numStates = states;
  size_t number = 0;
  for (; at < safe && number < most && *at == '('; ++number) {
    const char *p = at + 1;
    uint64_t word = wordAt(p);
    if ((word & sourceMask) == source) {
      p += sourceSize;
    } else {
      const auto [from, comma] = fastNumber(p);
      if (from >= numStates || !areAt(comma, ',', '"'))
        break;
      // Should the line be odd further on, the slow way finds the same source.
      builder.startRow(static_cast<StateIndex>(from), number);
      sourceSize = static_cast<unsigned>(comma + 2 - p);
      // A longer one is looked at each time: no word is 0 behind a `(`.
      sourceMask = ~uint64_t(0) >> (64 - 8 * std::min(sourceSize, 8u));
      source = sourceSize <= 8 ? word & sourceMask : 0;
      p = comma + 2;
    }
    const auto [label, quote] = fastLabel(p, safe);
    if (label == noLabel || !areAt(quote, '"', ','))
      break;
    const auto [to, close] = fastNumber(quote + 2);
    if (to >= numStates || !areAt(close, ')', '\n'))
      break;
    room.label[number] = label;
    room.target[number] = static_cast<StateIndex>(to);
    at = close + 2;
  }
  builder.added(number);
  line += static_cast<uint32_t>(number);
  return static_cast<size_t>(at - begin);
}

/// Moves what is left of the window to its front and reads more. False: there
/// is no more, or it failed.
bool AutParser::refill(InputBytes *source) {
  if (!source)
    return false;
  size_t left = static_cast<size_t>(limit - next);
  if (left >= maxLine) {
    lineStart = lineEnd = next;
    ++line;
    error(next, diag::aut_line_too_long) << maxLine;
    return false;
  }
  if (bufferSize < left + windowSize) {
    bufferSize = std::min(left * 2, maxLine) + windowSize;
    auto larger = std::make_unique_for_overwrite<char[]>(bufferSize);
    if (left)
      std::memcpy(larger.get(), next, left);
    buffer = std::move(larger);
  } else if (left) {
    std::memmove(buffer.get(), next, left);
  }
  size_t got = source->read(buffer.get() + left, bufferSize - left);
  next = buffer.get();
  limit = next + left + got;
  if (!source->error.empty()) {
    lineStart = lineEnd = next;
    ++line;
    error(next, diag::aut_unreadable) << source->error;
    return false;
  }
  taken += got;
  if (taken > maxBytes) {
    failed = true;
    diags.report(Place{name.str(), 0, 0, ""}, diag::source_too_large)
        << "the " + std::to_string(maxBytes) + " bytes of --max-input";
    return false;
  }
  return got != 0;
}

std::optional<Lts> AutParser::parse(StringRef window, InputBytes *source,
                                    size_t sizeHint) {
  next = window.begin();
  limit = window.end();
  bool seenHeader = false;
  while (!failed) {
    auto *end = static_cast<const char *>(
        next == limit
            ? nullptr
            : std::memchr(next, '\n', static_cast<size_t>(limit - next)));
    if (!end) {
      if (refill(source) || failed)
        continue;
      if (next == limit)
        break;
      end = limit; // the last line has no line end
    }
    lineStart = next;
    lineEnd = end;
    if (lineEnd > lineStart && lineEnd[-1] == '\r')
      --lineEnd;
    next = end == limit ? limit : end + 1;
    ++line;
    if (StringRef(lineStart, lineEnd - lineStart).trim(" \t").empty())
      continue;
    if (!seenHeader) {
      seenHeader = true;
      if (!header())
        break;
      // Eight bytes is the shortest line: `(0,a,0)` and its end.
      builder.reserve(std::min<uint64_t>(transitions, sizeHint / 8 + 1));
    } else if (builder.numTransitions() == transitions) {
      error(lineStart, diag::aut_too_many_transitions) << transitions;
    } else if (!transition()) {
      break;
    }
    if (next == limit)
      continue;
    next += fastLines(next, limit);
  }
  if (failed)
    return std::nullopt;
  if (!seenHeader) {
    lineStart = lineEnd = next;
    line = std::max(line, 1u);
    error(next, diag::aut_header) << "'des'"
                                  << "the end of the file";
    return std::nullopt;
  }
  return finish();
}

std::optional<Lts> AutParser::finish() {
  lineStart = lineEnd = next;
  if (builder.numTransitions() < transitions) {
    error(next, diag::aut_too_few_transitions)
        << transitions << builder.numTransitions();
    return std::nullopt;
  }
  // A state without transitions takes room too: believe in so many only when
  // the file is of a size to go with them.
  if (states > (1u << 20) && states > 16 * (transitions + 1)) {
    line = headerLine;
    error(next, diag::aut_states_implausible) << states << transitions;
    return std::nullopt;
  }
  return std::move(builder).finish(static_cast<StateIndex>(initial),
                                   static_cast<size_t>(states));
}

bool cif::looksLikeAut(StringRef text) {
  text = text.ltrim();
  return text.consume_front("des") && text.ltrim(" \t").starts_with("(");
}

std::optional<Lts> cif::readAut(StringRef text, StringRef name,
                                DiagnosticEngine &diags, StringRef self) {
  return AutParser(name, diags, self, UINT64_MAX)
      .parse(text, nullptr, text.size());
}

std::optional<Lts> cif::readAutFile(StringRef path, DiagnosticEngine &diags,
                                    StringRef self, uint64_t maxBytes) {
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
  if (!bytes.error.empty())
    diags.report(diag::cannot_open) << name << bytes.error;
  else
    lts = AutParser(name, diags, self, maxBytes)
              .parse({}, &bytes, bytes.isCompressed() ? size * 8 : size);
  if (path != "-")
    ::close(fd);
  return lts;
}
