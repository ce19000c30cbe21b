//===- Conformance.cpp - Collaborations beside choreographies -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes a collaboration and a choreography comparable. Implements: [c4],
/// Fig. 10 and the hiding of Defs. 4.10 and 4.11: what the collaboration
/// shows but the alphabet of the choreography does not have becomes silent.
/// The alphabets are those of the sources, whether or not a label can
/// occur.
///
/// Differs from the paper: names may be mapped. What looks like a
/// difference in spelling is an error, because every verdict would only
/// reflect it: a participant of the choreography without a process, and an
/// exchange that the collaboration lacks while it has unknown ones between
/// the same two participants.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Conformance/Conformance.h"
#include "Parts.h"
#include "cif/Check/Peers/Synchronizability.h"
#include "cif/Equivalence/Minimize.h"
#include "cif/IR/Link.h"
#include "cif/LTS/Graph.h"
#include "cif/Support/Diagnostics/Compose.h"
#include "cif/Support/SimilarNames.h"
#include "cif/Transforms/Normalize.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace cif;

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

std::vector<StringRef> cif::conformanceWords() {
  std::vector<StringRef> words{"bbc", "tbc", "dp-weak"};
  for (StringRef name : relationNames())
    if (isWeak(*parseRelation(name)))
      words.push_back(name);
  return words;
}

std::optional<ConformanceRelation> cif::parseConformance(StringRef word) {
  ConformanceRelation result{.word = word.str()};
  if (word == "bbc")
    return result;
  if (word == "dp-weak") {
    result.preservesDivergence = true;
    return result;
  }
  std::optional<Relation> relation =
      word == "tbc" ? Relation::WeakTrace : parseRelation(word);
  if (!relation || !isWeak(*relation))
    return std::nullopt; // the two take silent steps of different kinds
  result.relation = *relation;
  return result;
}

std::optional<std::vector<std::pair<std::string, std::string>>>
cif::parseNameMap(ArrayRef<StringRef> entries, DiagnosticEngine &diags) {
  std::vector<std::pair<std::string, std::string>> map;
  for (StringRef entry : entries) {
    auto [name, other] = entry.split('=');
    if (!entry.contains('=') || name.empty()) {
      diags.report(diag::conforms_map)
          << "expected the collaboration's name, '=' and the choreography's "
             "name, found '" +
                 entry + "'";
      return std::nullopt;
    }
    map.push_back({name.str(), other.str()});
  }
  return map;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
/// Matches the names of the two sides.
class NameMatcher {
public:
  NameMatcher(Pairing &of, DiagnosticEngine &to) : p(of), diags(to) {
    for (const Label &label : p.global.lts.labels)
      if (label.kind == LabelKind::Exchange)
        alphabet.insert(label);
    ownMessages = p.collaboration.messages.size();
    for (const Behaviour &b : p.collaboration.behaviours)
      if (b.kind == BehaviourKind::Process)
        units.insert(b.owner ? p.collaboration.participantName(b.owner).str()
                             : p.collaboration.text(b.name).str());
  }

  bool readMap();
  bool playMissing();
  bool checkParticipants();
  bool checkMessages();
  void showLabels();

private:
  static const std::string &
  mapped(const std::map<std::string, std::string> &map,
         const std::string &name) {
    auto found = map.find(name);
    return found == map.end() ? name : found->second;
  }
  /// A label of the collaboration, in which nothing is Plain or Tick.
  Label renamed(Label label) const {
    label.sender = mapped(participants, label.sender);
    label.receiver = mapped(participants, label.receiver);
    label.message = mapped(messages, label.message);
    return label;
  }
  StringRef choreographyNamed() const {
    return choreographyName(p.choreography, p.which);
  }

  Pairing &p;
  DiagnosticEngine &diags;
  std::set<Label> alphabet;
  /// The choreography's participants without a process, and the processes that
  /// it does not know.
  void compareParticipants(std::vector<std::string> &missing,
                           std::vector<std::string> &others) const;
  /// Who is likely to be whom: by their names, otherwise by their messages.
  std::vector<std::pair<std::string, std::string>>
  likelyPlayers(std::vector<std::string> others,
                std::vector<std::string> missing) const;
  bool play(const std::string &missing);
  /// The exchanges that the collaboration knows, by the choreography's names.
  std::set<Label> knownExchanges() const;
  /// Takes pairs of names for one.
  bool takeLikely(ArrayRef<std::pair<std::string, std::string>> likely,
                  std::map<std::string, std::string> &map);
  std::string
  suggestion(ArrayRef<std::pair<std::string, std::string>> likely) const;

  std::set<std::string> units;  ///< participants with a process
  std::set<std::string> played; ///< of these, by the projection
  size_t ownMessages = 0;       ///< messages of the collaboration itself
  std::map<std::string, std::string> participants, messages;
  std::set<std::string> without; ///< messages that have no counterpart
};
} // namespace

bool NameMatcher::readMap() {
  std::set<std::string> ownParticipants = units, ownMessages, theirs;
  for (const Participant &q : p.collaboration.participants)
    ownParticipants.insert(p.collaboration.text(q.name).str());
  for (const Message &m : p.collaboration.messages)
    ownMessages.insert(p.collaboration.text(m.name).str());
  for (const Label &l : alphabet)
    theirs.insert({l.sender, l.receiver, l.message});
  auto unknown = [&](const std::string &name,
                     const std::set<std::string> &known, StringRef side) {
    std::vector<StringRef> names(known.begin(), known.end());
    diags.report(diag::conforms_map).guess(nearest(name, names))
        << "the " + side + " has no participant or message '" + name + "'";
    return false;
  };
  // A name in another case is meant where it is the only one.
  auto meant = [](const std::string &name, const std::set<std::string> &known) {
    if (known.count(name))
      return name;
    std::string found;
    unsigned count = 0;
    for (const std::string &k : known)
      if (StringRef(k).equals_insensitive(name)) {
        found = k;
        ++count;
      }
    return count == 1 ? found : name;
  };
  std::set<std::string> allOwn = ownParticipants;
  allOwn.insert(ownMessages.begin(), ownMessages.end());
  for (const auto &[given, givenOther] : p.options.map) {
    std::string name = meant(given, allOwn), other = meant(givenOther, theirs);
    bool isParticipant = ownParticipants.count(name);
    bool isMessage = ownMessages.count(name);
    if (!isParticipant && !isMessage)
      return unknown(name, allOwn, "collaboration");
    if (other.empty()) {
      without.insert(name);
      continue;
    }
    if (!theirs.count(other))
      return unknown(other, theirs, "choreography");
    if (isParticipant)
      participants[name] = other;
    if (isMessage)
      messages[name] = other;
  }
  std::map<std::string, std::string> playedBy;
  for (const std::string &unit : units) {
    auto [at, isNew] = playedBy.try_emplace(mapped(participants, unit), unit);
    if (!isNew)
      p.assumptions.push_back("'" + at->second + "' and '" + unit + "' are '" +
                              at->first + "' together");
  }
  return true;
}

/// A participant of the choreography without a process could do anything: the
/// question would be another one.
bool NameMatcher::checkParticipants() {
  std::vector<std::string> missing, others;
  compareParticipants(missing, others);
  if (missing.empty())
    return true;
  auto likely = likelyPlayers(others, missing);
  for (auto *names : {&missing, &others})
    for (std::string &name : *names)
      name = "'" + name + "'";
  auto report = diags.report(choreographyPlace(p.choreography, p.which),
                             diag::conforms_participants);
  report << choreographyNamed() << llvm::join(missing, ", ");
  report.note(others.empty()
                  ? "the choreography has every participant of "
                    "the collaboration: a process is missing"
                  : "participants of the collaboration that the "
                    "choreography does not have: " +
                        llvm::join(others, ", ") +
                        "; map them with --map=NAME=NAME-IN-CHOREOGRAPHY, or "
                        "with --map=NAME= if one has no counterpart");
  if (!likely.empty())
    report.note(suggestion(likely));
  return false;
}

std::string NameMatcher::suggestion(
    ArrayRef<std::pair<std::string, std::string>> likely) const {
  std::string map;
  for (const auto &[own, their] : likely)
    map += (map.empty() ? "" : ",") + own + "=" + their;
  return "did you mean --map='" + map + "'? --map=auto assumes it";
}

void NameMatcher::compareParticipants(std::vector<std::string> &missing,
                                      std::vector<std::string> &others) const {
  std::set<std::string> players;
  for (const std::string &unit : units)
    players.insert(mapped(participants, unit));
  std::vector<std::string> needed = participantsOf(p.global.lts);
  for (const std::string &name : needed)
    if (!players.count(name))
      missing.push_back(name);
  for (const std::string &name : players)
    if (!llvm::is_contained(needed, name) && !without.count(name))
      others.push_back(name);
  // A pool without content matters if it may be one that is missing.
  std::vector<std::string> empty;
  for (const Participant &q : p.collaboration.participants) {
    std::string name = mapped(participants, p.collaboration.text(q.name).str());
    if (!players.count(name) && !llvm::is_contained(needed, name) &&
        !without.count(name))
      empty.push_back(name);
  }
  for (auto &[name, other] : likelyPlayers(std::move(empty), missing))
    others.push_back(name);
}

std::vector<std::pair<std::string, std::string>>
NameMatcher::likelyPlayers(std::vector<std::string> others,
                           std::vector<std::string> missing) const {
  auto likely = likelyPairs(others, missing);
  for (const auto &[own, their] : likely) {
    llvm::erase(others, own);
    llvm::erase(missing, their);
  }
  // How many messages both send, or both receive.
  std::map<std::pair<std::string, bool>, std::vector<std::string>> ends;
  for (const Label &l : alphabet) {
    std::string message = StringRef(l.message).lower();
    for (bool sends : {false, true})
      if (const std::string &who = sends ? l.sender : l.receiver;
          llvm::is_contained(missing, who))
        ends[{message, sends}].push_back(who);
  }
  std::map<std::pair<std::string, std::string>, unsigned> shared;
  std::map<std::string, unsigned> most, total; // of each side's names, apart
  for (size_t m = 0; m < ownMessages; ++m) {
    Label label =
        renamed(p.collaboration.label(LabelKind::Exchange, MessageId(m)));
    std::string message = StringRef(label.message).lower();
    for (bool sends : {false, true}) {
      const std::string &own = sends ? label.sender : label.receiver;
      auto found = ends.find({message, sends});
      if (found != ends.end() && llvm::is_contained(others, own))
        for (const std::string &their : found->second)
          ++shared[{own, their}];
    }
  }
  // Those that have more with each other than with anybody else.
  auto note = [&](const std::string &name, unsigned count) {
    unsigned &best = most[name];
    if (count > best)
      total[name] = 0;
    best = std::max(best, count);
    total[name] += count == best;
  };
  for (const auto &[pair, count] : shared) {
    note("own " + pair.first, count);
    note("their " + pair.second, count);
  }
  for (const auto &[pair, count] : shared) {
    auto isOnly = [&, count = count](const std::string &name) {
      return most[name] == count && total[name] == 1;
    };
    if (isOnly("own " + pair.first) && isOnly("their " + pair.second))
      likely.push_back(pair);
  }
  return likely;
}

bool NameMatcher::takeLikely(
    ArrayRef<std::pair<std::string, std::string>> likely,
    std::map<std::string, std::string> &map) {
  bool any = false;
  for (const auto &[name, other] : likely)
    if (map.try_emplace(name, other).second) {
      any = true;
      p.assumptions.push_back("--map=auto takes '" + name + "' for '" + other +
                              "'");
    }
  return any;
}

/// Who has no process is played by the choreography's projection: a pool
/// without content, or a participant that the collaboration does not have.
/// Where it has participants that the choreography does not know, the names may
/// only be spelled differently, and that is asked first.
bool NameMatcher::playMissing() {
  std::vector<std::string> missing, others;
  compareParticipants(missing, others);
  if (p.options.mapsLikely &&
      takeLikely(likelyPlayers(others, missing), participants)) {
    missing.clear();
    others.clear();
    compareParticipants(missing, others);
  }
  std::set<std::string> pools;
  for (const Participant &q : p.collaboration.participants)
    pools.insert(mapped(participants, p.collaboration.text(q.name).str()));
  for (const std::string &name : missing)
    if ((others.empty() || pools.count(name)) && !p.which.isSystem &&
        !play(name))
      return false;
  return true;
}

bool NameMatcher::play(const std::string &missing) {
  ParticipantId peer = p.choreography.findParticipant(missing);
  if (!peer)
    return true;
  auto own = [](const std::map<std::string, std::string> &map,
                const std::string &their) {
    for (const auto &[name, other] : map)
      if (other == their)
        return name;
    return their;
  };
  std::vector<UntoldChoice> untold;
  Module part = p.choreography.clone();
  Behaviour process = projectGraph(
      p.choreography, p.choreography.behaviours[p.which.index], peer, untold);
  part.behaviours.clear();
  part.behaviours.push_back(std::move(process));
  part.systems.clear();
  part.messageFlows.clear();
  part.facts.clear();
  for (Participant &q : part.participants)
    q.name = part.intern(own(participants, part.text(q.name).str()));
  for (Message &m : part.messages)
    m.name = part.intern(own(messages, part.text(m.name).str()));
  if (!linkInto(p.collaboration, part, diags))
    return false;
  units.insert(own(participants, missing));
  played.insert(own(participants, missing));
  p.assumptions.push_back("'" + missing +
                          "' has no process: the choreography's projection "
                          "plays it");
  if (!untold.empty())
    p.assumptions.push_back(
        "the projection to '" + missing +
        "' makes a choice that the choreography leaves to others");
  return true;
}

std::set<Label> NameMatcher::knownExchanges() const {
  std::set<Label> known;
  auto add = [&](Label label) {
    if (label.sender.empty() || label.receiver.empty() ||
        without.count(label.message))
      return;
    label = renamed(label);
    label.kind = LabelKind::Exchange;
    known.insert(label);
  };
  // What the projection says of a participant is no word of the collaboration.
  for (size_t m = 0; m < ownMessages; ++m)
    add(p.collaboration.label(LabelKind::Exchange, MessageId(m)));
  for (const Label &label : p.explored.system->labels())
    if (label.kind != LabelKind::Tau && !played.count(label.sender) &&
        !played.count(label.receiver))
      add(label);
  return known;
}

bool NameMatcher::checkMessages() {
  std::set<Label> known = knownExchanges();
  std::vector<Label> missing, candidates;
  for (const Label &l : alphabet) {
    if (known.count(l))
      continue;
    bool any = false;
    for (const Label &k : known)
      if (!alphabet.count(k) && k.sender == l.sender &&
          k.receiver == l.receiver) {
        any = true;
        if (!llvm::is_contained(candidates, k))
          candidates.push_back(k);
      }
    if (any)
      missing.push_back(l);
  }
  if (missing.empty())
    return true;
  // By the two participants: what could be what.
  std::map<std::string, std::string> likely;
  for (const Label &l : missing) {
    std::vector<std::string> own, their;
    auto isBetween = [&](const Label &k) {
      return k.sender == l.sender && k.receiver == l.receiver;
    };
    for (const Label &k : candidates)
      if (isBetween(k))
        own.push_back(k.message);
    for (const Label &k : missing)
      if (isBetween(k))
        their.push_back(k.message);
    for (auto &[name, other] : likelyPairs(std::move(own), std::move(their)))
      likely.try_emplace(name, other);
  }
  if (p.options.mapsLikely && !likely.empty()) {
    for (const auto &[name, other] : likely) {
      messages.try_emplace(name, other);
      p.assumptions.push_back("--map=auto takes '" + name + "' for '" + other +
                              "'");
    }
    p.options.mapsLikely = false; // once
    return checkMessages();
  }
  auto report = diags.report(choreographyPlace(p.choreography, p.which),
                             diag::conforms_messages);
  report << choreographyNamed() << labelsForPeople(missing);
  report.note("exchanges of the collaboration that the choreography does not "
              "have: " +
              labelsForPeople(candidates));
  report.note("map them with --map=NAME=NAME-IN-CHOREOGRAPHY, or with "
              "--map=NAME= if a message has no counterpart");
  if (!likely.empty())
    report.note(suggestion(std::vector<std::pair<std::string, std::string>>(
        likely.begin(), likely.end())));
  return false;
}

void NameMatcher::showLabels() {
  std::set<Label> hidden, visible;
  for (const Label &label : p.explored.system->labels()) {
    Label own = renamed(label);
    p.own.push_back(own);
    // A send is silent, unless nobody here receives it: an exchange with the
    // environment is one step.
    bool seen = label.kind == LabelKind::Receive ||
                label.kind == LabelKind::Exchange ||
                (label.kind == LabelKind::Send && !label.receiver.empty() &&
                 !units.count(label.receiver));
    if (!seen) {
      p.shown.push_back(Label::tau());
      continue;
    }
    own.kind = LabelKind::Exchange;
    if (alphabet.count(own) && !without.count(label.message)) {
      visible.insert(own);
      p.shown.push_back(own);
    } else {
      hidden.insert(own);
      p.shown.push_back(Label::tau());
    }
  }
  p.hidden.assign(hidden.begin(), hidden.end());
  for (const Label &label : alphabet)
    if (!visible.count(label))
      p.missing.push_back(label);
}

//===----------------------------------------------------------------------===//
// LTSs
//===----------------------------------------------------------------------===//

/// \p lts with further transitions at the end of its rows.
static Lts withMore(const Lts &lts, Label label, bool toNewState,
                    function_ref<bool(StateIndex)> at) {
  Lts result;
  result.initial = lts.initial;
  result.labels = lts.labels;
  auto more = static_cast<LabelIndex>(result.labels.size());
  result.labels.push_back(std::move(label));
  auto count = static_cast<StateIndex>(lts.numStates());
  std::vector<uint32_t> rows{0};
  std::vector<LabelIndex> labels;
  std::vector<StateIndex> targets;
  rows.reserve(count + 2);
  labels.reserve(lts.numTransitions());
  targets.reserve(lts.numTransitions());
  for (StateIndex s = 0; s < count; ++s) {
    llvm::append_range(labels, lts.labelsOf(s));
    llvm::append_range(targets, lts.targetsOf(s));
    if (at(s)) {
      labels.push_back(more);
      targets.push_back(toNewState ? count : s);
    }
    rows.push_back(static_cast<uint32_t>(targets.size()));
  }
  if (toNewState)
    rows.push_back(rows.back());
  result.rowBegin = std::move(rows);
  result.label = std::move(labels);
  result.target = std::move(targets);
  return result;
}

Lts cif::divergenceLoops(const Lts &lts) {
  Components silent = tauComponents(lts);
  // A cycle: two states of one component, or a silent step to itself.
  std::vector<bool> cyclic(silent.count);
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
      if (lts.label[t] == tauLabel && silent.of[lts.target[t]] == silent.of[s])
        cyclic[silent.of[s]] = true;
  return withMore(lts, Label::plain("diverges"), /*toNewState=*/false,
                  [&](StateIndex s) { return cyclic[silent.of[s]]; });
}

/// What is compared: over the visible labels, and with ticks or without any
/// word of termination.
static Lts comparable(const Lts &lts, ArrayRef<Label> shown, bool ticks) {
  Lts result;
  result.initial = lts.initial;
  result.rowBegin = lts.rowBegin;
  result.target = lts.target;
  std::map<Label, LabelIndex> index{{Label::tau(), tauLabel}};
  std::vector<LabelIndex> map;
  for (const Label &label : shown) {
    auto [at, isNew] = index.try_emplace(label, result.labels.size());
    if (isNew)
      result.labels.push_back(label);
    map.push_back(at->second);
  }
  std::vector<LabelIndex> labels(lts.numTransitions());
  for (size_t t = 0; t < labels.size(); ++t)
    labels[t] = map[lts.label[t]];
  result.label = std::move(labels);
  if (!ticks)
    return result;
  return withMore(result, Label{LabelKind::Tick, "", "", ""},
                  /*toNewState=*/true,
                  [&](StateIndex s) { return lts.isFinal(s); });
}

const Lts &Pairing::reducedLeft() const {
  if (!reduced)
    reduced = minimize(parts ? *parts : left, Relation::DpBranching);
  return *reduced;
}

void Pairing::exploreLeft(uint64_t maxStates) {
  ExplorerOptions explorer{.limits = options.limits};
  explorer.limits.maxStates = maxStates;
  explored.exploration.emplace(explore(*explored.system, explorer));
  leftComplete = explored->complete;
  limit = leftComplete ? std::string() : explored->incompleteText();
  left = comparable(explored->lts, shown, options.observeCompletion);
}

void Pairing::composeParts() {
  if (std::optional<PartsProduct> product = productOfParts(*this))
    parts = comparable(product->lts, product->shown, options.observeCompletion);
}

namespace {
/// Stops where a trace has been followed to its end.
class EndOfTrace final : public ExplorationVisitor {
public:
  EndOfTrace(unsigned slot, size_t length) : slot(slot), length(length) {}
  bool reached = false;
  /// The step that leads here is in a row that is whole by now.
  bool expanded(StateIndex, const uint32_t *vector, size_t) override {
    reached |= vector[slot] == length;
    return !reached;
  }

private:
  const unsigned slot;
  const size_t length;
};
} // namespace

void Pairing::exploreFor(const Difference &difference) {
  if (!triedWhole) {
    triedWhole = true;
    exploreLeft(options.limits.maxStates);
    if (leftComplete) {
      parts.reset();
      return;
    }
  }
  if (difference.kind != Difference::Trace || difference.side != Side::Left)
    return;
  if (!unguided)
    unguided = std::move(explored.system);
  explored.exploration.reset();
  explored.system = makeGuidedSystem(*unguided, shown, difference.trace);
  EndOfTrace end(unguided->width(), difference.trace.size());
  explored.exploration.emplace(explore(
      *explored.system,
      {.limits = options.limits, .findGrowth = false, .visitor = &end}));
  if (end.reached) {
    left = comparable(explored->lts, shown, options.observeCompletion);
    return;
  }
  // What can be said, a part of the whole says.
  explored.exploration.reset();
  explored.system = std::move(unguided);
  exploreLeft(options.limits.maxStates);
}

static std::string collaborationSubject(const Module &module) {
  if (!module.name.empty())
    return "collaboration '" + module.text(module.name).str() + "'";
  std::vector<std::string> names;
  for (const Behaviour &b : module.behaviours)
    if (b.kind == BehaviourKind::Process)
      names.push_back(
          (b.owner ? module.participantName(b.owner) : module.text(b.name))
              .str());
  return "the collaboration of " + llvm::join(names, ", ");
}

std::unique_ptr<Pairing> cif::pair(const Module &processes, const Module &spec,
                                   const ConformanceOptions &options,
                                   DiagnosticEngine &diags) {
  auto result = std::make_unique<Pairing>();
  Pairing &p = *result;
  p.options = options;
  p.collaboration = processes.clone();
  p.choreography = spec.clone();
  if (!normalize(p.collaboration, diags) || !normalize(p.choreography, diags))
    return nullptr;
  std::vector<ChoreographyRef> choreographies =
      findChoreographies(p.choreography);
  assert(choreographies.size() == 1 && "the caller has looked");
  p.which = choreographies.front();
  p.subject = collaborationSubject(p.collaboration) + " to choreography '" +
              choreographyName(p.choreography, p.which).str() + "'";
  Outcome<GlobalLts> global =
      globalLts(p.choreography, p.which, options.limits, diags);
  if (!global) {
    if (global.isFailed())
      return nullptr;
    p.limit = "the choreography cannot be explored: " + global.limit();
    return result;
  }
  p.global = std::move(*global);
  p.rightComplete = true;

  NameMatcher names(p, diags);
  if (!names.readMap() || !names.playMissing() || !names.checkParticipants())
    return nullptr;
  SemanticsOptions semantics{.semantics = SemanticsKind::Collaboration,
                             .network = options.network,
                             .bound = options.bound,
                             .observe = Observation::Both,
                             .runLimits = options.limits};
  p.explored.system = makeSystem(p.collaboration, semantics, diags);
  if (!p.explored.system || !names.checkMessages())
    return nullptr;
  names.showLabels();
  p.right =
      comparable(p.global.lts, p.global.lts.labels, options.observeCompletion);
  const uint64_t most = options.limits.maxStates;
  const bool begins = options.reduces && (!most || most > options.fewStates);
  p.exploreLeft(begins ? options.fewStates : most);
  if (begins && !p.leftComplete && !p.explored->growth) {
    p.composeParts();
    if (!p.inParts())
      p.exploreLeft(most);
  }
  return result;
}
