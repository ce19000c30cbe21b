//===- IOC.cpp - The front end of IOC and POC -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interaction-oriented choreographies and process-oriented systems [iocpoc],
/// with data, guards, loops and interruption [symbolic]. The language is
/// described in docs/ioc.md.
///
//===----------------------------------------------------------------------===//

#include "Ast.h"
#include "Lexer.h"
#include "cif/Frontend/FrontEnd.h"

using namespace cif;

int cif::detectIoc(StringRef path, StringRef text) {
  return detectKeyword(path, text, {"choreography", "system", "enum"}, ".ioc");
}

bool cif::parseIoc(const SourceBuffer &source, Module &module,
                   DiagnosticEngine &diags, const FrontEndOptions &options) {
  ioc::Ast ast;
  // A name that is defined twice must not hide one that is not defined.
  return ioc::parse(source, module.strings, diags, ast) &&
         ioc::lower(source, ast, module, diags, options.select) &&
         !ast.duplicates;
}
