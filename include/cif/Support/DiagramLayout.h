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
#include <string>
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
  llvm::StringMap<Bounds> labels;     ///< of events, gateways and flows
  llvm::StringMap<uint8_t> collapsed; ///< activities without their content

  /// What is drawn and has no bearing on behaviour.
  enum class Kind : uint8_t {
    Lane,
    Annotation,
    DataObject,
    DataStore,
    Group,
    Association,
    DataAssociation,
  };
  struct Decoration {
    Kind kind = Kind::Lane;
    std::string text;
  };
  llvm::StringMap<Decoration> decorations;
  /// BPMN's own word for an element where the drawing has a sign for it:
  /// `userTask`; of link events `linkThrow` and `linkCatch`.
  llvm::StringMap<std::string> types;
  /// The diagram of the file to be read, by its id; empty: the first drawing of
  /// each element counts.
  std::string only;
};

} // namespace cif

#endif // CIF_SUPPORT_DIAGRAMLAYOUT_H
