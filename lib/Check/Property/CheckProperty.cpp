//===- CheckProperty.cpp - --check-property -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Temporal properties over exchanges, of the choreography, collaboration
/// or peers of a module, or of its LTSs. cif/Temporal/Ltl.h defines their
/// meaning.
///
//===----------------------------------------------------------------------===//

#include "PropertyFact.h"
#include "PropertyModel.h"
#include "StateProperties.h"
#include "cif/Check/IdleOptions.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/Diagnostics/Data.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "cif/Temporal/Ltl.h"
#include "cif/Transforms/SemanticsOptions.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

namespace {
/// One run of the pass: what is asked, and what was said already.
class PropertyCheck {
public:
  PassResult run(Module &module, PassContext &context);

private:
  bool checkModule(Module &module, PassContext &context);
  bool checkExplored(Module &module, PassContext &context,
                     const SemanticsOptions &options, SemanticsKind kind,
                     PropertySubject &subject);
  void checkSystem(Module &module, PassContext &context, size_t index);
  void checkAll(Module &module, PassContext &context,
                const PropertySubject &subject);

  std::vector<ltl::Property> properties;
  llvm::StringSet<> warned;
  bool fair = false;
};

} // namespace

void PropertyCheck::checkAll(Module &module, PassContext &context,
                             const PropertySubject &subject) {
  std::vector<std::pair<Fact, bool>> facts;
  for (ltl::Property &property : properties) {
    for (const ltl::Atom &atom : property.atoms) {
      bool isEnd = atom.kind >= ltl::Atom::End;
      if (isEnd || llvm::any_of(subject.alphabet, [&](const Label &label) {
            return atom.matches(label);
          }))
        continue;
      if (!warned.insert(property.text + "\n" + atom.text()).second)
        continue;
      auto report =
          context.diags.report(subject.at, diag::property_unknown_label);
      report << property.text << atom.text();
      SmallVector<StringRef, 16> names;
      for (const Label &label : subject.alphabet)
        names.push_back(label.message);
      report.guess(nearest(atom.message, names));
    }
    bool replays = false;
    Fact fact = propertyFact(module, context, subject, property, fair, replays);
    facts.push_back({std::move(fact), replays});
  }
  for (auto &fact : facts) {
    if (subject.exploration)
      tellAbstractions(module, *subject.exploration->system, context.diags);
    context.report(module, std::move(fact.first),
                   [&replays = fact.second] { return replays; });
  }
}

void PropertyCheck::checkSystem(Module &module, PassContext &context,
                                size_t index) {
  const SystemDecl &system = module.systems[index];
  PropertySubject subject{.text = (systemRoleText(system.role) + " system '" +
                                   module.text(system.name) + "'")
                                      .str(),
                          .at = module.place(system.loc),
                          .lts = &system.lts,
                          .system = &system,
                          .alphabet = system.lts.labels};
  checkAll(module, context, subject);
}

/// Explores what \p options select of \p module, and checks it as \p subject.
bool PropertyCheck::checkExplored(Module &module, PassContext &context,
                                  const SemanticsOptions &options,
                                  SemanticsKind kind,
                                  PropertySubject &subject) {
  PropertyModel model =
      explorePropertyModel(module, context, options, properties, fair);
  if (!model.exploration)
    return false;
  const Exploration &explored = *model.exploration;
  for (const std::string &text : model.system->abstractions())
    context.diags.report(subject.at, diag::semantics_abstracts)
        << subject.text << text;
  subject.lts = &explored.lts;
  subject.steps = explored.steps;
  subject.exploration = &explored;
  // Every other semantics is one of tokens.
  if (resolveSemantics(module, options) != SemanticsKind::Peers)
    subject.ofTokens =
        static_cast<const CollaborationSystem *>(model.system.get());
  subject.numGroups = model.system->groups().size();
  subject.alphabet = model.system->labels();
  if (model.reduced)
    subject.unreduced = model.system.get();
  if (!explored.complete) {
    subject.expanded = explored.expanded;
    subject.incomplete = explored.incompleteText();
  }
  if (kind == SemanticsKind::Collaboration || kind == SemanticsKind::Peers) {
    NetworkKind network = options.network.value_or(defaultNetwork(kind));
    subject.parameters = {{"network", networkText(network).str()},
                          {"bound", options.bound == noBound
                                        ? "inf"
                                        : std::to_string(options.bound)},
                          {"observe", observationText(options.observe).str()}};
  }
  checkAll(module, context, subject);
  return true;
}

bool PropertyCheck::checkModule(Module &module, PassContext &context) {
  std::optional<SemanticsOptions> semantics = readSemanticsOptions(context);
  if (!semantics)
    return false;
  // LTSs that are no peers' stand for themselves, unless a semantics is asked.
  auto named = [&](Name name) {
    return semantics->only.empty() ||
           llvm::is_contained(semantics->only, module.text(name));
  };
  bool any = false;
  if (semantics->semantics == SemanticsKind::Auto)
    for (size_t i = 0; i < module.systems.size(); ++i)
      if (!module.systems[i].acts() && named(module.systems[i].name)) {
        if (!noneGiven(context, {"network", "bound", "observe"},
                       "for an LTS, which is explored already"))
          return false;
        checkSystem(module, context, i);
        any = true;
      }
  if (any)
    return true;
  if (!semanticsApply(module, *semantics, context))
    return false;
  SemanticsKind kind = resolveSemantics(module, *semantics);
  std::vector<std::pair<SemanticsOptions, PropertySubject>> jobs;
  auto each = [&](BehaviourKind wanted, const char *what) {
    for (const Behaviour &b : module.behaviours)
      if (b.kind == wanted && named(b.name)) {
        SemanticsOptions one = *semantics;
        one.only = {module.text(b.name).str()};
        PropertySubject subject;
        subject.text = std::string(what) + " '" + one.only[0] + "'";
        subject.at = module.place(b.loc);
        jobs.push_back({one, subject});
      }
  };
  if (kind == SemanticsKind::Choreography)
    each(BehaviourKind::Choreography, "choreography");
  else if (kind == SemanticsKind::Local)
    each(BehaviourKind::Process, "process");
  // Names that are not there are for the semantics to complain about.
  bool all =
      kind == SemanticsKind::Collaboration || kind == SemanticsKind::Peers;
  if (all || jobs.empty() ||
      (!semantics->only.empty() && jobs.size() != semantics->only.size())) {
    PropertySubject subject;
    subject.text =
        kind == SemanticsKind::Peers ? "the peers" : "the collaboration";
    for (const Behaviour &b : module.behaviours)
      if (!subject.at.known() && named(b.name))
        subject.at = module.place(b.loc);
    jobs.assign(1, {*semantics, subject});
  }
  for (auto &[options, subject] : jobs)
    if (!checkExplored(module, context, options, kind, subject))
      return false;
  return true;
}

PassResult PropertyCheck::run(Module &module, PassContext &context) {
  static const StringRef fairWords[] = {"none", "strong"};
  std::optional<unsigned> fairness = context.oneOf("fair", fairWords);
  if (!fairness)
    return PassResult::Failed;
  fair = *fairness == 1;
  properties.clear();
  bool good = true;
  std::vector<std::string> texts =
      ltl::splitProperties(context.option("property"));
  if (texts.empty())
    texts.push_back("");
  for (const std::string &text : texts) {
    ltl::SyntaxError error;
    if (std::optional<ltl::Property> property =
            ltl::parseProperty(text, error)) {
      properties.push_back(std::move(*property));
      continue;
    }
    context.diags.report(diag::property_syntax)
        << text << error.expected << error.found;
    good = false;
  }
  if (!good)
    return PassResult::Failed;
  // Those that speak of states ask for another exploration.
  std::vector<ltl::Property> ofStates;
  llvm::erase_if(properties, [&](const ltl::Property &property) {
    if (property.saysStates())
      ofStates.push_back(property);
    return property.saysStates();
  });
  if (!properties.empty() && !checkModule(module, context))
    return PassResult::Failed;
  if (!ofStates.empty()) {
    std::optional<SemanticsOptions> semantics = readSemanticsOptions(context);
    if (!semantics ||
        (properties.empty() &&
         !noneGiven(context, {"observe"}, "for properties of states")) ||
        !checkStateProperties(module, context, *semantics, fair, ofStates))
      return PassResult::Failed;
  }
  return PassResult::Unchanged;
}

namespace cif {
PassResult runCheckProperty(Module &module, PassContext &context) {
  return PropertyCheck().run(module, context);
}
} // namespace cif
