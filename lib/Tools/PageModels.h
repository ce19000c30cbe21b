//===- PageModels.h - What the page of a run shows ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Draws what a run reads and what it makes, and takes the runs of witnesses
/// again, for --report=html. Without that option it does nothing.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_PAGEMODELS_H
#define CIF_LIB_TOOLS_PAGEMODELS_H

#include "cif/IR/Module.h"
#include "cif/Report/RunReport.h"
#include "cif/Support/DiagramLayout.h"
#include "cif/Support/Limits.h"

namespace cif {

/// The models of a run's page.
struct PageModels {
  bool wanted = false;
  std::vector<ReportModel> models;
  std::vector<ReportRun> runs;
  size_t numFacts = 0; ///< of the models so far

  /// Draws an LTS beside those that came before, if it is small enough.
  void add(const Lts &lts, StringRef name);
};

/// One module on its way through the passes.
class PageModel {
public:
  /// \p module as it was read from \p file, which holds \p source. What cannot
  /// be drawn within \p limits is not drawn.
  PageModel(PageModels &page, const Module &module, StringRef file,
            const DiagramLayout *layout, StringRef source,
            const Limits &limits);
  /// Another module to look at beside this one, which \p text is drawn for:
  /// what the passes made of it or, with a \p diff, a repair that was found.
  void compareWith(const Module &module, StringRef text,
                   ArrayRef<std::string> diff);
  /// The module as the passes left it, and what they found. Facts are counted
  /// in the order in which models come.
  void finish(const Module &module, ArrayRef<Fact> facts, const Limits &limits);

private:
  PageModels &page;
  std::unique_ptr<Module> before;
  const DiagramLayout *layout;
  const Limits limits;
  ReportModel model;
};

} // namespace cif

#endif
