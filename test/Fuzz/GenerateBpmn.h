//===- GenerateBpmn.h - BPMN files from bytes -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads any bytes as a collaboration in BPMN: two or three pools of a few
/// elements of any kind, in sub-processes or not, with sequence flows from
/// whatever may have one to whatever may, events on borders, and message flows
/// between whatever is in two pools or the pools themselves. Most of these are
/// diagrams that a modeller lets people draw, and hardly any is one that
/// somebody would.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_FUZZ_GENERATEBPMN_H
#define CIF_TEST_FUZZ_GENERATEBPMN_H

#include "Generate.h"
#include <vector>

namespace cif::fuzz {

/// What an element can be: its tag, its attributes and what is inside it.
struct ElementChoice {
  const char *tag, *attributes, *inside;
};

class BpmnText {
public:
  explicit BpmnText(Bytes &bytes) : bytes(bytes) {}

  std::string make() {
    const unsigned pools = 2 + bytes.pick(2);
    std::string processes, participants;
    for (unsigned p = 0; p < pools; ++p) {
      places.emplace_back();
      const std::string n = std::to_string(p);
      participants += "<participant id=\"P" + n + "\" name=\"p" + n +
                      "\" processRef=\"R" + n + "\"/>\n";
      processes += "<process id=\"R" + n + "\">\n" + scope(2) + "</process>\n";
      places.back().push_back("P" + n);
    }
    std::string messages;
    for (unsigned n = bytes.pick(6); n; --n) {
      const unsigned from = bytes.pick(pools);
      const unsigned to = (from + 1 + bytes.pick(pools - 1)) % pools;
      const std::string id = "M" + std::to_string(++used);
      messages += "<messageFlow id=\"" + id + "\"" +
                  (bytes.pick(2) ? " name=\"" + message(bytes) + "\"" : "") +
                  " sourceRef=\"" + one(places[from]) + "\" targetRef=\"" +
                  one(places[to]) + "\"/>\n";
    }
    return "<definitions "
           "xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\">\n"
           "<error id=\"E\" errorCode=\"e\"/><signal id=\"S\" name=\"s\"/>"
           "<escalation id=\"X\" escalationCode=\"x\"/>\n"
           "<collaboration id=\"C\">\n" +
           participants + messages + "</collaboration>\n" + processes +
           "</definitions>\n";
  }

private:
  std::string one(const std::vector<std::string> &of) {
    return of[bytes.pick(static_cast<unsigned>(of.size()))];
  }

  /// The elements and flows of a process or sub-process, with at most \p depth
  /// more scopes inside.
  std::string scope(unsigned depth) {
    static constexpr ElementChoice kinds[] = {
        {"task", "", ""},
        {"sendTask", "", ""},
        {"receiveTask", "", ""},
        {"userTask", "", "<standardLoopCharacteristics/>"},
        {"task", "", "<multiInstanceLoopCharacteristics/>"},
        {"receiveTask", "",
         "<standardLoopCharacteristics testBefore=\"true\"/>"},
        {"receiveTask", " instantiate=\"true\"", ""},
        {"exclusiveGateway", "", ""},
        {"exclusiveGateway", "", ""},
        {"parallelGateway", "", ""},
        {"parallelGateway", "", ""},
        {"inclusiveGateway", "", ""},
        {"eventBasedGateway", "", ""},
        {"complexGateway", "", ""},
        {"startEvent", "", "<messageEventDefinition/>"},
        {"startEvent", "", "<timerEventDefinition/>"},
        {"endEvent", "", ""},
        {"endEvent", "", "<messageEventDefinition/>"},
        {"endEvent", "", "<terminateEventDefinition/>"},
        {"endEvent", "", "<errorEventDefinition errorRef=\"E\"/>"},
        {"endEvent", "", "<escalationEventDefinition escalationRef=\"X\"/>"},
        {"intermediateThrowEvent", "", "<messageEventDefinition/>"},
        {"intermediateCatchEvent", "", "<messageEventDefinition/>"},
        {"intermediateCatchEvent", "", "<timerEventDefinition/>"},
        {"intermediateThrowEvent", "",
         "<signalEventDefinition signalRef=\"S\"/>"},
        {"intermediateCatchEvent", "",
         "<signalEventDefinition signalRef=\"S\"/>"},
        {"intermediateThrowEvent", "",
         "<escalationEventDefinition escalationRef=\"X\"/>"},
        {"subProcess", "", nullptr},
        {"subProcess", "", nullptr},
        {"subProcess", " triggeredByEvent=\"true\"", nullptr},
        {"transaction", "", nullptr},
        {"adHocSubProcess", "", nullptr},
        {"callActivity", " calledElement=\"R0\"", ""},
        {"callActivity", "", ""},
    };
    static const char *const borders[] = {
        "<messageEventDefinition/>",
        "<timerEventDefinition/>",
        "<errorEventDefinition/>",
        "<errorEventDefinition errorRef=\"E\"/>",
        "<escalationEventDefinition/>",
        "<signalEventDefinition signalRef=\"S\"/>",
        "<cancelEventDefinition/>",
        "<compensateEventDefinition/>"};
    std::vector<std::string> sources, targets;
    std::string text;
    auto add = [&](const ElementChoice &kind, const std::string &more) {
      const StringRef tag = kind.tag;
      const std::string id = "N" + std::to_string(++used);
      places.back().push_back(id);
      const bool apart = StringRef(kind.attributes).contains("ByEvent");
      if (tag != "endEvent" && !apart &&
          !StringRef(kind.inside).contains("compensate"))
        sources.push_back(id);
      if (tag != "startEvent" && tag != "boundaryEvent" && !apart)
        targets.push_back(id);
      text += std::string("<") + kind.tag + " id=\"" + id + "\"" +
              (bytes.pick(3) ? " name=\"" + message(bytes) + "\"" : "") +
              kind.attributes + more + ">" +
              (kind.inside ? kind.inside
               : depth     ? scope(depth - 1)
                           : "") +
              "</" + kind.tag + ">\n";
      return id;
    };
    if (bytes.pick(6) != 5)
      add({"startEvent", "", ""}, "");
    for (unsigned n = 1 + bytes.pick(6); n; --n) {
      const ElementChoice &kind = kinds[bytes.pick(std::size(kinds))];
      const std::string before = sources.empty() ? "" : sources.back();
      const std::string id = add(kind, "");
      // Most elements follow the one before them.
      if (!before.empty() && bytes.pick(6) && !targets.empty() &&
          targets.back() == id)
        text += flow(before, id);
      const bool isActivity = !StringRef(kind.tag).ends_with("Event") &&
                              !StringRef(kind.tag).ends_with("Gateway");
      if (isActivity && bytes.pick(4) == 3)
        add({"boundaryEvent", "", borders[bytes.pick(std::size(borders))]},
            " attachedToRef=\"" + id + "\"" +
                (bytes.pick(3) == 2 ? " cancelActivity=\"false\"" : ""));
    }
    if (!sources.empty() && !targets.empty())
      for (unsigned n = bytes.pick(5); n; --n) {
        const std::string from = one(sources);
        text += flow(from, one(targets));
      }
    return text;
  }

  std::string flow(const std::string &from, const std::string &to) {
    static const char *const conditions[] = {"x &gt; 3", "x &lt;= 3", "false",
                                             "anything at all"};
    std::string text = "<sequenceFlow id=\"F" + std::to_string(++used) +
                       "\" sourceRef=\"" + from + "\" targetRef=\"" + to + "\"";
    if (bytes.pick(8) != 7)
      return text + "/>\n";
    return text + "><conditionExpression>" + conditions[bytes.pick(4)] +
           "</conditionExpression></sequenceFlow>\n";
  }

  Bytes &bytes;
  unsigned used = 0;
  /// Of each pool, what a message flow can start or end at.
  std::vector<std::vector<std::string>> places;
};

/// A `.bpmn` file with a collaboration.
inline std::string bpmnText(Bytes &bytes) { return BpmnText(bytes).make(); }

} // namespace cif::fuzz

#endif
