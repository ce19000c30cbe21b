//===- Verifier.cpp - What must hold of every module ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Verifier.h"
#include "cif/IR/ExprOrder.h"

using namespace cif;

namespace {

class Verifier {
public:
  Verifier(const Module &module, DiagnosticEngine &diags, PlaceFinder fallback)
      : module(module), diags(diags), fallback(fallback) {}
  bool run();

private:
  DiagnosticBuilder report(VerifierSubject::Kind what, size_t index,
                           const Location &loc, diag::Kind kind) {
    ok = false;
    if (loc.source || !fallback)
      return diags.report(module.place(loc), kind);
    return diags.report(fallback({what, static_cast<uint32_t>(index)}), kind);
  }
  void exprs();
  void systems();

  const Module &module;
  DiagnosticEngine &diags;
  PlaceFinder fallback;
  bool ok = true;
};

} // namespace

void Verifier::exprs() {
  for (size_t i = 0; i < module.exprs.size(); ++i) {
    const Expr &e = module.exprs[i];
    ExprId operands[] = {e.lhs, e.rhs};
    for (unsigned o = 0; o < 2; ++o)
      if (bool(operands[o]) != (o < numOperands(e.op)) ||
          (operands[o] && operands[o].index() >= i))
        report(VerifierSubject::Expr, i, e.loc, diag::ir_expr_operands) << i;
  }
}

void Verifier::systems() {
  for (size_t i = 0; i < module.systems.size(); ++i)
    if (std::string wrong = verifyLts(module.systems[i].lts); !wrong.empty())
      report(VerifierSubject::System, i, module.systems[i].loc, diag::ir_lts)
          << module.text(module.systems[i].name) << wrong;
}

bool Verifier::run() {
  exprs();
  systems();
  return ok;
}

bool cif::verify(const Module &module, DiagnosticEngine &diags,
                 PlaceFinder fallback) {
  return Verifier(module, diags, fallback).run();
}
