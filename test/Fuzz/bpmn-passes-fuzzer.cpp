//===- bpmn-passes-fuzzer.cpp - Pipelines over BPMN files -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Five bytes choose what to do. What follows is a BPMN file if it starts
/// like one, as the seeds do, else the choices of a grammar of such files.
///
//===----------------------------------------------------------------------===//

#include "GenerateBpmn.h"
#include "PassFuzzer.h"

using namespace cif;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < fuzz::planBytes)
    return 0;
  fuzz::Bytes choice({data, fuzz::planBytes});
  fuzz::Plan plan = fuzz::planFrom(choice);
  StringRef rest(reinterpret_cast<const char *>(data) + fuzz::planBytes,
                 size - fuzz::planBytes);
  fuzz::Bytes bytes({data + fuzz::planBytes, size - fuzz::planBytes});
  std::string text = rest.starts_with("<") ? rest.str() : fuzz::bpmnText(bytes);
  fuzz::abortOn(fuzz::runOnText(parseBpmn, text, plan), text, plan);
  return 0;
}
