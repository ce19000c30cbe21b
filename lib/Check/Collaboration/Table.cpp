//===- Table.cpp - Properties of a collaboration by network ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Table.h"
#include "TableParts.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

/// The networks with each verdict: "violated under inbox, outbox; holds under
/// bag".
static std::string verdictsByNetwork(const CollaborationTable &table,
                                     const CollaborationTable::Row &row) {
  std::string text;
  for (Verdict verdict :
       {Verdict::Violated, Verdict::Inconclusive, Verdict::Holds}) {
    SmallVector<StringRef, 8> networks;
    for (auto [network, fact] : llvm::zip(table.networks, row.facts))
      if (fact.verdict == verdict)
        networks.push_back(network);
    if (networks.empty())
      continue;
    text += (text.empty() ? "" : "; ") + verdictText(verdict).str() +
            " under " + llvm::join(networks, ", ");
  }
  return text;
}

static bool differs(const CollaborationTable::Row &row) {
  return llvm::any_of(row.facts, [&](const Fact &fact) {
    return fact.verdict != row.facts.front().verdict;
  });
}

static void printText(raw_ostream &os, const CollaborationTable &table) {
  size_t first = 0;
  for (const auto &row : table.rows)
    first = std::max(first, row.property.size());
  auto line = [&](StringRef head, ArrayRef<std::string> cells) {
    std::string text = head.str() + std::string(first - head.size() + 2, ' ');
    for (auto [network, cell] : llvm::zip(table.networks, cells)) {
      size_t width = std::max<size_t>(network.size(), 12) + 2;
      text += cell + std::string(width - std::min(width, cell.size()), ' ');
    }
    os << "  " << StringRef(text).rtrim() << '\n';
  };
  os << visible(table.subject) << '\n';
  line("", table.networks);
  for (const auto &row : table.rows) {
    std::vector<std::string> cells;
    for (const Fact &fact : row.facts)
      cells.push_back(verdictText(fact.verdict).str());
    line(row.property, cells);
  }
  if (!table.rows.empty()) {
    std::vector<std::string> cells;
    for (const Fact &fact : table.rows.front().facts)
      cells.push_back(std::to_string(fact.states));
    line("states", cells);
  }
  for (const auto &row : table.rows) {
    if (!differs(row))
      continue;
    os << row.property << ": " << verdictsByNetwork(table, row) << '\n';
    for (const Note &note : row.difference) {
      os << "  " << visible(note.text);
      if (!note.place.element.empty())
        os << " (" << visible(note.place.element) << ')';
      os << '\n';
    }
  }
}

//===----------------------------------------------------------------------===//
// HTML
//===----------------------------------------------------------------------===//

static void printHtml(raw_ostream &os, const CollaborationTable &table) {
  printHtmlHead(os, table.subject);
  os << "<table>\n<tr><th></th>";
  for (const std::string &network : table.networks)
    os << "<th>" << html(network) << "</th>";
  os << "<th>why</th></tr>\n";
  for (const auto &row : table.rows) {
    os << "<tr><th>" << html(row.property) << "</th>";
    for (const Fact &fact : row.facts)
      os << "<td class=\"" << verdictText(fact.verdict) << "\">"
         << verdictText(fact.verdict) << "</td>";
    os << "<td>";
    auto failed = llvm::find_if(row.facts, [](const Fact &fact) {
      return fact.verdict != Verdict::Holds;
    });
    if (failed != row.facts.end()) {
      os << "<details><summary>why</summary>";
      printHtmlWhy(
          os, table.networks[static_cast<size_t>(failed - row.facts.begin())],
          *failed);
      if (differs(row)) {
        os << "<p>" << html(verdictsByNetwork(table, row)) << "</p>";
        printHtmlNotes(os, row.difference);
      }
      os << "</details>";
    }
    os << "</td></tr>\n";
  }
  os << "</table>\n</body></html>\n";
}

void cif::printTable(raw_ostream &os, const CollaborationTable &table,
                     TableFormat format) {
  if (format == TableFormat::Html)
    return printHtml(os, table);
  printText(os, table);
}
