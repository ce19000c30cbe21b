//===- Server.h - The language server -------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Speaks the Language Server Protocol, version 3.17, with an editor.
///
///   editor --> Transport --> Server --> Features (names, layout, actions)
///                              |  ^
///                 at once: check  Jobs --> cifc --check, a process of its own
///
/// One thread owns everything. It reads messages, and waits for nothing else
/// but the clock and the ends of jobs: what may take long runs as a process,
/// which the next edit ends.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LSP_SERVER_H
#define CIF_LSP_SERVER_H

#include "cif/Support/LLVM.h"
#include <functional>
#include <string>

namespace cif {

struct LspOptions {
  std::string version;
  std::string cifc;          ///< the program that runs checks
  unsigned timeout = 10;     ///< seconds of a check
  std::string memory = "1G"; ///< of a check
  unsigned debounce = 150;   ///< milliseconds from an edit to its check

  /// The front end of a text: "ioc". \p id is what the editor calls its
  /// language. Empty: none reads it.
  std::function<std::string(StringRef path, StringRef text, StringRef id)>
      languageOf;
  /// What can be said of a text at once, as schema/report.schema.json has it.
  std::function<std::string(StringRef path, StringRef text, StringRef language)>
      checkAtOnce;
  /// The page of --explain; empty: there is none.
  std::function<std::string(StringRef name)> explain;
};

/// Serves the editor that writes to \p input and reads \p output until it says
/// goodbye or goes away. The exit status of the protocol: 0 after `shutdown`
/// and `exit`, else 1.
int serveLsp(const LspOptions &options, int input, raw_ostream &output);

} // namespace cif

#endif
