//===- ConnectedWords.cpp - Violations of connectedness in words ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConnectedWords.h"
#include "cif/Support/Visible.h"

using namespace cif;

namespace {
/// Sentences about one choreography.
class Explainer {
public:
  Explainer(const ConnectedSubject &subject, IocSemantics semantics)
      : subject(subject), semantics(semantics) {}

  void explain(const ConnectednessViolation &v, Witness &witness) const {
    IocPart at = v.second ? v.second : v.first;
    std::string flaw = (flawName(v.rule) + ", " + repairText(v.rule)).str();
    switch (v.rule) {
    case ConnectednessRule::Sequence:
      add(witness, at,
          "nothing makes " + name(v.second) + " wait for " + name(v.first) +
              ": " + missing(v) + fineUnder(v, mayPrecede),
          flaw);
      return add(witness, v.first, "this comes first");
    case ConnectednessRule::Decider:
      add(witness, at,
          name(v.first) + " and " + name(v.second) +
              " begin branches that different roles decide: " + deciders(v) +
              fineUnder(v, mayCompete),
          flaw);
      return add(witness, v.first, "the other branch begins here");
    case ConnectednessRule::Informed:
      add(witness, at,
          role(v.role) + " takes part in only one branch, and would have to "
                         "know that this branch is taken",
          flaw);
      return add(witness, v.first, role(v.role) + " takes part here");
    case ConnectednessRule::LoopExit:
      return add(witness, at,
                 role(v.role) + " takes part in a loop but in nothing that "
                                "always follows it: it would have to know "
                                "that the last round is over",
                 flaw);
    case ConnectednessRule::Uncounted:
      return add(witness, at,
                 role(v.role) + " takes part here, but not always before "
                                "each call of this recursion that something "
                                "follows: it would have to know how often "
                                "to return",
                 flaw);
    case ConnectednessRule::Ambiguous:
      return add(witness, at,
                 name(v.first) + " is called from two branches of a choice, "
                                 "and different steps follow the calls: "
                                 "whoever takes part in it would have to know "
                                 "where to continue",
                 flaw);
    case ConnectednessRule::Overlap:
      return add(witness, at,
                 name(v.first) + " is in parallel with a call, and so with "
                                 "itself once the call is taken: the message "
                                 "of one may be mistaken for that of the other",
                 flaw);
    case ConnectednessRule::Parallel:
    case ConnectednessRule::Exclusive:
      add(witness, at,
          name(v.second) + " and " + name(v.first) + " use one operation " +
              (v.rule == ConnectednessRule::Parallel
                   ? "at the same time"
                   : "in different branches of a choice") +
              ": the message of one may be mistaken for that of the other",
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
          name(v.second) + " may be mistaken for " + name(v.first) +
              " in the branch that was not taken: " + role(knows(v)) +
              " would have to know that " + role(waits(v)) +
              " left that branch",
          flaw);
      return add(witness, v.first, "the branch that was not taken");
    }
  }

  void explain(const DataViolation &v, Witness &witness) const {
    const Module &module = *subject.module;
    const Behaviour &b = *subject.behaviour;
    std::string variable = "'" + module.text(v.variable).str() + "'";
    bool asked = v.kind == DataViolation::Asked;
    std::string knowers;
    for (uint32_t r : v.knownBy)
      knowers += (knowers.empty() ? "" : ", ") + role(r);
    witness.steps.push_back(
        {role(v.role) +
             (asked ? " decides here but does not know " + variable +
                          ", which the condition asks about"
                    : " sends " + variable + " but does not know it") +
             (knowers.empty() ? "; nobody does on every path to it"
                              : "; known by: " + knowers),
         module.place(v.flow ? b.flow(v.flow).loc : b.node(v.node).loc),
         "no knowledge of data, more messages can repair it"});
  }

private:
  void add(Witness &witness, IocPart at, std::string text,
           std::string note = "") const {
    witness.steps.push_back(
        {std::move(text), subject.place(at), std::move(note)});
  }

  /// Who waits in the branch that was not taken, and who would have to know
  /// when it left.
  uint32_t waits(const ConnectednessViolation &v) const {
    return v.role != TermAction::none ? v.role
                                      : subject.action(v.first).receiver;
  }
  uint32_t knows(const ConnectednessViolation &v) const {
    const TermAction &x = subject.action(v.second);
    return waits(v) == subject.action(v.first).sender ? x.receiver : x.sender;
  }

  std::string role(uint32_t r) const { return subject.role(r); }
  std::string name(IocPart part) const { return subject.name(part); }
  std::string ends(IocPart part) const {
    const TermAction &x = subject.action(part);
    return role(x.sender) + " and " + role(x.receiver);
  }
  /// Who would have to know what.
  std::string missing(const ConnectednessViolation &v) const {
    const TermAction &x = subject.action(v.first),
                     &y = subject.action(v.second);
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
    return role(subject.action(v.first).sender) + " and " +
           role(subject.action(v.second).sender);
  }

  /// The weakest semantics that is content with the pair comes first.
  template <class Condition>
  std::string fineUnder(const ConnectednessViolation &v,
                        Condition condition) const {
    std::string text;
    for (unsigned i = 0; i < numIocSemantics; ++i) {
      auto other = static_cast<IocSemantics>(i);
      if (condition(other, subject.action(v.first), subject.action(v.second)))
        text += (text.empty() ? " (accepted under: " : ", ") +
                iocSemanticsName(other).str();
    }
    return text.empty() ? " (accepted under no semantics)" : text + ")";
  }

  const ConnectedSubject &subject;
  const IocSemantics semantics;
};
} // namespace

void cif::explainViolation(const ConnectedSubject &subject,
                           IocSemantics semantics,
                           const ConnectednessViolation &violation,
                           Witness &witness) {
  Explainer(subject, semantics).explain(violation, witness);
}

void cif::explainViolation(const ConnectedSubject &subject,
                           IocSemantics semantics,
                           const DataViolation &violation, Witness &witness) {
  Explainer(subject, semantics).explain(violation, witness);
}

void cif::printOrder(raw_ostream &os, StringRef subject,
                     ArrayRef<Verdict> verdicts) {
  auto cell = [&](IocSemantics semantics) {
    return (iocSemanticsName(semantics) + ": " +
            verdictText(verdicts[static_cast<unsigned>(semantics)]))
        .str();
  };
  auto center = [&](const std::string &text, size_t width) {
    size_t left = text.size() < width ? (width - text.size()) / 2 : 0;
    os << std::string(left, ' ') << text;
    return left + text.size();
  };
  auto line = [&](const std::string &text) {
    os << "  ";
    center(text, 52);
    os << '\n';
  };
  os << visible(subject) << ": each one implies those below it\n";
  line(cell(IocSemantics::Disjoint));
  line("|");
  line(cell(IocSemantics::SenderReceiver));
  line("/                 \\");
  os << "  ";
  size_t used = center(cell(IocSemantics::Sender), 26);
  os << std::string(used < 26 ? 26 - used : 1, ' ');
  center(cell(IocSemantics::Receiver), 26);
  os << '\n';
  line("\\                 /");
  line(cell(IocSemantics::Synchronous));
}
