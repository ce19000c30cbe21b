//===- SymbolicReplay.cpp - Symbolic runs, value by value -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each process, explored alone with the values of the run, is a peer whose
/// messages show what they carry; the peers run together over the network. The
/// choreography is explored in the same way. Of both sides all states are kept
/// in which the run may have led, and the run is replayed if some state of the
/// one side can take the last step and some state of the other cannot.
///
/// Nothing of this uses symbolic transition graphs or a solver.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Conformance/SymbolicReplay.h"
#include "cif/Check/Peers/PeerSets.h"
#include "cif/Explore/Explorer.h"
#include "cif/Semantics/PeerView.h"
#include "cif/Semantics/PinnedData.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Transforms/Project.h"
#include <set>

using namespace cif;

namespace {

using State = std::vector<uint32_t>;

/// A step of a run as labels show it.
struct Shown {
  StgLabel label;
  std::string values; ///< `(4, 'red')`; empty: any
  bool receives = false;
  bool exact = true; ///< with these values
  const Place *at = nullptr;

  bool fits(const Label &of) const {
    StringRef name = of.message;
    return (of.kind == LabelKind::Receive) == receives &&
           of.kind != LabelKind::Tau && of.sender == label.sender &&
           of.receiver == label.receiver && name.consume_front(label.message) &&
           (name.empty() || (exact ? name == values : name.starts_with("(")));
  }
};

/// One side of the comparison: where it may be, and what it can do there.
class Side {
public:
  virtual ~Side() = default;
  using Sink = function_ref<void(const Label &, const Place &, State)>;
  virtual void steps(const State &state, Sink sink) const = 0;
  virtual bool isDone(const State &state) const = 0;

  std::set<State> at;
  static constexpr size_t most = 20000; // states, in one step of a run
  bool tooMany = false;

  /// What silent steps lead to. \p isSilent says so of labels other than tau.
  using Silent = function_ref<bool(const Label &, const Place &)>;
  std::set<State> closure(const std::set<State> &from, Silent isSilent) {
    std::set<State> all = from;
    std::vector<State> work(from.begin(), from.end());
    while (!work.empty() && !tooMany) {
      State now = std::move(work.back());
      work.pop_back();
      steps(now, [&](const Label &label, const Place &place, State next) {
        if ((label.kind == LabelKind::Tau || isSilent(label, place)) &&
            all.insert(next).second)
          work.push_back(std::move(next));
      });
      tooMany |= all.size() > most;
    }
    return all;
  }
  static bool nothing(const Label &, const Place &) { return false; }
  void passSilently() { at = closure(at, nothing); }
  bool follow(const Shown &step) {
    std::set<State> next;
    for (const State &s : closure(at, nothing))
      steps(s, [&](const Label &label, const Place &, State to) {
        if (step.fits(label))
          next.insert(std::move(to));
      });
    at = std::move(next);
    return !at.empty() && !tooMany;
  }
  /// Whether one of \p states takes \p step, or is done where there is none.
  bool anyTakes(const std::set<State> &states, const Shown *step) const {
    bool found = false;
    for (const State &s : states) {
      if (!step) {
        found |= isDone(s);
        continue;
      }
      steps(s, [&](const Label &label, const Place &place, const State &) {
        found |= step->fits(label) && (!step->at || place == *step->at);
      });
    }
    return found;
  }
};

class SystemSide : public Side {
public:
  SystemSide(std::unique_ptr<System> of, const Module &module)
      : system(std::move(of)), module(module) {
    State first(system->width());
    system->initial(first.data());
    at.insert(std::move(first));
  }
  void steps(const State &state, Sink sink) const override {
    State scratch(system->width());
    system->successors(
        state.data(), scratch.data(), [&](const Step &s, const uint32_t *to) {
          Origin from =
              s.group == noGroup ? Origin() : system->groups().origin(s.group);
          sink(system->labels()[s.label], originPlace(module, from),
               State(to, to + system->width()));
          return true;
        });
  }
  bool isDone(const State &state) const override {
    return system->isFinal(state.data());
  }

private:
  std::unique_ptr<System> system;
  const Module &module;
};

class LtsSide : public Side {
public:
  explicit LtsSide(const SystemDecl &of) : lts(of.lts) {
    at.insert({lts.initial});
  }
  void steps(const State &state, Sink sink) const override {
    for (size_t i = 0; i < lts.labelsOf(state[0]).size(); ++i)
      sink(lts.labels[lts.labelsOf(state[0])[i]], Place(),
           {lts.targetsOf(state[0])[i]});
  }
  bool isDone(const State &state) const override {
    return lts.saysFinal() ? lts.isFinal(state[0])
                           : lts.labelsOf(state[0]).empty();
  }

private:
  const Lts &lts;
};

class Replay {
public:
  Replay(const Module *module, const Module &spec, NetworkKind network,
         uint32_t bound, Pes &pes, const Parting &parting,
         ArrayRef<CarriedValue> alike, const Limits &limits)
      : module(module), spec(spec), network(network), bound(bound), pes(pes),
        pool(pes.pool), parting(parting), alike(alike), limits(limits),
        diags(sources, collector) {}
  bool run();

private:
  void pinRun();
  void pinOthers(const Module &of);
  PinnedValue pinned(DataSort sort, DataNumber value) const;
  using Shows = std::vector<std::pair<DataSort, DataNumber>>;
  std::string valuesText(const Shows &values) const;
  std::string valuesText(const StgTransition &t,
                         ArrayRef<DataNumber> values) const;
  std::unique_ptr<Side> choreographyOf(const Module &of);
  bool addPeer(const Behaviour &process);
  bool explorePeers();
  bool inferPeers();
  void addPeer(StringRef name, Lts lts);
  std::unique_ptr<Side> implementation();
  bool follow(size_t step);
  bool mayHide(const Label &label, const Place &place) const;
  bool parts();

  const Module *module; ///< null: peers are projected from the choreography
  const Module &spec;
  const NetworkKind network;
  const uint32_t bound;
  Pes &pes;
  FormulaPool &pool;
  const Parting &parting;
  ArrayRef<CarriedValue> alike;
  const Limits &limits;
  SourceManager sources;
  DiagnosticCollector collector; ///< whatever is said, it was said before
  DiagnosticEngine diags;
  PinnedData pins;
  std::vector<std::string> hiddenBy; ///< each step: what it hides; empty: any
  /// Of hidden exchanges, by where they are: what they carry in this run.
  std::map<const StgTransition *, std::string> hides;
  Module peers;
  std::unique_ptr<Side> impl, choreography;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

PinnedValue Replay::pinned(DataSort sort, DataNumber value) const {
  if (sort == intData || sort == boolData)
    return {value, ""};
  bool known = value >= 0 && static_cast<size_t>(value) < pool.numLiterals();
  return {0, known ? pool.literalText(static_cast<uint32_t>(value)).str()
                   : pool.otherText(value)};
}

void Replay::pinRun() {
  pins.lowest = pes.range.lowest;
  pins.highest = pes.range.highest;
  hiddenBy.resize(parting.steps.size());
  std::map<std::pair<uint32_t, const StgTransition *>, Shows> carried;
  auto pin = [&](const CarriedValue &c) {
    std::vector<PinnedValue> &all =
        pins.fields[{c.transition->label.message, c.field}];
    PinnedValue value = pinned(c.sort, c.value);
    if (!llvm::is_contained(all, value))
      all.push_back(std::move(value));
  };
  llvm::for_each(alike, pin);
  for (const CarriedValue &c : carriedValues(pes, parting)) {
    pin(c);
    if (c.transition->action == StgAction::Tau)
      carried[{c.step, c.transition}].push_back({c.sort, c.value});
  }
  for (const auto &[of, values] : carried) {
    auto [step, t] = of;
    if (values.size() == t->carried.size())
      (step < hiddenBy.size() ? hiddenBy[step] : hides[t]) = valuesText(values);
  }
}

/// Fields that the run does not speak of carry any one value.
void Replay::pinOthers(const Module &of) {
  for (const Message &message : of.messages)
    for (uint32_t f = 0; f < message.fields.size(); ++f) {
      Sort sort = message.fields[f].sort;
      PinnedValue any;
      if (sort == intSort)
        any.number = pes.range.any();
      if (sort.isEnum() && !of.enumerations[sort.enumIndex()].literals.empty())
        any.text =
            of.text(of.enumerations[sort.enumIndex()].literals.front()).str();
      pins.fields.try_emplace({of.text(message.name).str(), f}, 1, any);
    }
}

std::string Replay::valuesText(const Shows &values) const {
  std::string text;
  for (auto [sort, value] : values) {
    Sort shown = sort == boolData     ? boolSort
                 : sort == intData    ? intSort
                 : sort == stringData ? stringSort
                                      : unknownSort; // a literal
    text +=
        (text.empty() ? "(" : ", ") + pinnedText(shown, pinned(sort, value));
  }
  return text.empty() ? text : text + ")";
}

std::string Replay::valuesText(const StgTransition &t,
                               ArrayRef<DataNumber> values) const {
  Shows shows;
  for (size_t i = 0; i < t.fields.size() && i < values.size(); ++i)
    shows.push_back({pool.variable(t.fields[i].parameter).sort, values[i]});
  return valuesText(shows);
}

//===----------------------------------------------------------------------===//
// The two sides
//===----------------------------------------------------------------------===//

std::unique_ptr<Side> Replay::choreographyOf(const Module &of) {
  for (size_t b = 0; b < of.behaviours.size(); ++b)
    if (of.behaviours[b].kind == BehaviourKind::Choreography) {
      auto system =
          makePinnedSystem(of, static_cast<uint32_t>(b), pins, limits, diags);
      return system ? std::make_unique<SystemSide>(std::move(system), of)
                    : nullptr;
    }
  for (const SystemDecl &s : of.systems)
    if (s.role == SystemRole::Choreography)
      return std::make_unique<LtsSide>(s);
  return nullptr;
}

bool Replay::addPeer(const Behaviour &process) {
  auto system = makePinnedSystem(
      *module, static_cast<uint32_t>(&process - module->behaviours.data()),
      pins, limits, diags);
  if (!system)
    return false;
  Exploration explored =
      explore(*system, {.limits = limits, .keepOrigins = true});
  if (!explored.complete || !system->trouble().empty())
    return false;
  addPeer(module->participantName(process.owner), std::move(explored.lts));
  for (const Step &step : explored.steps)
    peers.systems.back().transitionPlaces.push_back(
        originLocation(*module, system->groups().origin(step.group)));
  return true;
}

void Replay::addPeer(StringRef name, Lts lts) {
  SystemDecl peer{.name = peers.intern(name), .role = SystemRole::Peer};
  peer.owner = peers.getParticipant(peer.name);
  peer.lts = std::move(lts);
  peers.systems.push_back(std::move(peer));
}

/// Whoever does what it would in some run that looks the same to it: the
/// choreography with the rest hidden, and determinised.
bool Replay::inferPeers() {
  peers = spec.clone();
  peers.systems.clear();
  Lts global;
  for (size_t b = 0; b < spec.behaviours.size(); ++b)
    if (spec.behaviours[b].kind == BehaviourKind::Choreography) {
      auto system =
          makePinnedSystem(spec, static_cast<uint32_t>(b), pins, limits, diags);
      ExplorerOptions options{.limits = limits};
      if (!system)
        return false;
      Exploration explored = explore(*system, options);
      if (!explored.complete || !system->trouble().empty())
        return false;
      global = std::move(explored.lts);
    }
  for (const SystemDecl &s : spec.systems)
    if (s.role == SystemRole::Choreography)
      global = s.lts;
  Budget budget(limits);
  for (const std::string &name : peerNamesOf(global)) {
    Outcome<Lts> lts = projectLts(global, name, budget);
    if (!lts)
      return false;
    addPeer(name, std::move(*lts));
  }
  if (network == NetworkKind::Sync)
    peers = takingAnyValue(peers, spec);
  return true;
}

bool Replay::explorePeers() {
  peers = module->clone();
  llvm::erase_if(peers.systems, [](const SystemDecl &s) {
    return s.role != SystemRole::Peer;
  });
  return llvm::all_of(module->behaviours, [&](const Behaviour &b) {
    return b.kind != BehaviourKind::Process || addPeer(b);
  });
}

std::unique_ptr<Side> Replay::implementation() {
  if (module ? !explorePeers() : !inferPeers())
    return nullptr;
  if (module && peers.systems.empty())
    return choreographyOf(*module);
  SemanticsOptions options = SemanticsOptions::peers(
      network,
      network == NetworkKind::Sync ? Observation::Exchange : Observation::Both,
      {}, bound);
  options.runLimits = limits;
  std::unique_ptr<System> system = makePeerComposition(peers, options, diags);
  return system ? std::make_unique<SystemSide>(std::move(system), peers)
                : nullptr;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

bool Replay::follow(size_t number) {
  const PartingStep &step = parting.steps[number];
  if (!step.implementation) {
    choreography->passSilently();
    return !choreography->tooMany;
  }
  const StgTransition &t = *step.implementation;
  if (t.action == StgAction::Tau && t.label.message.empty()) {
    impl->passSilently();
    return !impl->tooMany;
  }
  Shown shown{t.label, valuesText(t, step.values)};
  if (t.action == StgAction::Tau) {
    shown.receives = t.receives;
    shown.values = hiddenBy[number];
    shown.exact = !shown.values.empty();
    return impl->follow(shown);
  }
  return impl->follow(shown) && choreography->follow(shown);
}

/// Whether a hidden exchange may happen so beside the run: each carries what
/// the run says of it, where it says so.
bool Replay::mayHide(const Label &label, const Place &place) const {
  bool known = false;
  for (const auto &[t, values] : hides)
    if (t->at == place) {
      Shown shown{t->label, values};
      if (shown.fits(label))
        return true;
      shown.exact = false;
      known |= shown.fits(label);
    }
  return !known;
}

/// The last step, which one side takes and the other cannot.
bool Replay::parts() {
  const PartingStep &last = parting.steps.back();
  bool bySpec = last.choreography;
  const StgTransition &t = bySpec ? *last.choreography : *last.implementation;
  Side &mover = bySpec ? *choreography : *impl;
  Side &other = bySpec ? *impl : *choreography;
  Shown shown{t.label, valuesText(t, last.values)};
  const Shown *step = t.action == StgAction::Tick ? nullptr : &shown;
  if (!mover.anyTakes(mover.closure(mover.at, Side::nothing), step))
    return false;
  // What no data allow in the choreography is not hidden, either.
  std::vector<StgLabel> alphabet = alphabetOf(pes.spec);
  llvm::append_range(alphabet, alphabetOf(pes.impl));
  auto isHidden = [&](const Label &label, const Place &place) {
    if (!bySpec)
      return false;
    if (label.kind == LabelKind::Receive)
      return true;
    return llvm::none_of(alphabet,
                         [&](const StgLabel &known) {
                           Shown any{known, ""};
                           any.exact = false;
                           return any.fits(label);
                         }) &&
           mayHide(label, place);
  };
  if (parting.lateAnswer)
    shown.at = &parting.lateAnswer->at;
  return llvm::any_of(other.at,
                      [&](const State &s) {
                        return !other.anyTakes(other.closure({s}, isHidden),
                                               step);
                      }) &&
         !mover.tooMany && !other.tooMany;
}

bool Replay::run() {
  if (parting.steps.empty())
    return false;
  pinRun();
  if (module)
    pinOthers(*module);
  pinOthers(spec);
  impl = implementation();
  choreography = choreographyOf(spec);
  if (!impl || !choreography)
    return false;
  for (size_t step = 0; step + 1 < parting.steps.size(); ++step)
    if (!follow(step))
      return false;
  return parts();
}

bool cif::replaysExplicitly(const Module *module, const Module &spec,
                            NetworkKind network, uint32_t bound, Pes &pes,
                            const Parting &parting,
                            ArrayRef<CarriedValue> alike,
                            const Limits &limits) {
  return Replay(module, spec, network, bound, pes, parting, alike, limits)
      .run();
}
