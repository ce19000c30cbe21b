//===- Drivers.h - The tools, as functions --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each tool is one of these functions and a main that calls it, so that a
/// project out of tree has the same tools with its own parts in the registry.
/// All return an ExitCode.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_DRIVERS_H
#define CIF_TOOLS_DRIVERS_H

#include "cif/Tools/Registry.h"

namespace cif {

/// Each runs a tool with the given command line and returns its exit status
/// (see
/// `--help`). \p registry: the passes, front ends and emitters that it knows,
/// usually `builtinRegistry()` and what the program adds. Plugins that `--load`
/// names are added to it. All print and read files; none ends the program.
int cifcMain(int argc, char **argv, Registry registry);
int cifOptMain(int argc, char **argv, Registry registry);
int cifAsMain(int argc, char **argv, Registry registry);
int cifDisMain(int argc, char **argv, Registry registry);
int cifLtsMain(int argc, char **argv, Registry registry);
int cifReduceMain(int argc, char **argv, Registry registry);
int cifLspMain(int argc, char **argv, Registry registry);

} // namespace cif

#endif
