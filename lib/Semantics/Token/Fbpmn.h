//===- Fbpmn.h - Collaborations as the tool of [fbpmn] reads them ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SEMANTICS_TOKEN_FBPMN_H
#define CIF_LIB_SEMANTICS_TOKEN_FBPMN_H

#include "TokenNet.h"
#include "llvm/ADT/StringMap.h"

namespace cif {

/// A process as it was drawn: of the nodes that stand for one element, one owns
/// the flows of all.
struct Drawn {
  explicit Drawn(const Behaviour &of);

  const Behaviour &graph;
  std::vector<uint32_t> owner; ///< by node
  std::vector<bool> isInner;   ///< by flow: not drawn
  std::vector<bool> isSink;    ///< by node: a token ends there, at no end event
  std::vector<SmallVector<uint32_t, 2>> in, out;  ///< by owner: drawn flows
  std::vector<SmallVector<uint32_t, 2>> children; ///< by container: owners
};

/// Messages that travel from some nodes to others: those of a message flow.
struct Channel {
  uint32_t flow = noneOf; ///< in the module
  MessageId id;
  uint32_t sender, receiver; ///< units
  uint32_t place = noIndex;
  uint32_t message = noIndex; ///< in the network
  uint32_t used = noIndex;    ///< marked once its queue was used
};

/// What the message part of a node can do.
struct Exchange {
  uint32_t channel = noneOf; ///< none: with the environment
  MessageId id;
};

class FbpmnBuilder {
public:
  FbpmnBuilder(const Module &of, ArrayRef<uint32_t> from,
               const SemanticsOptions &with, DiagnosticEngine &to)
      : module(of), behaviours(from), options(with), diags(to),
        kind(with.network.value_or(NetworkKind::Bag)) {}
  std::unique_ptr<CollaborationSystem> build();

private:
  using Places = SmallVector<uint32_t, 4>;
  using Arcs = SmallVector<Arc, 4>;

  void findUnits();
  void findChannels();
  bool addProcess(uint32_t behaviour);
  void addPlaces();
  void addElements();
  uint32_t usedPlace(const Channel &channel);
  bool addNode(uint32_t n);

  /// \name One for each kind of node
  /// @{
  void addStart(uint32_t n);
  void addEnd(uint32_t n);
  void addTerminate(uint32_t n);
  void addTask(uint32_t n);
  void addSendOrReceive(uint32_t n);
  void addEvent(uint32_t n);
  void addBoundary(uint32_t n);
  void addExclusive(uint32_t n);
  void addParallel(uint32_t n);
  void addInclusive(uint32_t n);
  void addEventBased(uint32_t n);
  void addSubProcess(uint32_t n);
  /// @}

  Firing &fire(FiringKind kind, uint32_t n, ArrayRef<Arc> pre,
               ArrayRef<Arc> post);
  /// The firing once for each way to exchange the node's message.
  void communicate(uint32_t n, bool out, ArrayRef<Arc> pre, ArrayRef<Arc> post,
                   function_ref<void(Firing &)> fill);
  SmallVector<Exchange, 2> exchanges(uint32_t n, bool out) const;
  LabelIndex label(MessageId id, bool out, bool outside);
  Arcs outgoing(uint32_t n) const;
  Places incoming(uint32_t n) const;
  void findPre(OrJoin &join, uint32_t n);
  /// The places in a scope (a container, or the process), nested ones too.
  std::vector<uint32_t> inside(uint32_t container, bool nested) const;
  bool isEnd(uint32_t n) const {
    return (drawn->graph.nodes[n].kind == NodeKind::Final &&
            !drawn->isSink[n]) ||
           drawn->graph.nodes[n].kind == NodeKind::Terminate;
  }
  bool isStart(uint32_t n) const {
    return drawn->graph.nodes[n].kind == NodeKind::Initial;
  }
  const Node &node(uint32_t n) const { return drawn->graph.nodes[n]; }
  std::string nameOf(uint32_t n) const;
  void report(uint32_t n, diag::Kind kind) {
    diags.report(module.place(node(n).loc), kind) << nameOf(n);
  }

  const Module &module;
  ArrayRef<uint32_t> behaviours;
  const SemanticsOptions &options;
  DiagnosticEngine &diags;
  NetworkKind kind;

  Budget budget{options.runLimits};
  TokenNet net;
  std::vector<Label> labels{Label::tau()};
  std::map<Label, LabelIndex> labelOf;
  std::map<std::string, unsigned> abstracted;
  llvm::StringMap<uint32_t> units;
  std::vector<std::string> unitNames;
  std::map<uint32_t, uint32_t> unitOf; ///< by behaviour
  std::vector<Channel> channels;
  /// By direction, behaviour and node.
  std::map<std::pair<uint32_t, uint32_t>, SmallVector<Exchange, 2>> ends[2];
  std::vector<NetworkMessage> messages;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> usedOf; ///< by queue

  // Of the process at hand.
  std::unique_ptr<Drawn> drawn;
  uint32_t unit = 0, processPlace = 0;
  static constexpr uint32_t top = noIndex;     ///< the process as a container
  std::vector<uint32_t> flowPlace, flowNumber; ///< by flow
  std::vector<uint32_t> nodePlace, elementOf;  ///< by node
};

} // namespace cif

#endif
