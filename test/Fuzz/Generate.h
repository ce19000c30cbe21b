//===- Generate.h - Texts from bytes --------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads any bytes as the choices of a grammar, so that a fuzzer that changes
/// bytes gets a protocol, peers or a term that is well-formed but otherwise
/// anything: unreachable states, no final ones, internal steps, messages to
/// oneself, choices between whoever. Bytes that are missing are zeros, and the
/// last alternatives of each rule need fewest of them, so that every text ends.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_FUZZ_GENERATE_H
#define CIF_TEST_FUZZ_GENERATE_H

#include "cif/Support/LLVM.h"
#include <string>

namespace cif::fuzz {

/// The choices that are left.
class Bytes {
public:
  explicit Bytes(ArrayRef<uint8_t> bytes) : left(bytes) {}
  /// A number below \p below.
  unsigned pick(unsigned below) {
    if (left.empty())
      return 0;
    uint8_t byte = left.front();
    left = left.drop_front();
    return byte % below;
  }
  bool any() const { return !left.empty(); }
  ArrayRef<uint8_t> rest() const { return left; }

private:
  ArrayRef<uint8_t> left;
};

inline std::string participant(Bytes &bytes) {
  static const char *const names[] = {"a", "b", "c", "d", "\"e f\""};
  return names[bytes.pick(5)];
}

inline std::string message(Bytes &bytes) {
  static const char *const names[] = {"m", "n", "o", "p", "q", "r", "s", "t"};
  return names[bytes.pick(8)];
}

inline std::string exchange(Bytes &bytes) {
  std::string from = participant(bytes), to = participant(bytes);
  // To oneself is an error: now and then only.
  if (from == to && bytes.pick(8) != 7)
    to = from == "a" ? "b" : "a";
  return from + " -> " + to + " : " + message(bytes);
}

/// What a transition may ask of the variable x, which may not be bound there.
inline std::string guard(Bytes &bytes) {
  static const char *const guards[] = {"[x < 3] => ", "[x >= 3] => ",
                                       "[x == 1 || x > 7] => ",
                                       "[x * 2 != 4] => ", "[1 < 0] => "};
  return bytes.pick(8) == 7 ? guards[bytes.pick(5)] : "";
}

/// The message v has a field, which binds x or is computed from it.
inline std::string valueMessage(Bytes &bytes, bool receives) {
  static const char *const fields[] = {"v(x: int)", "v(x + 1)", "v(2)"};
  return fields[receives ? 0 : bytes.pick(3)];
}

inline std::string protocolText(Bytes &bytes) {
  unsigned states = 1 + bytes.pick(7);
  auto state = [&] { return "s" + std::to_string(bytes.pick(states)); };
  std::string text = "protocol P {\n  initial s0\n";
  for (unsigned n = bytes.pick(3); n; --n)
    text += "  final " + state() + "\n";
  for (unsigned n = 1 + bytes.pick(10); n; --n) {
    std::string from = state(), to = state();
    text += "  " + from + " -> " + to + " : " + guard(bytes);
    const unsigned kind = bytes.pick(10);
    text += kind == 9   ? "tau " + participant(bytes)
            : kind == 8 ? "a -> b : " + valueMessage(bytes, false)
                        : exchange(bytes);
    text += "\n";
  }
  return text + "}\n";
}

inline std::string peersText(Bytes &bytes) {
  static const char *const names[] = {"a", "b", "c"};
  std::string text;
  unsigned peers = 2 + bytes.pick(2);
  for (unsigned p = 0; p < peers; ++p) {
    unsigned states = 1 + bytes.pick(4);
    auto state = [&] { return std::to_string(bytes.pick(states)); };
    text += std::string("peer ") + names[p] + " {\n  initial 0\n";
    if (bytes.pick(2))
      text += "  final " + state() + "\n";
    for (unsigned n = bytes.pick(6); n; --n) {
      std::string from = state(), to = state();
      text += "  " + from + " -> " + to + " : " + guard(bytes);
      const unsigned kind = bytes.pick(8);
      const bool receives = bytes.pick(2);
      if (kind == 7)
        text += "tau";
      else
        text += names[(p + 1 + bytes.pick(peers - 1)) % peers] +
                std::string(receives ? "?" : "!") +
                (kind == 6 ? valueMessage(bytes, receives) : message(bytes));
      text += "\n";
    }
    text += "}\n";
  }
  return text;
}

/// A `.cp` file.
inline std::string cpText(Bytes &bytes) {
  return bytes.pick(3) == 2 ? peersText(bytes) : protocolText(bytes);
}

/// A term, as a stack of what is still to be written: no recursion. Every
/// operator takes a byte, so that there are fewer of them than bytes.
inline std::string termText(Bytes &bytes) {
  std::string text;
  std::vector<std::string> open{""}; // what closes each; "" asks for a term
  unsigned calls = 0;
  while (!open.empty()) {
    std::string next = std::move(open.back());
    open.pop_back();
    if (!next.empty()) {
      if (next == "}rec") {
        --calls;
        next = " }";
      }
      text += next;
      continue;
    }
    auto join = [&](const char *mark) {
      text += "( ";
      open.insert(open.end(), {" )", "", mark, ""});
    };
    switch (bytes.any() ? bytes.pick(16) : 15) {
    case 0:
    case 1:
    case 2:
      join(" ; ");
      break;
    case 3:
    case 4:
      join(" || ");
      break;
    case 5:
    case 6:
      join(" + ");
      break;
    case 7:
      join(" [> ");
      break;
    case 8:
      text += "loop { ";
      open.insert(open.end(), {" }", ""});
      break;
    case 9:
      text += bytes.pick(2) ? "while [true] { " : "while [1 < 0] { ";
      open.insert(open.end(), {" }", ""});
      break;
    case 10: // a step comes before each call
      ++calls;
      text += "rec X { " + exchange(bytes) + " ; ";
      open.insert(open.end(), {"}rec", ""});
      break;
    case 11:
      text += calls ? "X" : "1";
      break;
    case 12:
      text += bytes.pick(2) ? "0" : "1";
      break;
    case 13:
      text += "tau " + participant(bytes);
      break;
    default:
      text += exchange(bytes);
    }
  }
  return text;
}

/// A `.ioc` file with one choreography.
inline std::string iocText(Bytes &bytes) {
  return "choreography C {\n  " + termText(bytes) + "\n}\n";
}

} // namespace cif::fuzz

#endif
