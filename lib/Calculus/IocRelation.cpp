//===- IocRelation.cpp - When a system does what a choreography says ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [iocpoc], Defs. 4.1, 5.4, 5.6 and 5.8.
///
/// Synchronous bisimilarity is strong bisimilarity of the LTSs. Sender and
/// receiver bisimilarity are weak bisimilarity with receptions or outputs as
/// silent steps. Def. 5.4 lets no silent step follow the answer, which makes no
/// difference, because the choreography has no silent steps and the relation is
/// closed under those of the system.
///
/// Disjoint bisimilarity is a separate game: an interaction is answered by an
/// output and its reception, and after the output nothing may be possible that
/// was not possible before, except for that reception (the diamond condition).
/// The largest relation is found by removing pairs, and the round in which a
/// pair is removed gives the way to the difference.
///
/// All are sound and complete for the finite LTSs that the limits allow.
///
//===----------------------------------------------------------------------===//

#include "cif/Calculus/IocRelation.h"
#include "cif/Support/Outcome.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

using namespace cif;

ArrayRef<StringRef> cif::iocRelationNames() {
  static const StringRef names[] = {"ioc-sync",           "ioc-sender",
                                    "ioc-receiver",       "ioc-disjoint",
                                    "ioc-sync-trace",     "ioc-sender-trace",
                                    "ioc-receiver-trace", "ioc-disjoint-trace"};
  return names;
}

namespace {

/// The largest disjoint bisimulation. Labels of the choreography are exchanges;
/// those of the system outputs (Send without a receiver) and exchanges.
class DisjointGame {
public:
  DisjointGame(const Lts &ioc, const Lts &poc) : ioc(ioc), poc(poc) {
    for (const Label &l : ioc.labels)
      exchanges.push_back(find(poc, l));
    for (const Label &l : poc.labels) {
      Label output = l;
      if (l.kind == LabelKind::Exchange) {
        output.kind = LabelKind::Send;
        output.receiver.clear();
        outputs.push_back(find(poc, output));
        back.push_back(find(ioc, l));
      } else {
        outputs.push_back(missing);
        back.push_back(l.kind == LabelKind::Plain ? find(ioc, l) : missing);
      }
    }
    // An exchange that the system never does has an output all the same.
    for (const Label &l : ioc.labels) {
      Label output = l;
      output.kind = LabelKind::Send;
      output.receiver.clear();
      outputOf.push_back(l.kind == LabelKind::Exchange ? find(poc, output)
                                                       : missing);
    }
  }

  /// Whether they are bisimilar; a limit: nothing is known.
  Outcome<bool> run(const Limits &limits);
  /// After a run that refuted the first pair: whether the refutation is one, in
  /// which every answer leads to a pair with a shorter refutation.
  bool replays(const Limits &limits) const;
  std::vector<Label> trace;
  std::vector<std::string> sentences;

private:
  static constexpr LabelIndex missing = 0xffffffffu;
  static constexpr uint32_t kept = 0xffffffffu;

  static LabelIndex find(const Lts &lts, const Label &label) {
    for (size_t i = 1; i < lts.labels.size(); ++i)
      if (lts.labels[i] == label)
        return static_cast<LabelIndex>(i);
    return missing;
  }
  static bool hasStep(const Lts &lts, StateIndex s, LabelIndex l,
                      StateIndex t) {
    for (size_t i = 0; i < lts.labelsOf(s).size(); ++i)
      if (lts.labelsOf(s)[i] == l && lts.targetsOf(s)[i] == t)
        return true;
    return false;
  }
  template <class Visit>
  static bool anyStep(const Lts &lts, StateIndex s, LabelIndex l, Visit visit) {
    for (size_t i = 0; i < lts.labelsOf(s).size(); ++i)
      if (lts.labelsOf(s)[i] == l && visit(lts.targetsOf(s)[i]))
        return true;
    return false;
  }

  struct Pair {
    StateIndex ioc, poc;
    uint32_t gone = kept; ///< the round
    LabelIndex by = 0;    ///< the step that has no answer
    bool ofSystem = false;
  };
  uint32_t add(StateIndex i, StateIndex s) {
    auto [it, isNew] = numbers.try_emplace(uint64_t(i) << 32 | s, pairs.size());
    if (isNew)
      pairs.push_back({i, s});
    return it->second;
  }
  bool isKept(StateIndex i, StateIndex s) const {
    return pairs[numbers.lookup(uint64_t(i) << 32 | s)].gone == kept;
  }
  bool diamond(StateIndex before, LabelIndex output, StateIndex after,
               LabelIndex exchange) const;
  template <class Visit>
  bool answers(const Pair &pair, LabelIndex step, bool needDiamond,
               Visit visit) const;
  bool refutes(Pair &pair);
  bool isRefuted(const Pair &pair, SmallVectorImpl<uint32_t> &rest) const;
  void explain();

  const Lts &ioc, &poc;
  std::vector<LabelIndex> exchanges;     ///< in poc, of each label of ioc
  std::vector<LabelIndex> outputOf;      ///< in poc, of each label of ioc
  std::vector<LabelIndex> outputs, back; ///< of each label of poc
  std::vector<Pair> pairs;
  llvm::DenseMap<uint64_t, uint32_t> numbers;
};

/// Whether \p output made nothing possible in \p after but \p exchange.
bool DisjointGame::diamond(StateIndex before, LabelIndex output,
                           StateIndex after, LabelIndex exchange) const {
  for (size_t i = 0; i < poc.labelsOf(after).size(); ++i) {
    LabelIndex l = poc.labelsOf(after)[i];
    StateIndex to = poc.targetsOf(after)[i];
    if (l == exchange)
      continue;
    if (!anyStep(poc, before, l, [&](StateIndex middle) {
          return hasStep(poc, middle, output, to);
        }))
      return false;
  }
  return true;
}

/// The states of the system after its answers to \p step of the choreography.
template <class Visit>
bool DisjointGame::answers(const Pair &pair, LabelIndex step, bool needDiamond,
                           Visit visit) const {
  LabelIndex exchange = exchanges[step];
  if (exchange == missing)
    return false;
  if (ioc.labels[step].kind != LabelKind::Exchange)
    return anyStep(poc, pair.poc, exchange, visit);
  LabelIndex output = outputOf[step];
  return output != missing &&
         anyStep(poc, pair.poc, output, [&](StateIndex sent) {
           return (!needDiamond || diamond(pair.poc, output, sent, exchange)) &&
                  anyStep(poc, sent, exchange, visit);
         });
}

/// Whether a step of \p pair has no answer among the pairs that are kept.
bool DisjointGame::refutes(Pair &pair) {
  for (size_t i = 0; i < ioc.labelsOf(pair.ioc).size(); ++i) {
    LabelIndex step = ioc.labelsOf(pair.ioc)[i];
    StateIndex to = ioc.targetsOf(pair.ioc)[i];
    if (!answers(pair, step, true,
                 [&](StateIndex s) { return isKept(to, s); })) {
      pair.by = step;
      pair.ofSystem = false;
      return true;
    }
  }
  for (size_t i = 0; i < poc.labelsOf(pair.poc).size(); ++i) {
    LabelIndex l = poc.labelsOf(pair.poc)[i];
    StateIndex sent = poc.targetsOf(pair.poc)[i];
    auto answered = [&](LabelIndex step, StateIndex s) {
      return step != missing && anyStep(ioc, pair.ioc, step, [&](StateIndex t) {
               return isKept(t, s);
             });
    };
    bool fine = false;
    if (poc.labels[l].kind == LabelKind::Send) {
      for (size_t j = 0; j < poc.labelsOf(sent).size() && !fine; ++j) {
        LabelIndex exchange = poc.labelsOf(sent)[j];
        fine = outputs[exchange] == l &&
               answered(back[exchange], poc.targetsOf(sent)[j]);
      }
    } else if (poc.labels[l].kind == LabelKind::Plain) {
      fine = answered(back[l], sent);
    } // else a reception without its output: no state of a relation has one
    if (!fine) {
      pair.by = l;
      pair.ofSystem = true;
      return true;
    }
  }
  return false;
}

Outcome<bool> DisjointGame::run(const Limits &limits) {
  Budget budget(limits);
  add(ioc.initial, poc.initial);
  for (size_t n = 0; n < pairs.size(); ++n) {
    std::string limit = budget.exceeded(pairs.size(), pairs.size() * 48);
    if (!limit.empty())
      return Stopped{std::move(limit)};
    Pair pair = pairs[n];
    for (size_t i = 0; i < ioc.labelsOf(pair.ioc).size(); ++i)
      answers(pair, ioc.labelsOf(pair.ioc)[i], false, [&](StateIndex s) {
        add(ioc.targetsOf(pair.ioc)[i], s);
        return false;
      });
  }
  // Rounds, so that a pair's round is the length of the shortest refutation.
  bool changed = true;
  for (uint32_t round = 0; changed; ++round) {
    changed = false;
    SmallVector<uint32_t, 16> going;
    for (uint32_t n = 0; n < pairs.size(); ++n) {
      // What a step costs depends on what both sides can do.
      size_t steps =
          ioc.labelsOf(pairs[n].ioc).size() + poc.labelsOf(pairs[n].poc).size();
      if (budget.spend(1 + steps * steps))
        return Stopped{budget.limit()};
      if (pairs[n].gone == kept && refutes(pairs[n]))
        going.push_back(n);
    }
    for (uint32_t n : going) {
      pairs[n].gone = round;
      changed = true;
    }
  }
  if (pairs[0].gone == kept)
    return true;
  explain();
  return false;
}

/// Whether a step of \p pair by `pair.by` has only answers that lead to pairs
/// which were refuted before; adds these.
bool DisjointGame::isRefuted(const Pair &pair,
                             SmallVectorImpl<uint32_t> &rest) const {
  SmallVector<uint32_t, 8> found;
  auto escapes = [&](StateIndex i, StateIndex s) {
    auto at = numbers.find(uint64_t(i) << 32 | s);
    if (at == numbers.end() || pairs[at->second].gone >= pair.gone)
      return true;
    found.push_back(at->second);
    return false;
  };
  auto take = [&](bool refuted) {
    if (refuted)
      rest.append(found.begin(), found.end());
    found.clear();
    return refuted;
  };
  if (!pair.ofSystem)
    return anyStep(ioc, pair.ioc, pair.by, [&](StateIndex to) {
      return take(!answers(pair, pair.by, true,
                           [&](StateIndex s) { return escapes(to, s); }));
    });
  return anyStep(poc, pair.poc, pair.by, [&](StateIndex sent) {
    auto answered = [&](LabelIndex step, StateIndex s) {
      return step != missing && anyStep(ioc, pair.ioc, step, [&](StateIndex t) {
               return escapes(t, s);
             });
    };
    const LabelKind kind = poc.labels[pair.by].kind;
    if (kind == LabelKind::Plain)
      return take(!answered(back[pair.by], sent));
    bool escaped = false;
    for (size_t j = 0;
         kind == LabelKind::Send && !escaped && j < poc.labelsOf(sent).size();
         ++j) {
      LabelIndex exchange = poc.labelsOf(sent)[j];
      escaped = outputs[exchange] == pair.by &&
                answered(back[exchange], poc.targetsOf(sent)[j]);
    }
    return take(!escaped);
  });
}

bool DisjointGame::replays(const Limits &limits) const {
  Budget budget(limits);
  std::vector<bool> seen(pairs.size());
  SmallVector<uint32_t, 16> open{0}, next;
  seen[0] = true;
  while (!open.empty()) {
    const Pair &pair = pairs[open.pop_back_val()];
    next.clear();
    if (budget.spend(1 + ioc.labelsOf(pair.ioc).size() *
                             poc.labelsOf(pair.poc).size()) ||
        !isRefuted(pair, next))
      return false;
    for (uint32_t n : next)
      if (!seen[n]) {
        seen[n] = true;
        open.push_back(n);
      }
  }
  return true;
}

/// Follows the refutation; the other side answers as long as it can.
void DisjointGame::explain() {
  const Pair *pair = &pairs[0];
  while (true) {
    const Pair *next = nullptr;
    auto offer = [&](StateIndex i, StateIndex s) {
      const Pair &p = pairs[numbers.lookup(uint64_t(i) << 32 | s)];
      if (p.gone < pair->gone && (!next || p.gone > next->gone))
        next = &p;
      return false;
    };
    Label label = pair->ofSystem ? poc.labels[pair->by] : ioc.labels[pair->by];
    if (!pair->ofSystem)
      anyStep(ioc, pair->ioc, pair->by, [&](StateIndex to) {
        return answers(*pair, pair->by, true,
                       [&](StateIndex s) { return offer(to, s); });
      });
    else
      anyStep(poc, pair->poc, pair->by, [&](StateIndex sent) {
        for (size_t j = 0; j < poc.labelsOf(sent).size(); ++j) {
          LabelIndex exchange = poc.labelsOf(sent)[j];
          if (outputs[exchange] == pair->by && back[exchange] != missing)
            anyStep(ioc, pair->ioc, back[exchange], [&](StateIndex to) {
              return offer(to, poc.targetsOf(sent)[j]);
            });
        }
        return false;
      });
    trace.push_back(label);
    if (next) {
      pair = next;
      continue;
    }
    std::string text = labelText(label);
    if (pair->ofSystem)
      sentences.push_back("the system can do " + text +
                          ", but the choreography has no such interaction "
                          "that can be received immediately");
    else if (answers(*pair, pair->by, false, [](StateIndex) { return true; }))
      sentences.push_back("the choreography can do " + text +
                          "; in the system its output makes something else "
                          "possible before it is received");
    else
      sentences.push_back(
          "the choreography can do " + text +
          ", but the system cannot send it and receive it immediately");
    return;
  }
}

bool isTrace(IocRelation relation) {
  return relation >= IocRelation::SynchronousTrace;
}
bool isSync(IocRelation relation) {
  return relation == IocRelation::Synchronous ||
         relation == IocRelation::SynchronousTrace;
}
bool isSender(IocRelation relation) {
  return relation == IocRelation::Sender ||
         relation == IocRelation::SenderTrace;
}
bool isReceiver(IocRelation relation) {
  return relation == IocRelation::Receiver ||
         relation == IocRelation::ReceiverTrace;
}

/// \p lts with the labels that \p change makes of its own.
template <class Change>
Lts relabelled(const Lts &lts, Change change) {
  Lts result = lts;
  result.labels = {Label::tau()};
  std::map<Label, LabelIndex> numbers{{Label::tau(), tauLabel}};
  std::vector<LabelIndex> to{tauLabel};
  for (size_t i = 1; i < lts.labels.size(); ++i) {
    Label label = change(lts.labels[i]);
    auto [it, isNew] = numbers.try_emplace(
        label, static_cast<LabelIndex>(result.labels.size()));
    if (isNew)
      result.labels.push_back(label);
    to.push_back(it->second);
  }
  std::vector<LabelIndex> labels;
  for (LabelIndex l : lts.label)
    labels.push_back(to[l]);
  result.label = std::move(labels);
  return result;
}

/// Each interaction as its output and then its reception.
Term splitInTwo(const Term &term) {
  Term result;
  result.numRoles = term.numRoles;
  result.numOperations = term.numOperations;
  std::vector<TermId> made(term.size());
  SmallVector<TermId, 8> children;
  for (size_t i = 0; i < term.size(); ++i) {
    const TermNode &node = term.nodes[i];
    if (node.kind == TermKind::Action) {
      TermNode output = node;
      output.action.receiver = TermAction::none;
      TermId first = result.add(output), second = result.add(node);
      made[i] = result.add({TermKind::Sequence}, {first, second});
      continue;
    }
    children.clear();
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      children.push_back(made[c.index()]);
    made[i] = result.add(node, children);
  }
  for (TermNode &node : result.nodes)
    if (node.kind == TermKind::Call)
      node.target = made[node.target.index()];
  return result;
}

} // namespace

std::optional<Label> cif::foreignLabel(const Lts &lts, IocRelation relation,
                                       bool isSystem) {
  for (size_t i = 1; i < lts.labels.size(); ++i) {
    const Label &label = lts.labels[i];
    bool output =
        label.kind == LabelKind::Send && isSystem && !isSync(relation);
    if (label.kind != LabelKind::Exchange && label.kind != LabelKind::Plain &&
        !output)
      return label;
  }
  return std::nullopt;
}

/// Never a guess: a difference that is none on the LTSs proves nothing.
static IocComparison checked(IocComparison result) {
  if (result.verdict != Verdict::Violated || result.replays())
    return result;
  return {.limit = "the difference that was found does not replay, which is a "
                   "defect of this tool",
          .method = std::move(result.method),
          .states = result.states,
          .transitions = result.transitions};
}

/// Both sides with what the relation observes of them.
static std::pair<Lts, Lts> observed(const Lts &choreography, const Lts &system,
                                    IocRelation relation) {
  bool sender = isSender(relation), receiver = isReceiver(relation);
  auto output = [](Label label) {
    label.kind = LabelKind::Send;
    label.receiver.clear();
    return label;
  };
  Lts ioc = relabelled(choreography, [&](const Label &label) {
    return sender && label.kind == LabelKind::Exchange ? output(label) : label;
  });
  Lts poc = relabelled(system, [&](const Label &label) {
    if (label.kind == LabelKind::Send)
      return receiver ? Label::tau() : output(label);
    if (label.kind == LabelKind::Exchange && sender)
      return Label::tau();
    return label;
  });
  return {std::move(ioc), std::move(poc)};
}

/// Says how the two differ; \p d compares \p left with \p right.
static void tellDifference(const Difference &d, const Lts &left,
                           const Lts &right, ArrayRef<StringRef> sides,
                           Relation by, IocComparison &result) {
  StringRef holder = sides[d.side == Side::Right];
  StringRef other = sides[d.side == Side::Left];
  if (d.graph)
    result.sentences = formulaSentences(*d.graph, holder, other);
  else
    result.sentences = {("the " + holder + " can take these steps, but the " +
                         other + " cannot")
                            .str()};
  result.trace = d.trace;
  result.formula = d.formula;
  result.replays = [=] { return replays(d, left, right, by); };
}

IocComparison cif::compareIoc(const Lts &choreography, const Lts &system,
                              IocRelation relation, const Limits &limits) {
  const bool sync = isSync(relation);
  auto [ioc, poc] = observed(choreography, system, relation);
  IocComparison result;
  result.states = ioc.numStates() + poc.numStates();
  result.transitions = ioc.numTransitions() + poc.numTransitions();
  if (relation == IocRelation::Disjoint) {
    DisjointGame game(ioc, poc);
    Outcome<bool> holds = game.run(limits);
    result.method = "disjoint bisimilarity, pairs of states";
    if (!holds) {
      result.limit = holds.limit();
      return result;
    }
    result.verdict = *holds ? Verdict::Holds : Verdict::Violated;
    if (result.verdict == Verdict::Violated)
      result.replays = [refuted = game.replays(limits)] { return refuted; };
    result.trace = std::move(game.trace);
    result.sentences = std::move(game.sentences);
    return checked(std::move(result));
  }
  CompareOptions options{.limits = limits};
  bool strong = sync || relation == IocRelation::DisjointTrace;
  Relation by = isTrace(relation)
                    ? (strong ? Relation::Trace : Relation::WeakTrace)
                : sync ? Relation::Strong
                       : Relation::Weak;
  Comparison found = compare(ioc, poc, by, options);
  result.verdict = found.verdict;
  result.limit = found.limit;
  result.method = found.method;
  if (found.difference)
    tellDifference(*found.difference, ioc, poc, {"choreography", "system"}, by,
                   result);
  return checked(std::move(result));
}

/// The relation as far as a few messages in transit refute it: related sides
/// have the same traces, and what the system does with few messages it does.
/// Inconclusive: they do not.
static IocComparison compareFewMessages(const Lts &choreography,
                                        ArrayRef<PocRole> system,
                                        IocRelation relation, StepLabel label,
                                        const Limits &limits) {
  constexpr size_t fewMessages = 2;
  IocComparison result;
  std::optional<Lts> part = buildPocLts(system, PocNetwork::Asynchronous, label,
                                        limits, result.limit, fewMessages);
  if (!part)
    return result;
  auto [ioc, poc] = observed(choreography, *part, relation);
  CompareOptions options{.limits = limits};
  Relation by = relation == IocRelation::DisjointTrace
                    ? Relation::TraceInclusion
                    : Relation::WeakTraceInclusion;
  Comparison found = compare(poc, ioc, by, options);
  if (found.verdict != Verdict::Violated || !found.difference)
    return result;
  result.verdict = found.verdict;
  result.method = "traces with two messages in transit, " + found.method;
  result.states = ioc.numStates() + poc.numStates();
  result.transitions = ioc.numTransitions() + poc.numTransitions();
  tellDifference(*found.difference, poc, ioc, {"system", "choreography"}, by,
                 result);
  return checked(std::move(result));
}

IocComparison cif::compareIoc(const Term &choreography,
                              ArrayRef<PocRole> system, IocRelation relation,
                              const IocNames &names, const Limits &limits) {
  auto label = [&](const IocStep &step) {
    switch (step.kind) {
    case StepKind::Internal:
      return Label::plain("tau " + names.role(step.sender));
    case StepKind::Output:
      return Label{LabelKind::Send, names.role(step.sender), "",
                   names.operation(step.operation)};
    case StepKind::Exchange:
      return Label{LabelKind::Exchange, names.role(step.sender),
                   names.role(step.receiver), names.operation(step.operation)};
    }
    llvm_unreachable("all kinds are handled");
  };
  IocComparison result;
  auto ioc =
      relation == IocRelation::DisjointTrace
          ? buildIocLts(splitInTwo(choreography), label, limits, result.limit)
          : buildIocLts(choreography, label, limits, result.limit);
  if (!ioc)
    return result;
  const PocNetwork network =
      isSync(relation) ? PocNetwork::Synchronous : PocNetwork::Asynchronous;
  // Where messages pile up there may be no end: few of them tell much.
  Limits few = limits;
  constexpr uint64_t fewStates = 20'000;
  if (!few.maxStates || few.maxStates > fewStates)
    few.maxStates = fewStates;
  auto poc = buildPocLts(system, network, label, few, result.limit);
  if (!poc && !isSync(relation) && relation != IocRelation::Disjoint)
    if (IocComparison other =
            compareFewMessages(*ioc, system, relation, label, few);
        other.verdict == Verdict::Violated)
      return other;
  if (!poc)
    poc = buildPocLts(system, network, label, limits, result.limit);
  if (!poc)
    return result;
  return compareIoc(*ioc, *poc, relation, limits);
}
