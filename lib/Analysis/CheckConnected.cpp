//===- CheckConnected.cpp - --check-connected -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IocSubject.h"
#include "cif/Analysis/Connectedness.h"
#include "cif/IR/Names.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/DiagnosticKinds.h"

using namespace cif;

namespace {

/// Violations that are shown; all are counted.
constexpr size_t mostShown = 50;

/// Sentences about one choreography.
class Explainer {
public:
  Explainer(const Module &module, const Behaviour &behaviour,
            const IocTerm &term, IocSemantics semantics)
      : module(module), behaviour(behaviour), term(term), semantics(semantics) {
  }

  void explain(const ConnectednessViolation &v, Witness &witness) const {
    TermId at = v.second ? v.second : v.first;
    std::string flaw = flawName(v.rule).str();
    switch (v.rule) {
    case ConnectednessRule::Sequence:
      add(witness, at,
          "nobody keeps " + name(v.second) + " behind " + name(v.first) + ": " +
              missing(v) + fineUnder(v, mayPrecede),
          flaw);
      return add(witness, v.first, "this comes first");
    case ConnectednessRule::Decider:
      add(witness, at,
          name(v.first) + " and " + name(v.second) +
              " begin branches that different roles decide: " + deciders(v) +
              "; more messages alone cannot repair that" +
              fineUnder(v, mayCompete),
          flaw);
      return add(witness, v.first, "the other branch begins here");
    case ConnectednessRule::Informed:
      add(witness, at,
          role(v.role) + " takes part in one branch only and would have to "
                         "know that this one is taken",
          flaw);
      return add(witness, v.first, role(v.role) + " takes part here");
    case ConnectednessRule::LoopExit:
      return add(witness, at,
                 role(v.role) + " takes part in a loop and in nothing that "
                                "surely follows it: it would have to know "
                                "that the last round is over",
                 flaw);
    case ConnectednessRule::Parallel:
    case ConnectednessRule::Exclusive:
      add(witness, at,
          name(v.second) + " and " + name(v.first) + " use one operation " +
              (v.rule == ConnectednessRule::Parallel
                   ? "at the same time"
                   : "in different branches of a choice") +
              ": the message of one may be taken for the other's",
          flaw);
      return add(witness, v.first, "the other use");
    case ConnectednessRule::Causality:
      add(witness, at,
          name(v.second) + " uses the operation of " + name(v.first) +
              " again: " + ends(v.second) +
              " would both have to know that the first one is over",
          flaw);
      return add(witness, v.first, "the use before it");
    case ConnectednessRule::LeftBehind:
      add(witness, at,
          name(v.second) + " may be taken for " + name(v.first) +
              " of a branch that was not taken: " +
              role(term.action(v.second).sender) + " would have to know that " +
              role(term.action(v.first).receiver) + " left that branch",
          flaw);
      return add(witness, v.first, "the branch that was not taken");
    }
  }

private:
  void add(Witness &witness, TermId at, std::string text,
           std::string note = "") const {
    witness.steps.push_back({std::move(text),
                             module.place(behaviour.node(term[at].node).loc),
                             std::move(note)});
  }

  std::string role(uint32_t r) const {
    return "'" + module.participantName(ParticipantId(r)).str() + "'";
  }
  std::string ends(TermId id) const {
    const TermAction &x = term.action(id);
    return role(x.sender) + " and " + role(x.receiver);
  }
  std::string name(TermId id) const {
    const TermAction &x = term.action(id);
    if (x.isTau())
      return "'tau " + quoted(module.participantName(ParticipantId(x.sender))) +
             "'";
    return "'" + module.exchangeText(behaviour.node(term[id].node).message) +
           "'";
  }

  /// Who would have to know what.
  std::string missing(const ConnectednessViolation &v) const {
    const TermAction &x = term.action(v.first), &y = term.action(v.second);
    std::string sender = role(y.sender), receiver = role(x.receiver);
    std::string either =
        y.isTau() ? sender : sender + " or " + role(y.receiver);
    switch (semantics) {
    case IocSemantics::Synchronous:
      return either + " would have to know that the first one took place";
    case IocSemantics::SenderReceiver:
      if (mayPrecede(IocSemantics::Sender, x, y))
        return either + " would have to know that " + receiver +
               " received the first one";
      [[fallthrough]];
    case IocSemantics::Sender:
      return sender + " would have to know that the first one was sent";
    case IocSemantics::Receiver:
      return either + " would have to know that " + receiver +
             " received the first one";
    case IocSemantics::Disjoint:
      return sender + " would have to know that " + receiver +
             " received the first one";
    }
    llvm_unreachable("all semantics are handled");
  }

  std::string deciders(const ConnectednessViolation &v) const {
    if (semantics == IocSemantics::Synchronous)
      return "they share no role";
    return role(term.action(v.first).sender) + " and " +
           role(term.action(v.second).sender);
  }

  /// The weakest semantics that is content with the pair comes first.
  template <class Condition>
  std::string fineUnder(const ConnectednessViolation &v,
                        Condition condition) const {
    std::string text;
    for (unsigned i = 0; i < numIocSemantics; ++i) {
      auto other = static_cast<IocSemantics>(i);
      if (condition(other, term.action(v.first), term.action(v.second)))
        text += (text.empty() ? " (fine under: " : ", ") +
                iocSemanticsName(other).str();
    }
    return text.empty() ? " (under no semantics)" : text + ")";
  }

  const Module &module;
  const Behaviour &behaviour;
  const IocTerm &term;
  const IocSemantics semantics;
};

class CheckConnected : public Pass {
public:
  PassResult run(Module &module, PassContext &context) override {
    SmallVector<StringRef, 6> words;
    for (unsigned i = 0; i < numIocSemantics; ++i)
      words.push_back(iocSemanticsName(static_cast<IocSemantics>(i)));
    words.push_back("all");
    auto semantics = context.oneOf("semantics", words);
    auto published = context.oneOf("published", {"no", "yes"});
    if (!semantics || !published)
      return PassResult::Failed;
    ConnectednessOptions options;
    options.published = *published == 1;
    if (context.limits.maxMemory)
      options.maxBytes = context.limits.maxMemory;

    // First all terms, so that an error comes before any verdict.
    struct Subject {
      const Behaviour *behaviour;
      IocTerm term;
    };
    std::vector<Subject> subjects;
    OperationNumbers operations;
    for (const Behaviour &b : module.behaviours) {
      if (b.kind != BehaviourKind::Choreography)
        continue;
      auto term = iocSubject(module, b, operations, connectednessKinds(),
                             context.diags);
      if (!term)
        return PassResult::Failed;
      subjects.push_back({&b, std::move(*term)});
    }
    if (subjects.empty()) {
      context.diags.report(diag::nothing_to_explore) << "choreography";
      return PassResult::Failed;
    }
    for (const Subject &subject : subjects)
      for (unsigned i = 0; i < numIocSemantics; ++i)
        if (*semantics == i || *semantics == numIocSemantics) {
          options.semantics = static_cast<IocSemantics>(i);
          check(module, context, *subject.behaviour, subject.term, options);
        }
    return PassResult::Unchanged;
  }

private:
  static void check(Module &module, PassContext &context,
                    const Behaviour &behaviour, const IocTerm &term,
                    const ConnectednessOptions &options) {
    Connectedness found = checkConnected(term, options);
    Fact fact;
    fact.property = "connected";
    fact.subject = ("choreography '" + module.text(behaviour.name) + "'").str();
    fact.parameters.emplace_back("semantics",
                                 iocSemanticsName(options.semantics));
    if (options.published)
      fact.parameters.emplace_back("published", "yes");
    fact.at = module.place(behaviour.loc);
    fact.exact = true;
    std::string semantics = iocSemanticsText(options.semantics).str();
    fact.method = semantics + " semantics" +
                  (options.published ? ", causality-safety as published" : "");
    size_t n = found.violations.size();
    if (n) {
      fact.verdict = Verdict::Violated;
      fact.message = fact.subject + " is not connected for the " + semantics +
                     " semantics: " +
                     (n == 1 ? "one place" : std::to_string(n) + " places");
      fact.witness.emplace();
      fact.witness->kind = "elements";
      Explainer explainer(module, behaviour, term, options.semantics);
      for (const ConnectednessViolation &v :
           ArrayRef(found.violations).take_front(mostShown))
        explainer.explain(v, *fact.witness);
      if (n > mostShown)
        fact.notes.push_back(
            {Place(), "and " + std::to_string(n - mostShown) + " more places"});
      for (const ConnectednessViolation &v : found.violations)
        context.count(flawName(v.rule), 1);
    } else if (found.gaveUp) {
      fact.verdict = Verdict::Inconclusive;
      fact.exact = false;
      fact.message = "the causality relation of " + fact.subject +
                     " does not fit into " + std::to_string(options.maxBytes) +
                     " bytes (--max-memory)";
    } else {
      fact.verdict = Verdict::Holds;
      bool traces = options.semantics == IocSemantics::Receiver ||
                    options.semantics == IocSemantics::SenderReceiver;
      if (traces && found.hasChoice)
        fact.notes.push_back(
            {Place(), "with a choice, this semantics promises equal traces of "
                      "receptions, not bisimilarity"});
    }
    context.report(module, std::move(fact));
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createCheckConnectedPass() {
  return std::make_unique<CheckConnected>();
}
} // namespace cif
