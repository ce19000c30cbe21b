//===- DiagramLayout.h - Where a file draws its elements ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The drawing that a source comes with (BPMN's diagram interchange), by the
/// ids of its elements. It travels beside the module, from the front end to the
/// emitter: a module means the same wherever its nodes are drawn.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_DIAGRAMLAYOUT_H
#define CIF_SUPPORT_DIAGRAMLAYOUT_H

#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <vector>

namespace cif {

struct DiagramLayout {
  struct Bounds {
    int32_t x = 0, y = 0, width = 0, height = 0;
  };
  struct Point {
    int32_t x = 0, y = 0;
  };
  llvm::StringMap<Bounds> bounds;
  llvm::StringMap<std::vector<Point>> waypoints;
  /// Of choreography activities: bit 0, whether the envelope of the initiating
  /// message is drawn; bit 1, of the message back.
  llvm::StringMap<uint8_t> envelopes;
};

} // namespace cif

#endif // CIF_SUPPORT_DIAGRAMLAYOUT_H
