//===- PlantUmlArrow.h - The messages of PlantUML -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_SEQUENCE_PLANTUMLARROW_H
#define CIF_LIB_FRONTEND_SEQUENCE_PLANTUMLARROW_H

#include "cif/Support/LLVM.h"
#include <string>

namespace cif::sequence {

/// An end of a message: a participant, or the border of the diagram (`[`, `]`,
/// `?`).
struct UmlEnd {
  StringRef id;
  StringRef shown; ///< what people see, where that is said here
  bool isBorder = false;
};

struct UmlMessage {
  UmlEnd left, right;
  std::vector<StringRef> others; ///< more that it goes to: `A -> B & C`
  bool headLeft = false, headRight = false;
  bool dotted = false;
  bool hidden = false; ///< not drawn: it keeps others apart
  bool lost = false;   ///< the end of the arrow is a cross
  bool activates = false, deactivates = false;
  StringRef text;
};

/// Takes `A`, `"A b"`, `"A b" as A`, `A as "A b"` or `A as B` off the front.
bool takeEnd(StringRef &text, UmlEnd &end);
/// Takes a whole message.
bool takeMessage(StringRef &text, UmlMessage &message);
/// Whether an arrow stands at the front, behind blanks.
bool startsArrow(StringRef text);
/// Takes colours, stereotypes, links and the order among participants off the
/// front: `#red <<new>> [[http://x]] order 3`.
void skipLooks(StringRef &text);
/// The text as people see it: line breaks are blanks, characters may be given
/// by their numbers.
std::string umlText(StringRef text);

} // namespace cif::sequence

#endif
