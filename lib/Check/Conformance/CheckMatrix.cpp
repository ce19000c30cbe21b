//===- CheckMatrix.cpp - --check-matrix -----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every assignment of given processes to the roles of a choreography.
/// Implements: [c4], Table 1: each combination is composed (Def. 4.7) and,
/// if that is defined, compared with the choreography. Differs from the
/// paper: if Def. 4.7 fails only because a message is sent or received in
/// several places, the combination is used as drawn, provided that it is
/// well-composed by Def. 4.5.
///
//===----------------------------------------------------------------------===//

#include "Matrix.h"
#include "TableParts.h"
#include "cif/Check/Conformance/ConformanceOptions.h"
#include "cif/Check/Conformance/WellComposed.h"
#include "cif/IR/Link.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Compose.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Transforms/Compose.h"
#include "llvm/Support/Path.h"

using namespace cif;

namespace {
/// The processes that may play a role.
struct Role {
  std::string name;
  std::vector<std::string> files;
  std::vector<std::unique_ptr<Module>> processes;
};

/// One run of the pass: what was read, and the table.
class MatrixCheck {
public:
  PassResult run(Module &module, PassContext &context);

private:
  bool readRoles(PassContext &context);
  bool readProcess(PassContext &context, Role &role, StringRef file);
  std::unique_ptr<Module> combine(const std::vector<size_t> &choice,
                                  MatrixCase &row, DiagnosticEngine &diags);
  Fact factOf(size_t number, const MatrixCase &row) const;

  std::vector<Role> roles;
  Matrix matrix;
};

} // namespace

/// Drops all behaviours but one; its partners become black boxes.
static void keepOnly(Module &module, uint32_t kept) {
  for (MessageFlow &flow : module.messageFlows) {
    auto cut = [&](BehaviourId &behaviour, NodeId &node) {
      if (!behaviour)
        return;
      bool isKept = behaviour.index() == kept;
      behaviour = isKept ? BehaviourId(0) : BehaviourId();
      if (!isKept)
        node = NodeId();
    };
    cut(flow.sourceBehaviour, flow.sourceNode);
    cut(flow.targetBehaviour, flow.targetNode);
  }
  Behaviour process = std::move(module.behaviours[kept]);
  module.behaviours.clear();
  module.behaviours.push_back(std::move(process));
  module.systems.clear();
}

/// Keeps the one process of a file, as the role's own.
bool MatrixCheck::readProcess(PassContext &context, Role &role,
                              StringRef file) {
  std::unique_ptr<Module> module = context.host.load(file);
  if (!module)
    return false;
  SmallVector<uint32_t, 4> processes, named;
  for (uint32_t b = 0; b < module->behaviours.size(); ++b)
    if (module->behaviours[b].kind == BehaviourKind::Process) {
      processes.push_back(b);
      if (ownerName(*module, module->behaviours[b]) == role.name)
        named.push_back(b);
    }
  if (processes.size() != 1)
    processes = named;
  if (processes.size() != 1) {
    context.diags.report(diag::matrix_role)
        << "'" + file + "' has neither a process of '" + role.name +
               "' nor exactly one process";
    return false;
  }
  Behaviour &process = module->behaviours[processes[0]];
  if (!process.owner)
    process.owner = module->getParticipant(process.name, process.loc);
  // The pool gets the role's name; what its file calls the others is known by
  // the messages.
  module->participants[process.owner.index()].name = module->intern(role.name);
  keepOnly(*module, processes[0]);
  role.files.push_back(file.str());
  role.processes.push_back(std::make_unique<Module>(module->clone()));
  return true;
}

bool MatrixCheck::readRoles(PassContext &context) {
  for (StringRef word : context.list("role")) {
    auto [name, file] = word.split(':');
    if (word.contains(':')) {
      if (llvm::any_of(roles, [&](const Role &r) { return r.name == name; })) {
        context.diags.report(diag::matrix_role)
            << "role '" + name + "' is given twice";
        return false;
      }
      roles.emplace_back().name = name.str();
    } else {
      file = name;
    }
    if (roles.empty() || roles.back().name.empty() || file.empty()) {
      context.diags.report(diag::matrix_role)
          << "expected a role, ':' and files, found '" + word + "'";
      return false;
    }
    if (!readProcess(context, roles.back(), file))
      return false;
  }
  if (!roles.empty())
    return true;
  context.diags.report(diag::matrix_role) << "at least one role is needed";
  return false;
}

/// The collaboration of a combination, or null and what is wrong with it.
std::unique_ptr<Module> MatrixCheck::combine(const std::vector<size_t> &choice,
                                             MatrixCase &row,
                                             DiagnosticEngine &diags) {
  auto drawn = std::make_unique<Module>();
  for (auto [role, chosen] : llvm::zip(roles, choice))
    if (!linkInto(*drawn, *role.processes[chosen], diags))
      return nullptr;
  drawn->facts.clear();
  DiagnosticCollector why;
  DiagnosticEngine quiet(diags.sources(), why);
  auto composed = std::make_unique<Module>(drawn->clone());
  if (compose(*composed, {}, quiet))
    return composed;
  row.problems = compositionProblems(*drawn);
  if (row.problems.empty() && llvm::all_of(why.all, [](const Diagnostic &d) {
        return d.kind == diag::compose_two_ends;
      }))
    return drawn;
  if (row.problems.empty())
    for (const Diagnostic &d : why.all)
      row.problems.push_back({d.text, d.place, ""});
  return nullptr;
}

/// One line of the table as a verdict: the combination does what is asked.
Fact MatrixCheck::factOf(size_t number, const MatrixCase &row) const {
  FactBuilder fact("matrix", "case " + Twine(number));
  fact.by("composition [c4, Def. 4.7], then each relation").holds();
  for (auto [role, file] : llvm::zip(roles, row.files)) {
    fact.subject +=
        ", " + role.name + ": " + llvm::sys::path::filename(file).str();
    fact.with(role.name, file);
  }
  fact.with("well-composed", row.wellComposed() ? "yes" : "no");
  if (!row.wellComposed()) {
    fact.at = row.problems.front().at;
    return fact.violated("the processes do not fit together")
        .show("elements", row.problems);
  }
  for (const Fact &each : row.facts) {
    StringRef relation = each.parameters.front().second;
    fact.with(relation.str(), verdictText(each.verdict).str());
    fact.states = std::max(fact.states, each.states);
    fact.transitions = std::max(fact.transitions, each.transitions);
    bool worse = each.verdict == Verdict::Violated
                     ? fact.verdict != Verdict::Violated
                     : each.verdict == Verdict::Inconclusive &&
                           fact.verdict == Verdict::Holds;
    if (!worse)
      continue;
    fact.answer(each.verdict, each.exact);
    fact.message = (relation + ": " + each.message).str();
    fact.at = each.at;
    fact.witness = each.witness;
    fact.notes = each.notes;
  }
  return fact;
}

PassResult MatrixCheck::run(Module &module, PassContext &context) {
  std::optional<unsigned> format =
      context.oneOf("format", {"text", "json", "html"});
  std::optional<ConformanceOptions> options = conformanceOptions(context);
  std::vector<ConformanceRelation> relations;
  for (StringRef word : context.list("relation")) {
    std::optional<ConformanceRelation> relation = parseConformance(word);
    if (!relation) {
      context.diags.report(diag::bad_option_value)
          << "relation" << word << "bbc, tbc or a relation of cif-lts";
      return PassResult::Failed;
    }
    relations.push_back(*relation);
    matrix.relations.push_back(word.str());
  }
  if (!format || !options || !tableApplies(context))
    return PassResult::Failed;
  StringRef path = context.option("choreography");
  if (path.empty()) {
    context.diags.report(diag::option_needs_value) << "--choreography"
                                                   << "FILE";
    return PassResult::Failed;
  }
  std::unique_ptr<Module> spec = context.host.load(path);
  if (!spec || !readRoles(context))
    return PassResult::Failed;
  std::vector<ChoreographyRef> choreographies = findChoreographies(*spec);
  if (choreographies.size() != 1) {
    context.diags.report(diag::spec_choreographies)
        << path << choreographies.size();
    return PassResult::Failed;
  }
  matrix.choreography = choreographyName(*spec, choreographies[0]).str();
  for (const Role &role : roles)
    matrix.roles.push_back(role.name);

  // All combinations; the last role changes fastest.
  std::vector<size_t> choice(roles.size());
  for (bool more = true; more;) {
    MatrixCase &row = matrix.cases.emplace_back();
    for (auto [role, chosen] : llvm::zip(roles, choice))
      row.files.push_back(role.files[chosen]);
    std::unique_ptr<Module> collaboration = combine(choice, row, context.diags);
    if (collaboration) {
      std::unique_ptr<Pairing> pairing =
          pair(*collaboration, *spec, *options, context.diags);
      if (!pairing)
        return PassResult::Failed;
      for (const ConformanceRelation &relation : relations) {
        bool replays = false;
        row.facts.push_back(checkConformance(*pairing, relation, &replays));
        row.replay &= replays || row.facts.back().verdict != Verdict::Violated;
      }
      row.abstractions = context.diags.takeAbstractions();
    } else if (row.problems.empty()) {
      return PassResult::Failed;
    }
    more = false;
    for (size_t r = roles.size(); r-- > 0 && !more;) {
      more = ++choice[r] < roles[r].files.size();
      if (!more)
        choice[r] = 0;
    }
  }
  for (auto [number, row] : llvm::enumerate(matrix.cases)) {
    for (StringRef text : row.abstractions)
      context.diags.abstracted(text);
    context.report(module, factOf(number + 1, row),
                   [&row = row] { return row.replay; });
  }

  return writeTable(context, *format == 0, [&](raw_ostream &os) {
    printMatrix(os, matrix, static_cast<MatrixFormat>(*format));
  });
}

namespace cif {
PassResult runCheckMatrix(Module &module, PassContext &context) {
  return MatrixCheck().run(module, context);
}
} // namespace cif
