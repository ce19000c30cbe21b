//===- FrontEnd.h - From a source to a module -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A front end says whether a source is in its language and adds what the
/// source means to a module. FrontEnds.def lists the built-in ones; plugins
/// register theirs the same way.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_FRONTEND_FRONTEND_H
#define CIF_FRONTEND_FRONTEND_H

#include "cif/IR/Module.h"

namespace cif {

struct DiagramLayout;

struct FrontEndOptions {
  bool strict = false; ///< what would be abstracted is an error
  std::string select;  ///< the id of the one diagram or behaviour to read
  /// Takes how the file draws its elements, where it says so and this is given.
  DiagramLayout *layout = nullptr;
};

/// A diagram of a source that has several, each of which is a whole of its own.
struct SourcePart {
  std::string name; ///< for FrontEndOptions::select
  uint32_t line = 0;
};

struct FrontEnd {
  const char *name;        ///< for --input-format=
  const char *extensions;  ///< without dots, separated by blanks
  const char *description; ///< one line
  /// How sure it is that \p text is in its language: 0 not at all, 100 quite.
  /// Looks at the bytes first; the path's extension only decides between
  /// equals.
  int (*detect)(StringRef path, StringRef text);
  /// Adds the source to \p module. False: errors were reported to \p diags and
  /// the module is not to be used.
  bool (*parse)(const SourceBuffer &source, Module &module,
                DiagnosticEngine &diags, const FrontEndOptions &options);
  /// The diagrams of a source that are to be checked one by one; null: what
  /// the source has belongs together.
  std::vector<SourcePart> (*parts)(const SourceBuffer &source) = nullptr;
};

// detectX and parseX of each line of FrontEnds.def, as in FrontEnd.
#define CIF_FRONTEND(ID, NAME, EXTENSIONS, DESCRIPTION)                        \
  int detect##ID(StringRef path, StringRef text);                              \
  bool parse##ID(const SourceBuffer &source, Module &module,                   \
                 DiagnosticEngine &diags, const FrontEndOptions &options);
#include "cif/Frontend/FrontEnds.def"

/// The diagrams of a file of PlantUML, and of Markdown.
std::vector<SourcePart> partsOfPlantUml(const SourceBuffer &source);
std::vector<SourcePart> partsOfMarkdown(const SourceBuffer &source);

/// The built-in front ends, in FrontEnds.def's order.
ArrayRef<FrontEnd> builtinFrontEnds();

} // namespace cif

#endif
