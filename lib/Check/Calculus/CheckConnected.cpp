//===- CheckConnected.cpp - --check-connected -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Calculus/Connectedness.h"
#include "cif/IR/Names.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/Diagnostics/Calculus.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "cif/Support/Visible.h"
#include "cif/Transforms/Normalize.h"
#include "cif/Transforms/Project.h"

using namespace cif;

namespace {

/// Violations that are shown; all are counted.
constexpr size_t mostShown = 50;

/// One choreography: a term, or a graph where it has none.
struct Subject {
  const Module *module = nullptr; ///< normalised, where that was needed
  const Behaviour *behaviour = nullptr;
  const SystemDecl *system = nullptr;
  std::optional<IocTerm> term;
  std::optional<IocGraph> graph;              ///< also of a term with data
  std::vector<std::string> roles, operations; ///< of a system

  const TermAction &action(IocPart part) const {
    return term ? term->action(part.term()) : graph->actions[part.node()];
  }
  std::string role(uint32_t r) const {
    return "'" +
           (system ? roles[r]
                   : module->participantName(ParticipantId(r)).str()) +
           "'";
  }
  std::string name(IocPart part) const {
    const TermAction &x = action(part);
    if (system)
      return "'" + quoted(roles[x.sender]) + " -> " +
             quoted(roles[x.receiver]) + " : " +
             quoted(operations[x.operation]) + "'";
    if (x.isTau())
      return "'tau " +
             quoted(module->participantName(ParticipantId(x.sender))) + "'";
    return "'" + module->exchangeText(behaviour->node(node(part)).message) +
           "'";
  }
  Place place(IocPart part) const {
    if (!system)
      return module->place(behaviour->node(node(part)).loc);
    Location loc = system->loc;
    uint32_t transition = graph->nodes[part.node()].origin;
    if (transition < system->transitionLines.size()) {
      loc.line = system->transitionLines[transition];
      loc.column = 0;
    }
    return module->place(loc);
  }

private:
  NodeId node(IocPart part) const {
    return term ? (*term)[part.term()].node : graph->nodes[part.node()].node;
  }
};

/// Sentences about one choreography.
class Explainer {
public:
  Explainer(const Subject &subject, IocSemantics semantics)
      : subject(subject), semantics(semantics) {}

  void explain(const ConnectednessViolation &v, Witness &witness) const {
    IocPart at = v.second ? v.second : v.first;
    std::string flaw = (flawName(v.rule) + ", " + repairText(v.rule)).str();
    switch (v.rule) {
    case ConnectednessRule::Sequence:
      add(witness, at,
          "nothing keeps " + name(v.second) + " after " + name(v.first) + ": " +
              missing(v) + fineUnder(v, mayPrecede),
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
          role(v.role) + " takes part in one branch only, and would have to "
                         "know that this one is taken",
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
                                 "itself once the call is taken: the "
                                 "message of one may be taken for the other's",
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
             (knowers.empty() ? "; nobody does on every way to it"
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
        text += (text.empty() ? " (fine under: " : ", ") +
                iocSemanticsName(other).str();
    }
    return text.empty() ? " (under no semantics)" : text + ")";
  }

  const Subject &subject;
  const IocSemantics semantics;
};

/// The order of the conditions [iocpoc, Fig. 1], the strongest on top, with
/// what holds.
void printOrder(raw_ostream &os, StringRef subject,
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
    options.limits = context.limits;
    if (context.limits.maxMemory)
      options.maxBytes =
          std::min<uint64_t>(context.limits.maxMemory, uint64_t(1) << 32);

    // Drawings may need taking apart first.
    Module normal;
    const Module *source = &module;
    if (needsNormalizing(module)) {
      normal = module.clone();
      NormalizeCounts counts;
      if (!normalize(normal, context.diags, counts))
        return PassResult::Failed;
      source = &normal;
    }
    // First all subjects, so that an error comes before any verdict.
    std::vector<Subject> subjects;
    OperationNumbers operations;
    for (ChoreographyRef which : findChoreographies(*source)) {
      Subject subject;
      subject.module = source;
      bool good = which.isSystem ? addSystem(source->systems[which.index],
                                             subject, context)
                                 : addBehaviour(source->behaviours[which.index],
                                                operations, subject, context);
      if (!good)
        return PassResult::Failed;
      if (options.published && (!subject.term || hasLoop(*subject.term))) {
        context.diags.report(choreographyPlace(*source, which),
                             diag::published_terms)
            << ("choreography '" + choreographyName(*source, which) + "' " +
                (subject.term ? "has a loop" : "is not such a term"));
        return PassResult::Failed;
      }
      subjects.push_back(std::move(subject));
    }
    if (subjects.empty()) {
      context.diags.report(diag::nothing_to_explore) << "choreography";
      return PassResult::Failed;
    }
    bool all = *semantics == numIocSemantics;
    for (const Subject &subject : subjects) {
      SmallVector<Verdict, numIocSemantics> verdicts;
      for (unsigned i = 0; i < numIocSemantics; ++i)
        if (*semantics == i || all) {
          options.semantics = static_cast<IocSemantics>(i);
          verdicts.push_back(check(module, context, subject, options));
        }
      if (all && context.host.log)
        printOrder(*context.host.log, subjectText(subject), verdicts);
    }
    return PassResult::Unchanged;
  }

private:
  static bool needsNormalizing(const Module &module) {
    for (const Behaviour &b : module.behaviours) {
      if (b.kind != BehaviourKind::Choreography)
        continue;
      std::vector<uint8_t> in(b.nodes.size());
      for (const Flow &flow : b.flows)
        if (in[flow.target.index()] < 2)
          ++in[flow.target.index()];
      for (size_t i = 0; i < b.nodes.size(); ++i) {
        const Node &node = b.nodes[i];
        bool split = node.kind == NodeKind::Choice ||
                     node.kind == NodeKind::DominatedChoice ||
                     node.kind == NodeKind::EventChoice ||
                     node.kind == NodeKind::AllSelect;
        if (node.reply || node.loop != LoopKind::None || (split && in[i] > 1))
          return true;
      }
    }
    return false;
  }

  static std::string subjectText(const Subject &subject) {
    assert((subject.system || subject.behaviour) && "nothing to name");
    Name name = subject.system ? subject.system->name : subject.behaviour->name;
    return ("choreography '" + subject.module->text(name) + "'").str();
  }

  static bool addSystem(const SystemDecl &system, Subject &subject,
                        PassContext &context) {
    subject.system = &system;
    std::string label;
    subject.graph =
        buildIocGraph(system.lts, subject.roles, subject.operations, &label);
    if (!subject.graph)
      context.diags.report(subject.module->place(system.loc),
                           diag::label_not_exchange)
          << subjectText(subject) << label;
    return subject.graph.has_value();
  }

  static bool asksForData(const Behaviour &b) {
    return !b.arguments.empty() ||
           llvm::any_of(b.flows, [](const Flow &f) { return f.guard; });
  }

  /// The term of \p b where it has one of the kinds that the conditions are
  /// stated for; else its graph. Terms with data have both.
  static bool addBehaviour(const Behaviour &b, OperationNumbers &operations,
                           Subject &subject, PassContext &context) {
    const Module &module = *subject.module;
    subject.behaviour = &b;
    TermBreak why;
    subject.term = recoverIocTerm(module, b, operations, &why);
    if (subject.term && findOther(subject.term->term, connectednessKinds()))
      subject.term.reset();
    if (subject.term && !asksForData(b))
      return true;
    subject.graph = buildIocGraph(module, b, operations, &why);
    if (!subject.graph && !subject.term) {
      Place place = module.place(why.node ? b.node(why.node).loc : b.loc);
      context.diags.report(place, diag::unconnectable)
          << subjectText(subject) << why.reason;
      return false;
    }
    return true;
  }

  static Verdict check(Module &module, PassContext &context,
                       const Subject &subject,
                       const ConnectednessOptions &options) {
    Connectedness found = subject.term
                              ? checkConnected(*subject.term, options)
                              : checkConnected(*subject.graph, options);
    DataKnowledge data;
    if (subject.behaviour && subject.graph)
      data = checkDataKnowledge(*subject.module, *subject.behaviour,
                                *subject.graph, options);
    FactBuilder fact("connected", subjectText(subject),
                     subject.module->place(subject.system
                                               ? subject.system->loc
                                               : subject.behaviour->loc));
    fact.with("semantics", iocSemanticsName(options.semantics));
    if (options.published)
      fact.with("published", "yes");
    std::string semantics = iocSemanticsText(options.semantics).str();
    fact.by(semantics + " semantics" +
            (options.published ? ", causality-safety as published" : "") +
            (subject.term && !hasLoop(*subject.term) ? "" : ", on the graph") +
            (subject.behaviour && asksForData(*subject.behaviour)
                 ? "; who decides has to know the data"
                 : ""));
    size_t n = found.violations.size() + data.violations.size();
    if (n) {
      fact.violated(fact.subject + " is not connected for the " + semantics +
                    " semantics: " +
                    (n == 1 ? "one place" : std::to_string(n) + " places"))
          .show("elements");
      Explainer explainer(subject, options.semantics);
      size_t shown = 0;
      for (const ConnectednessViolation &v : found.violations)
        if (shown++ < mostShown)
          explainer.explain(v, *fact.witness);
      for (const DataViolation &v : data.violations)
        if (shown++ < mostShown)
          explainer.explain(v, *fact.witness);
      if (n > mostShown)
        fact.note("and " + std::to_string(n - mostShown) + " more places");
      fact.note("connectedness is sufficient for the roles to follow the "
                "choreography, but not necessary: --check-bisimilar and "
                "--check-realizable decide whether they do");
      for (const ConnectednessViolation &v : found.violations)
        context.count(flawName(v.rule), 1);
      context.count("no knowledge of data", data.violations.size());
    } else if (found.gaveUp || data.gaveUp) {
      const std::string &limit = found.limit.empty() ? data.limit : found.limit;
      fact.inconclusive(
          !limit.empty()
              ? noVerdictText(limit)
              : "no verdict: what the roles of " + fact.subject +
                    " know does not fit into " +
                    std::to_string(options.maxBytes) +
                    " bytes (--max-memory), or takes too long to find");
    } else if (!found.nested) {
      fact.inconclusive(fact.subject +
                        " meets the conditions, but they are not known to be "
                        "sufficient where parallel branches are not nested");
    } else {
      fact.holds();
      bool traces = options.semantics == IocSemantics::Receiver ||
                    options.semantics == IocSemantics::SenderReceiver;
      if (traces && found.hasChoice)
        fact.note("with a choice, this semantics promises equal traces of "
                  "receptions, not bisimilarity");
    }
    Verdict verdict = fact.verdict;
    context.report(module, std::move(fact));
    return verdict;
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createCheckConnectedPass() {
  return std::make_unique<CheckConnected>();
}
} // namespace cif
