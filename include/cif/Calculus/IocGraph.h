//===- IocGraph.h - Choreographies as plain graphs of steps ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A choreography as a graph of interactions, splits and joins, whether it was
/// drawn, written or given as an automaton: what connectedness works on where
/// there is no term. Containers are spliced in, calls lead back to the
/// beginning of what they call, and each flow is a node of its own. The end of
/// a called part leads to what follows each call that is not in tail position:
/// the graph does not record which call it was, and so has more paths than the
/// choreography.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_IOCGRAPH_H
#define CIF_CALCULUS_IOCGRAPH_H

#include "cif/IR/Lts.h"
#include "cif/IR/Term.h"
#include "cif/Support/Limits.h"

namespace cif {

enum class GraphNodeKind : uint8_t {
  Pass,   ///< a flow, a merge, a start: every token goes on
  Step,   ///< an interaction or an internal step
  Choice, ///< one of the successors
  Fork,   ///< all successors
  Join,   ///< waits for all predecessors
  Return, ///< the end of a recursion: behind one of its calls, or out of it
  Stuck,  ///< no token continues; what would follow keeps its place
  End,
};

struct IocGraph {
  struct Node {
    GraphNodeKind kind = GraphNodeKind::Pass;
    NodeId node; ///< of a behaviour: where it is from
    FlowId flow; ///< the same, of a flow
    /// Of an LTS: the transition; of a term: the subterm.
    uint32_t origin = TermAction::none;
  };
  std::vector<Node> nodes;         ///< node 0 is the start
  std::vector<TermAction> actions; ///< of each Step
  std::vector<uint32_t> outBegin, out, inBegin, in;
  /// A call that something follows.
  struct Call {
    uint32_t at, back;   ///< the nodes before and behind it
    uint32_t entry, end; ///< of what it calls; `end` is a Return
  };
  std::vector<Call> calls; ///< by `at`
  /// Calls in a parallel branch (of what they call), and a step in another
  /// branch beside each. They lead nowhere.
  std::vector<std::pair<uint32_t, uint32_t>> beside;
  /// `I [> J` where I has parallel branches. The graph has a choice between
  /// both before I and one behind it, but not within.
  struct Race {
    std::vector<uint32_t> steps; ///< of I
    uint32_t entry;              ///< of J
  };
  std::vector<Race> races;
  /// A call stands beside internal steps only: nothing is known of that.
  bool open = false;
  uint32_t numRoles = 0, numOperations = 0;

  size_t size() const { return nodes.size(); }
  GraphNodeKind kind(uint32_t n) const { return nodes[n].kind; }
  ArrayRef<uint32_t> successors(uint32_t n) const {
    return ArrayRef(out).slice(outBegin[n], outBegin[n + 1] - outBegin[n]);
  }
  ArrayRef<uint32_t> predecessors(uint32_t n) const {
    return ArrayRef(in).slice(inBegin[n], inBegin[n + 1] - inBegin[n]);
  }
};

/// The reachable part of \p behaviour as a graph. Nothing, with the reason in
/// \p why, for: inclusive splits, terminate events, boundary events other than
/// `[>`, loop markers and replies (run `normalize` first), calls that leave
/// what may be interrupted, several initial nodes, and containers whose
/// parallel branches end separately. Each step has a way to whatever may
/// interrupt it, so that deep nesting makes large graphs: nothing, too, where
/// \p budget stops.
std::optional<IocGraph> buildIocGraph(const Module &module,
                                      const Behaviour &behaviour,
                                      OperationNumbers &operations,
                                      TermBreak *why = nullptr,
                                      Budget *budget = nullptr);

/// The graph of an LTS over exchanges: every transition a step, every state a
/// choice. Where it says which states are final, to stop there is an
/// alternative too; else only states without transitions are ends. Silent
/// transitions are passed. Roles and operations are numbered as they are met,
/// into \p roles and \p operations. Nothing, with the label in \p why, if a
/// label is not an exchange.
std::optional<IocGraph> buildIocGraph(const Lts &lts,
                                      std::vector<std::string> &roles,
                                      std::vector<std::string> &operations,
                                      std::string *why = nullptr);

/// Which calls are the last thing that what they call does, by TermId.
std::vector<bool> lastCalls(const Term &term);

/// The graph of a term without interruption.
IocGraph buildIocGraph(const Term &term);

} // namespace cif

#endif
