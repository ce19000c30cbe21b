//===- Health.cpp - What goes wrong between peers -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Deadlocks, unspecified receptions, orphan messages and unbounded queues
/// of communicating automata. Implements: [brand83], the definitions of
/// section 2. Input class: any peers under any network. A peer is done in a
/// final state or, if it does not declare final states, in a state without
/// steps.
///
/// - Deadlock: a reachable state without steps in which a peer is not
///   done.
/// - Unspecified reception: a reachable state in which a peer can only
///   receive, and everything that it could receive is held up by a
///   message to it that it cannot receive here. A message can hold up
///   another only if messages queue up.
/// - Orphan message: a message in transit in a reachable state in which
///   all peers are done, that is received in no continuation. Equal
///   messages are received in the order in which they were sent, so there
///   is an orphan if more of them are in transit than any continuation
///   receives.
/// - Unbounded queue: messages in transit grow without bound.
///
/// Sound/complete for: a problem that is found is real, because neither a
/// send that the bound prevents nor an unexplored state counts as stuck.
/// The absence of a problem is exact if all states without a bound were
/// explored. Large compositions are decided with fewer orders of independent
/// steps (PeerReduction.h), else by taking receptions early (SemanticsOptions);
/// then the queues are known to be bounded if no run is infinite, or if the
/// messages can be weighed (QueueBound.h). Growth is found if the search meets
/// a cycle that can be repeated (undecidable in general).
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Health.h"
#include "HealthVisitor.h"
#include "cif/Check/Peers/QueueBound.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Explore/PeerReduction.h"
#include "cif/LTS/Graph.h"
#include <map>
#include <numeric>

using namespace cif;

StringRef cif::healthProblemText(HealthProblem problem) {
  switch (problem) {
  case HealthProblem::Deadlock:
    return "deadlock";
  case HealthProblem::UnspecifiedReception:
    return "unspecified reception";
  case HealthProblem::Orphan:
    return "orphan message";
  case HealthProblem::Unbounded:
    return "unbounded queue";
  }
  llvm_unreachable("unknown problem");
}

namespace {
/// Decides which messages in transit no continuation receives. Of each message
/// it is counted how often one continuation can receive it at most.
class OrphanSearch {
public:
  OrphanSearch(const PeerComposition &of, const Exploration &explored,
               HealthVisitor &seen, const Limits &limits)
      : system(of), exploration(explored), lts(explored.lts), visitor(seen),
        budget(limits) {}

  /// Notes the first state with an orphan. Returns why there may be others: the
  /// limit reached, or a message that only longer queues could deliver.
  std::string run();

private:
  static constexpr uint32_t many = UINT32_MAX; ///< without end, or not known

  void findTransit();
  /// \p longer: with queues longer than the bound anything may be received.
  void mostReceptions(uint32_t message, bool longer);
  std::string find(bool longer);

  const PeerComposition &system;
  const Exploration &exploration;
  const Lts &lts;
  HealthVisitor &visitor;
  Budget budget;
  Components parts;
  std::vector<StateIndex> byPart; ///< states, those of lower parts first
  std::vector<uint32_t> receives; ///< by label: the message
  std::vector<uint32_t> most;     ///< by part
  /// By message, where all are done: how many of it are in transit.
  std::vector<std::vector<std::pair<StateIndex, uint32_t>>> transit;
  StateIndex first = nowhere; ///< with a message that nobody receives
  uint32_t message = 0;
};

/// Parts are numbered so that transitions between them go to lower ones.
void OrphanSearch::mostReceptions(uint32_t message, bool longer) {
  most.assign(parts.count, 0);
  for (StateIndex s : byPart) {
    uint32_t &best = most[parts.of[s]];
    if (s >= exploration.expanded ||
        (longer && s < visitor.keptBack.size() && visitor.keptBack.test(s)))
      best = many;
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1] && best != many;
         ++t) {
      uint32_t to = parts.of[lts.target[t]];
      bool received = receives[lts.label[t]] == message;
      if (to == parts.of[s])
        best = received ? many : best;
      else
        best = std::max(best, most[to] == many ? many : most[to] + received);
    }
  }
}

void OrphanSearch::findTransit() {
  const size_t numMessages = system.view().messages.size();
  transit.resize(numMessages);
  std::vector<uint32_t> vector(system.width()), counts(numMessages);
  for (StateIndex s : visitor.left) {
    exploration.store->unpack(s, vector.data());
    std::fill(counts.begin(), counts.end(), 0);
    system.inTransit(vector.data(), counts);
    for (uint32_t m = 0; m < numMessages; ++m)
      if (counts[m])
        transit[m].push_back({s, counts[m]});
  }
}

/// The first state with a message that nobody receives, in `first`. Returns the
/// limit reached.
std::string OrphanSearch::find(bool longer) {
  for (uint32_t m = 0; m < transit.size(); ++m) {
    if (transit[m].empty() || transit[m].front().first >= first)
      continue;
    if (std::string met = budget.look(lts.numStates(), 0); !met.empty())
      return met;
    mostReceptions(m, longer);
    for (auto [s, count] : transit[m])
      if (count > most[parts.of[s]] && s < first) {
        first = s;
        message = m;
      }
  }
  return {};
}

std::string OrphanSearch::run() {
  if (visitor.left.empty())
    return {};
  const PeerView &view = system.view();
  std::map<Label, uint32_t> receptions;
  for (uint32_t m = 0; m < view.messages.size(); ++m)
    receptions[view.label({PeerView::Kind::Receive, m})] = m;
  for (const Label &label : lts.labels) {
    auto at = receptions.find(label);
    receives.push_back(at == receptions.end() ? UINT32_MAX : at->second);
  }
  parts = components(lts);
  byPart.resize(lts.numStates());
  std::iota(byPart.begin(), byPart.end(), 0);
  llvm::stable_sort(byPart, [&](StateIndex a, StateIndex b) {
    return parts.of[a] < parts.of[b];
  });
  findTransit();
  std::string met = find(/*longer=*/true);
  auto left = [&] { return labelForPeople(view.messages[message].shown); };
  if (first != nowhere)
    visitor.note(HealthProblem::Orphan, first, left(), {});
  else if (met.empty() && visitor.keptBack.any())
    met = find(/*longer=*/false);
  if (met.empty() && first != nowhere &&
      visitor.found[static_cast<unsigned>(HealthProblem::Orphan)] == nowhere)
    return "all peers are done, and a message is left that could be received "
           "only with longer queues: " +
           left();
  return met;
}
} // namespace

std::string cif::findOrphan(const PeerComposition &system,
                            const Exploration &explored, HealthVisitor &visitor,
                            const Limits &limits) {
  return OrphanSearch(system, explored, visitor, limits).run();
}

static bool hasCycle(const Lts &lts) {
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (llvm::is_contained(lts.targetsOf(s), s))
      return true;
  return components(lts).count < lts.numStates();
}

namespace {
enum class Explored : uint8_t { All, Part, Grows };
} // namespace

std::string cif::healthText(HealthProblem problem, const std::string &who) {
  switch (problem) {
  case HealthProblem::Deadlock:
    return "nothing can happen, but some peers are not done: " + who;
  case HealthProblem::UnspecifiedReception:
    return "'" + who + "' cannot receive the message at the head of its queue";
  default:
    return "all peers are done, but a message is left: " + who;
  }
}

namespace {
/// The search of one composition for all problems. What is decided once stays
/// so.
class HealthSearch {
public:
  /// Which steps are explored.
  enum Order : uint8_t {
    AllSteps,
    ReceptionsFirst, ///< SemanticsOptions::EagerUnlessDone
    Reduced,         ///< ReducedPeers
  };
  HealthSearch(const Module &of, const SynchronizabilityOptions &asked,
               DiagnosticEngine &engine)
      : module(of), options(asked), diags(engine) {
    if (options.healthy)
      health = provedHealth(false);
  }

  /// Runs the composition with this bound and fills in what is found. Growth is
  /// looked for only without a bound. Nothing: errors were reported.
  std::optional<Explored> run(Order order, uint32_t bound, uint64_t maxStates,
                              bool findGrowth = true);
  bool isDecided() const {
    return llvm::all_of(health.findings, [](const HealthFinding &finding) {
      return finding.verdict != Verdict::Inconclusive;
    });
  }
  HealthFinding &operator[](HealthProblem problem) {
    return health.findings[static_cast<unsigned>(problem)];
  }
  /// The result, with \p text for what is not decided and has no reason yet;
  /// empty: the limit that was met last.
  Health take(StringRef text = "") {
    for (HealthFinding &finding : health.findings)
      if (finding.verdict == Verdict::Inconclusive && finding.text.empty())
        finding.text = text.empty() ? incomplete : text.str();
    return std::move(health);
  }

  Health health;

private:
  Exploration exploreReduced(ReducedPeers &system,
                             std::optional<HealthVisitor> &visitor,
                             ExplorerOptions options, bool &fair);
  void tell(const PeerComposition &system, const Exploration &exploration,
            const HealthVisitor &visitor);
  void conclude(const PeerComposition &system, const Exploration &exploration,
                const std::string &orphanLimit, Order order, uint32_t bound);

  const Module &module;
  const SynchronizabilityOptions &options;
  DiagnosticEngine &diags;
  std::string incomplete; ///< why the last search did not see all states
};
} // namespace

/// Explores until no step is put off for ever; \p fair says whether that came
/// about.
Exploration HealthSearch::exploreReduced(ReducedPeers &system,
                                         std::optional<HealthVisitor> &visitor,
                                         ExplorerOptions explorer, bool &fair) {
  constexpr unsigned mostRounds = 50;
  explorer.keepOrigins = true;
  for (unsigned round = 0;; ++round) {
    visitor.emplace(system, noBound);
    explorer.visitor = &*visitor;
    Exploration exploration = explore(system, explorer);
    fair = exploration.complete && !system.expandIgnored(exploration);
    if (fair || !exploration.complete || round == mostRounds)
      return exploration;
  }
}

/// What was found.
void HealthSearch::tell(const PeerComposition &system,
                        const Exploration &exploration,
                        const HealthVisitor &visitor) {
  if (exploration.growth) {
    HealthFinding &finding = (*this)[HealthProblem::Unbounded];
    finding.verdict = Verdict::Violated;
    finding.exact = true;
    finding.text = exploration.growth->what;
    finding.witness = growthWitness(module, exploration);
  }
  for (unsigned i = 0; i < 3; ++i) {
    HealthFinding &finding = health.findings[i];
    if (visitor.found[i] == nowhere || finding.witness)
      continue;
    finding.verdict = Verdict::Violated;
    finding.exact = true;
    finding.proved = false;
    finding.text = healthText(static_cast<HealthProblem>(i), visitor.who[i]);
    for (GroupIndex group : visitor.waits[i])
      finding.waits.push_back(system.groups().origin(group));
    finding.witness.emplace();
    finding.witness->kind = "trace";
    finding.witness->steps = witnessSteps(
        module, exploration, exploration.traceTo(visitor.found[i]), true);
    if (finding.witness->steps.empty())
      finding.text += ", from the beginning";
  }
}

/// What was not found, where all was seen.
void HealthSearch::conclude(const PeerComposition &system,
                            const Exploration &exploration,
                            const std::string &orphanLimit, Order order,
                            uint32_t bound) {
  if (!exploration.complete)
    return;
  for (unsigned i = 0; i < numHealthProblems; ++i) {
    auto problem = static_cast<HealthProblem>(i);
    HealthFinding &finding = health.findings[i];
    if (finding.verdict != Verdict::Inconclusive)
      continue;
    finding.text.clear();
    if (problem == HealthProblem::Orphan && !orphanLimit.empty())
      finding.text = stoppedText(orphanLimit);
    // Queues that are read at once say nothing of others, unless no run goes on
    // for ever.
    Budget budget(options.limits);
    if (problem == HealthProblem::Unbounded && order != AllSteps &&
        !networkHas(options.network, NetworkIsFinite) &&
        hasCycle(exploration.lts) && !areQueuesBounded(system.view(), budget))
      finding.text =
          "there are infinite runs whose states were not all explored";
    if (!finding.text.empty())
      continue;
    finding.verdict = Verdict::Holds;
    finding.exact =
        bound == noBound || networkHas(options.network, NetworkIsFinite);
  }
}

std::optional<Explored> HealthSearch::run(Order order, uint32_t bound,
                                          uint64_t maxStates, bool findGrowth) {
  SemanticsOptions semantics = SemanticsOptions::peers(
      options.network, Observation::Both, options.handshakes, bound);
  if (order == ReceptionsFirst)
    semantics.eagerReceptions = SemanticsOptions::EagerUnlessDone;
  std::unique_ptr<PeerComposition> system =
      makePeerComposition(module, semantics, diags);
  if (!system)
    return std::nullopt;
  ExplorerOptions explorer;
  explorer.limits = options.limits;
  explorer.limits.maxStates = std::min(explorer.limits.maxStates, maxStates);
  explorer.findGrowth = findGrowth;
  std::optional<HealthVisitor> visitor;
  std::unique_ptr<ReducedPeers> reduced;
  const PeerComposition *searched = system.get();
  bool fair = true;
  auto explored = [&] {
    if (order == Reduced) {
      reduced = std::make_unique<ReducedPeers>(*system, options.network);
      searched = reduced.get();
      return exploreReduced(*reduced, visitor, explorer, fair);
    }
    visitor.emplace(*system, bound);
    explorer.visitor = &*visitor;
    return explore(*system, explorer);
  };
  Exploration exploration = explored();
  health.states = exploration.numStates();
  health.transitions = exploration.transitions;
  incomplete = !exploration.complete ? exploration.incompleteText()
               : fair                ? ""
                                     : "some steps were put off in every order";
  // What the steps that were put off lead to is not known: there is an orphan
  // only where nobody can receive it any more.
  std::string orphanLimit;
  if (fair)
    orphanLimit = findOrphan(*searched, exploration, *visitor, explorer.limits);
  tell(*searched, exploration, *visitor);
  if (fair)
    conclude(*searched, exploration, orphanLimit, order, bound);
  return exploration.growth             ? Explored::Grows
         : exploration.complete && fair ? Explored::All
                                        : Explored::Part;
}

Health cif::provedHealth(bool bounded) {
  Health health;
  for (unsigned i = 0; i < numHealthProblems; ++i)
    if (bounded || i != static_cast<unsigned>(HealthProblem::Unbounded)) {
      health.findings[i].verdict = Verdict::Holds;
      health.findings[i].exact = health.findings[i].proved = true;
    }
  return health;
}

static std::string methodText(NetworkKind network, uint32_t bound) {
  if (network == NetworkKind::Sync)
    return "exploration of handshakes";
  if (network == NetworkKind::Rsc)
    return "exploration, one message at a time";
  return bound == noBound
             ? "exploration with unbounded queues"
             : "exploration with queues up to " + std::to_string(bound);
}

std::optional<Health> cif::checkHealth(const Module &module,
                                       const SynchronizabilityOptions &options,
                                       DiagnosticEngine &diags) {
  // Shortest runs come from all states; too many of them are reduced.
  HealthSearch search(module, options, diags);
  const uint32_t bound = options.bound.value_or(noBound);
  const bool reduces =
      options.reduces && bound == noBound && canReducePeers(options.network);
  const bool eager =
      options.reduces && networkHas(options.network, NetworkHasOwnQueues);
  const uint64_t most = options.limits.maxStates, whole = options.wholeStates,
                 few = std::min(options.fewStates, whole);
  std::string &method = search.health.method;
  method = methodText(options.network, bound);
  std::optional<Explored> explored = search.run(HealthSearch::AllSteps, bound,
                                                reduces ? few
                                                : eager ? whole
                                                        : most);
  if (explored == Explored::Part && reduces && most > few) {
    explored = search.run(HealthSearch::Reduced, bound, whole);
    if (explored == Explored::All || most <= whole)
      method += ", reduced";
    if (explored == Explored::All) {
      // The queues may be bounded without being known to be.
      if (!search.isDecided())
        explored = search.run(HealthSearch::AllSteps, bound, whole);
    } else if (explored == Explored::Part && most > whole) {
      if (eager)
        method += ", receptions first";
      explored = search.run(eager ? HealthSearch::ReceptionsFirst
                                  : HealthSearch::AllSteps,
                            bound, most);
    }
  } else if (explored == Explored::Part && eager && most > whole) {
    method += ", receptions first";
    explored = search.run(HealthSearch::ReceptionsFirst, bound, most);
  }
  if (!explored)
    return std::nullopt;
  if (explored != Explored::Grows || search.isDecided())
    return search.take();
  // Fewer orders may be finitely many; else the rest is looked for with short
  // queues.
  if (reduces) {
    constexpr uint64_t worthTrying = 5'000;
    explored = search.run(HealthSearch::Reduced, bound, worthTrying, false);
    if (explored == Explored::All && search.isDecided()) {
      method += ", then reduced";
      return search.take();
    }
  }
  method += ", then up to 2";
  const Health before = search.health;
  if (!search.run(HealthSearch::AllSteps, 2, most))
    return std::nullopt;
  for (unsigned i = 0; i < numHealthProblems; ++i)
    if (!search.health.findings[i].witness)
      search.health.findings[i] = before.findings[i];
  return search.take("none with queues up to 2; queues grow without bound");
}
