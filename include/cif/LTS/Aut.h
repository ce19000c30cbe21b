//===- Aut.h - AUT files ------------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The Aldebaran format: a header `des (initial, transitions, states)` and one
/// transition `(source, "label", target)` a line, the quotes being optional. A
/// quoted label ends at the last quote of its line, so it may contain quotes,
/// commas and parentheses.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LTS_AUT_H
#define CIF_LTS_AUT_H

#include "cif/IR/Lts.h"
#include "cif/Support/Diagnostics.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace cif {

/// Reads the file at \p path (`-`: standard input) piece by piece, so that its
/// text never stands in memory as a whole. \p self is the participant whose
/// local labels (`q!m`, `p?m`) these are, if any. Nothing: errors were
/// reported; a text of more than \p maxBytes, unpacked, is one. The result is
/// the same whatever the number of threads.
std::optional<Lts> readAutFile(StringRef path, DiagnosticEngine &diags,
                               StringRef self = {},
                               uint64_t maxBytes = UINT64_MAX,
                               unsigned threads = 1);

/// Reads a text that is in memory, named \p name in messages.
std::optional<Lts> readAut(StringRef text, StringRef name,
                           DiagnosticEngine &diags, StringRef self = {});

/// Whether \p text looks like AUT: `des` and a parenthesis.
bool looksLikeAut(StringRef text);

/// A label as it stands in a file: labelText's, in quotes, always one line.
std::string autLabel(const Label &label);
/// Writes \p lts; labels are labelText's, always in quotes. The text is the
/// same whatever the number of threads.
void writeAut(const Lts &lts, raw_ostream &os, unsigned threads = 1);
/// The same, compressed with gzip.
llvm::Error writeAutGz(const Lts &lts, raw_ostream &os, unsigned threads = 1);

/// Writes \p lts as a graph for Graphviz.
void writeDot(const Lts &lts, raw_ostream &os);

} // namespace cif

#endif
