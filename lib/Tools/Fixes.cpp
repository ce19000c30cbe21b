//===- Fixes.cpp - Changes of a source, for reports -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixes.h"

using namespace cif;

/// Takes a line with its end off the front of \p text.
static StringRef takeLine(StringRef &text) {
  StringRef line = text.take_front(
      text.find('\n') == StringRef::npos ? text.size() : text.find('\n') + 1);
  text = text.drop_front(line.size());
  return line;
}

/// `@@ -4,5 +4,6 @@`: where the hunk begins in the file; 0: it is none.
static uint32_t hunkStart(StringRef line) {
  uint32_t start = 0;
  if (!line.consume_front("@@ -") || line.consumeInteger(10, start))
    return 0;
  return start;
}

std::vector<ReportReplacement> cif::replacementsOf(StringRef log,
                                                   StringRef file) {
  std::vector<ReportReplacement> found;
  bool ours = false, inHunk = false;
  uint32_t at = 0; // the next line of the file
  while (!log.empty()) {
    StringRef line = takeLine(log);
    if (line.starts_with("--- ")) {
      ours = line.drop_front(4).rtrim() == file;
      inHunk = false;
    } else if (uint32_t start = hunkStart(line); start && ours) {
      at = start;
      inHunk = true;
    } else if (!inHunk || line.starts_with("+++ ")) {
      continue;
    } else if (line.starts_with(" ")) {
      ++at;
    } else if (line.starts_with("-") || line.starts_with("+")) {
      if (found.empty() || found.back().endLine != at)
        found.push_back({at, at, ""});
      if (line.front() == '-')
        found.back().endLine = ++at;
      else
        found.back().text += line.drop_front();
    } else {
      inHunk = ours = false;
    }
  }
  return found;
}

std::vector<ReportReplacement> cif::replacementsBetween(StringRef before,
                                                        StringRef after) {
  uint32_t line = 1;
  while (!before.empty() && !after.empty()) {
    StringRef restBefore = before, restAfter = after;
    if (takeLine(restBefore) != takeLine(restAfter))
      break;
    before = restBefore;
    after = restAfter;
    ++line;
  }
  // The same lines at the end stay; whole lines, as the place is one of lines.
  size_t same = 0;
  for (size_t i = 1; i <= std::min(before.size(), after.size()) &&
                     before[before.size() - i] == after[after.size() - i];
       ++i)
    if (i == before.size() || i == after.size() ||
        (before[before.size() - i - 1] == '\n' &&
         after[after.size() - i - 1] == '\n'))
      same = i;
  before = before.drop_back(same);
  after = after.drop_back(same);
  if (before.empty() && after.empty())
    return {};
  uint32_t end = line + static_cast<uint32_t>(before.count('\n'));
  if (!before.empty() && !before.ends_with("\n"))
    ++end;
  return {{line, end, after.str()}};
}
