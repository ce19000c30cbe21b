//===- ConformanceTest.cpp - Conformance against the definitions ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated choreographies, with collaborations got by projection and by
/// mutation of it. Verdicts are held against the rules of [c4] written down
/// plainly, and every witness is replayed on what those rules give. Nothing of
/// the naive part uses the library's semantics or relations.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Conformance/Conformance.h"
#include "Generated.h"
#include "Projected.h"
#include "SemanticsModels.h"
#include "cif/IR/Builder.h"
#include "cif/Transforms/Project.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace cif;
using namespace cif::test;

namespace {
using Random = std::mt19937;
unsigned below(Random &random, unsigned n) { return random() % n; }

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// Choreographies of sequences, exclusive and event-based choices, parallel
/// branches and loops.
class Generator {
public:
  Generator(Random &random, Module &module)
      : random(random), b(module, BehaviourKind::Choreography, "C"),
        participants(2 + below(random, 2)) {}

  void run() {
    NodeId start = b.add(NodeKind::Initial);
    NodeId last = part(part(start, 2), 3);
    b.flow(last, b.add(NodeKind::Final));
  }

private:
  NodeId exchange(NodeId after) {
    unsigned from = below(random, participants);
    return exchange(after, from,
                    (from + 1 + below(random, participants - 1)) %
                        participants);
  }
  NodeId exchange(NodeId after, unsigned from, unsigned to) {
    static const char *names[] = {"a", "b", "c"};
    // Mostly a message of its own, at times one that comes again.
    unsigned m = below(random, 4) ? messages++ : below(random, messages + 1);
    NodeId n = b.interaction(names[from], names[to], "m" + std::to_string(m));
    b.flow(after, n);
    return n;
  }
  /// Adds a part behind \p after and returns its last node.
  NodeId part(NodeId after, unsigned depth) {
    switch (depth ? below(random, 9) : 0) {
    case 0:
    case 1:
      return exchange(after);
    case 2:
    case 3:
    case 4:
      return part(part(after, depth - 1), depth - 1);
    case 5:
    case 6: {
      // Mostly somebody decides and tells somebody else.
      unsigned from = below(random, participants),
               to = (from + 1) % participants;
      bool race = below(random, 2), told = race || below(random, 4);
      NodeId split = b.add(race ? NodeKind::EventChoice : NodeKind::Choice);
      NodeId join = b.add(NodeKind::SimpleJoin);
      b.flow(after, split);
      for (unsigned i = 0; i < 2; ++i) {
        NodeId first = !told              ? split
                       : below(random, 4) ? exchange(split, from, to)
                                          : exchange(split);
        b.flow(told && below(random, 2) ? first : part(first, depth - 1), join);
      }
      return join;
    }
    case 7: {
      NodeId split = b.add(NodeKind::AllSelect);
      NodeId join = b.add(NodeKind::AllJoin);
      b.flow(after, split);
      for (unsigned i = 0; i < 2; ++i)
        b.flow(part(split, depth - 1), join);
      return join;
    }
    default: {
      NodeId join = b.add(NodeKind::SimpleJoin);
      NodeId split = b.add(NodeKind::Choice);
      b.flow(after, join);
      b.flow(part(join, depth - 1), split);
      b.flow(split, join);
      return split;
    }
    }
  }

  Random &random;
  BehaviourBuilder b;
  unsigned participants;
  unsigned messages = 0;
};

bool communicates(const Node &node) {
  return node.kind == NodeKind::Send || node.kind == NodeKind::Receive;
}

/// Puts \p node on the way out of \p after.
void insertAfter(Behaviour &b, NodeId after, Node node) {
  b.nodes.push_back(node);
  NodeId n(b.nodes.size() - 1);
  for (Flow &flow : b.flows)
    if (flow.source == after)
      flow.source = n;
  Flow flow;
  flow.source = after;
  flow.target = n;
  b.flows.push_back(flow);
}

void mutate(Random &random, Module &m, unsigned number) {
  Behaviour &b = m.behaviours[below(random, m.behaviours.size())];
  std::vector<uint32_t> steps, choices;
  for (uint32_t n = 0; n < b.nodes.size(); ++n) {
    if (communicates(b.nodes[n]))
      steps.push_back(n);
    if (b.nodes[n].kind == NodeKind::Choice ||
        b.nodes[n].kind == NodeKind::EventChoice)
      choices.push_back(n);
  }
  if (steps.empty())
    return;
  Node &one = b.nodes[steps[below(random, steps.size())]];
  switch (below(random, 6)) {
  case 0: { // another order
    Node &two = b.nodes[steps[below(random, steps.size())]];
    std::swap(one.kind, two.kind);
    std::swap(one.message, two.message);
    break;
  }
  case 1: // something is left out
    one.kind = NodeKind::Task;
    one.message = MessageId();
    break;
  case 2:
  case 3:
  case 4: // the other kind of choice
    if (!choices.empty()) {
      Node &choice = b.nodes[choices[below(random, choices.size())]];
      choice.kind = choice.kind == NodeKind::Choice ? NodeKind::EventChoice
                                                    : NodeKind::Choice;
    }
    break;
  default: { // an acknowledgement that the choreography does not know
    const Message message = m.message(one.message);
    MessageId ack = m.getMessage(m.intern("ack" + std::to_string(number)),
                                 message.receiver, message.sender);
    for (Behaviour &process : m.behaviours)
      for (uint32_t n = 0, count = process.nodes.size(); n < count; ++n)
        if (communicates(process.nodes[n]) &&
            m.message(process.nodes[n].message) == message) {
          Node node;
          node.kind = process.nodes[n].kind == NodeKind::Send
                          ? NodeKind::Receive
                          : NodeKind::Send;
          node.message = ack;
          insertAfter(process, NodeId(n), node);
        }
  }
  }
}

//===----------------------------------------------------------------------===//
// The definitions
//===----------------------------------------------------------------------===//

/// [c4], Figs. 6 and 9: counts of tokens on flows and of messages.
class Rules {
public:
  explicit Rules(const Module &m) : m(m) {
    for (const Behaviour &b : m.behaviours) {
      first.push_back(flows);
      flows += b.flows.size();
    }
  }
  using State = std::vector<int>;

  /// Whether the rules are all there: event choices lead to exchanges.
  bool covers() const {
    for (const Behaviour &b : m.behaviours)
      for (const Flow &flow : b.flows)
        if (b.node(flow.source).kind == NodeKind::EventChoice &&
            b.node(flow.target).kind != NodeKind::Interaction &&
            b.node(flow.target).kind != NodeKind::Receive)
          return false;
    return true;
  }
  State initial() const {
    State s(flows + m.messages.size());
    for (size_t i = 0; i < m.behaviours.size(); ++i)
      for (size_t f = 0; f < m.behaviours[i].flows.size(); ++f)
        if (m.behaviours[i].node(m.behaviours[i].flows[f].source).kind ==
            NodeKind::Initial)
          ++s[first[i] + f];
    return s;
  }
  template <class Sink>
  void steps(const State &s, Sink sink) const {
    for (size_t i = 0; i < m.behaviours.size(); ++i)
      for (size_t n = 0; n < m.behaviours[i].nodes.size(); ++n)
        nodeSteps(s, i, n, sink);
  }

private:
  /// The exchange of a node from the token on flow \p in.
  template <class Sink>
  void exchange(const State &s, size_t i, size_t n, size_t in,
                Sink sink) const {
    const Node &node = m.behaviours[i].nodes[n];
    State next = s;
    --next[in];
    for (size_t out : outgoing(i, n))
      ++next[out];
    std::string label;
    if (node.message) {
      const Message &message = m.message(node.message);
      label = (m.participantName(message.sender) + "->" +
               m.participantName(message.receiver) + ":" + m.text(message.name))
                  .str();
    }
    int &transit = next[flows + (node.message ? node.message.index() : 0)];
    if (node.kind == NodeKind::Receive && transit-- == 0)
      return;
    if (node.kind == NodeKind::Send) {
      ++transit;
      label.clear();
    }
    sink(node.kind == NodeKind::Task ? "" : label, next);
  }
  template <class Sink>
  void nodeSteps(const State &s, size_t i, size_t n, Sink sink) const {
    const Node &node = m.behaviours[i].nodes[n];
    std::vector<size_t> in = incoming(i, n), out = outgoing(i, n);
    switch (node.kind) {
    case NodeKind::Interaction:
    case NodeKind::Send:
    case NodeKind::Receive:
    case NodeKind::Task:
      for (size_t e : in)
        if (s[e])
          exchange(s, i, n, e, sink);
      return;
    case NodeKind::EventChoice:
      for (size_t e : in)
        for (size_t f : out)
          if (s[e])
            exchange(s, i, m.behaviours[i].flows[f - first[i]].target.index(),
                     e, sink);
      return;
    case NodeKind::Choice:
    case NodeKind::DominatedChoice:
    case NodeKind::SimpleJoin:
      for (size_t e : in)
        for (size_t f : out)
          if (s[e]) {
            State next = s;
            --next[e];
            ++next[f];
            sink("", next);
          }
      return;
    case NodeKind::AllSelect:
    case NodeKind::AllJoin: {
      State next = s;
      for (size_t e : in)
        if (--next[e] < 0)
          return;
      for (size_t f : out)
        ++next[f];
      if (!in.empty())
        sink("", next);
      return;
    }
    case NodeKind::Final:
      for (size_t e : in)
        if (s[e]) {
          State next = s;
          --next[e];
          sink("", next);
        }
      return;
    default:
      return;
    }
  }
  std::vector<size_t> incoming(size_t i, size_t n) const {
    std::vector<size_t> result;
    for (size_t f = 0; f < m.behaviours[i].flows.size(); ++f)
      if (m.behaviours[i].flows[f].target.index() == n)
        result.push_back(first[i] + f);
    return result;
  }
  std::vector<size_t> outgoing(size_t i, size_t n) const {
    std::vector<size_t> result;
    for (size_t f = 0; f < m.behaviours[i].flows.size(); ++f)
      if (m.behaviours[i].flows[f].source.index() == n)
        result.push_back(first[i] + f);
    return result;
  }

  const Module &m;
  std::vector<size_t> first;
  size_t flows = 0;
};

using Set = std::set<unsigned>;

/// A labelled graph; the empty label is tau.
struct Steps {
  std::vector<std::map<std::string, Set>> post;

  Set close(Set states) const {
    std::vector<unsigned> work(states.begin(), states.end());
    while (!work.empty()) {
      unsigned s = work.back();
      work.pop_back();
      auto silent = post[s].find("");
      if (silent != post[s].end())
        for (unsigned t : silent->second)
          if (states.insert(t).second)
            work.push_back(t);
    }
    return states;
  }
  /// All that a weak step leads to.
  Set after(const Set &states, const std::string &label) const {
    Set closed = close(states), next;
    if (label.empty())
      return closed;
    for (unsigned s : closed)
      if (auto found = post[s].find(label); found != post[s].end())
        next.insert(found->second.begin(), found->second.end());
    return close(next);
  }
};

/// Nothing: more than \p limit states.
std::optional<Steps> explored(const Rules &rules, size_t limit,
                              const std::set<std::string> *alphabet) {
  std::map<Rules::State, unsigned> number{{rules.initial(), 0}};
  std::vector<Rules::State> states{rules.initial()};
  Steps result;
  for (size_t s = 0; s < states.size(); ++s) {
    result.post.emplace_back();
    Rules::State from = states[s];
    rules.steps(from, [&](std::string label, const Rules::State &to) {
      auto [at, isNew] = number.try_emplace(to, states.size());
      if (isNew)
        states.push_back(to);
      if (alphabet && !alphabet->count(label))
        label.clear(); // hidden
      result.post[s][label].insert(at->second);
    });
    if (states.size() > limit)
      return std::nullopt;
  }
  return result;
}

/// Def. 4.10, by refinement of "cannot be told apart in n rounds".
bool weaklyBisimilar(const Steps &one, const Steps &two,
                     const std::set<std::string> &alphabet) {
  size_t n = one.post.size(), total = n + two.post.size();
  std::vector<std::vector<Set>> weak(total);
  for (size_t s = 0; s < total; ++s) {
    const Steps &g = s < n ? one : two;
    unsigned offset = s < n ? 0 : n, local = s - offset;
    weak[s].push_back(g.after({local}, ""));
    for (const std::string &label : alphabet)
      weak[s].push_back(g.after({local}, label));
    for (Set &set : weak[s]) {
      Set shifted;
      for (unsigned t : set)
        shifted.insert(t + offset);
      set = shifted;
    }
  }
  std::vector<unsigned> cls(total);
  for (size_t count = 1;;) {
    std::map<std::vector<Set>, unsigned> classes;
    std::vector<unsigned> next(total);
    for (size_t s = 0; s < total; ++s) {
      std::vector<Set> signature{{cls[s]}};
      for (const Set &set : weak[s]) {
        Set reached;
        for (unsigned t : set)
          reached.insert(cls[t]);
        signature.push_back(reached);
      }
      next[s] = classes.try_emplace(signature, classes.size()).first->second;
    }
    cls = next;
    if (classes.size() == count)
      return cls[0] == cls[n];
    count = classes.size();
  }
}

/// Def. 4.11: all traces of \p one are traces of \p two.
bool tracesWithin(const Steps &one, const Steps &two,
                  const std::set<std::string> &alphabet) {
  std::set<std::pair<Set, Set>> seen;
  std::vector<std::pair<Set, Set>> work{{one.close({0}), two.close({0})}};
  while (!work.empty()) {
    auto [s, t] = work.back();
    work.pop_back();
    if (!seen.insert({s, t}).second)
      continue;
    for (const std::string &label : alphabet) {
      Set s2 = one.after(s, label), t2 = two.after(t, label);
      if (s2.empty())
        continue;
      if (t2.empty())
        return false;
      work.push_back({s2, t2});
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Witnesses
//===----------------------------------------------------------------------===//

bool hasTrace(const Steps &g, ArrayRef<std::string> trace) {
  Set at{0};
  for (const std::string &label : trace)
    at = g.after(at, label);
  return !g.close(at).empty();
}

/// The states with a formula, which is read off its text: true, not F, (F and
/// F), <<"label">>F.
Set satisfying(const Steps &g, StringRef &text) {
  Set all;
  for (unsigned s = 0; s < g.post.size(); ++s)
    all.insert(s);
  if (text.consume_front("true"))
    return all;
  if (text.consume_front("not ")) {
    Set inner = satisfying(g, text);
    Set result;
    for (unsigned s : all)
      if (!inner.count(s))
        result.insert(s);
    return result;
  }
  if (text.consume_front("(")) {
    Set result = satisfying(g, text);
    while (text.consume_front(" and ")) {
      Set next = satisfying(g, text);
      std::erase_if(result, [&](unsigned s) { return !next.count(s); });
    }
    EXPECT_TRUE(text.consume_front(")"));
    return result;
  }
  EXPECT_TRUE(text.consume_front("<<\"")) << text.str();
  std::string label = text.take_until([](char c) { return c == '"'; }).str();
  text = text.drop_front(label.size());
  EXPECT_TRUE(text.consume_front("\">>"));
  Set inner = satisfying(g, text), result;
  for (unsigned s : all)
    for (unsigned t : g.after({s}, label == "tau" ? "" : label))
      if (inner.count(t))
        result.insert(s);
  return result;
}

bool holds(const Steps &g, StringRef text) {
  Set states = satisfying(g, text);
  EXPECT_TRUE(text.empty()) << text.str();
  return states.count(0);
}

/// "a -> b : m" as a label.
std::string labelOf(StringRef text) {
  std::string result;
  for (char c : text)
    if (c != ' ')
      result += c;
  return result;
}

void checkTrace(const Witness &witness, const Steps &collaboration,
                const Steps &choreography) {
  ASSERT_EQ(witness.kind, "trace");
  ASSERT_FALSE(witness.steps.empty());
  std::vector<std::string> trace;
  for (const WitnessStep &step : witness.steps)
    trace.push_back(labelOf(step.label));
  bool extra = StringRef(witness.steps.back().note)
                   .starts_with("<- possible for the collaboration");
  const Steps &has = extra ? collaboration : choreography;
  const Steps &lacks = extra ? choreography : collaboration;
  EXPECT_TRUE(hasTrace(has, trace));
  EXPECT_TRUE(hasTrace(lacks, ArrayRef(trace).drop_back()));
  EXPECT_FALSE(hasTrace(lacks, trace));
}
} // namespace

TEST(Conformance, AgreesWithTheDefinitions) {
  Generated models("collaborations with their choreographies", 2000);
  const unsigned wanted = models.wanted();
  unsigned done = 0, tbc = 0, bbc = 0, mutated = 0, unbounded = 0;
  for (unsigned seed = 1; done < wanted; ++seed) {
    ASSERT_LT(seed, wanted * 20) << "too few models are fit to be compared";
    Random random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    Module choreography;
    Generator(random, choreography).run();
    std::set<std::string> alphabet;
    for (size_t i = 0; i < choreography.messages.size(); ++i)
      alphabet.insert(
          labelText(choreography.label(LabelKind::Exchange, MessageId(i))));
    Rules ofChoreography(choreography);
    std::optional<Steps> right = explored(ofChoreography, 80, nullptr);
    if (!right)
      continue;
    Module collaboration = projected(choreography);
    unsigned mutations = below(random, 4);
    for (unsigned i = 0; i < mutations; ++i)
      mutate(random, collaboration, i);
    Rules ofCollaboration(collaboration);
    if (!ofChoreography.covers() || !ofCollaboration.covers())
      continue;
    std::optional<Steps> left = explored(ofCollaboration, 300, &alphabet);

    TestDiagnostics diags;
    ConformanceOptions options;
    options.limits.maxStates = 20000;
    std::unique_ptr<Pairing> pairing =
        pair(collaboration, choreography, options, diags.engine);
    ASSERT_TRUE(pairing);
    Fact traces = checkConformance(*pairing, *parseConformance("tbc"));
    Fact bisimulation = checkConformance(*pairing, *parseConformance("bbc"));
    if (!left) {
      // Too large for the naive part. What is infinite is recognised, and never
      // said to hold.
      EXPECT_TRUE(pairing->leftComplete || pairing->explored->growth);
      if (!pairing->leftComplete) {
        ++unbounded;
        EXPECT_NE(traces.verdict, Verdict::Holds);
        EXPECT_NE(bisimulation.verdict, Verdict::Holds);
      }
      continue;
    }
    ++done;
    models.count();
    mutated += mutations > 0;
    bool extra = !tracesWithin(*left, *right, alphabet);
    bool lacking = !tracesWithin(*right, *left, alphabet);
    ASSERT_EQ(traces.verdict == Verdict::Holds, !extra && !lacking);
    ASSERT_NE(traces.verdict, Verdict::Inconclusive);
    bool bisimilar = weaklyBisimilar(*left, *right, alphabet);
    ASSERT_EQ(bisimulation.verdict,
              bisimilar ? Verdict::Holds : Verdict::Violated);
    EXPECT_TRUE(traces.exact && bisimulation.exact);
    tbc += traces.verdict == Verdict::Holds;
    bbc += bisimilar;
    if (traces.verdict == Verdict::Violated)
      checkTrace(*traces.witness, *left, *right);
    if (!bisimilar) {
      ASSERT_TRUE(bisimulation.witness);
      EXPECT_EQ(bisimulation.witness->kind, "game");
      EXPECT_FALSE(bisimulation.witness->steps.empty());
      StringRef formula = bisimulation.witness->formula;
      if (!formula.ends_with("...")) {
        EXPECT_NE(holds(*left, formula), holds(*right, formula))
            << formula.str();
      }
    }
  }
  // All kinds of answers came up.
  RecordProperty("tbc", tbc);
  RecordProperty("bbc", bbc);
  RecordProperty("mutated", mutated);
  RecordProperty("unbounded", unbounded);
  EXPECT_GT(bbc, wanted / 20);
  EXPECT_GT(tbc, bbc);
  EXPECT_LT(tbc, wanted);
  EXPECT_GT(mutated, wanted / 3);
}

/// The product of minimised processes against the collaboration itself.
TEST(Conformance, PartsChangeNoVerdict) {
  Generated models("collaborations whole and in parts", 600);
  unsigned inParts = 0, smaller = 0, holds = 0, violated = 0;
  const std::vector<StringRef> relations = conformanceWords();
  for (unsigned seed = 1; models.done() < models.wanted(); ++seed) {
    ASSERT_LT(seed, models.wanted() * 20) << "too few models are fit";
    Random random(seed);
    Module choreography;
    Generator(random, choreography).run();
    Module collaboration = projected(choreography);
    for (unsigned i = below(random, 4); i > 0; --i)
      mutate(random, collaboration, i);
    ConformanceOptions options;
    options.limits.maxStates = 4000;
    options.network = static_cast<NetworkKind>(below(random, 8));
    options.bound = below(random, 3) ? noBound : 1 + below(random, 2);
    options.observeCompletion = below(random, 2);
    options.reduces = false;
    SCOPED_TRACE("seed " + std::to_string(seed));
    TestDiagnostics diags;
    std::unique_ptr<Pairing> whole =
        pair(collaboration, choreography, options, diags.engine);
    if (!whole || !whole->leftComplete || !whole->rightComplete)
      continue;
    options.reduces = true;
    options.fewStates = 1;
    options.worthIt = 0;
    std::unique_ptr<Pairing> parts =
        pair(collaboration, choreography, options, diags.engine);
    ASSERT_TRUE(parts);
    models.count();
    if (!parts->inParts())
      continue;
    ++inParts;
    smaller += parts->product().numStates() < whole->left.numStates();
    // They are not only alike: they are what the proof says.
    ASSERT_TRUE(compare(parts->reducedLeft(), whole->left,
                        Relation::DpBranching, CompareOptions())
                    .holds());
    for (unsigned i = 0; i < 3; ++i) {
      ConformanceRelation relation =
          *parseConformance(relations[below(random, relations.size())]);
      bool replays = false;
      Fact one = checkConformance(*whole, relation);
      Fact two = checkConformance(*parts, relation, &replays);
      ASSERT_EQ(one.verdict, two.verdict) << relation.word;
      ASSERT_EQ(one.exact, two.exact);
      ASSERT_EQ(two.verdict == Verdict::Violated, replays);
      holds += two.verdict == Verdict::Holds;
      violated += two.verdict == Verdict::Violated;
    }
  }
  EXPECT_GT(inParts, models.wanted() / 2);
  EXPECT_GT(smaller, models.wanted() / 10);
  EXPECT_GT(holds, models.wanted() / 10);
  EXPECT_GT(violated, models.wanted() / 10);
}
