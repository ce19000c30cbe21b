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

/// Reads \p text, silently, as the BPMN file that \p path names, and how it
/// draws its elements into \p layout. False: it has errors.
bool readBpmnText(StringRef path, StringRef text, Module &into,
                  DiagramLayout *layout = nullptr);

class WriteBack {
public:
  /// \p layout: how the file draws its model, for what is written anew.
  WriteBack(Session &session, const DiagramLayout &layout)
      : session(session), layout(layout) {}

  /// Writes \p module into the text of the BPMN file that it comes from.
  /// Nothing: there is no such file, or the change cannot be made there.
  std::optional<std::string> write(const Module &module) const;
  /// Whether there is a file that write() should have written to.
  bool hasFile(const Module &module) const { return sourceOf(module); }

private:
  const SourceBuffer *sourceOf(const Module &module) const;
  std::optional<std::string> emitted(const Module &module) const;

  Session &session;
  const DiagramLayout &layout;
};

} // namespace cif

#endif
