//===- Examples.h - cifc --examples ---------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The models of docs/examples, built into the tools, so that whoever installed
/// them can run the commands that the documentation shows.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_EXAMPLES_H
#define CIF_LIB_TOOLS_EXAMPLES_H

#include "cif/Tools/Session.h"

namespace cif {

/// A file of docs/examples.
struct Example {
  StringRef path; ///< below the folder: "booking/bank-a.bpmn"
  StringRef text;
};
ArrayRef<Example> examples();

/// Writes all examples into the folder that --examples names, which is made
/// where it is missing. A file that is there with other content is an error,
/// and nothing is written then. Returns an exit code.
int writeExamples(Session &session);

} // namespace cif

#endif
