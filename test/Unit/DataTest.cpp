//===- DataTest.cpp - Guards over message contents ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The data of collaborations against a plain interpreter, in which a sender
/// picks values when it sends and every state holds them: the library settles
/// values late, which must not change failures, that is traces, deadlocks and
/// what is refused.
///
//===----------------------------------------------------------------------===//

#include "RandomData.h"
#include "cif/Equivalence/Compare.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Builder.h"
#include "cif/LTS/LtsBuilder.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Support/Source.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace cif;
using namespace cif::test;

namespace {
using Values = std::map<std::string, int>; ///< bool: 0, 1; literals: 2, 3, 4

struct Sent {
  std::string name;
  int value;
  auto operator<=>(const Sent &) const = default;
};
struct Plain {
  uint32_t at[2];
  Values values[2];
  std::vector<Sent> transit;
  auto operator<=>(const Plain &) const = default;
};

/// The interpreter.
class Naive {
public:
  Naive(const Module &of, NetworkKind on) : module(of), network(on) {
    for (int i : {0, 1}) {
      const Behaviour &graph = module.behaviours[i];
      index.emplace_back(graph);
      for (const Node &node : graph.nodes)
        if (node.message && !node.numArguments)
          told[i].insert(module.message(node.message).fields[0].name);
        else if (node.flags & BindsArguments)
          told[i].insert(module.expr(graph.arguments[node.firstArgument]).name);
    }
  }

  Lts run() {
    LtsBuilder builder;
    std::vector<Plain> states;
    std::map<Plain, uint32_t> numbers;
    auto number = [&](const Plain &s) {
      auto [at, isNew] = numbers.try_emplace(s, states.size() + 1);
      if (isNew)
        states.push_back(s);
      return at->second;
    };
    Plain start{{0, 0}, {}, {}};
    // What was never told has some value, all the time.
    for (int i = 0; i < 2 * 2 * 3; ++i)
      for (int j = 0; j < 2 * 2 * 3; ++j) {
        start.values[0] = {{"f", i % 2}, {"x", i / 2 % 2}, {"e", 2 + i / 4}};
        start.values[1] = {{"f", j % 2}, {"x", j / 2 % 2}, {"e", 2 + j / 4}};
        if (isNeeded(start, 0) && isNeeded(start, 1))
          builder.add(0, 0, number(start));
      }
    std::vector<bool> final{false};
    for (size_t i = 0; i < states.size(); ++i) {
      Plain s = states[i];
      next = [&](const Plain &to, const Label &label) {
        builder.add(i + 1, builder.labels.intern(label), number(to));
      };
      steps(s);
      final.push_back(s.transit.empty() &&
                      kind(0, s.at[0]) == NodeKind::Final &&
                      kind(1, s.at[1]) == NodeKind::Final);
    }
    Lts lts = std::move(builder).finish(0, states.size() + 1);
    std::vector<uint64_t> bits(states.size() / 64 + 1);
    for (size_t i = 0; i < final.size(); ++i)
      if (final[i])
        bits[i / 64] |= uint64_t(1) << i % 64;
    lts.finals = std::move(bits);
    return lts;
  }

private:
  NodeKind kind(int who, uint32_t n) const {
    return module.behaviours[who].nodes[n].kind;
  }
  int value(ExprId id, const Values &values) const {
    const Expr &e = module.expr(id);
    auto lhs = [&] { return value(e.lhs, values); };
    auto rhs = [&] { return value(e.rhs, values); };
    switch (e.op) {
    case ExprOp::Variable:
      return values.at(module.text(e.name).str());
    case ExprOp::EnumLiteral:
      for (int i = 0;; ++i)
        if (module.enumerations[0].literals[i] == e.name)
          return 2 + i;
    case ExprOp::Not:
      return !lhs();
    case ExprOp::And:
      return lhs() && rhs();
    case ExprOp::Or:
      return lhs() || rhs();
    case ExprOp::Equal:
      return lhs() == rhs();
    default:
      return lhs() != rhs();
    }
  }
  /// Leaves out what differs only in variables that nobody looks at.
  bool isNeeded(const Plain &s, int who) const {
    for (const auto &[name, value] : s.values[who])
      if (value % 3 == 1 || value == 3) // not the least one
        if (!told[who].count(module.strings.lookup(name)))
          return false;
    return true;
  }
  /// Whether an expression only looks at what some message tells.
  bool isKnown(int who, ExprId id) const {
    const Expr &e = module.expr(id);
    return (e.op != ExprOp::Variable || told[who].count(e.name)) &&
           (!e.lhs || isKnown(who, e.lhs)) && (!e.rhs || isKnown(who, e.rhs));
  }
  bool isFree(int who, const Flow &flow) const {
    return !flow.guard || !isKnown(who, flow.guard);
  }
  /// Whether a flow of a choice may be taken.
  bool mayGo(int who, FlowId f, const Values &values) const {
    const Behaviour &graph = module.behaviours[who];
    const Flow &flow = graph.flow(f);
    if (flow.flags & DefaultFlow) {
      for (FlowId other : index[who].outgoing(flow.source))
        if (!isFree(who, graph.flow(other)) &&
            value(graph.flow(other).guard, values))
          return false;
      return true;
    }
    return isFree(who, flow) || value(flow.guard, values);
  }
  void steps(const Plain &s) {
    std::vector<std::pair<uint32_t, const Node *>> ready[2];
    for (int who : {0, 1}) {
      const Behaviour &graph = module.behaviours[who];
      NodeId n(s.at[who]);
      auto go = [&](NodeId to) {
        Plain t = s;
        t.at[who] = to.index();
        next(t, Label::tau());
      };
      switch (graph.node(n).kind) {
      case NodeKind::Initial:
      case NodeKind::SimpleJoin:
        go(graph.flow(index[who].outgoing(n)[0]).target);
        break;
      case NodeKind::Choice:
        for (FlowId f : index[who].outgoing(n))
          if (mayGo(who, f, s.values[who]))
            go(graph.flow(f).target);
        break;
      case NodeKind::EventChoice:
        for (FlowId f : index[who].outgoing(n))
          if (mayGo(who, f, s.values[who])) {
            NodeId first = graph.flow(f).target;
            ready[who].push_back({first.index(), &graph.node(first)});
          }
        break;
      case NodeKind::Final:
        break;
      default:
        ready[who].push_back({n.index(), &graph.node(n)});
      }
    }
    for (int who : {0, 1})
      for (auto [n, node] : ready[who]) {
        if (node->kind != NodeKind::Send) {
          if (network != NetworkKind::Sync)
            receive(s, who, n);
          continue;
        }
        send(s, who, n, [&](const Plain &t, const Sent &message) {
          if (network != NetworkKind::Sync) {
            Plain u = t;
            u.transit.push_back(message);
            if (network == NetworkKind::Bag)
              std::sort(u.transit.begin(), u.transit.end());
            return next(u, Label::tau());
          }
          for (auto [m, other] : ready[1 - who])
            if (other->kind == NodeKind::Receive &&
                module.text(module.message(other->message).name) ==
                    message.name)
              next(bound(t, 1 - who, m, message.value), label(*other));
        });
      }
  }
  Label label(const Node &node) const {
    return module.label(LabelKind::Exchange, node.message);
  }
  uint32_t after(int who, uint32_t n) const {
    return module.behaviours[who]
        .flow(index[who].outgoing(NodeId(n))[0])
        .target.index();
  }
  /// The state in which \p who has gone on from \p n and keeps the value.
  Plain bound(Plain s, int who, uint32_t n, int value) const {
    const Behaviour &graph = module.behaviours[who];
    const Node &node = graph.nodes[n];
    s.at[who] = after(who, n);
    if (!node.numArguments)
      s.values[who]
              [module.text(module.message(node.message).fields[0].name).str()] =
          value;
    else if (node.flags & BindsArguments)
      s.values[who]
              [module
                   .text(module.expr(graph.arguments[node.firstArgument]).name)
                   .str()] = value;
    return s;
  }
  void send(const Plain &s, int who, uint32_t n,
            std::function<void(const Plain &, const Sent &)> then) const {
    const Behaviour &graph = module.behaviours[who];
    const Node &node = graph.nodes[n];
    const Message &message = module.message(node.message);
    std::string name = module.text(message.name).str();
    if (node.numArguments && !(node.flags & BindsArguments) &&
        isKnown(who, graph.arguments[node.firstArgument]))
      return then(
          bound(s, who, n, 0),
          {name, value(graph.arguments[node.firstArgument], s.values[who])});
    bool paints = message.fields[0].sort.isEnum();
    for (int v = paints ? 2 : 0; v < (paints ? 5 : 2); ++v)
      then(bound(s, who, n, v), {name, v});
  }
  void receive(const Plain &s, int who, uint32_t n) {
    const Node &node = module.behaviours[who].nodes[n];
    StringRef name = module.text(module.message(node.message).name);
    auto isMine = [&](const Sent &m) {
      return (m.name == "say") == (who == 0);
    };
    for (size_t i = 0; i < s.transit.size(); ++i) {
      if (!isMine(s.transit[i]))
        continue;
      if (s.transit[i].name == name) {
        Plain t = bound(s, who, n, s.transit[i].value);
        t.transit.erase(t.transit.begin() + i);
        next(t, label(node));
      }
      if (network == NetworkKind::FifoPair)
        break; // only the first of the queue
    }
  }

  const Module &module;
  NetworkKind network;
  std::vector<FlowIndex> index;
  std::set<Name> told[2]; ///< variables that messages give values
  std::function<void(const Plain &, const Label &)> next;
};
} // namespace

TEST(Data, LateValuesKeepFailures) {
  unsigned models = 0, guarded = 0;
  for (unsigned seed = 0; seed < 700; ++seed) {
    DataGenerator generator(seed);
    for (NetworkKind kind :
         {NetworkKind::Bag, NetworkKind::FifoPair, NetworkKind::Sync}) {
      SourceManager sources;
      DiagnosticCollector collected;
      DiagnosticEngine diags(sources, collected);
      SemanticsOptions semantics;
      semantics.semantics = SemanticsKind::Collaboration;
      semantics.network = kind;
      ExploredModule explored =
          exploreModule(generator.module, semantics, {}, diags);
      ASSERT_TRUE(explored && explored->complete) << seed;
      Lts naive = Naive(generator.module, kind).run();
      CompareOptions options;
      options.observeFinals = true;
      for (Relation relation : {Relation::WeakTrace, Relation::Failures}) {
        Comparison comparison =
            compare(explored->lts, naive, relation, options);
        ASSERT_TRUE(comparison.holds())
            << seed << " " << networkText(kind).str() << " "
            << (comparison.difference
                    ? llvm::join(comparison.difference->sentences, "; ")
                    : comparison.limit);
      }
      ++models;
      guarded += explored->numStates() * 4 < naive.numStates();
    }
  }
  EXPECT_EQ(models, 2100u);
  EXPECT_GT(guarded, 500u); // late is smaller
}
