//===- RandomSystems.h - Small random models to explore -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_RANDOMSYSTEMS_H
#define CIF_TEST_UNIT_RANDOMSYSTEMS_H

#include "SemanticsModels.h"
#include <functional>
#include <random>

namespace cif::test {

using Random = std::mt19937;

inline unsigned below(Random &random, unsigned n) { return random() % n; }

/// Two or three peers with a few states; message names tell sender and
/// receiver.
inline Module randomPeers(Random &random) {
  Module m;
  unsigned peers = 2 + below(random, 2);
  for (unsigned p = 0; p < peers; ++p) {
    std::string self = "p" + std::to_string(p), text;
    unsigned states = 2 + below(random, 3);
    for (unsigned i = 0; i < states + below(random, 3); ++i) {
      unsigned q = (p + 1 + below(random, peers - 1)) % peers;
      bool sends = below(random, 2);
      std::string m0 = "m" + std::to_string(sends ? p : q) +
                       std::to_string(sends ? q : p) +
                       std::to_string(below(random, 2));
      std::string label = below(random, 8) == 0 ? "tau"
                                                : "p" + std::to_string(q) +
                                                      (sends ? "!" : "?") + m0;
      text += std::to_string(below(random, states)) + " " + label + " " +
              std::to_string(below(random, states)) + "; ";
    }
    text += "final " + std::to_string(below(random, states));
    addPeer(m, self, text);
  }
  return m;
}

/// A graph without silent cycles and mixed gateways: backward flows only go to
/// steps. \p step makes a step node.
inline void randomGraph(Random &random, Graph &g, unsigned nodes,
                        unsigned &flowCount,
                        std::function<void(std::string)> step) {
  static const NodeKind gateways[] = {
      NodeKind::Choice,     NodeKind::EventChoice,  NodeKind::EventChoice,
      NodeKind::AllSelect,  NodeKind::SubsetSelect, NodeKind::SimpleJoin,
      NodeKind::AllJoin,    NodeKind::SubsetJoin,   NodeKind::Final,
      NodeKind::EventChoice};
  Behaviour &b = g.graph();
  g.start("i");
  for (unsigned n = 1; n < nodes; ++n) {
    std::string name = "n" + std::to_string(n);
    if (below(random, 2))
      g.node(name, gateways[below(random, std::size(gateways))]);
    else
      step(name);
  }
  auto isStep = [&](unsigned n) {
    NodeKind k = b.nodes[n].kind;
    return k == NodeKind::Interaction || k == NodeKind::Task ||
           k == NodeKind::Send || k == NodeKind::Receive;
  };
  auto flow = [&](unsigned from, unsigned to) {
    Flow f;
    f.source = NodeId(from);
    f.target = NodeId(to);
    f.name = g.module.intern("f" + std::to_string(flowCount++));
    b.flows.push_back(f);
  };
  for (unsigned n = 1; n < nodes; ++n) {
    unsigned from;
    do
      from = below(random, n);
    while (b.nodes[from].kind == NodeKind::Final);
    flow(from, n);
  }
  for (unsigned i = 0; i < nodes; ++i) {
    unsigned from = below(random, nodes), to = 1 + below(random, nodes - 1);
    if (b.nodes[from].kind != NodeKind::Final && (from < to || isStep(to)))
      flow(from, to);
  }
  FlowIndex index(b);
  for (unsigned n = 0; n < nodes; ++n) {
    auto in = index.incoming(NodeId(n)), out = index.outgoing(NodeId(n));
    if (in.size() > 1 && out.size() > 1 && !isStep(n) &&
        b.nodes[n].kind != NodeKind::AllJoin)
      b.nodes[n].kind = NodeKind::AllSelect;
    if (b.nodes[n].kind == NodeKind::SubsetSelect && out.size() > 1 &&
        below(random, 2))
      b.flow(out[0]).flags |= DefaultFlow;
  }
}

inline Module randomChoreography(Random &random) {
  Graph g;
  unsigned flows = 0;
  randomGraph(random, g, 3 + below(random, 8), flows, [&](std::string name) {
    if (below(random, 5) == 0) {
      g.node(name, NodeKind::Task);
      return;
    }
    unsigned p = below(random, 3), q = (p + 1 + below(random, 2)) % 3;
    g.interaction(name, "p" + std::to_string(p), "p" + std::to_string(q),
                  "m" + std::to_string(below(random, 3)));
  });
  return std::move(g.module);
}

inline Module randomCollaboration(Random &random) {
  unsigned units = 2 + below(random, 2);
  Graph g(BehaviourKind::Process, "p0");
  unsigned flows = 0;
  for (unsigned p = 0; p < units; ++p) {
    if (p)
      g.begin(BehaviourKind::Process, "p" + std::to_string(p));
    randomGraph(random, g, 3 + below(random, 4), flows, [&](std::string name) {
      unsigned q = (p + 1 + below(random, units - 1)) % units;
      auto text = [](unsigned n) { return "p" + std::to_string(n); };
      auto message = [&](unsigned from, unsigned to) {
        return "m" + std::to_string(from) + std::to_string(to) +
               std::to_string(below(random, 2));
      };
      switch (below(random, 5)) {
      case 0:
        g.node(name, NodeKind::Task);
        break;
      case 1:
      case 2:
        g.send(name, text(p), text(q), message(p, q));
        break;
      default:
        g.receive(name, text(q), text(p), message(q, p));
      }
    });
  }
  return std::move(g.module);
}

} // namespace cif::test

#endif
