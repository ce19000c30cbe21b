//===- CheckWellComposed.cpp - --check-well-composed ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [c4], Def. 4.5: the multisets of message edges that leave
/// elements and that enter elements are equal, and no edge stays within one
/// participant. Input class: any collaboration. Exact. Differs from the
/// paper: message start, end and boundary events count too, and an element
/// with several messages counts for each.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Conformance/WellComposed.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Transforms/Compose.h"
#include <map>
#include <set>
#include <tuple>

using namespace cif;

/// How many elements send and receive a message.
struct EndCount {
  unsigned sent = 0, received = 0;
};

static std::map<Label, EndCount> countEnds(const Module &module,
                                           ArrayRef<MessageEnd> ends) {
  std::map<Label, EndCount> counts;
  // An element that stands in several places is one.
  std::set<std::tuple<Label, bool, BehaviourId, uint32_t>> known;
  for (const MessageEnd &end : ends) {
    if (!end.message)
      continue;
    Label exchange = exchangeOf(module, end);
    Name element =
        module.behaviours[end.behaviour.index()].node(end.node).loc.element;
    if (!element.empty() &&
        !known.insert({exchange, end.sends, end.behaviour, element.index()})
             .second)
      continue;
    EndCount &count = counts[exchange];
    ++(end.sends ? count.sent : count.received);
  }
  return counts;
}

std::vector<WitnessStep> cif::compositionProblems(const Module &module,
                                                  std::vector<bool> *open) {
  std::vector<MessageEnd> ends = messageEnds(module);
  std::map<Label, EndCount> counts = countEnds(module, ends);
  std::set<std::string> players;
  for (const Behaviour &b : module.behaviours)
    if (b.kind == BehaviourKind::Process)
      players.insert(ownerName(module, b).str());
  // Flows from [0] and to [1] the border of a pool, which leave it open which
  // of its elements sends or receives.
  std::set<Label> atBorder[2];
  for (const MessageFlow &flow : module.messageFlows) {
    if (!flow.message)
      continue;
    const Label exchange = module.label(LabelKind::Exchange, flow.message);
    if (!flow.sourceNode)
      atBorder[0].insert(exchange);
    if (!flow.targetNode)
      atBorder[1].insert(exchange);
  }
  std::vector<WitnessStep> problems;
  for (const MessageEnd &end : ends) {
    const Node &node = module.behaviours[end.behaviour.index()].node(end.node);
    auto problem = [&](const std::string &text, bool isOpen = false) {
      problems.push_back({text, module.place(node.loc), ""});
      if (open)
        open->push_back(isOpen);
    };
    std::string element = endText(module, end);
    if (!end.message) {
      problem(element + (end.sends ? " sends" : " receives") +
                  " but names no message",
              true);
      continue;
    }
    Label exchange = exchangeOf(module, end);
    std::string text = labelForPeople(exchange);
    if (exchange.sender == exchange.receiver) {
      problem(text + " stays within one participant: " + element);
      continue;
    }
    const EndCount &count = counts[exchange];
    if (count.sent == count.received)
      continue;
    const std::string &partner =
        end.sends ? exchange.receiver : exchange.sender;
    unsigned others = end.sends ? count.received : count.sent;
    unsigned own = end.sends ? count.sent : count.received;
    if (others == 0 && partner.empty()) {
      bool isUnnamed = module.text(node.loc.element) == exchange.message;
      problem(element + (end.sends ? " sends " : " receives ") +
                  (isUnnamed ? "a message" : "'" + exchange.message + "'") +
                  ", but nobody " + (end.sends ? "receives it" : "sends it"),
              true);
      continue;
    }
    if (others == 0) {
      problem(element + (end.sends ? " sends " : " receives ") + text +
                  (players.count(partner)
                       ? ", but nothing in '" + partner + "' " +
                             (end.sends ? "receives it" : "sends it")
                       : ", but '" + partner + "' has no process here"),
              !players.count(partner) || atBorder[end.sends].count(exchange));
      continue;
    }
    if (own > others)
      problem(text + " is " + (end.sends ? "sent" : "received") + " by " +
              std::to_string(own) + " elements, " + element +
              " among them, but " + (end.sends ? "received" : "sent") + " by " +
              std::to_string(others));
  }
  return problems;
}

namespace cif {
PassResult runCheckWellComposed(Module &module, PassContext &context) {
  if (!module.has(BehaviourKind::Process)) {
    context.diags.report(diag::nothing_to_check) << "process";
    return PassResult::Failed;
  }
  FactBuilder fact("well-composed", "the processes");
  fact.exact = true;
  fact.by("message edges counted [c4, Def. 4.5]");
  std::optional<unsigned> open = context.oneOf("open", {"error", "note"});
  if (!open)
    return PassResult::Failed;
  std::vector<bool> isOpen;
  std::vector<WitnessStep> problems = compositionProblems(module, &isOpen);
  if (*open == 1) {
    // What the environment does is not for the processes to match.
    std::vector<WitnessStep> rest;
    for (auto [problem, outside] : llvm::zip(problems, isOpen)) {
      if (outside)
        fact.note(problem.at, "open: " + problem.label);
      else
        rest.push_back(std::move(problem));
    }
    problems = std::move(rest);
  }
  fact.verdict = problems.empty() ? Verdict::Holds : Verdict::Violated;
  if (!problems.empty()) {
    fact.at = problems.front().at;
    fact.message = "some messages have no sender or receiver, or too many";
    fact.show("elements", std::move(problems));
  }
  context.report(module, std::move(fact));
  return PassResult::Unchanged;
}
} // namespace cif
