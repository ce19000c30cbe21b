//===- WireEnums.h - The schema's enumerations are the IR's ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The IR and the wire format number their enumerators alike, so that reading
/// and writing them is a cast. An enumerator that is missing on either side, or
/// stands elsewhere, does not compile.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SERIALIZATION_WIREENUMS_H
#define CIF_LIB_SERIALIZATION_WIREENUMS_H

#include "cif/IR/Module.h"
#include "cif_generated.h"

namespace cif {

#define CIF_SAME(ENUM, NAME)                                                   \
  static_assert(unsigned(ENUM::NAME) == unsigned(fb::ENUM::NAME));
/// The last enumerator, so that none is missing here.
#define CIF_LAST(ENUM, NAME)                                                   \
  CIF_SAME(ENUM, NAME)                                                         \
  static_assert(fb::ENUM::NAME == fb::ENUM::MAX);

#define CIF_NODE_KIND(NAME, TEXT, TRAITS, DESCRIPTION) CIF_SAME(NodeKind, NAME)
#include "cif/IR/NodeKinds.def"
static_assert(unsigned(fb::NodeKind::MAX) + 1 == numNodeKinds);

CIF_SAME(ExprOp, IntLiteral)
CIF_SAME(ExprOp, BoolLiteral)
CIF_SAME(ExprOp, StringLiteral)
CIF_SAME(ExprOp, EnumLiteral)
CIF_SAME(ExprOp, Variable)
CIF_SAME(ExprOp, Opaque)
CIF_SAME(ExprOp, Not)
CIF_SAME(ExprOp, Negate)
CIF_SAME(ExprOp, And)
CIF_SAME(ExprOp, Or)
CIF_SAME(ExprOp, Implies)
CIF_SAME(ExprOp, Add)
CIF_SAME(ExprOp, Subtract)
CIF_SAME(ExprOp, Multiply)
CIF_SAME(ExprOp, Divide)
CIF_SAME(ExprOp, Modulo)
CIF_SAME(ExprOp, Equal)
CIF_SAME(ExprOp, NotEqual)
CIF_SAME(ExprOp, Less)
CIF_SAME(ExprOp, LessEqual)
CIF_SAME(ExprOp, Greater)
CIF_LAST(ExprOp, GreaterEqual)

CIF_SAME(Trigger, None)
CIF_SAME(Trigger, Message)
CIF_SAME(Trigger, Timer)
CIF_SAME(Trigger, Signal)
CIF_SAME(Trigger, Error)
CIF_SAME(Trigger, Escalation)
CIF_SAME(Trigger, Conditional)
CIF_SAME(Trigger, Link)
CIF_SAME(Trigger, Compensation)
CIF_SAME(Trigger, Cancel)
CIF_SAME(Trigger, Multiple)
CIF_LAST(Trigger, Race)

CIF_SAME(LoopKind, None)
CIF_SAME(LoopKind, Standard)
CIF_SAME(LoopKind, MultiSequence)
CIF_LAST(LoopKind, MultiParallel)

CIF_SAME(BehaviourKind, Choreography)
CIF_SAME(BehaviourKind, Process)
CIF_LAST(BehaviourKind, Controller)

CIF_SAME(SystemRole, Plain)
CIF_SAME(SystemRole, Choreography)
CIF_SAME(SystemRole, Peer)
CIF_SAME(SystemRole, Composition)
CIF_LAST(SystemRole, Controller)

CIF_SAME(LabelKind, Tau)
CIF_SAME(LabelKind, Exchange)
CIF_SAME(LabelKind, Send)
CIF_SAME(LabelKind, Receive)
CIF_SAME(LabelKind, Plain)
CIF_LAST(LabelKind, Tick)

CIF_SAME(Verdict, Holds)
CIF_SAME(Verdict, Violated)
CIF_LAST(Verdict, Inconclusive)

static_assert(unknownSort.value == unsigned(fb::SortKind::Unknown));
static_assert(boolSort.value == unsigned(fb::SortKind::Bool));
static_assert(intSort.value == unsigned(fb::SortKind::Int));
static_assert(stringSort.value == unsigned(fb::SortKind::String));
static_assert(Sort::firstEnum == unsigned(fb::SortKind::FirstEnumeration));

#undef CIF_LAST
#undef CIF_SAME
#define CIF_SAME(ENUM, NAME)                                                   \
  static_assert(unsigned(NAME) == unsigned(fb::ENUM::NAME));

CIF_SAME(NodeFlags, NonInterrupting)
CIF_SAME(NodeFlags, LoopTestAfter)
CIF_SAME(NodeFlags, Transaction)
CIF_SAME(NodeFlags, EventTriggered)
CIF_SAME(NodeFlags, AdHoc)
CIF_SAME(NodeFlags, Instantiate)
CIF_SAME(NodeFlags, ParallelMultiple)
CIF_SAME(NodeFlags, BindsArguments)
CIF_SAME(FlowFlags, DefaultFlow)
#undef CIF_SAME

} // namespace cif

#endif
