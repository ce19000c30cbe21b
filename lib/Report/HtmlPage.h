//===- HtmlPage.h - The page of --report=html, without its data -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Made at build time from lib/Report/Html by utils/embed-page.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_REPORT_HTMLPAGE_H
#define CIF_LIB_REPORT_HTMLPAGE_H

#include "cif/Support/LLVM.h"

namespace cif {

/// A viewer that was there when this was built, with its licence; empty: none.
struct HtmlViewer {
  StringRef script;  ///< JavaScript
  StringRef digest;  ///< of the script, as a content security policy has it
  StringRef license; ///< to go with it
};

struct HtmlPage {
  /// The page up to its policy for scripts, from there to its data, and from
  /// there to its end; viewers stand before the last part.
  StringRef head, body, end;
  StringRef digest; ///< of the page's own script
  HtmlViewer bpmn, choreography;
};
const HtmlPage &htmlPage();

} // namespace cif

#endif
