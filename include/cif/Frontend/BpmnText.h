//===- BpmnText.h - The text of a BPMN file, well-formed ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_FRONTEND_BPMNTEXT_H
#define CIF_FRONTEND_BPMNTEXT_H

#include "cif/Support/Source.h"
#include <string>

namespace cif {

/// The text of a BPMN file that parseBpmn reads, with values for the attributes
/// that have none: `true`, as it reads the Boolean ones, otherwise empty.
std::string textWithValues(const SourceBuffer &source);

} // namespace cif

#endif
