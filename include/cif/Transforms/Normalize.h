//===- Normalize.h - From what is drawn to plain nodes --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Expansion of what the IR allows but the semantics do not have.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TRANSFORMS_NORMALIZE_H
#define CIF_TRANSFORMS_NORMALIZE_H

#include "cif/IR/Module.h"

namespace cif {

struct NormalizeCounts {
  unsigned gateways = 0, replies = 0, loops = 0, instances = 0;
  bool any() const { return gateways || replies || loops || instances; }
};

/// Expands what the IR allows but the semantics do not have, in place:
///  - a split with several incoming flows becomes a join of its kind and the
///    split;
///  - an interaction with a reply becomes two interactions in sequence;
///  - a loop marker becomes a join, a choice and the flow back;
///  - a multi-instance marker becomes copies, one after the other or between an
///    all-select and an all-join. Without a number of instances: any number,
///    one after the other, or two at once, which is an abstraction with a
///    warning.
/// New nodes have the location of what they come from. Inclusive splits stay.
/// False: an error was reported (more instances than can be copied). \p counts,
/// if given, has what was expanded added to it.
bool normalize(Module &module, DiagnosticEngine &diags,
               NormalizeCounts *counts = nullptr);

} // namespace cif

#endif
