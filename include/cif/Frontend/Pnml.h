//===- Pnml.h - Petri nets of other tools ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads place/transition nets in the interchange format of [iso15909-2], as
/// the Model Checking Contest has them. A net is no module: it has neither
/// participants nor messages. It is read as guarded commands, to be explored.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_FRONTEND_PNML_H
#define CIF_FRONTEND_PNML_H

#include "cif/IR/Commands.h"
#include "cif/Support/Diagnostics.h"
#include <optional>

namespace cif {

/// Whether \p text, or its beginning, is that of a PNML file.
bool looksLikePnml(StringRef text);

/// The one net of \p source: a counter for each place, a command for each
/// transition, labelled with its name or, without one, with its id. The name
/// `tau` is silent, and exchanges (`p->q:m`) are known as such. Nothing: errors
/// were reported.
std::optional<CommandModel> readPnml(const SourceBuffer &source,
                                     DiagnosticEngine &diags);

} // namespace cif

#endif
