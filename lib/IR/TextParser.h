//===- TextParser.h - The parser of the text form -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The parser of docs/text-form.md: one function for each kind of statement. A
/// function that meets an error reports it and returns false; its caller then
/// goes on with the next line.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_IR_TEXTPARSER_H
#define CIF_LIB_IR_TEXTPARSER_H

#include "TextCursor.h"
#include "cif/IR/Verifier.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace cif {

class TextParser {
public:
  TextParser(const SourceBuffer &source, Module &module,
             DiagnosticEngine &diags)
      : in(source, module, diags), module(module), diags(diags) {}
  bool parse();
  /// The whole text as one expression over the module's enumerations.
  bool parseExpression(ExprId &to);

private:
  //===--- TextParser.cpp: lines of the module ----------------------------===//

  bool checkUtf8();
  bool header();
  bool statement();
  bool sourceLine();
  bool participantLine();
  bool enumLine();
  bool messageLine();
  bool exprLine();
  bool messageFlowLine();
  bool blockOpen() { return in.expect("{") && in.endLine(); }
  /// Hands lines to \p line until the one that closes the block. False: errors.
  bool block(function_ref<bool()> line);

  bool participantRef(ParticipantId &to);
  /// `p -> q : m` without a look at whether there is such a message.
  bool exchange(Message &to);
  bool messageRef(MessageId &to);
  bool sortRef(Sort &to);
  bool range(uint32_t &low, uint32_t &high, bool open);
  bool source(SourceId &to);
  /// `@source:line:column`; the '@' is next.
  bool location(Location &to);
  /// `#element`; the '#' is next.
  bool element(Location &to);
  /// An optional location and element, then the end of the line or '{'.
  bool tail(Location &to);
  Place placeOfSubject(const VerifierSubject &subject) const;

  //===--- TextParserExpr.cpp ---------------------------------------------===//

  struct Operator {
    enum Kind : uint8_t { Binary, Unary, Parenthesis } kind;
    ExprOp op;
    const char *where;
  };
  bool expression(ExprId &to);
  bool operand(ExprId &to);
  bool annotation(ExprId of);
  bool binaryOperator(ExprOp &to);
  void reduce();
  /// `{...}`: the locations of the expressions from \p first on.
  bool exprLocations(size_t first, const Location &base);
  ExprId addExpr(ExprOp op, Name name = {}, int64_t value = 0);

  //===--- TextParserGraph.cpp: behaviours --------------------------------===//

  /// The names of nodes in the text. `n7` for node 7 needs no table.
  struct NodeLabels {
    std::vector<bool> numbered;
    llvm::StringMap<uint32_t> others;
    std::vector<size_t> nodeOffsets, flowOffsets;
  };
  /// A reference to a node that was not there yet.
  struct Forward {
    enum Kind : uint8_t { Parent, AttachedTo, Source, Target } kind;
    uint32_t index;
    StringRef label;
  };
  static bool find(const NodeLabels &labels, StringRef label, NodeId &to);
  bool nodeRef(Forward::Kind kind, uint32_t index, NodeId &to, StringRef label);
  bool behaviourBlock(BehaviourKind kind);
  bool behaviourLine();
  bool attributeLine();
  bool nodeLine(StringRef label, size_t offset);
  bool nodeOption(Node &node, uint32_t index, uint32_t &seen);
  bool nodeProperty(Node &node, uint32_t index, const char *start,
                    StringRef text,
                    function_ref<bool(unsigned option, StringRef what)> once);
  bool flowLine(StringRef source, size_t offset);
  bool arguments(Node &node);
  void resolveForwards();

  //===--- TextParserData.cpp: systems and facts --------------------------===//

  struct SystemText;
  bool systemBlock();
  bool systemLine(SystemText &text);
  bool label(SystemText &text, LabelIndex &to, bool declare);
  bool factBlock();
  bool factLine(Fact &fact);
  bool place(Place &to);

  TextCursor in;
  Module &module;
  DiagnosticEngine &diags;
  std::vector<ExprId> namedExprs;
  SmallVector<ExprId, 16> operands;
  size_t firstOwnExpr = 0; // of the expression being read
  SmallVector<Operator, 16> operators;
  llvm::DenseMap<uint32_t, uint32_t> enumerations; // by name
  std::vector<NodeLabels> labels;                  // of each behaviour
  std::vector<Forward> forwards;
  NodeId attributesOf; // the node that attribute lines are about
  bool attributesAllowed = false;
  std::vector<size_t> offsetsOf[VerifierSubject::Fact + 1];
};

} // namespace cif

#endif
