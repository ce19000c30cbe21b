//===- CheckFiles.cpp - --check of several files --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckAll.h"
#include "cif/Report/Report.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Support/Visible.h"

using namespace cif;

/// 2, then 1, then 3: what is wrong comes before what is not known.
static int worse(int a, int b) {
  static const int ranks[] = {0, 2, 3, 1}; // by status
  auto rank = [](int status) {
    return status >= 0 && status < 4 ? ranks[status] : 4;
  };
  return rank(a) >= rank(b) ? a : b;
}

std::string CheckedInput::title() const {
  return visible(part.empty()
                     ? file
                     : file + ":" + std::to_string(line) + " '" + part + "'");
}

int cif::checkFiles(ArrayRef<CheckedInput> inputs,
                    function_ref<FileResult(const CheckedInput &)> check,
                    raw_ostream &os, bool colors, bool quiet) {
  std::vector<FileResult> results;
  int status = ExitHolds;
  unsigned width = 0;
  for (const CheckedInput &input : inputs) {
    results.push_back(check(input));
    status = worse(status, results.back().status);
    width = std::max(width, columnsOf(input.title()));
  }
  if (quiet)
    return status;
  os << "\nfiles\n";
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string title = inputs[i].title();
    os << "  " << title;
    os.indent(width - columnsOf(title) + 2);
    printStatus(os, results[i].status, results[i].reason, colors);
    os << '\n';
  }
  return status;
}
