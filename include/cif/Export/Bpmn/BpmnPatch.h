//===- BpmnPatch.h - A change of a model, made in its BPMN file -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPORT_BPMN_BPMNPATCH_H
#define CIF_EXPORT_BPMN_BPMNPATCH_H

#include "cif/Support/LLVM.h"
#include <optional>
#include <string>

namespace cif {

/// \p source with the difference between \p before and \p after, which are what
/// emitBpmn writes of the model as it was read and as it is now. Elements are
/// matched by their ids; whatever else the source has stays. What is new is
/// drawn near its neighbours, and has another id in \p after, too, where the
/// source has its id already. Nothing: the change cannot be made there.
std::optional<std::string> patchBpmn(StringRef source, StringRef before,
                                     std::string &after);

/// Whether two files that emitBpmn wrote say the same of the same elements,
/// wherever they are drawn and in whichever order they stand. What \p file,
/// that one of them was read from, leaves implicit has no ids of its own to
/// compare.
bool sameBpmn(StringRef one, StringRef other, StringRef file);

} // namespace cif

#endif
