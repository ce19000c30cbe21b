//===- AmendTest.cpp - Amended choreographies -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IocPromise.h"
#include "cif/Equivalence/Compare.h"
#include "cif/Repair/AmendTerm.h"
#include <map>

using namespace cif;
using namespace cif::test;

namespace {

/// Traces of a term by its rules, as words over its operations and roles;
/// `rename` gives what an interaction counts as, `#` what is hidden.
class Traces {
public:
  using Rename = std::function<std::string(TermId)>;
  Traces(const Term &term, Rename rename) : term(term), rename(rename) {}

  std::set<std::string> all() {
    std::set<std::string> found;
    std::set<std::pair<std::string, std::string>> seen;
    std::vector<std::pair<State, std::string>> work{{initial(term.root()), ""}};
    while (!work.empty()) {
      auto [state, word] = work.back();
      work.pop_back();
      if (!seen.insert({text(state), word}).second)
        continue;
      found.insert(word);
      for (auto &[id, next] : steps(state)) {
        std::string label = rename(id);
        work.push_back({next, label == "#" ? word : word + label + " "});
      }
    }
    return found;
  }

private:
  /// A term in the making, as a tree.
  struct State {
    TermKind kind = TermKind::Done;
    TermId id;
    std::vector<State> parts;
  };

  State initial(TermId id) {
    State s{term[id].kind, id, {}};
    for (TermId c = term[id].firstChild; c; c = term[c].nextSibling)
      s.parts.push_back(initial(c));
    return s;
  }
  static std::string text(const State &s) {
    std::string all = std::to_string(static_cast<int>(s.kind)) + "." +
                      std::to_string(s.id.raw()) + "(";
    for (const State &part : s.parts)
      all += text(part);
    return all + ")";
  }
  static bool done(const State &s) {
    switch (s.kind) {
    case TermKind::Done:
      return true;
    case TermKind::Sequence:
    case TermKind::Parallel:
      return llvm::all_of(s.parts, done);
    case TermKind::Choice:
      return llvm::any_of(s.parts, done);
    default:
      return false;
    }
  }
  std::vector<std::pair<TermId, State>> steps(const State &s) {
    std::vector<std::pair<TermId, State>> found;
    switch (s.kind) {
    case TermKind::Action:
      found.push_back({s.id, State()});
      break;
    case TermKind::Choice:
      for (const State &part : s.parts)
        for (auto &step : steps(part))
          found.push_back(step);
      break;
    case TermKind::Sequence:
      for (size_t i = 0; i < s.parts.size(); ++i) {
        for (auto &[id, next] : steps(s.parts[i])) {
          State rest{s.kind, s.id, {next}};
          rest.parts.insert(rest.parts.end(), s.parts.begin() + i + 1,
                            s.parts.end());
          found.push_back({id, rest});
        }
        if (!done(s.parts[i]))
          break;
      }
      break;
    case TermKind::Parallel:
      for (size_t i = 0; i < s.parts.size(); ++i)
        for (auto &[id, next] : steps(s.parts[i])) {
          State rest = s;
          rest.parts[i] = next;
          found.push_back({id, rest});
        }
      break;
    default:
      break;
    }
    return found;
  }

  const Term &term;
  Rename rename;
};

std::string word(const Term &term, TermId id) { return text(term, id); }

/// Whether \p way has the traces of \p term, what was added being hidden.
bool keepsTraces(const Term &term, const TermAmendment &way) {
  auto before = Traces(term, [&](TermId id) { return word(term, id); }).all();
  auto after = Traces(way.term, [&](TermId id) {
                 TermId origin = way.origin[id.index()];
                 return origin ? word(term, origin) : std::string("#");
               }).all();
  return before == after;
}

/// The same where there are loops and recursion, on the LTSs.
bool keepsTracesForever(const Term &term, const TermAmendment &way) {
  std::map<uint32_t, uint32_t> back;
  for (TermId id : way.renamed)
    back[way.term.action(id).operation] =
        term.action(way.origin[id.index()]).operation;
  auto label = [&](const IocStep &step) {
    auto it = back.find(step.operation);
    uint32_t operation = it == back.end() ? step.operation : it->second;
    if (operation >= term.numOperations)
      return Label::tau();
    return Label{LabelKind::Exchange, std::to_string(step.sender),
                 std::to_string(step.receiver), std::to_string(operation)};
  };
  std::string limit;
  auto before = buildIocLts(term, label, Limits(), limit);
  auto after = buildIocLts(way.term, label, Limits(), limit);
  return before && after &&
         compare(*before, *after, Relation::WeakTrace).holds();
}

/// Whether a call in \p at, of something around it, is there.
bool leaves(const Term &term, size_t at) {
  size_t begin = at;
  while (term.nodes[begin].firstChild)
    begin = term.nodes[begin].firstChild.index();
  for (size_t i = begin; i <= at; ++i)
    if (term.nodes[i].kind == TermKind::Call &&
        term.nodes[i].target.index() > at)
      return true;
  return false;
}

/// Whether some way with \p messages added interactions is connected: all
/// positions (but not behind calls in last place), all roles.
bool possible(const Term &term, IocSemantics semantics, unsigned messages);

Term withInsertion(const Term &term, size_t at, bool before,
                   TermAction action) {
  TermMaker maker;
  std::vector<TermId> made(term.size());
  std::vector<size_t> recs(term.size());
  std::vector<std::pair<size_t, size_t>> calls;
  for (size_t i = 0; i < term.size(); ++i) {
    const TermNode &node = term.nodes[i];
    std::vector<TermId> children;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      children.push_back(made[c.index()]);
    const TermAction &x = node.action;
    if (node.kind == TermKind::Rec)
      recs[i] = maker.term.size();
    made[i] = node.kind == TermKind::Action
                  ? maker.interaction(x.sender, x.receiver, x.operation)
              : children.empty() ? maker.leaf(node.kind)
                                 : maker.join(node.kind, children);
    if (i == at) {
      // Children stand before their parents, and siblings are linked by it.
      TermId added =
          maker.interaction(action.sender, action.receiver, action.operation);
      made[i] = maker.join(TermKind::Sequence,
                           before ? std::vector<TermId>{added, made[i]}
                                  : std::vector<TermId>{made[i], added});
    }
    if (node.kind == TermKind::Call)
      calls.push_back({made[i].index(), node.target.index()});
  }
  for (auto [call, target] : calls) {
    // A call that something was put before is the last thing there.
    TermNode *node = &maker.term.nodes[call];
    if (node->kind == TermKind::Sequence)
      node -= 2;
    node->target = TermId(recs[target]);
  }
  return std::move(maker.term);
}

bool possible(const Term &term, IocSemantics semantics, unsigned messages) {
  ConnectednessOptions options;
  options.semantics = semantics;
  if (checkConnected(term, options).holds())
    return true;
  if (messages == 0)
    return false;
  for (size_t at = 0; at < term.size(); ++at)
    for (bool before : {true, false})
      for (uint32_t a = 0; a < term.numRoles; ++a)
        for (uint32_t b = 0; b < term.numRoles; ++b)
          if (a != b && (before || !leaves(term, at)) &&
              possible(
                  withInsertion(term, at, before, {a, b, term.numOperations}),
                  semantics, messages - 1))
            return true;
  return false;
}

} // namespace

// `a -> b : o ; c -> d : p` needs one message, whatever it is to promise.
TEST(Amend, Introduction) {
  for (IocSemantics semantics : allSemantics) {
    TermMaker m;
    TermId o = m.interaction(0, 1, 0), p = m.interaction(2, 3, 1);
    m.join(TermKind::Sequence, {o, p});
    AmendOptions options;
    options.semantics = semantics;
    TermAmendments found = amendTerm(m.term, options);
    ASSERT_EQ(found.outcome, TermAmendments::Found);
    EXPECT_TRUE(found.fewest);
    EXPECT_EQ(found.ways[0].added, 1u);
    // The best one serves all semantics.
    EXPECT_EQ(found.ways[0].semantics, numIocSemantics);
    EXPECT_EQ(text(found.ways[0].term), "(0->1:o0 ; 1->2:o2 ; 2->3:o1)");
  }
}

// Two deciders stay two unless asked for.
TEST(Amend, TwoDeciders) {
  TermMaker m;
  TermId o = m.interaction(0, 1, 0), p = m.interaction(1, 0, 1);
  m.join(TermKind::Choice, {o, p});
  AmendOptions options;
  options.semantics = IocSemantics::Sender;
  EXPECT_EQ(amendTerm(m.term, options).outcome, TermAmendments::TwoDeciders);
  options.moveDeciders = true;
  TermAmendments found = amendTerm(m.term, options);
  ASSERT_EQ(found.outcome, TermAmendments::Found);
  EXPECT_EQ(found.ways[0].added, 1u);
}

// Uses that nothing orders get operations of their own.
TEST(Amend, Renames) {
  TermMaker m;
  TermId o = m.interaction(0, 1, 0), p = m.interaction(0, 1, 0);
  m.join(TermKind::Parallel, {o, p});
  TermAmendments found = amendTerm(m.term, {});
  ASSERT_EQ(found.outcome, TermAmendments::Found);
  EXPECT_EQ(found.ways[0].added, 0u);
  EXPECT_EQ(found.ways[0].renamed.size(), 1u);
}

// Every way is connected and keeps the traces; no smaller number of messages
// would have been enough, tried out for one and two.
TEST(Amend, Generated) {
  for (IocSemantics semantics : allSemantics) {
    RandomIoc random(400 + static_cast<unsigned>(semantics));
    size_t amended = 0, messages = 0, ways = 0, deciders = 0, gaveUp = 0,
           compared = 0;
    for (int i = 0; i < 240; ++i) {
      Term term = random.make(5);
      AmendOptions options;
      options.semantics = semantics;
      options.maxWork = 300'000;
      options.moveDeciders = i % 2;
      TermAmendments found = amendTerm(term, options);
      deciders += found.outcome == TermAmendments::TwoDeciders;
      // Flaws are steps of the term that was given.
      for (const ConnectednessViolation &v : found.flaws)
        for (TermId id : {v.first.term(), v.second.term()}) {
          ASSERT_TRUE(id && id.index() < term.size()) << text(term);
          ASSERT_TRUE(term[id].kind == TermKind::Action ||
                      term[id].kind == TermKind::Tau)
              << text(term);
        }
      gaveUp += found.outcome == TermAmendments::GaveUp;
      if (found.outcome != TermAmendments::Found)
        continue;
      ++amended;
      messages += found.ways[0].added;
      ConnectednessOptions check;
      check.semantics = semantics;
      for (const TermAmendment &way : found.ways) {
        ++ways;
        ASSERT_TRUE(checkConnected(way.term, check).holds()) << text(way.term);
        ASSERT_TRUE(keepsTraces(term, way))
            << text(term) << " became " << text(way.term);
        ASSERT_EQ(way.added, found.ways[0].added);
      }
      unsigned least = found.ways[0].added;
      if (found.fewest && found.ways[0].renamed.empty() && least > 0 &&
          least < 3) {
        ++compared;
        ASSERT_FALSE(possible(term, semantics, least - 1)) << text(term);
      }
    }
    std::printf("%s: %zu amended with %zu messages, %zu ways, %zu with two "
                "deciders, gave up on %zu, %zu compared\n",
                iocSemanticsName(semantics).data(), amended, messages, ways,
                deciders, gaveUp, compared);
    std::fflush(stdout);
    EXPECT_GT(amended, 60u);
    EXPECT_GT(compared, 4u);
    EXPECT_LT(gaveUp, amended / 10);
  }
}

// The same with loops, `while` and recursion.
TEST(Amend, GeneratedRecursion) {
  for (IocSemantics semantics : allSemantics) {
    RandomIoc random(450 + static_cast<unsigned>(semantics));
    size_t amended = 0, gaveUp = 0, compared = 0;
    for (int i = 0; i < 150; ++i) {
      Term term = random.makeWild(4);
      if (!hasLoop(term) || hasKind(term, TermKind::Interrupt))
        continue;
      // Read and recovered: calls have a step before them.
      Read read(parseIoc,
                "choreography C { " + source(term, term.root()) + " }");
      if (!read.ok)
        continue;
      AmendOptions options;
      options.semantics = semantics;
      options.maxWork = 100'000;
      options.moveDeciders = true;
      TermAmendments found = amendTerm(term, options);
      gaveUp += found.outcome == TermAmendments::GaveUp;
      if (found.outcome != TermAmendments::Found)
        continue;
      ++amended;
      ConnectednessOptions check;
      check.semantics = semantics;
      for (const TermAmendment &way : found.ways) {
        ASSERT_TRUE(checkConnected(way.term, check).holds()) << text(way.term);
        ASSERT_TRUE(keepsTracesForever(term, way))
            << text(term) << " became " << text(way.term);
      }
      unsigned least = found.ways[0].added;
      if (found.fewest && found.ways[0].renamed.empty() && least > 0 &&
          least < 3) {
        ++compared;
        ASSERT_FALSE(possible(term, semantics, least - 1)) << text(term);
      }
    }
    std::printf("%s: %zu amended, gave up on %zu, %zu compared\n",
                iocSemanticsName(semantics).data(), amended, gaveUp, compared);
    std::fflush(stdout);
    EXPECT_GT(amended, 10u);
    EXPECT_GT(compared, 2u);
  }
}

// Roles that are there are always enough: docs/connectedness.md.
TEST(Amend, NeedsNoFreshRole) {
  for (IocSemantics semantics : allSemantics) {
    RandomIoc random(480 + static_cast<unsigned>(semantics));
    for (int i = 0; i < 150; ++i) {
      Term term = random.make(3);
      AmendOptions options;
      options.semantics = semantics;
      options.moveDeciders = true;
      TermAmendments found = amendTerm(term, options);
      ASSERT_NE(found.outcome, TermAmendments::GaveUp)
          << iocSemanticsName(semantics).str() << ": " << text(term);
    }
  }
}
