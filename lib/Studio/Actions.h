//===- Actions.h - What the page may ask for ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Turns a request of the page into a run of the compiler. A request names one
/// of a few actions; what it says goes into arguments of which the first part
/// is ours, so that no name can be an option.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_STUDIO_ACTIONS_H
#define CIF_LIB_STUDIO_ACTIONS_H

#include "Folder.h"
#include "cif/Support/Jobs.h"
#include "llvm/Support/JSON.h"

namespace cif {

struct StudioOptions;

/// Names of what runs write, in the job's folder for outputs.
constexpr const char *reportOutput = "report.json", *pageOutput = "page.html",
                     *tableOutput = "table.json";
/// The file that an action makes; its ending follows.
constexpr const char *fileOutput = "made";

/// The job that \p request asks for. Texts that the page has changed come with
/// it; the others are read from \p folder. False: \p error says why not.
bool makeJob(const llvm::json::Object &request, const Folder &folder,
             const StudioOptions &options, Job &job, std::string &error);

} // namespace cif

#endif
