//===- SearchedParts.cpp - What is left of a choreography to search -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/SearchedParts.h"
#include "cif/Calculus/BehaviourOfTerm.h"
#include "cif/Calculus/Connectedness.h"
#include "cif/Calculus/ParallelParts.h"
#include "cif/Calculus/SenderConnected.h"
#include "cif/Calculus/TermSlice.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Link.h"
#include "llvm/ADT/DenseSet.h"

using namespace cif;

std::string SearchedParts::newName() const {
  std::string name = "next";
  for (const Participant &p : normal->participants)
    while (normal->text(p.name).contains(name))
      name += '\'';
  for (const Message &m : normal->messages)
    while (normal->text(m.name).contains(name))
      name += '\'';
  return name;
}

Module SearchedParts::moduleOf(const Term &term) const {
  const Behaviour &whole = normal->behaviours[0];
  if (!names)
    names = std::make_shared<Module>(normal->clone());
  Module &module = *names;
  std::vector<MessageId> messages(term.size());
  const std::string name = newName();
  for (size_t i = 0; i < messages.size(); ++i) {
    const TermNode &node = term.nodes[i];
    if (node.kind != TermKind::Action)
      continue;
    if (node.node) {
      messages[i] = whole.node(node.node).message;
      continue;
    }
    Name next = module.intern(name + std::to_string(node.action.receiver));
    messages[i] = module.getMessage(next, ParticipantId(node.action.sender),
                                    module.getParticipant(next));
  }
  module.behaviours[0] = behaviourOf(module, whole, term, messages);
  return extractBehaviour(module, 0);
}

std::string SearchedParts::label(NodeId step) const {
  return labelForPeople(normal->label(
      LabelKind::Exchange, normal->behaviours[0].node(step).message));
}

std::vector<WitnessStep> SearchedParts::handshakes(ArrayRef<NodeId> run) const {
  std::vector<WitnessStep> steps;
  steps.reserve(run.size());
  for (NodeId n : run)
    steps.push_back({label(n),
                     originPlace(*normal, {Origin::Node, 0, n.index()}),
                     "received immediately"});
  return steps;
}

namespace {
/// A part of a term, and what is left out of it.
struct PartOfTerm {
  Term term;
  /// Steps of what was cut off before the term, without and with the branches
  /// that were left out there.
  std::vector<NodeId> lead, before;
  /// Runs of other branches that are left out, each with the child of the
  /// root's sequence that it can come before.
  std::vector<std::pair<size_t, std::vector<NodeId>>> others;
  bool endless = false;      ///< some branch that is left out never ends
  std::vector<NodeId> later; ///< ParallelParts::Part::later, of all splits
  bool isCut = false;        ///< the beginning was cut off
  std::optional<Term> start; ///< SearchedPart::start
};

/// Where a term breaks a condition.
struct Flaws {
  std::vector<std::pair<TermId, TermId>> steps; ///< two each
  bool areKnown = true;                         ///< false: there may be others
};

class PartsOf {
public:
  PartsOf(const Module &normal, const Limits &limits, bool keepsStarts,
          SearchedParts &into)
      : whole(normal.behaviours[0]), limits(limits), budget(limits),
        keepsStarts(keepsStarts), result(into) {}
  bool find(const Module &normal, size_t largeFrom);

private:
  bool isConnected(const Term &term) const;
  Flaws flawsOf(const Term &term) const;
  void findSlices(const Term &term);
  bool takeApart(Term term, std::vector<PartOfTerm> &left);
  bool cutStart(PartOfTerm &part, const Flaws &flaws);
  std::optional<Term> cutEnd(const Term &term, const Flaws &flaws) const;
  SearchedPart searched(const PartOfTerm &part) const;

  const Behaviour &whole;
  const Limits &limits;
  Budget budget; ///< a look at a subterm is a step
  bool keepsStarts;
  SearchedParts &result;
};

/// The children of the sequence at the root of a term, and what is on both
/// sides of each boundary between them.
class Boundaries {
public:
  explicit Boundaries(const Term &whole)
      : term(whole), children(rootSequence(whole)),
        senders(firstSenders(whole)) {
    findShared();
  }
  size_t size() const { return children.size(); }
  TermId operator[](size_t child) const { return children[child]; }
  /// The child that \p step is in: each stands behind its own parts.
  size_t childOf(TermId step) const {
    return llvm::lower_bound(
               children, step,
               [](TermId a, TermId b) { return a.index() < b.index(); }) -
           children.begin();
  }
  /// Who may be the first to send from child \p begin on; nothing: nobody, more
  /// than \p most, or a message is used on both sides.
  SmallVector<uint32_t, 4> firstFrom(size_t begin, size_t most) const;
  /// Whether all of \p roles take part in child \p c.
  bool involves(size_t c, ArrayRef<uint32_t> roles) const;

private:
  void findShared();

  const Term &term;
  SmallVector<TermId, 8> children;
  std::vector<llvm::BitVector> senders;
  std::vector<bool> isShared; ///< by child: a message is used before and after
};
} // namespace

void Boundaries::findShared() {
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, size_t> first;
  std::vector<size_t> until(children.size()); // by first child: the last one
  for (size_t i = 0; i < term.size(); ++i) {
    const TermAction &x = term.nodes[i].action;
    if (term.nodes[i].kind != TermKind::Action)
      continue;
    size_t child = std::min(childOf(TermId(i)), children.size() - 1);
    size_t begin =
        first
            .try_emplace({uint64_t(x.sender) << 32 | x.receiver, x.operation},
                         child)
            .first->second;
    until[begin] = std::max(until[begin], child);
  }
  isShared.resize(children.size());
  size_t last = 0;
  for (size_t c = 0; c < children.size(); ++c) {
    isShared[c] = c > 0 && last >= c;
    last = std::max(last, until[c]);
  }
}

SmallVector<uint32_t, 4> Boundaries::firstFrom(size_t begin,
                                               size_t most) const {
  SmallVector<uint32_t, 4> who;
  if (senders.empty() || isShared[begin])
    return {};
  for (unsigned role : senders[begin].set_bits()) {
    if (who.size() == most)
      return {};
    who.push_back(role);
  }
  return who;
}

bool Boundaries::involves(size_t c, ArrayRef<uint32_t> roles) const {
  llvm::SmallDenseSet<uint32_t, 8> found;
  for (size_t i = c ? children[c - 1].index() + 1 : 0; i <= children[c].index();
       ++i)
    if (const TermAction &x = term.nodes[i].action;
        term.nodes[i].kind == TermKind::Action)
      for (uint32_t role : roles)
        if (x.involves(role))
          found.insert(role);
  return found.size() == roles.size();
}

bool PartsOf::isConnected(const Term &term) const {
  Budget steps(limits);
  return findSenderConnection(buildIocGraph(term), steps).holds();
}

Flaws PartsOf::flawsOf(const Term &term) const {
  constexpr size_t mostFlaws = 64;
  Flaws flaws;
  Budget steps(limits);
  const IocGraph graph = buildIocGraph(term);
  for (const SenderConnection &flaw :
       findSenderFlaws(graph, steps, mostFlaws)) {
    if (flaw.first == TermAction::none || flaw.second == TermAction::none) {
      flaws.areKnown = false;
      continue;
    }
    flaws.steps.push_back({TermId(graph.nodes[flaw.first].origin),
                           TermId(graph.nodes[flaw.second].origin)});
  }
  flaws.areKnown &= flaws.steps.size() < mostFlaws;
  return flaws;
}

/// Looks for the longest beginning of the sequence that is sender-connected,
/// and whose last steps are seen by all who can be the first to send
/// afterwards, and cuts it off.
bool PartsOf::cutStart(PartOfTerm &part, const Flaws &flaws) {
  constexpr size_t mostTries = 16;
  const Boundaries sequence(part.term);
  size_t most = sequence.size() - 1, tries = 0;
  for (auto [first, second] : flaws.steps)
    most = std::min(
        most, std::max(sequence.childOf(first), sequence.childOf(second)));
  for (size_t begin = most; begin > 0 && tries < mostTries; --begin) {
    // A step has two roles.
    SmallVector<uint32_t, 4> who = sequence.firstFrom(begin, 2);
    if (who.empty() || !sequence.involves(begin - 1, who))
      continue;
    ++tries;
    if (budget.spend(part.term.size()))
      return false;
    if (!isConnected(startOfSequence(part.term, begin, who)))
      continue;
    std::optional<Term> rest = restOfSequence(part.term, begin);
    if (!rest)
      continue;
    ShortestRuns runs(part.term);
    PartOfTerm cut{std::move(*rest), part.lead,  part.before, {},
                   part.endless,     part.later, true};
    for (size_t c = 0; c < begin; ++c) {
      std::optional<std::vector<NodeId>> run = runs.of(sequence[c]);
      if (!run)
        return false;
      for (const auto &[at, other] : part.others)
        if (at == c)
          llvm::append_range(cut.before, other);
      llvm::append_range(cut.lead, *run);
      llvm::append_range(cut.before, *run);
    }
    for (auto &[at, other] : part.others)
      if (at >= begin)
        cut.others.push_back({at - begin, std::move(other)});
    part = std::move(cut);
    return true;
  }
  return false;
}

/// What has flaws, if what follows them is sender-connected.
std::optional<Term> PartsOf::cutEnd(const Term &term,
                                    const Flaws &flaws) const {
  constexpr size_t mostFirst = 3;
  if (!flaws.areKnown)
    return std::nullopt;
  const Boundaries sequence(term);
  size_t end = 0;
  for (auto [first, second] : flaws.steps)
    for (TermId step : {first, second})
      end = std::max(end, sequence.childOf(step) + 1);
  SmallVector<uint32_t, 4> who;
  while (end < sequence.size() &&
         (who = sequence.firstFrom(end, mostFirst)).empty())
    ++end;
  if (end >= sequence.size())
    return std::nullopt;
  std::optional<Term> rest = restOfSequence(term, end);
  if (!rest || !isConnected(*rest))
    return std::nullopt;
  return startOfSequence(term, end, who);
}

/// What comes before the last place where branches were left out happens by
/// handshakes, with these branches where they can begin.
SearchedPart PartsOf::searched(const PartOfTerm &part) const {
  SearchedPart found;
  found.term = part.term;
  found.start = part.start;
  found.lead = part.lead;
  found.later = part.later;
  if (part.endless)
    return found;
  size_t begin = 0;
  for (const auto &[at, run] : part.others)
    begin = std::max(begin, at);
  std::vector<NodeId> before = part.before;
  SmallVector<TermId, 8> children = rootSequence(part.term);
  ShortestRuns runs(part.term);
  for (size_t c = 0; c <= begin; ++c) {
    for (const auto &[at, run] : part.others)
      if (at == c)
        llvm::append_range(before, run);
    if (c == begin)
      break;
    std::optional<std::vector<NodeId>> run = runs.of(children[c]);
    if (!run)
      return found;
    llvm::append_range(before, *run);
  }
  if (begin > 0) {
    found.rest = restOfSequence(part.term, begin);
    if (!found.rest)
      return found;
  }
  found.before = std::move(before);
  return found;
}

/// Of what is small, in states.
constexpr double mostToSearch = 4'000;

/// How many states \p term has, or somewhat more.
static double mostStates(const Term &term) {
  std::vector<double> states(term.size(), 1);
  for (size_t i = 0; i < states.size(); ++i) {
    const TermNode &node = term.nodes[i];
    states[i] += node.kind == TermKind::Action;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      if (node.kind == TermKind::Parallel)
        states[i] *= states[c.index()];
      else
        states[i] += states[c.index()];
  }
  return states.back();
}

/// The last step before \p step with its receiver, if any.
static TermId lastBefore(const Term &term, TermId step) {
  for (size_t i = step.index(); i-- > 0;)
    if (term.nodes[i].kind == TermKind::Action &&
        term.nodes[i].action.involves(term.action(step).receiver))
      return TermId(i);
  return {};
}

/// The first step after \p step of the receiver of \p step.
static TermId nextOf(const Term &term, TermId step) {
  for (size_t i = step.index() + 1; i < term.size(); ++i)
    if (term.nodes[i].kind == TermKind::Action &&
        term.nodes[i].action.sender == term.action(step).receiver)
      return TermId(i);
  return {};
}

/// The nearest node that both are in. Those of a sequence come in order.
static TermKind kindAround(const Term &term, ArrayRef<TermId> parents, TermId a,
                           TermId b) {
  while (a != b)
    if (a.index() < b.index())
      a = parents[a.index()];
    else
      b = parents[b.index()];
  return term[a].kind;
}

/// The first step behind \p step to \p role; steps beside it are not behind it.
static TermId firstTo(const Term &term, ArrayRef<TermId> parents, TermId step,
                      uint32_t role) {
  for (size_t i = step.index() + 1; i < term.size(); ++i)
    if (term.nodes[i].kind == TermKind::Action &&
        term.nodes[i].action.receiver == role &&
        kindAround(term, parents, step, TermId(i)) == TermKind::Sequence)
      return TermId(i);
  return {};
}

/// Looks around the places where a condition is not met.
void PartsOf::findSlices(const Term &term) {
  constexpr size_t mostPlaces = 8, mostSteps = 2'000, mostInAll = 6'000;
  const Flaws flaws = flawsOf(term);
  const TermSlicer slicer(term);
  std::vector<TermSlice> slices;
  auto add = [&](ArrayRef<TermId> steps) {
    if (std::optional<TermSlice> slice = slicer.around(steps, mostSteps);
        slice && mostStates(slice->term) <= mostToSearch)
      slices.push_back(std::move(*slice));
  };
  for (auto [first, second] : ArrayRef(flaws.steps).take_front(mostPlaces)) {
    add({first, second});
    // Whoever sends too early may find the receiver busy, or make the receiver
    // send to somebody who is; and who was passed over may be busy later.
    if (TermId busy = lastBefore(term, second))
      add({first, second, busy});
    for (TermId step : {first, second})
      if (TermId next = nextOf(term, step))
        add({first, second, next});
    const TermAction &passed = term.action(first);
    for (uint32_t role : {passed.sender, passed.receiver})
      if (TermId late = firstTo(term, slicer.parents(), second, role))
        add({first, second, late});
  }
  llvm::stable_sort(slices, [](const TermSlice &a, const TermSlice &b) {
    return a.term.size() < b.term.size();
  });
  size_t inAll = 0;
  for (TermSlice &slice : slices) {
    inAll += slice.term.size();
    if (inAll > mostInAll)
      break;
    SearchedPart &part = result.slices.emplace_back();
    part.term = std::move(slice.term);
    part.lead = std::move(slice.before);
  }
}

/// False: there is too much to take apart.
bool PartsOf::takeApart(Term term, std::vector<PartOfTerm> &left) {
  constexpr size_t mostParts = 1000;
  std::vector<PartOfTerm> work(1);
  work[0].term = std::move(term);
  size_t seen = 0;
  while (!work.empty()) {
    PartOfTerm at = std::move(work.back());
    work.pop_back();
    if (++seen > mostParts || budget.spend(at.term.size()))
      return false;
    const Flaws flaws = flawsOf(at.term);
    if (flaws.areKnown && flaws.steps.empty())
      continue;
    if (!at.isCut && cutStart(at, flaws)) {
      work.push_back(std::move(at));
      continue;
    }
    at.start = cutEnd(at.term, flaws);
    if (keepsStarts && at.start && mostStates(*at.start) <= mostToSearch) {
      result.keptStarts = true;
      left.push_back(std::move(at));
      continue;
    }
    std::vector<bool> suspect(at.term.size());
    for (auto [first, second] : flaws.steps)
      suspect[first.index()] = suspect[second.index()] = true;
    ParallelParts apart = parallelParts(at.term, suspect, budget);
    if (budget.stopped())
      return false;
    if (apart.parts.empty()) {
      left.push_back(std::move(at));
      continue;
    }
    for (ParallelParts::Part &part : llvm::reverse(apart.parts)) {
      PartOfTerm next{std::move(part.term),       at.lead, at.before, at.others,
                      at.endless || !part.others, at.later};
      llvm::append_range(next.later, part.later);
      for (auto &[place, run] : next.others)
        if (place > apart.at)
          place += part.width - 1;
      if (part.others)
        next.others.push_back({apart.at, std::move(*part.others)});
      work.push_back(std::move(next));
    }
  }
  return true;
}

bool PartsOf::find(const Module &normal, size_t largeFrom) {
  llvm::DenseSet<uint32_t> names;
  for (const Participant &p : normal.participants)
    if (!names.insert(p.name.index()).second)
      return false; // one peer, and two roles of the term
  OperationNumbers operations;
  std::optional<Term> term = recoverTerm(normal, whole, operations);
  if (!term || findOther(*term, connectednessKinds()))
    return false;
  const size_t size = term->size();
  // Where it is small, the search of the whole finds a shorter run.
  if (size * term->numRoles >= largeFrom)
    findSlices(*term);
  if (!result.slices.empty())
    return false;
  std::vector<PartOfTerm> left;
  if (!takeApart(std::move(*term), left))
    return false;
  for (const PartOfTerm &part : left) {
    if (budget.spend(whole.nodes.size())) {
      result.parts.clear();
      return false;
    }
    result.parts.push_back(searched(part));
  }
  // One part that is all there is.
  if (result.parts.size() == 1 && !result.parts[0].start &&
      result.parts[0].term.size() == size)
    result.parts.clear();
  return left.empty();
}

bool cif::findSearchedParts(std::shared_ptr<const Module> normal,
                            const Limits &limits, size_t largeFrom,
                            bool keepsStarts, SearchedParts &into) {
  into.normal = std::move(normal);
  return PartsOf(*into.normal, limits, keepsStarts, into)
      .find(*into.normal, largeFrom);
}
