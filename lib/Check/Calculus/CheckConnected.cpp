//===- CheckConnected.cpp - --check-connected -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConnectedWords.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/Diagnostics/Calculus.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Transforms/Normalize.h"
#include "cif/Transforms/Project.h"

using namespace cif;

namespace {

/// Violations that are shown; all are counted.
constexpr size_t mostShown = 50;

} // namespace

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

static std::string subjectText(const ConnectedSubject &subject) {
  assert((subject.system || subject.behaviour) && "nothing to name");
  Name name = subject.system ? subject.system->name : subject.behaviour->name;
  return ("choreography '" + subject.module->text(name) + "'").str();
}

static bool addSystem(const SystemDecl &system, ConnectedSubject &subject,
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
                         ConnectedSubject &subject, PassContext &context) {
  const Module &module = *subject.module;
  subject.behaviour = &b;
  TermBreak why;
  subject.term = recoverTerm(module, b, operations, &why);
  if (subject.term && findOther(*subject.term, connectednessKinds()))
    subject.term.reset();
  if (subject.term && !asksForData(b))
    return true;
  Budget budget(context.limits);
  subject.graph = buildIocGraph(module, b, operations, &why, &budget);
  subject.limit = budget.limit();
  if (budget.stopped())
    return true;
  if (!subject.graph && !subject.term) {
    Place place = module.place(why.node ? b.node(why.node).loc : b.loc);
    context.diags.report(place, diag::unconnectable)
        << subjectText(subject) << why.reason;
    return false;
  }
  return true;
}

static Verdict check(Module &module, PassContext &context,
                     const ConnectedSubject &subject,
                     const ConnectednessOptions &options) {
  Connectedness found;
  found.limit = subject.limit;
  found.gaveUp = !subject.limit.empty();
  if (!found.gaveUp)
    found = subject.term ? checkConnected(*subject.term, options)
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
               ? "; the deciding role has to know the data"
               : ""));
  size_t n = found.violations.size() + data.violations.size();
  if (n) {
    fact.violated(fact.subject + " is not connected for the " + semantics +
                  " semantics, in " +
                  (n == 1 ? "one place" : std::to_string(n) + " places"))
        .show("elements");
    size_t shown = 0;
    for (const ConnectednessViolation &v : found.violations)
      if (shown++ < mostShown)
        explainViolation(subject, options.semantics, v, *fact.witness);
    for (const DataViolation &v : data.violations)
      if (shown++ < mostShown)
        explainViolation(subject, options.semantics, v, *fact.witness);
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
                  " bytes (--max-memory), or takes too long to compute");
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

namespace cif {
PassResult runCheckConnected(Module &module, PassContext &context) {
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
    if (!normalize(normal, context.diags))
      return PassResult::Failed;
    source = &normal;
  }
  // First all subjects, so that an error comes before any verdict.
  std::vector<ConnectedSubject> subjects;
  OperationNumbers operations;
  for (ChoreographyRef which : findChoreographies(*source)) {
    ConnectedSubject subject;
    subject.module = source;
    bool good = which.isSystem
                    ? addSystem(source->systems[which.index], subject, context)
                    : addBehaviour(source->behaviours[which.index], operations,
                                   subject, context);
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
    context.diags.report(diag::nothing_to_check) << "choreography";
    return PassResult::Failed;
  }
  bool all = *semantics == numIocSemantics;
  for (const ConnectedSubject &subject : subjects) {
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
} // namespace cif
