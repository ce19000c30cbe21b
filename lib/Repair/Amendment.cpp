//===- Amendment.cpp - Interactions for realizability --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Realizability as in [verchor], Def. 6, by adding interactions: the
/// synchronisations of its controllers become messages of the choreography.
/// Where a participant lacks data, a message that it gets anyway may carry
/// them; such candidates are tried first.
///
/// Sets of candidates are tried by size. From a set that is not sufficient,
/// with a run of sends that the choreography does not have and whose last
/// send is by p, the search continues with the sets that have one more
/// candidate that tells p something. The set found in this way is
/// sufficient but need not be smallest: the added messages are sends
/// themselves, which must keep an order and inform their senders, so
/// nothing follows from one set for another. If there are few enough
/// smaller sets, they are tried one by one; only then does the result claim
/// that none is sufficient.
///
/// First, without search: where every gap between consecutive interactions
/// (Gaps.cpp) is filled by one candidate and the result is sender-connected
/// (docs/algorithms.md), it is realizable and no set is smaller, however many
/// gaps there are. What each of many is for is not searched then.
///
/// Sound: the caller checks the result again. Not complete: only places
/// between consecutive interactions are tried, and a limited number of
/// sets.
///
//===----------------------------------------------------------------------===//

#include "cif/Repair/Amendment.h"
#include "cif/Check/Peers/ConnectedProof.h"
#include "cif/Equivalence/Minimize.h"
#include "cif/Repair/ExtraSends.h"
#include "cif/Repair/Gaps.h"
#include "cif/Repair/SmallestSet.h"
#include "cif/Transforms/ProjectData.h"
#include <map>
#include <set>

using namespace cif;

namespace {
using Set = std::vector<uint32_t>;

constexpr uint64_t mostQuestions = 3000;
constexpr size_t mostAdded = 12;

class Amender {
public:
  Amender(const Module &from, uint32_t behaviour, const Behaviour &choreography,
          const SynchronizabilityOptions &of, DiagnosticEngine &engine)
      : module(from.clone()), index(behaviour), graph(choreography),
        options(of), diags(engine) {
    module.systems.clear();
    module.messageFlows.clear();
    module.facts.clear();
    Budget budget(options.limits);
    all = findTellers(module, graph, budget);
    auto news = llvm::partition_point(
        all, [](const Synchronisation &s) { return bool(s.extends); });
    std::vector<Synchronisation> plain =
        findSynchronisations(module, graph, Tellers::Participants, budget);
    limit = budget.limit();
    // At the head of a loop it would be sent once more, before the first round.
    llvm::stable_sort(plain,
                      [&](const Synchronisation &a, const Synchronisation &b) {
                        return isLoopHead(a.flow) < isLoopHead(b.flow);
                      });
    all.insert(news, plain.begin(), plain.end());
    FreshMessageNames names(module);
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].extends) {
        messages.push_back(graph.node(all[i].extends).message);
        continue;
      }
      messages.push_back(module.getMessage(
          module.intern(names.make("sync" + std::to_string(i + 1))),
          all[i].from, all[i].to));
      module.messages[messages.back().index()].fields =
          carriedFields(module, all[i]);
    }
    module.behaviours.resize(1);
  }

  /// See amendWithoutSearch.
  std::optional<Amendment> fill(const Module &source) {
    if (!limit.empty())
      return std::nullopt;
    std::optional<Set> chosen = fillGaps(module, graph, all);
    if (!chosen || chosen->empty())
      return std::nullopt;
    Amendment result{.outcome = Amendment::Found,
                     .candidates = static_cast<uint32_t>(all.size())};
    result.fewest = result.connected = true;
    for (uint32_t c : *chosen)
      result.added.push_back(all[c]);
    fillModule(source, result);
    uint32_t at = std::min<size_t>(index, result.module.behaviours.size() - 1);
    if (!proveConnected(result.module, {false, at}, options.limits).proved)
      return std::nullopt;
    result.without.resize(chosen->size());
    if (chosen->size() <= mostAdded)
      explain(*chosen, result);
    result.questions = questions;
    return failed ? std::nullopt : std::optional(std::move(result));
  }

  std::optional<Amendment> run(const Module &source) {
    Amendment result{.candidates = static_cast<uint32_t>(all.size())};
    Set chosen;
    bool found = false;
    for (size_t size = 0;
         !found && size <= mostAdded && limit.empty() && !failed; ++size) {
      tried.clear();
      cut = false;
      found = extend({}, size, chosen);
      if (!found && !cut)
        break; // larger sets would be the same
    }
    if (failed)
      return std::nullopt;
    result.questions = questions;
    result.limit = limit;
    if (!found) {
      result.outcome = limit.empty() ? Amendment::Missing : Amendment::Unknown;
      return result;
    }
    result.outcome = Amendment::Found;
    result.fewest = askSmaller(chosen);
    if (failed)
      return std::nullopt;
    result.questions = questions;
    for (uint32_t c : chosen)
      result.added.push_back(all[c]);
    result.without.resize(chosen.size());
    fillModule(source, result);
    explain(chosen, result);
    return failed ? std::nullopt : std::optional(std::move(result));
  }

private:
  /// From the join of a loop to its decision.
  bool isLoopHead(FlowId f) const {
    return graph.node(graph.flow(f).source).kind == NodeKind::SimpleJoin &&
           hasTrait(graph.node(graph.flow(f).target).kind,
                    NodeTraits::Decision) &&
           graph.node(graph.flow(f).source).loc ==
               graph.node(graph.flow(f).target).loc;
  }

  /// What is possible without each of \p chosen.
  void explain(const Set &chosen, Amendment &result) {
    for (size_t i = 0; i < chosen.size() && !failed; ++i) {
      Set rest = chosen;
      rest.erase(rest.begin() + static_cast<ptrdiff_t>(i));
      if (const SetAnswer &answer = ask(rest);
          answer.kind == SetAnswer::Lacking)
        result.without[i] = answer.trace;
    }
    // Traces speak of the messages as they are named in the end.
    for (std::vector<Label> &trace : result.without)
      for (Label &label : trace)
        for (size_t i = 0; i < chosen.size(); ++i)
          if (Label own =
                  module.label(LabelKind::Exchange, messages[chosen[i]]);
              label.sender == own.sender && label.receiver == own.receiver &&
              (label.message == own.message ||
               StringRef(label.message).starts_with(own.message + "("))) {
            std::string values = label.message.substr(own.message.size());
            label =
                result.module.label(LabelKind::Exchange, result.messages[i]);
            label.message += values;
            break;
          }
  }

  /// The source with the choreography amended; messages are numbered anew.
  void fillModule(const Module &source, Amendment &result) {
    result.module = source.clone();
    result.module.facts.clear();
    FreshMessageNames names(result.module);
    for (size_t i = 0; i < result.added.size(); ++i) {
      const Synchronisation &sync = result.added[i];
      if (sync.extends) {
        result.messages.push_back(graph.node(sync.extends).message);
        llvm::append_range(
            result.module.messages[result.messages.back().index()].fields,
            carriedFields(result.module, sync));
        continue;
      }
      result.messages.push_back(result.module.getMessage(
          result.module.intern(names.make("sync" + std::to_string(i + 1))),
          sync.from, sync.to, graph.node(sync.after).loc));
      result.module.messages[result.messages.back().index()].fields =
          carriedFields(result.module, sync);
    }
    Behaviour amended =
        insertSynchronisations(graph, result.added, result.messages);
    if (index < result.module.behaviours.size()) {
      result.module.behaviours[index] = std::move(amended);
      return;
    }
    // It was given as an LTS: the graph takes its place.
    llvm::erase_if(result.module.systems, [](const SystemDecl &s) {
      return s.role == SystemRole::Choreography;
    });
    result.module.behaviours.push_back(std::move(amended));
  }

  /// Asks every set that is smaller than \p chosen; one that is enough takes
  /// its place. False: they are too many, or a limit was reached.
  bool askSmaller(Set &chosen) {
    constexpr uint64_t mostSmaller = 600;
    uint64_t ofSize = 1, count = 0;
    for (size_t k = 0; k < chosen.size(); ++k) {
      count += ofSize;
      if (count > mostSmaller)
        return false;
      ofSize = ofSize * (all.size() - k) / (k + 1);
    }
    for (size_t size = 0; size < chosen.size(); ++size) {
      Set set;
      for (uint32_t c = 0; c < size; ++c)
        set.push_back(c);
      while (true) {
        SetAnswer::Kind kind = ask(set).kind;
        if (kind == SetAnswer::Unknown || failed)
          return false;
        if (kind == SetAnswer::Enough) {
          chosen = set;
          return true;
        }
        // The next one in lexical order.
        size_t i = size;
        while (i > 0 && set[i - 1] + (size - i) + 1 == all.size())
          --i;
        if (i == 0)
          break;
        ++set[i - 1];
        for (; i < size; ++i)
          set[i] = set[i - 1] + 1;
      }
    }
    return true;
  }

  /// Adds up to \p more candidates to \p set; true: \p chosen is enough. The
  /// depth is mostAdded at most.
  bool extend(const Set &set, size_t more, Set &chosen) {
    if (!tried.insert(set).second)
      return false;
    const SetAnswer &answer = ask(set);
    if (answer.kind == SetAnswer::Enough) {
      chosen = set;
      return true;
    }
    if (answer.kind == SetAnswer::Unknown || failed)
      return false;
    const Label last = answer.trace.back();
    for (uint32_t c = 0; c < all.size(); ++c) {
      if (module.participantName(all[c].to) != last.sender ||
          llvm::is_contained(set, c))
        continue;
      if (!more) {
        cut = true;
        return false;
      }
      Set larger = set;
      larger.insert(llvm::upper_bound(larger, c), c);
      if (extend(larger, more - 1, chosen))
        return true;
      if (!limit.empty() || failed)
        return false;
    }
    return false;
  }

  const SetAnswer &ask(const Set &set) {
    auto [at, isNew] = answers.try_emplace(set);
    if (!isNew)
      return at->second;
    if (++questions > mostQuestions)
      limit = std::to_string(mostQuestions) + " sets of interactions";
    else
      at->second = answer(set);
    if (at->second.kind == SetAnswer::Unknown && limit.empty())
      limit = at->second.limit;
    return at->second;
  }

  SetAnswer answer(const Set &set) {
    SetAnswer result;
    std::vector<Synchronisation> chosen;
    std::vector<MessageId> chosenMessages;
    for (uint32_t c : set) {
      chosen.push_back(all[c]);
      chosenMessages.push_back(messages[c]);
    }
    module.behaviours[0] =
        insertSynchronisations(graph, chosen, chosenMessages);
    Outcome<GlobalLts> global =
        valuedLts(module, {false, 0}, options.limits, diags);
    if (!global) {
      result.limit = global.limit();
      failed |= global.isFailed();
      return result;
    }
    Module peers;
    Budget budget(options.limits);
    global->lts.finals = {};
    for (const std::string &name : peerNamesOf(global->lts)) {
      Outcome<Lts> lts = projectLts(global->lts, name, budget);
      if (!lts) {
        result.limit = lts.limit();
        return result;
      }
      SystemDecl decl{.name = peers.intern(name)};
      decl.owner = peers.getParticipant(decl.name);
      decl.role = SystemRole::Peer;
      decl.lts = std::move(*lts);
      peers.systems.push_back(std::move(decl));
    }
    Outcome<Lts> allowed =
        minimizeWithin(global->lts, Relation::WeakTrace, budget);
    if (!allowed) {
      result.limit = allowed.limit();
      return result;
    }
    std::optional<SetAnswer> found =
        sendsWithin(peers, {}, *allowed, options, diags);
    failed |= !found;
    return found.value_or(result);
  }

  Module module; ///< its one behaviour is what is tried
  uint32_t index;
  const Behaviour &graph;
  const SynchronizabilityOptions &options;
  DiagnosticEngine &diags;
  std::vector<Synchronisation> all;
  std::vector<MessageId> messages;
  std::map<Set, SetAnswer> answers;
  std::set<Set> tried;
  std::string limit;
  uint64_t questions = 0;
  bool failed = false;
  bool cut = false; ///< a larger set could be tried
};
} // namespace

std::optional<Amendment> cif::amendForRealizability(
    const Module &module, uint32_t index, const Behaviour &graph,
    const SynchronizabilityOptions &options, DiagnosticEngine &diags) {
  return Amender(module, index, graph, options, diags).run(module);
}

std::optional<Amendment> cif::amendWithoutSearch(
    const Module &module, uint32_t index, const Behaviour &graph,
    SynchronizabilityOptions options, DiagnosticEngine &diags) {
  // What an interaction is for is worth a short search.
  options.limits.maxStates =
      std::min<uint64_t>(options.limits.maxStates, 20'000);
  return Amender(module, index, graph, options, diags).fill(module);
}
