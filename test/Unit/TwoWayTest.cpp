//===- TwoWayTest.cpp - Tasks that send and receive -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated collaborations of processes with choices, whose tasks all have the
/// same label and whose message flows have no names, with tasks that send and
/// receive: against an interpreter in which each message flow is a message of
/// its own, and a task is active until it has sent and received.
///
//===----------------------------------------------------------------------===//

#include "BpmnTesting.h"
#include "Generated.h"
#include "SemanticsModels.h"
#include "cif/Check/Collaboration/Properties.h"
#include "cif/Transforms/Normalize.h"
#include <cstdlib>
#include <random>
#include <set>

using namespace cif;
using namespace cif::test;

namespace {
constexpr int none = -1;

struct Task {
  unsigned process;
  int out = none, in = none; ///< message flows
  std::vector<int> next;     ///< several: a choice; -1: the end
};

struct Model {
  unsigned processes = 0;
  std::vector<Task> tasks;
  std::vector<int> first;                           ///< of each process
  std::vector<std::pair<unsigned, unsigned>> flows; ///< tasks
};

/// Tasks lead to later ones, so that all runs end.
Model randomModel(std::mt19937 &random) {
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Model m;
  m.processes = 2 + below(2);
  for (unsigned p = 0; p < m.processes; ++p) {
    unsigned begin = m.tasks.size(), count = 1 + below(3);
    m.first.push_back(begin);
    for (unsigned t = begin; t < begin + count; ++t) {
      Task task{p, none, none, {}};
      auto later = [&] {
        unsigned to = t + 1 + below(begin + count - t);
        return to < begin + count ? static_cast<int>(to) : none;
      };
      task.next.push_back(t + 1 < begin + count ? static_cast<int>(t + 1)
                                                : none);
      if (int other = later(); below(3) == 0 && other != task.next[0])
        task.next.push_back(other);
      m.tasks.push_back(task);
    }
  }
  for (unsigned i = 0, wanted = 1 + below(5); i < wanted; ++i) {
    unsigned from = below(m.tasks.size()), to = below(m.tasks.size());
    if (m.tasks[from].process == m.tasks[to].process ||
        m.tasks[from].out != none || m.tasks[to].in != none)
      continue;
    m.tasks[from].out = m.tasks[to].in = static_cast<int>(m.flows.size());
    m.flows.push_back({from, to});
  }
  return m;
}

std::string bpmnOf(const Model &m) {
  auto n = [](auto i) { return std::to_string(i); };
  std::string text = "<collaboration id='c'>";
  for (unsigned p = 0; p < m.processes; ++p)
    text += "<participant id='pool" + n(p) + "' name='P" + n(p) +
            "' processRef='p" + n(p) + "'/>";
  for (size_t f = 0; f < m.flows.size(); ++f)
    text += "<messageFlow id='mf" + n(f) + "' sourceRef='t" +
            n(m.flows[f].first) + "' targetRef='t" + n(m.flows[f].second) +
            "'/>";
  text += "</collaboration>";
  for (unsigned p = 0; p < m.processes; ++p) {
    text += "<process id='p" + n(p) + "'><startEvent id='s" + n(p) +
            "'/><endEvent id='e" + n(p) + "'/>";
    unsigned arrow = 0;
    auto flow = [&](const std::string &from, const std::string &to) {
      text += "<sequenceFlow id='f" + n(p) + "_" + n(arrow++) +
              "' sourceRef='" + from + "' targetRef='" + to + "'/>";
    };
    // Where a task has several flows before it, any of them leads to it.
    flow("s" + n(p), "t" + n(m.first[p]));
    for (size_t t = 0; t < m.tasks.size(); ++t) {
      if (m.tasks[t].process != p)
        continue;
      text += "<task id='t" + n(t) + "' name='work'/>";
      std::string from = "t" + n(t);
      if (m.tasks[t].next.size() > 1) {
        text += "<exclusiveGateway id='x" + n(t) + "'/>";
        flow(from, "x" + n(t));
        from = "x" + n(t);
      }
      for (int to : m.tasks[t].next)
        flow(from, to == none ? "e" + n(p) : "t" + n(to));
    }
    text += "</process>";
  }
  return bpmntest::definitions(text);
}

struct State {
  std::vector<int> at;         ///< a task, or -1: done
  std::vector<unsigned> state; ///< bit 0: sent, bit 1: received, bit 2: chosen
  std::vector<int> transit;    ///< flows, in the order of sending
  auto operator<=>(const State &) const = default;
};

/// Whether the message at \p index may be received next.
bool deliverable(const Model &m, NetworkKind network, const State &s,
                 size_t index) {
  auto [from, to] = m.flows[s.transit[index]];
  for (size_t i = 0; i < index; ++i) {
    auto [f, t] = m.flows[s.transit[i]];
    bool sender = m.tasks[f].process == m.tasks[from].process,
         receiver = m.tasks[t].process == m.tasks[to].process;
    if ((network == NetworkKind::FifoPair && sender && receiver) ||
        (network == NetworkKind::Inbox && receiver) ||
        (network == NetworkKind::Outbox && sender) ||
        network == NetworkKind::FifoAll)
      return false;
  }
  return true;
}

std::vector<State> successors(const Model &m, NetworkKind network,
                              const State &s) {
  std::vector<State> result;
  for (unsigned p = 0; p < m.processes; ++p) {
    if (s.at[p] == none)
      continue;
    const Task &task = m.tasks[s.at[p]];
    bool sent = task.out == none || s.state[p] & 1,
         received = task.in == none || s.state[p] & 2;
    if (!sent && (network != NetworkKind::Rsc || s.transit.empty())) {
      State to = s;
      to.state[p] |= 1;
      to.transit.push_back(task.out);
      result.push_back(to);
    }
    for (size_t i = 0; i < s.transit.size() && !received; ++i)
      if (s.transit[i] == task.in && deliverable(m, network, s, i)) {
        State to = s;
        to.state[p] |= 2;
        to.transit.erase(to.transit.begin() + i);
        result.push_back(to);
      }
    if (sent && received)
      for (int next : task.next) {
        State to = s;
        to.state[p] = 0;
        to.at[p] = next;
        result.push_back(to);
      }
  }
  return result;
}

/// Whether some run ends before all processes are done.
bool hasDeadlock(const Model &m, NetworkKind network) {
  State first{m.first, std::vector<unsigned>(m.processes), {}};
  std::set<State> seen{first};
  std::vector<State> work{first};
  while (!work.empty()) {
    State s = work.back();
    work.pop_back();
    std::vector<State> next = successors(m, network, s);
    if (next.empty() && std::any_of(s.at.begin(), s.at.end(),
                                    [](int at) { return at != none; }))
      return true;
    for (State &to : next)
      if (seen.insert(to).second)
        work.push_back(to);
  }
  return false;
}

TEST(CollaborationRandom, TwoWayTasksAndUnnamedFlows) {
  std::mt19937 random(21);
  unsigned stuck = 0, fine = 0, twoWay = 0;
  Generated models("collaborations with two-way tasks", 300);
  for (unsigned i = 0; i < models.wanted(); ++i) {
    models.count();
    Model m = randomModel(random);
    for (const Task &task : m.tasks)
      twoWay += task.out != none && task.in != none;
    std::string text = bpmnOf(m);
    bpmntest::Parsed parsed = bpmntest::read(text);
    ASSERT_TRUE(parsed.good) << parsed.text() << text;
    TestDiagnostics diags;
    ASSERT_TRUE(normalize(parsed.module, diags.engine));
    for (NetworkKind network :
         {NetworkKind::Bag, NetworkKind::FifoPair, NetworkKind::Inbox,
          NetworkKind::Outbox, NetworkKind::FifoAll, NetworkKind::Rsc}) {
      CollaborationOptions options;
      options.semantics.semantics = SemanticsKind::Detailed;
      options.semantics.network = network;
      options.semantics.open = true;
      auto analysis =
          CollaborationAnalysis::make(parsed.module, options, {}, diags.engine);
      ASSERT_TRUE(analysis) << diags.text() << text;
      bool expected = hasDeadlock(m, network);
      (expected ? stuck : fine) += 1;
      Verdict verdict = expected ? Verdict::Violated : Verdict::Holds;
      for (CollaborationProperty property :
           {CollaborationProperty::DeadlockFree,
            CollaborationProperty::OptionToComplete})
        ASSERT_EQ(analysis->check(property).verdict, verdict)
            << collaborationPropertyText(property).str() << " under "
            << networkText(network).str() << "\n"
            << text;
    }
  }
  // The generator makes all kinds.
  EXPECT_GT(stuck, models.wanted() / 4);
  EXPECT_GT(fine, models.wanted() / 4);
  EXPECT_GT(twoWay, models.wanted() / 10);
  std::printf("%u stuck, %u not, %u tasks both ways\n", stuck, fine, twoWay);
}
} // namespace
