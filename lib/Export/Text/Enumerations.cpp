//===- Enumerations.cpp - Enumerations in the textual languages -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// There a literal is a word, and belongs to one enumeration. Where a literal
/// stands, so could a variable: no name may be both.
///
//===----------------------------------------------------------------------===//

#include "Enumerations.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Visible.h"
#include <set>

using namespace cif;

bool cif::printEnumerations(const Module &module, StringRef format,
                            raw_ostream &os, DiagnosticEngine &diags) {
  std::string text;
  std::set<StringRef> names, variables;
  for (const Expr &e : module.exprs)
    if (e.op == ExprOp::Variable)
      variables.insert(module.text(e.name));
  for (const Enumeration &e : module.enumerations) {
    auto refuse = [&](const Twine &why) {
      diags.report(module.place(e.loc), diag::emit_node)
          << format << ("enumeration '" + module.text(e.name) + "'") << why;
      return false;
    };
    text += "enum " + quoted(module.text(e.name)) + " { ";
    for (size_t i = 0; i < e.literals.size(); ++i) {
      StringRef literal = module.text(e.literals[i]);
      if (!isPlainWord(literal) || !isVisible(literal) ||
          llvm::isDigit(literal.front()) || literal == "true" ||
          literal == "false")
        return refuse("its value '" + literal + "' is not a word");
      if (!names.insert(literal).second)
        return refuse("another one has its value '" + literal + "', too");
      if (variables.count(literal))
        return refuse("a variable has the name of its value '" + literal + "'");
      text += (i ? ", " : "") + literal.str();
    }
    text += " }\n";
  }
  os << text;
  return true;
}
