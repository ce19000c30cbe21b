//===- PageModels.cpp - What the page of a run shows ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageModels.h"
#include "WriteBack.h"
#include "cif/Check/Animate.h"
#include "cif/Export/Emitter.h"
#include "cif/Export/Svg/LtsDrawing.h"
#include <map>

using namespace cif;

/// BPMN with a diagram, for a viewer: the file itself where it was drawn, else
/// what is written for the module. Nothing: a viewer would not show all of it.
static std::string bpmnOf(const Module &module, const DiagramLayout *layout,
                          StringRef source, const Limits &limits,
                          DiagnosticEngine &diags) {
  size_t choreographies =
      llvm::count_if(module.behaviours, [](const Behaviour &b) {
        return b.kind == BehaviourKind::Choreography;
      });
  if (module.sources.size() != 1 ||
      module.text(module.sources[0].language) != "bpmn" || choreographies > 1 ||
      (choreographies == 1 && module.behaviours.size() > 1))
    return "";
  if (!source.empty() && layout && !layout->bounds.empty() &&
      layout->only.empty())
    return source.str();
  std::string text;
  llvm::raw_string_ostream os(text);
  EmitOptions options{.layout = layout};
  options.semantics.runLimits = limits;
  return emitBpmn(module, os, diags, options) ? text : "";
}

/// Pictures of everything in \p module that can be drawn. What cannot is left
/// to words: the page says what was checked in any case.
static std::vector<ReportDrawing> draw(const Module &module,
                                       const DiagramLayout *layout,
                                       StringRef source, const Limits &limits) {
  std::vector<ReportDrawing> drawings;
  SourceManager sources;
  DiagnosticCollector quiet;
  DiagnosticEngine diags(sources, quiet);
  EmitOptions options{.layout = layout, .references = true};
  options.semantics.runLimits = limits;
  if (!module.behaviours.empty()) {
    ReportDrawing drawing;
    llvm::raw_string_ostream os(drawing.svg);
    bool choreography = false, processes = false;
    for (const Behaviour &b : module.behaviours)
      (b.kind == BehaviourKind::Choreography ? choreography : processes) = true;
    drawing.title = choreography && processes ? "choreography and processes"
                    : choreography            ? "choreography"
                                              : "collaboration";
    drawing.isChoreography = choreography;
    if (emitSvg(module, os, diags, options)) {
      if (hasViewers())
        drawing.bpmn = bpmnOf(module, layout, source, limits, diags);
      drawings.push_back(std::move(drawing));
    }
  }
  for (const SystemDecl &system : module.systems) {
    if (!isDrawable(system.lts))
      continue;
    ReportDrawing drawing{.title = module.text(system.name).str()};
    llvm::raw_string_ostream os(drawing.svg);
    drawLts(os, system.lts, drawing.title);
    drawings.push_back(std::move(drawing));
  }
  return drawings;
}

static std::vector<std::string> participantsOf(const Module &module) {
  std::vector<std::string> names;
  for (const Participant &participant : module.participants)
    names.push_back(module.text(participant.name).str());
  return names;
}

PageModel::PageModel(PageModels &page, const Module &module, StringRef file,
                     const DiagramLayout *layout, StringRef source,
                     const Limits &limits)
    : page(page), layout(layout), limits(limits) {
  if (!page.wanted)
    return;
  before = std::make_unique<Module>(module.clone());
  model.file = file.str();
  model.participants = participantsOf(module);
  model.drawings = draw(module, layout, source, limits);
}

/// What each element is and where it leads, by its id.
static std::map<std::string, std::string> elementsOf(const Module &module) {
  std::map<std::string, std::string> all;
  auto add = [&](const Location &loc, const std::string &text) {
    if (!loc.element.empty())
      all[module.text(loc.element).str()] += text;
  };
  for (const Behaviour &b : module.behaviours) {
    auto idOf = [&](NodeId n) {
      return module.text(b.node(n).loc.element).str();
    };
    for (const Node &node : b.nodes)
      add(node.loc,
          (nodeKindText(node.kind) + " " + triggerText(node.trigger)).str() +
              std::to_string(node.flags));
    for (const Flow &flow : b.flows)
      add(flow.loc, idOf(flow.source) + "\n" + idOf(flow.target));
  }
  return all;
}

void PageModel::compareWith(const Module &module, StringRef text,
                            ArrayRef<std::string> diff) {
  if (!page.wanted || module.digest() == before->digest())
    return;
  // Drawn as the file would be: elements may have moved.
  Module again;
  DiagramLayout moved;
  if (layout)
    moved.only = layout->only;
  if (!text.empty() && readBpmnText(model.file, text, again, &moved))
    model.after = draw(again, &moved, text, limits);
  else
    model.after = draw(module, layout, text, limits);
  model.isProposal = !diff.empty();
  model.diff = diff;
  std::map<std::string, std::string> was = elementsOf(*before);
  for (const auto &[id, words] : elementsOf(module))
    if (auto at = was.find(id); at != was.end() && at->second != words)
      model.changed.push_back(id);
}

/// Two facts whose runs are the same to the eye: one is drawn for both.
static bool sameRun(const Fact &a, const Fact &b) {
  return a.witness == b.witness && a.digest == b.digest &&
         a.parameter("network") == b.parameter("network");
}

/// Draws \p graph, unless it was drawn before; returns its number.
static size_t addGraph(ReportModel &model, const AnimationGraph &graph) {
  for (size_t i = 0; i < model.graphs.size(); ++i)
    if (model.graphs[i].title == graph.title)
      return i;
  ReportDrawing drawing{.title = graph.title};
  llvm::raw_string_ostream os(drawing.svg);
  drawLts(os, graph.lts, ("graph " + Twine(model.graphs.size())).str(),
          {graph.stateTexts, graph.labelTexts});
  model.graphs.push_back(std::move(drawing));
  return model.graphs.size() - 1;
}

void PageModel::finish(const Module &module, ArrayRef<Fact> facts,
                       const Limits &limits) {
  if (!page.wanted)
    return;
  model.firstFact = page.numFacts;
  model.numFacts = facts.size();
  page.numFacts += facts.size();
  size_t firstRun = page.runs.size();
  for (size_t i = 0; i < facts.size(); ++i) {
    const Fact &fact = facts[i];
    if (!fact.witness || fact.witness->steps.empty() ||
        fact.witness->kind == "elements")
      continue;
    auto own = llvm::MutableArrayRef(page.runs).drop_front(firstRun);
    auto *same = llvm::find_if(own, [&](const ReportRun &run) {
      return sameRun(fact, facts[run.facts.front() - model.firstFact]);
    });
    if (same != own.end()) {
      same->facts.push_back(model.firstFact + i);
      continue;
    }
    const Module &checked = fact.digest == module.digest() ? module : *before;
    ReportRun &run = page.runs.emplace_back();
    run.facts = {model.firstFact + i};
    run.model = page.models.size();
    run.animation = animate(checked, fact, limits);
    if (run.animation.graph)
      run.graph = addGraph(model, *run.animation.graph);
  }
  // Where nothing is violated, one of the first facts will do.
  for (const Fact &fact : facts.take_front(4))
    if (model.graphs.empty() && fact.digest == module.digest())
      if (auto graph = graphOfSystem(module, fact, limits))
        addGraph(model, *graph);
  page.models.push_back(std::move(model));
}

void PageModels::add(const Lts &lts, StringRef name) {
  if (!wanted || !isDrawable(lts))
    return;
  if (models.empty())
    models.emplace_back();
  ReportDrawing drawing{.title = name.str()};
  llvm::raw_string_ostream os(drawing.svg);
  drawLts(os, lts, name);
  models.front().drawings.push_back(std::move(drawing));
}
