//===- Html.cpp - A run as a page -----------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One file that opens from a disk without a network. Its data is the JSON of
/// --report=json with what the drawings need beside it, in a block that the
/// browser does not run; a policy in its head forbids every script but the
/// page's own, so that no name of an input can be one.
///
/// States are stored as differences: which tokens and queues changed since the
/// previous frame. Runs are long, and a step changes little.
///
//===----------------------------------------------------------------------===//

#include "HtmlPage.h"
#include "JsonText.h"
#include "cif/Report/RunReport.h"
#include "cif/Support/Visible.h"
#include <map>
#include <set>

using namespace cif;

using Json = llvm::json::OStream;

static void writeLabel(Json &json, const Label &label) {
  static const StringRef kinds[] = {"internal", "exchange", "send",
                                    "receive",  "plain",    "tick"};
  json.attribute("kind", kinds[static_cast<unsigned>(label.kind)]);
  if (label.kind == LabelKind::Tau || label.kind == LabelKind::Tick)
    return;
  json.attribute("message", utf8(label.message));
  if (label.kind == LabelKind::Plain)
    return;
  json.attribute("from", utf8(label.sender));
  json.attribute("to", utf8(label.receiver));
}

namespace {
/// Writes what differs from the frame before: `"tokens": {"element": [moving,
/// waiting, ended]}`, zeros where it is left, and `"queues": {"name": [at,
/// removed, [from, to, message], ...]}`: from message `at` on, `removed` of
/// them give way to those that follow.
class FrameWriter {
public:
  explicit FrameWriter(Json &json) : json(json) {}

  void write(const AnimationFrame &frame) {
    writeTokens(frame);
    writeQueues(frame);
  }

private:
  using Counts = std::array<uint32_t, 3>;

  void writeTokens(const AnimationFrame &frame) {
    std::map<std::string, Counts> now;
    for (const AnimationToken &token : frame.tokens)
      now.try_emplace(token.element, Counts{}).first->second[token.kind] +=
          token.count;
    std::map<std::string, Counts> changed;
    for (const auto &[element, counts] : tokens)
      if (!now.count(element))
        changed[element] = {};
    for (const auto &[element, counts] : now)
      if (auto at = tokens.find(element);
          at == tokens.end() || at->second != counts)
        changed[element] = counts;
    tokens = std::move(now);
    if (changed.empty())
      return;
    json.attributeObject("tokens", [&] {
      for (const auto &[element, counts] : changed)
        json.attributeArray(utf8(element), [&] {
          for (uint32_t count : counts)
            json.value(count);
        });
    });
  }

  void writeQueues(const AnimationFrame &frame) {
    std::map<std::string, std::vector<Label>> now;
    for (const AnimationQueue &queue : frame.queues)
      now[queue.name] = queue.messages;
    std::set<std::string> changed;
    for (const auto &[name, messages] : queues)
      if (auto at = now.find(name); at == now.end() || at->second != messages)
        changed.insert(name);
    for (const auto &[name, messages] : now)
      if (!messages.empty() && !queues.count(name))
        changed.insert(name);
    if (!changed.empty())
      json.attributeObject("queues", [&] {
        for (const std::string &name : changed)
          json.attributeArray(utf8(name),
                              [&] { writeSplice(queues[name], now[name]); });
      });
    queues = std::move(now);
  }

  void writeSplice(ArrayRef<Label> before, ArrayRef<Label> after) {
    size_t front = 0, back = 0;
    const size_t most = std::min(before.size(), after.size());
    while (front < most && before[front] == after[front])
      ++front;
    while (back < most - front &&
           before[before.size() - 1 - back] == after[after.size() - 1 - back])
      ++back;
    json.value(static_cast<int64_t>(front));
    json.value(static_cast<int64_t>(before.size() - front - back));
    for (const Label &m : after.slice(front, after.size() - front - back))
      json.array([&] {
        json.value(utf8(m.sender));
        json.value(utf8(m.receiver));
        json.value(utf8(m.message));
      });
  }

  Json &json;
  std::map<std::string, Counts> tokens;
  std::map<std::string, std::vector<Label>> queues;
};
} // namespace

static void writeFrames(Json &json, const Animation &animation) {
  FrameWriter states(json);
  for (const AnimationFrame &frame : animation.frames)
    json.object([&] {
      if (frame.step)
        json.attribute("step", *frame.step);
      else if (!frame.text.empty())
        json.attribute("text", utf8(frame.text));
      if (!frame.who.empty())
        json.attribute("who", utf8(frame.who));
      writeLabel(json, frame.action);
      // Steps have their places in the witness.
      if (!frame.step)
        writePlace(json, "at", frame.at);
      if (frame.state)
        json.attribute("state", *frame.state);
      states.write(frame);
    });
}

static void writeDrawings(Json &json, StringRef key,
                          ArrayRef<ReportDrawing> drawings) {
  json.attributeArray(key, [&] {
    for (const ReportDrawing &drawing : drawings)
      json.object([&] {
        json.attribute("title", utf8(drawing.title));
        json.attribute("svg", utf8(drawing.svg));
        if (!drawing.bpmn.empty()) {
          json.attribute("bpmn", utf8(drawing.bpmn));
          json.attribute("viewer",
                         drawing.isChoreography ? "choreography" : "bpmn");
        }
      });
  });
}

static void writePageAttributes(Json &json, const RunReport &run) {
  json.attribute("command", utf8(run.command));
  json.attributeArray("models", [&] {
    for (const ReportModel &model : run.models)
      json.object([&] {
        json.attribute("file", utf8(model.file));
        json.attributeArray("participants", [&] {
          for (const std::string &name : model.participants)
            json.value(utf8(name));
        });
        json.attribute("firstVerdict", static_cast<int64_t>(model.firstFact));
        json.attribute("verdicts", static_cast<int64_t>(model.numFacts));
        writeDrawings(json, "drawings", model.drawings);
        writeDrawings(json, "graphs", model.graphs);
        writeDrawings(json, "after", model.after);
        json.attribute("isProposal", model.isProposal);
        for (auto [name, list] : {std::pair("diff", &model.diff),
                                  std::pair("changed", &model.changed)})
          json.attributeArray(name, [&, &texts = *list] {
            for (const std::string &text : texts)
              json.value(utf8(text));
          });
      });
  });
  json.attributeArray("runs", [&] {
    for (const ReportRun &each : run.runs)
      json.object([&] {
        json.attributeArray("verdicts", [&] {
          for (size_t fact : each.facts)
            json.value(static_cast<int64_t>(fact));
        });
        json.attribute("model", static_cast<int64_t>(each.model));
        json.attribute("hasStates", each.animation.hasStates);
        if (each.graph)
          json.attribute("graph", static_cast<int64_t>(*each.graph));
        json.attributeArray("frames",
                            [&] { writeFrames(json, each.animation); });
      });
  });
}

/// Nothing in a block of data may look like markup to the parser of the page:
/// neither its end nor the begin of a comment.
static void writeAsData(raw_ostream &os, StringRef json) {
  while (!json.empty()) {
    auto [plain, rest] = json.split('<');
    os << plain;
    if (plain.size() == json.size())
      return;
    os << "\\u003c";
    json = rest;
  }
}

bool cif::hasViewers() {
  return !htmlPage().bpmn.script.empty() &&
         !htmlPage().choreography.script.empty();
}

void cif::writeHtml(raw_ostream &os, const RunReport &run) {
  std::string text;
  llvm::raw_string_ostream data(text);
  Json json(data);
  json.object([&] {
    writeRunAttributes(json, run);
    json.attributeObject("page", [&] { writePageAttributes(json, run); });
  });
  const HtmlPage &page = htmlPage();
  bool bpmn = false, choreography = false;
  for (const ReportModel &model : run.models)
    for (const auto *list : {&model.drawings, &model.after})
      for (const ReportDrawing &drawing : *list)
        if (!drawing.bpmn.empty())
          (drawing.isChoreography ? choreography : bpmn) = true;
  os << page.head << " '" << page.digest << '\'';
  if (bpmn)
    os << " '" << page.bpmn.digest << '\'';
  if (choreography)
    os << " '" << page.choreography.digest << '\'';
  os << page.body;
  writeAsData(os, visibleJson(text));
  os << "</script>\n";
  for (const auto &[viewer, wanted] :
       {std::pair(&page.bpmn, bpmn), {&page.choreography, choreography}})
    if (wanted)
      os << "<!--\n"
         << viewer->license << "\n-->\n<script>" << viewer->script
         << "</script>\n";
  os << page.end;
}
