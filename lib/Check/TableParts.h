//===- TableParts.h - What the tables of checks share ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_TABLEPARTS_H
#define CIF_LIB_CHECK_TABLEPARTS_H

#include "cif/Pass/Pass.h"

namespace cif {

/// \p text with the characters escaped that HTML gives a meaning.
std::string html(StringRef text);
/// The beginning of a page, with its heading. The class of a cell is its text:
/// a verdict, yes or no, true or false, unknown.
void printHtmlHead(raw_ostream &os, StringRef title);
/// The element and line, small; nothing if neither is known.
void printHtmlPlace(raw_ostream &os, const Place &at);
/// The message of \p fact behind \p head, the steps of its witness, its notes.
void printHtmlWhy(raw_ostream &os, StringRef head, const Fact &fact);
/// A list of notes with their places.
void printHtmlNotes(raw_ostream &os, ArrayRef<Note> notes);

/// Whether `format` is for a table that is printed; else this is reported.
bool tableApplies(const PassContext &context);

/// Prints a table to the file that the option `table` names, to none if this is
/// `none`. Without it, text goes to the log, and other formats go to standard
/// output.
PassResult writeTable(PassContext &context, bool isText,
                      function_ref<void(raw_ostream &)> print);

} // namespace cif

#endif
