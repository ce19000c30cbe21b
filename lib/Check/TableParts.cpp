//===- TableParts.cpp - What the tables of checks share -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableParts.h"
#include "cif/Check/IdleOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace cif;

std::string cif::html(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printHTMLEscaped(text, os);
  return result;
}

void cif::printHtmlHead(raw_ostream &os, StringRef title) {
  os << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
     << "<title>" << html(title) << "</title>\n<style>\n"
     << "body { font-family: sans-serif; margin: 2em; }\n"
     << "table { border-collapse: collapse; }\n"
     << "th, td { border: 1px solid #aaa; padding: 0.3em 0.7em; "
        "text-align: left; vertical-align: top; }\n"
     << ".holds, .yes, .true { background: #dfd; }\n"
     << ".violated, .no, .false { background: #fdd; }\n"
     << ".inconclusive, .unknown { background: #ffd; }\n"
     << "small { color: #666; }\n"
     << "</style></head><body>\n<h1>" << html(title) << "</h1>\n";
}

void cif::printHtmlPlace(raw_ostream &os, const Place &at) {
  if (!at.known() && at.element.empty())
    return;
  os << " <small>" << html(at.element);
  if (at.known())
    os << (at.element.empty() ? "" : ", ")
       << html(llvm::sys::path::filename(at.file)) << ':' << at.line;
  os << "</small>";
}

void cif::printHtmlNotes(raw_ostream &os, ArrayRef<Note> notes) {
  os << "<ul>";
  for (const Note &note : notes) {
    os << "<li>" << html(note.text);
    printHtmlPlace(os, note.place);
  }
  os << "</ul>";
}

void cif::printHtmlWhy(raw_ostream &os, StringRef head, const Fact &fact) {
  os << "<p>" << html(head) << ": " << html(fact.message) << "</p>";
  if (fact.witness) {
    os << "<ol>";
    for (auto [i, step] : llvm::enumerate(fact.witness->steps)) {
      os << "<li>";
      if (fact.witness->loopStart && *fact.witness->loopStart == i)
        os << "<em>again and again:</em> ";
      os << html(step.label);
      printHtmlPlace(os, step.at);
      os << ' ' << html(step.note);
    }
    os << "</ol>";
  }
  printHtmlNotes(os, fact.notes);
}

bool cif::tableApplies(const PassContext &context) {
  return context.option("table") != "none" ||
         noneGiven(context, {"format"}, "with --table=none");
}

PassResult cif::writeTable(PassContext &context, bool isText,
                           function_ref<void(raw_ostream &)> print) {
  if (context.option("table") == "none")
    return PassResult::Unchanged;
  if (context.hasOption("table") || !isText) {
    StringRef to = context.hasOption("table") ? context.option("table") : "-";
    return context.host.write(to, print) ? PassResult::Unchanged
                                         : PassResult::Failed;
  }
  if (context.host.log)
    print(*context.host.log);
  return PassResult::Unchanged;
}
