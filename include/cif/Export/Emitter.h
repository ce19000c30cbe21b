//===- Emitter.h - From a module to another format ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An emitter writes a module in some format. Emitters.def lists the built-in
/// ones; plugins register theirs the same way. What a format cannot express is
/// an error that names the node.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPORT_EMITTER_H
#define CIF_EXPORT_EMITTER_H

#include "cif/IR/Module.h"
#include "cif/Semantics/Semantics.h"
#include "cif/Support/DiagramLayout.h"
#include <functional>

namespace cif {

struct EmitOptions {
  /// Elements to draw highlighted, in the order of a witness: a place with an
  /// element's id, or with a line and column.
  std::vector<Place> highlight;
  /// What there is to say of single elements, e.g. what they wait for.
  struct Mark {
    Place at;
    std::string text;
  };
  std::vector<Mark> marks;
  /// What the picture shows, e.g. which check failed.
  std::string caption;
  /// A BPMN text whose model this is: pictures are drawn as it draws them. Of
  /// its diagrams only the one of that id, unless that is empty.
  std::string drawing, diagram;
  /// How the source draws its elements, if it says so: diagrams keep that.
  const DiagramLayout *layout = nullptr;
  /// BPMN: nodes and flows of one element of the source say so, as the
  /// semantics depend on it.
  bool parts = true;
  /// SVG: elements say what an animation calls them (IR/Animation.h): flows
  /// and activities without an id their number or place, message flows their
  /// exchange, and everything that has a name its name.
  bool references = false;
  /// What is explored, for a format that describes a system.
  SemanticsOptions semantics;
  /// The name of the file, without its folder and extension; empty: there is no
  /// file.
  std::string fileName;
  /// Opens a second file, of the same name with this extension. Null: errors
  /// were reported. Not set: there is no file for it to be beside.
  std::function<raw_ostream *(StringRef extension)> beside;
  /// Told which limit ended the work of an emitter that searches; that is no
  /// error.
  std::function<void(StringRef limit)> stopped;
};

struct Emitter {
  const char *name;        ///< for --emit=
  const char *extension;   ///< without a dot
  const char *description; ///< one line
  /// False: errors were reported, or EmitOptions::stopped was called; what was
  /// written is not to be used.
  bool (*emit)(const Module &module, raw_ostream &os, DiagnosticEngine &diags,
               const EmitOptions &options);
  /// It describes a system: options choose the semantics and the network.
  bool describesSystem = false;
};

// emitX of each line of Emitters.def, as in Emitter.
#define CIF_SYSTEM_EMITTER CIF_EMITTER
#define CIF_EMITTER(ID, NAME, EXTENSION, DESCRIPTION)                          \
  bool emit##ID(const Module &module, raw_ostream &os,                         \
                DiagnosticEngine &diags, const EmitOptions &options);
#include "cif/Export/Emitters.def"

/// The built-in emitters, in Emitters.def's order.
ArrayRef<Emitter> builtinEmitters();

} // namespace cif

#endif
