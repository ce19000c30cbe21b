//===- SourceDiff.cpp - Changes to a source, shown as a diff --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/SourceDiff.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

std::optional<size_t> cif::offsetOf(const SourceBuffer &source, uint32_t line,
                                    uint32_t column) {
  if (!line || !column)
    return std::nullopt;
  StringRef text = source.lineText(line);
  size_t begin = static_cast<size_t>(text.data() - source.text().data());
  if (text.data() < source.text().data() || begin > source.text().size() ||
      column > text.size() + 1)
    return std::nullopt;
  return begin + column - 1;
}

namespace {
struct ChangedLine {
  size_t number;   ///< from 0
  std::string now; ///< may be several lines
};
} // namespace

static void printLines(raw_ostream &os, char mark, StringRef text) {
  SmallVector<StringRef, 4> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    os << mark << line << '\n';
}

/// In the order of the text, with the line ends of the text.
static void prepare(const SourceBuffer &source,
                    std::vector<SourceEdit> &edits) {
  llvm::stable_sort(edits, [](const SourceEdit &a, const SourceEdit &b) {
    return a.offset < b.offset;
  });
  if (!source.text().split('\n').first.ends_with("\r"))
    return;
  for (SourceEdit &edit : edits)
    for (size_t at = 0; (at = edit.text.find('\n', at)) != std::string::npos;
         at += 2)
      edit.text.insert(at, 1, '\r');
}

std::string cif::patchedText(const SourceBuffer &source,
                             std::vector<SourceEdit> edits) {
  prepare(source, edits);
  std::string text;
  size_t done = 0;
  for (const SourceEdit &edit : edits) {
    text += source.text().slice(done, edit.offset);
    text += edit.text;
    done = edit.offset;
  }
  return text + source.text().drop_front(done).str();
}

void cif::printSourceDiff(raw_ostream &os, const SourceBuffer &source,
                          std::vector<SourceEdit> edits) {
  constexpr size_t context = 3;
  prepare(source, edits);
  SmallVector<StringRef, 64> lines;
  source.text().split(lines, '\n');
  bool endsWithNewline = lines.size() > 1 && lines.back().empty();
  if (endsWithNewline)
    lines.pop_back();
  std::vector<ChangedLine> changed;
  size_t begin = 0, next = 0;
  for (size_t l = 0; l < lines.size(); ++l) {
    size_t end = begin + lines[l].size();
    std::string now;
    size_t done = begin;
    bool any = false;
    for (; next < edits.size() && edits[next].offset <= end; ++next) {
      now += source.text().slice(done, edits[next].offset);
      now += edits[next].text;
      done = edits[next].offset;
      any = true;
    }
    if (any)
      changed.push_back({l, now + source.text().slice(done, end).str()});
    begin = end + 1;
  }
  if (changed.empty())
    return;
  os << "--- " << source.path() << "\n+++ " << source.path() << "\n";
  size_t added = 0; // lines, by the hunks before
  for (size_t c = 0; c < changed.size();) {
    size_t last = c;
    while (last + 1 < changed.size() &&
           changed[last + 1].number - changed[last].number <= 2 * context)
      ++last;
    size_t from = changed[c].number < context ? 0 : changed[c].number - context;
    size_t to = std::min(changed[last].number + context + 1, lines.size());
    size_t more = 0;
    for (size_t i = c; i <= last; ++i)
      more += llvm::count(changed[i].now, '\n');
    os << "@@ -" << from + 1 << ',' << to - from << " +" << from + 1 + added
       << ',' << to - from + more << " @@\n";
    for (size_t l = from; l < to; ++l) {
      if (c <= last && changed[c].number == l) {
        printLines(os, '-', lines[l]);
        printLines(os, '+', changed[c].now);
        ++c;
      } else {
        os << ' ' << lines[l] << '\n';
      }
      if (l + 1 == lines.size() && !endsWithNewline)
        os << "\\ No newline at end of file\n";
    }
    added += more;
    c = last + 1;
  }
}
