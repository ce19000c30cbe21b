//===- Ast.h - IOC and POC terms as written -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the IOC parser makes and the lowering reads: terms in one flat array,
/// children linked by their siblings, so that neither parsing nor lowering
/// recurs on the nesting of the text. Names are those of the module.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_IOC_AST_H
#define CIF_LIB_FRONTEND_IOC_AST_H

#include "DataText.h"

namespace cif::ioc {

enum class TermKind : uint8_t {
  Done,        // 1
  Stuck,       // 0
  Interaction, // first -> second : message
  Send,        // first!message, or message! with first empty
  Receive,     // first?message, or message? with first empty
  Tau,         // tau first; message: what people call the step
  Call,        // first
  Sequence,    // several children
  Parallel,    // several children
  Choice,      // several children
  Interrupt,   // two children
  Guard,       // [condition] => child
  While,       // while [condition] { child }
  Loop,        // loop { child }
  Rec,         // rec first { child }
};

constexpr uint32_t none = 0xffffffffu;

struct Term {
  TermKind kind = TermKind::Done;
  bool hasPayload = false;
  uint32_t line = 0, column = 0;
  Name first, second, message;
  /// What people say of a branch or a loop; of no bearing.
  Name label;
  uint32_t child = none; ///< the first one
  uint32_t next = none;  ///< the sibling
  /// Of actions: in Ast::arguments. Of Guard and While: one condition.
  uint32_t firstArgument = 0, numArguments = 0;
};

/// A choreography, or a role of a system.
struct Block {
  Name name;   ///< of the choreography or role
  Name system; ///< of the system that a role is in
  bool isRole = false;
  uint32_t line = 0, column = 0;
  uint32_t systemLine = 0, systemColumn = 0;
  uint32_t body = none;
};

struct Ast {
  std::vector<Term> terms;
  std::vector<RawExpr> exprs;
  std::vector<Argument> arguments;
  std::vector<Block> blocks;
  std::vector<EnumDecl> enums;
  unsigned duplicates = 0; ///< names that are defined again
};

/// Reads the whole of \p source. False: errors were reported, other than names
/// that are defined again.
bool parse(const SourceBuffer &source, StringTable &strings,
           DiagnosticEngine &diags, Ast &ast);

/// Checks names, sorts and recursion, and adds the blocks to \p module. \p
/// language is that of the source.
bool lower(const SourceBuffer &source, const Ast &ast, Module &module,
           DiagnosticEngine &diags, StringRef select,
           StringRef language = "ioc");

} // namespace cif::ioc

#endif
