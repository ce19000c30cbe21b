//===- Matrix.cpp - Combinations of processes as a table ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matrix.h"
#include "TableParts.h"
#include "cif/Support/Json.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace cif;

/// As in the paper's table.
static StringRef cellText(Verdict verdict) {
  switch (verdict) {
  case Verdict::Holds:
    return "true";
  case Verdict::Violated:
    return "false";
  case Verdict::Inconclusive:
    break;
  }
  return "unknown";
}

static std::vector<std::string> cells(const Matrix &matrix, size_t index) {
  const MatrixCase &row = matrix.cases[index];
  std::vector<std::string> result{std::to_string(index + 1)};
  for (const std::string &file : row.files)
    result.push_back(llvm::sys::path::filename(file).str());
  result.push_back(row.wellComposed() ? "yes" : "no");
  for (size_t r = 0; r < matrix.relations.size(); ++r)
    result.push_back(row.wellComposed() ? cellText(row.facts[r].verdict).str()
                                        : "-");
  return result;
}

static std::vector<std::string> heads(const Matrix &matrix) {
  std::vector<std::string> result{"case"};
  llvm::append_range(result, matrix.roles);
  result.push_back("well-composed");
  llvm::append_range(result, matrix.relations);
  return result;
}

static void printText(raw_ostream &os, const Matrix &matrix) {
  std::vector<std::vector<std::string>> rows{heads(matrix)};
  for (size_t i = 0; i < matrix.cases.size(); ++i)
    rows.push_back(cells(matrix, i));
  for (auto &row : rows)
    for (std::string &cell : row)
      cell = visible(cell);
  std::vector<size_t> widths(rows[0].size());
  for (const auto &row : rows)
    for (size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max<size_t>(widths[c], columnsOf(row[c]));
  os << "choreography '" << visible(matrix.choreography) << "'\n";
  for (const auto &row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c)
      line += row[c] + std::string(widths[c] - columnsOf(row[c]) + 2, ' ');
    os << StringRef(line).rtrim() << '\n';
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeSteps(llvm::json::OStream &json, StringRef key,
                       ArrayRef<WitnessStep> steps) {
  json.attributeArray(key, [&] {
    for (const WitnessStep &step : steps)
      json.object([&] {
        json.attribute("label", utf8(step.label));
        if (step.at.known())
          json.attributeObject("at", [&] {
            json.attribute("file", utf8(step.at.file));
            json.attribute("line", step.at.line);
            json.attribute("id", utf8(step.at.element));
          });
      });
  });
}

static void printJson(raw_ostream &os, const Matrix &matrix) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("choreography", utf8(matrix.choreography));
    json.attributeArray("roles", [&] {
      for (const std::string &role : matrix.roles)
        json.value(utf8(role));
    });
    json.attributeArray("cases", [&] {
      for (auto [number, row] : llvm::enumerate(matrix.cases))
        json.object([&, &row = row, &number = number] {
          json.attribute("case", static_cast<int64_t>(number + 1));
          json.attributeObject("processes", [&] {
            for (auto [role, file] : llvm::zip(matrix.roles, row.files))
              json.attribute(utf8(role), utf8(file));
          });
          json.attribute("wellComposed", row.wellComposed());
          if (!row.wellComposed())
            writeSteps(json, "problems", row.problems);
          for (const Fact &fact : row.facts)
            json.attributeObject(utf8(fact.parameters.front().second), [&] {
              json.attribute("verdict", verdictText(fact.verdict));
              json.attribute("exact", fact.exact);
              if (!fact.message.empty())
                json.attribute("message", utf8(fact.message));
              if (fact.witness)
                writeSteps(json, "witness", fact.witness->steps);
            });
        });
    });
  });
  os << '\n';
}

//===----------------------------------------------------------------------===//
// HTML
//===----------------------------------------------------------------------===//

static void printWhy(raw_ostream &os, const MatrixCase &row) {
  if (!row.wellComposed()) {
    os << "<ul>";
    for (const WitnessStep &problem : row.problems) {
      os << "<li>" << html(problem.label);
      printHtmlPlace(os, problem.at);
    }
    os << "</ul>";
  }
  for (const Fact &fact : row.facts) {
    if (fact.message.empty())
      continue;
    printHtmlWhy(os, fact.parameters.front().second, fact);
  }
}

static void printHtml(raw_ostream &os, const Matrix &matrix) {
  printHtmlHead(os, "Choreography " + matrix.choreography);
  os << "<table>\n<tr>";
  for (const std::string &head : heads(matrix))
    os << "<th>" << html(head) << "</th>";
  os << "<th>why</th></tr>\n";
  for (size_t i = 0; i < matrix.cases.size(); ++i) {
    const MatrixCase &row = matrix.cases[i];
    std::vector<std::string> texts = cells(matrix, i);
    os << "<tr>";
    for (size_t c = 0; c < texts.size(); ++c) {
      bool verdict = c > matrix.roles.size();
      os << (verdict ? "<td class=\"" + texts[c] + "\">" : "<td>")
         << html(texts[c]) << "</td>";
    }
    bool clean =
        row.wellComposed() && llvm::all_of(row.facts, [](const Fact &fact) {
          return fact.verdict == Verdict::Holds;
        });
    os << "<td>";
    if (!clean) {
      os << "<details><summary>why</summary>";
      printWhy(os, row);
      os << "</details>";
    }
    os << "</td></tr>\n";
  }
  os << "</table>\n</body></html>\n";
}

void cif::printMatrix(raw_ostream &os, const Matrix &matrix,
                      MatrixFormat format) {
  switch (format) {
  case MatrixFormat::Text:
    return printText(os, matrix);
  case MatrixFormat::Json:
    return printJson(os, matrix);
  case MatrixFormat::Html:
    return printHtml(os, matrix);
  }
}
