//===- Diagnostics.cpp - What we tell the user ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/Diagnostics.h"
#include "cif/Support/AddedDiagnostics.h"
#include "cif/Support/DiagnosticCode.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/JSON.h"

using namespace cif;

static const DiagInfo diagInfos[] = {
#define CIF_DIAG(CODE, SEVERITY, NAME, TEXT)                                   \
  {CODE, Severity::SEVERITY, #NAME, TEXT},
#include "cif/Support/Diagnostics.def"
};

/// Those that were added, in the order of their kinds.
static std::vector<ArrayRef<DiagInfo>> &addedInfos() {
  static std::vector<ArrayRef<DiagInfo>> added;
  return added;
}

/// Where the built-in diagnostics are in diagInfos, by kind.
static const llvm::DenseMap<uint16_t, uint16_t> &builtInInfos() {
  static const auto indices = [] {
    llvm::DenseMap<uint16_t, uint16_t> result;
    for (size_t i = 0; i < std::size(diagInfos); ++i)
      result[diag::kindOf(diagInfos[i].code)] = i;
    return result;
  }();
  return indices;
}

const DiagInfo &cif::diagInfo(diag::Kind kind) {
  if (kind < diag::firstAdded)
    return diagInfos[builtInInfos().at(kind)];
  size_t index = kind - diag::firstAdded;
  const ArrayRef<DiagInfo> *infos = addedInfos().data();
  for (; index >= infos->size(); ++infos)
    index -= infos->size();
  return (*infos)[index];
}

std::vector<const DiagInfo *> cif::allDiagnostics() {
  std::vector<const DiagInfo *> all;
  for (const DiagInfo &info : diagInfos)
    all.push_back(&info);
  for (ArrayRef<DiagInfo> infos : addedInfos())
    for (const DiagInfo &info : infos)
      all.push_back(&info);
  return all;
}

std::optional<diag::Kind> cif::addDiagnostics(ArrayRef<DiagInfo> infos) {
  size_t first = diag::firstAdded;
  for (ArrayRef<DiagInfo> known : addedInfos()) {
    if (known.data() == infos.data())
      return static_cast<diag::Kind>(first);
    first += known.size();
  }
  std::vector<const DiagInfo *> taken = allDiagnostics();
  for (const DiagInfo &info : infos) {
    for (const DiagInfo *other : taken)
      if (StringRef(info.code).equals_insensitive(other->code))
        return std::nullopt;
    taken.push_back(&info);
  }
  if (first + infos.size() > UINT16_MAX)
    return std::nullopt;
  addedInfos().push_back(infos);
  return static_cast<diag::Kind>(first);
}

DiagnosticConsumer::~DiagnosticConsumer() = default;

/// Puts the arguments where the text says {0}, {1}, ...
static std::string substitute(StringRef text, ArrayRef<std::string> arguments) {
  std::string result;
  while (!text.empty()) {
    size_t open = text.find('{');
    result += text.take_front(open);
    text = text.drop_front(std::min(open, text.size()));
    unsigned index = 0;
    if (text.size() >= 3 && text[2] == '}' &&
        !text.substr(1, 1).getAsInteger(10, index)) {
      if (index < arguments.size())
        result += arguments[index];
      text = text.drop_front(3);
    } else if (!text.empty()) {
      result += text.front();
      text = text.drop_front();
    }
  }
  return result;
}

DiagnosticBuilder::~DiagnosticBuilder() {
  if (!engine)
    return;
  const DiagInfo &info = diagInfo(kind);
  engine->emit({kind, info.severity, std::move(place),
                substitute(info.text, arguments), std::move(notes)});
}

void DiagnosticEngine::emit(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Warning && warningsAreErrors)
    diagnostic.severity = Severity::Error;
  if (diagnostic.severity == Severity::Error) {
    ++errorCount;
    // What is over the limit is counted and not shown.
    if (maxErrors && errorCount > maxErrors)
      return;
  } else {
    ++warningCount;
    if (quiet)
      return;
  }
  consumer->handle(diagnostic);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// The line that \p place is on, with a mark below the column.
static void printLine(raw_ostream &os, const Place &place,
                      SourceManager &sources, bool colors) {
  if (!place.line)
    return;

  const SourceBuffer *source = sources.find(place.file);
  if (!source && sources.tellChanged(place.file))
    os << visible(place.file)
       << ": note: the file has changed since the module was made, so its "
          "lines are not shown\n";
  StringRef shown = source ? source->lineText(place.line) : StringRef();
  if (shown.trim().empty() || !place.column)
    return;
  // A window around the column: lines of machine-made XML are long.
  constexpr size_t window = 100;
  size_t column = std::min<size_t>(place.column - 1, shown.size());
  // What stands there follows it.
  size_t begin = shown.size() > window && column > 20 ? column - 20 : 0;
  // Do not start in the middle of a UTF-8 sequence.
  while (begin > 0 && (shown[begin] & 0xc0) == 0x80)
    --begin;
  StringRef part = shown.substr(begin, window);
  while (!part.empty() && begin + part.size() < shown.size() &&
         (shown[begin + part.size()] & 0xc0) == 0x80)
    part = part.drop_back();
  std::string seen = visibleLine(part);
  if (seen.empty())
    return;
  os << "    " << seen << "\n    ";
  // The same reading of the bytes before the column: Latin-1 stays Latin-1.
  bool isUtf8 = llvm::json::isUTF8(part);
  StringRef before = shown.slice(begin, column);
  os.indent(isUtf8 ? columnsOf(visibleLine(before))
                   : static_cast<unsigned>(before.size()));
  if (colors)
    os.changeColor(raw_ostream::GREEN, /*Bold=*/true);
  os << '^';
  if (colors)
    os.resetColor();
  os << '\n';
}

void DiagnosticPrinter::print(const Place &place, Severity severity,
                              StringRef text, StringRef code) {
  if (colors)
    os.changeColor(raw_ostream::WHITE, /*Bold=*/true);
  if (place.known()) {
    os << visible(place.file) << ':';
    if (place.line) {
      os << place.line << ':';
      if (place.column)
        os << place.column << ':';
    }
    os << ' ';
  } else if (severity != Severity::Note) {
    os << tool << ": ";
  }
  static const raw_ostream::Colors styles[] = {
      raw_ostream::CYAN, raw_ostream::MAGENTA, raw_ostream::RED};
  if (colors)
    os.changeColor(styles[static_cast<unsigned>(severity)], /*Bold=*/true);
  os << severityText(severity) << ": ";
  if (colors)
    os.resetColor();
  os << visible(text);
  if (!place.element.empty() && !StringRef(text).contains(place.element))
    os << " (" << visible(place.element) << ')';
  if (!code.empty())
    os << " [" << visible(code) << ']';
  os << '\n';
  printLine(os, place, sources, colors);
}

void DiagnosticPrinter::handle(const Diagnostic &diagnostic) {
  print(diagnostic.place, diagnostic.severity, diagnostic.text,
        diagInfo(diagnostic.kind).code);
  for (const Note &note : diagnostic.notes)
    print(note.place, Severity::Note, note.text, "");
}

StringRef cif::severityText(Severity severity) {
  static const StringRef texts[] = {"note", "warning", "error"};
  return texts[static_cast<unsigned>(severity)];
}

StringRef cif::nearest(StringRef word, ArrayRef<StringRef> candidates) {
  StringRef best;
  // A word that was not finished, if there is one: the shortest.
  for (StringRef candidate : candidates)
    if (word.size() > 2 && candidate.starts_with(word) &&
        (best.empty() || candidate.size() < best.size()))
      best = candidate;
  if (!best.empty())
    return best;
  // A third of the word may be wrong; more is another word.
  unsigned bestDistance = static_cast<unsigned>(word.size()) / 3 + 2;
  for (StringRef candidate : candidates) {
    unsigned distance = word.edit_distance(candidate, true, bestDistance);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string cif::guessText(StringRef meant) {
  return meant.empty() ? std::string()
                       : "; did you mean '" + meant.str() + "'?";
}
