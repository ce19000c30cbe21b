//===- AutLines.cpp - The lines of AUT files ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutLines.h"
#include "cif/Support/Diagnostics/Lts.h"
#include "llvm/Support/Endian.h"
#include <cstring>

using namespace cif;

namespace {

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

} // namespace

/// The number of the digits at \p at; more than any state when there are none,
/// or too many.
LLVM_ATTRIBUTE_NOINLINE
AutLines::ReadTo<uint64_t> AutLines::longNumber(const char *at) {
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
inline AutLines::ReadTo<uint64_t> AutLines::fastNumber(const char *at) {
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

bool AutLines::expect(const char *&at, char c, diag::Kind kind) {
  blanks(at);
  if (at < lineEnd && *at == c) {
    ++at;
    return true;
  }
  error(at, kind) << ("'" + Twine(c) + "'").str() << found(at);
  return false;
}

/// Reads a number of at most \p most.
bool AutLines::number(const char *&at, uint64_t most, uint64_t &value,
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

bool AutLines::readHeader() {
  const char *at = lineStart;
  auto &[initial, transitions, states, headerLine] = header;
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
AutLines::LabelSlot &AutLines::slotOf(uint64_t hash, StringRef text,
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
AutLines::ReadTo<LabelIndex> AutLines::longLabel(const char *at,
                                                 const char *safe) {
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

inline AutLines::ReadTo<LabelIndex> AutLines::fastLabel(const char *at,
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

LabelIndex AutLines::labelOf(StringRef text) {
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
          labels.intern(parseLabel(text, self))};
  for (size_t i = 0; i < whole; ++i)
    words.push_back(wordAt(padded.data() + 8 * i));
  words.push_back(last);
  LabelIndex index = slot.index;
  if (++numTexts * 4 > slots.size())
    growLabels();
  return index;
}

void AutLines::growLabels() {
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
bool AutLines::transition(LtsBuilder &builder) {
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
  if (const uint64_t states = header.states; from >= states) {
    error(fromAt, diag::aut_state_out_of_range) << from << states;
    return false;
  }
  if (const uint64_t states = header.states; to >= states) {
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
size_t AutLines::fastLines(const char *begin, const char *end,
                           LtsBuilder &builder) {
  constexpr ptrdiff_t margin = 64; // a line without its label, and two words
  if (end - begin < margin)
    return 0;
  const char *at = begin, *safe = end - margin;
  // The source of the last line as it stands there, with the comma and the
  // quote behind it: most often the next one is the same.
  uint64_t source = 0, sourceMask = ~uint64_t(0);
  unsigned sourceSize = 0;
  const uint64_t numStates = header.states;
  const uint64_t left = header.transitions - builder.numTransitions();
  if (left == 0)
    return 0;
  const LtsBuilder::Room room = builder.room();
  const size_t most = std::min<uint64_t>(room.size, left);
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

bool AutLines::read(StringRef text, LtsBuilder &to) {
  const char *next = text.begin();
  while (next < text.end()) {
    auto *end = static_cast<const char *>(
        std::memchr(next, '\n', static_cast<size_t>(text.end() - next)));
    lineStart = next;
    lineEnd = end ? end : text.end();
    next = end ? end + 1 : text.end();
    if (lineEnd > lineStart && lineEnd[-1] == '\r')
      --lineEnd;
    ++line;
    if (StringRef(lineStart, lineEnd - lineStart).trim(" \t").empty())
      continue;
    if (!header.line) {
      if (!readHeader())
        return false;
      // Eight bytes is the shortest line: `(0,a,0)` and its end.
      to.reserve(std::min<uint64_t>(header.transitions, text.size() / 8 + 1));
    } else if (to.numTransitions() == header.transitions) {
      error(lineStart, diag::aut_too_many_transitions) << header.transitions;
      return false;
    } else if (!transition(to)) {
      return false;
    }
    next += fastLines(next, text.end(), to);
  }
  return true;
}
