//===- Rules.cpp - BPMN's rules for enforceable choreographies ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// BPMN asks of a choreography that each interaction is initiated by someone
/// who took part in the one before it [BPMN 2.0, 11.5.6], that the interactions
/// after an exclusive or inclusive gateway have one initiator [11.7.1, 11.7.3],
/// and those after an event-based gateway one sender or one receiver [11.7.2].
/// A choreography that breaks a rule may still be realizable, and one that
/// keeps them all may not be: these are warnings, and the checks decide.
///
/// Both are data flow problems with values of at most two participants, solved
/// on the graph with two points to each node: before it and after it.
///
//===----------------------------------------------------------------------===//

#include "Bpmn.h"
#include "cif/Support/Diagnostics/Bpmn.h"

using namespace cif;
using namespace cif::bpmn;

namespace {

/// The participants of every interaction that may come last; none came: top.
struct Common {
  bool top = true;
  ParticipantId first, second;

  bool has(ParticipantId id) const {
    return top || first == id || second == id;
  }
  /// Keeps what is in both; whether something was lost.
  bool meet(const Common &other) {
    if (other.top)
      return false;
    if (top) {
      *this = other;
      return true;
    }
    bool changed = false;
    for (ParticipantId *mine : {&first, &second})
      if (*mine && !other.has(*mine)) {
        *mine = ParticipantId();
        changed = true;
      }
    return changed;
  }
};

/// The participants that may come first in one role: none, one, or two of many.
struct Some {
  ParticipantId first, second;

  bool add(ParticipantId id) {
    if (!id || first == id || second)
      return false;
    (first ? second : first) = id;
    return true;
  }
  bool join(const Some &other) {
    bool one = add(other.first), two = add(other.second);
    return one || two;
  }
};

/// Edges between points, by the point that they leave or enter.
class Points {
public:
  explicit Points(const Behaviour &b) {
    for (size_t i = 0; i < b.nodes.size(); ++i) {
      const Node &node = b.nodes[i];
      if (node.kind != NodeKind::Container)
        add(before(i), after(i));
      if (node.parent && node.kind == NodeKind::Initial)
        add(before(node.parent.index()), before(i));
      if (node.parent &&
          (node.kind == NodeKind::Final || node.kind == NodeKind::Terminate))
        add(after(i), after(node.parent.index()));
      if (node.kind == NodeKind::Boundary && node.attachedTo)
        add(before(node.attachedTo.index()), before(i));
    }
    for (const Flow &flow : b.flows)
      add(after(flow.source.index()), before(flow.target.index()));
    build(2 * b.nodes.size());
  }
  static uint32_t before(size_t node) {
    return static_cast<uint32_t>(2 * node);
  }
  static uint32_t after(size_t node) {
    return static_cast<uint32_t>(2 * node + 1);
  }
  ArrayRef<uint32_t> successors(uint32_t point) const {
    return slice(outBegin, out, point);
  }
  ArrayRef<uint32_t> predecessors(uint32_t point) const {
    return slice(inBegin, in, point);
  }

private:
  void add(uint32_t from, uint32_t to) { edges.push_back({from, to}); }
  static ArrayRef<uint32_t> slice(const std::vector<uint32_t> &begin,
                                  const std::vector<uint32_t> &to,
                                  uint32_t point) {
    return ArrayRef(to).slice(begin[point], begin[point + 1] - begin[point]);
  }
  void build(size_t points) {
    auto sort = [&](bool forward, std::vector<uint32_t> &begin,
                    std::vector<uint32_t> &to) {
      begin.assign(points + 1, 0);
      for (auto [a, b] : edges)
        ++begin[(forward ? a : b) + 1];
      for (size_t i = 0; i < points; ++i)
        begin[i + 1] += begin[i];
      to.resize(edges.size());
      std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
      for (auto [a, b] : edges)
        to[next[forward ? a : b]++] = forward ? b : a;
    };
    sort(true, outBegin, out);
    sort(false, inBegin, in);
  }

  std::vector<std::pair<uint32_t, uint32_t>> edges;
  std::vector<uint32_t> outBegin, out, inBegin, in;
};

} // namespace

void bpmn::checkEnforceable(const Module &module, const Behaviour &b,
                            DiagnosticEngine &diags) {
  Points points(b);
  size_t numPoints = 2 * b.nodes.size();
  std::vector<Common> last(numPoints);
  std::vector<Some> senders(numPoints), receivers(numPoints);
  std::vector<uint32_t> forward, backward;
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    const Node &node = b.nodes[i];
    if (node.kind != NodeKind::Interaction)
      continue;
    const Message &m = module.message(node.message);
    last[Points::after(i)] = {false, m.sender, m.receiver};
    senders[Points::before(i)].add(m.sender);
    receivers[Points::before(i)].add(m.receiver);
    forward.push_back(Points::after(i));
    backward.push_back(Points::before(i));
  }
  auto isInteraction = [&](uint32_t point) {
    return b.nodes[point / 2].kind == NodeKind::Interaction;
  };
  while (!forward.empty()) {
    uint32_t point = forward.back();
    forward.pop_back();
    for (uint32_t to : points.successors(point))
      if (!(to % 2 && isInteraction(to)) && last[to].meet(last[point]))
        forward.push_back(to);
  }
  while (!backward.empty()) {
    uint32_t point = backward.back();
    backward.pop_back();
    for (uint32_t from : points.predecessors(point)) {
      if (from % 2 == 0 && isInteraction(from))
        continue;
      bool sender = senders[from].join(senders[point]);
      bool receiver = receivers[from].join(receivers[point]);
      if (sender || receiver)
        backward.push_back(from);
    }
  }
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    const Node &node = b.nodes[i];
    Place place = module.place(node.loc);
    StringRef name = node.name.empty() ? module.text(node.loc.element)
                                       : module.text(node.name);
    auto participant = [&](ParticipantId id) {
      return module.participantName(id);
    };
    if (node.kind == NodeKind::Interaction) {
      ParticipantId initiator = module.message(node.message).sender;
      if (!last[Points::before(i)].has(initiator))
        diags.report(place, diag::bpmn_rule_initiator)
            << participant(initiator) << name;
    } else if (node.kind == NodeKind::Choice ||
               node.kind == NodeKind::SubsetSelect) {
      const Some &who = senders[Points::after(i)];
      if (who.second)
        diags.report(place, diag::bpmn_rule_choice)
            << name << participant(who.first) << participant(who.second);
    } else if (node.kind == NodeKind::EventChoice) {
      if (senders[Points::after(i)].second &&
          receivers[Points::after(i)].second)
        diags.report(place, diag::bpmn_rule_event) << name;
    }
  }
}
