//===- WriteBack.h - BPMN into the file that it came from -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A BPMN file has more than the IR: lanes, documentation, data, what other
/// tools put into it. A model that is written as BPMN again is its own file, as
/// it was or with the change made in it; only where that is not possible it is
/// written from the IR alone.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_WRITEBACK_H
#define CIF_LIB_TOOLS_WRITEBACK_H

#include "cif/Tools/Session.h"

namespace cif {

class WriteBack {
public:
  /// Keeps what is needed of \p module as it was read, if \p isAsked. \p
  /// layout: how its file draws it.
  WriteBack(Session &session, const Module &module, const DiagramLayout &layout,
            bool isAsked);

  /// Writes \p module into its file's text. Nothing: it has no file, or the
  /// change cannot be made there.
  std::optional<std::string> write(const Module &module) const;
  /// Whether there is a file that write() should have written to.
  bool hasFile() const { return !path.empty(); }

private:
  std::optional<std::string> emitted(const Module &module) const;

  Session &session;
  const DiagramLayout &layout;
  std::string path;    ///< of the file; empty: there is none to write to
  std::string before;  ///< what is written of the module as it was read
  uint64_t digest = 0; ///< of the module as it was read
};

} // namespace cif

#endif
