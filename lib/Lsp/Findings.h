//===- Findings.h - From reports to what editors show ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_LSP_FINDINGS_H
#define CIF_LIB_LSP_FINDINGS_H

#include "cif/Support/Source.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace cif {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

class Document;

struct LspPosition {
  uint32_t line = 0, character = 0;
  auto operator<=>(const LspPosition &) const = default;
};
struct LspRange {
  LspPosition start, end;
  bool operator==(const LspRange &) const = default;
};
Value toJSON(const LspPosition &position);
Value toJSON(const LspRange &range);
/// Nothing: it is no position.
std::optional<LspPosition> positionFrom(const Object *object);
std::optional<LspRange> rangeFrom(const Object *object);

struct LspEdit {
  LspRange range;
  std::string text;
};
Value toJSON(const LspEdit &edit);

/// A change that mends something.
struct LspFix {
  std::string title;
  std::vector<LspEdit> edits;
};

/// A diagnostic of the editor.
struct Finding {
  LspRange range;
  int severity = 1; ///< 1 error, 2 warning, 3 information
  std::string code; ///< "E0101", "check-realizable"
  std::string message;
  struct Related {
    LspRange range;
    std::string text;
  };
  std::vector<Related> related; ///< the steps of a witness, and notes
  std::vector<LspFix> fixes;
  bool isVerdict = false;
};
Value toJSON(const Finding &finding, StringRef uri);

/// A verdict of whatever kind, for a line.
struct VerdictLine {
  std::string property, subject, verdict;
  std::optional<LspRange> at;

  /// Whether it is worth being told: it is violated, or open where --check says
  /// so.
  bool isShown() const;
};

struct Report {
  std::vector<Finding> findings;
  std::vector<VerdictLine> verdicts;
  std::vector<LspFix> repairs; ///< what amend does

  bool hasErrors() const; ///< the text could not be read
  bool isViolated(StringRef property) const;
};

/// What a report of the tools (schema/report.schema.json) says of \p document.
/// Like --check it tells of what does not hold, and of each run once. Nothing:
/// it is no report.
std::optional<Report> readReport(StringRef json, const Document &document);

/// The changes of \p document that a report in SARIF has, one fix each.
std::vector<LspFix> readFixes(StringRef sarif, const Document &document,
                              StringRef title);

} // namespace cif

#endif
