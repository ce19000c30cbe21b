//===- cif-reduce.cpp - smaller inputs for a defect ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/Drivers.h"

int main(int argc, char **argv) {
  return cif::cifReduceMain(argc, argv, cif::builtinRegistry());
}
