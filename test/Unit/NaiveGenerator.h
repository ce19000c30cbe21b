//===- NaiveGenerator.h - Generated collaborations ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated diagrams with nodes of all kinds, as BPMN text.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVEGENERATOR_H
#define CIF_TEST_UNIT_NAIVEGENERATOR_H

#include "NaiveDiagram.h"
#include <random>

namespace cif::naive {

class Generator {
public:
  /// \p percentBackward: of the flows, so that there are loops.
  explicit Generator(unsigned seed, unsigned percentBackward = 8)
      : random(seed), backward(percentBackward) {}

  Diagram make() {
    d = Diagram();
    d.processes = 1 + pick(2) + chance(25);
    for (int p = 0; p < d.processes; ++p)
      level(p, -1, 1 + pick(d.processes > 1 ? 3 : 5));
    connectMessages();
    return d;
  }

  /// The diagram as BPMN; node i has the id `ni`, flow i `fi`.
  static std::string text(const Diagram &d) {
    std::string all = "<collaboration id='c'>";
    for (int p = 0; p < d.processes; ++p)
      all += "<participant id='q" + std::to_string(p) + "' name='q" +
             std::to_string(p) + "' processRef='p" + std::to_string(p) + "'/>";
    for (size_t m = 0; m < d.messages.size(); ++m)
      all += "<messageFlow id='m" + std::to_string(m) + "' name='" +
             d.messages[m].name + "' sourceRef='" +
             endText(d.messages[m].source) + "' targetRef='" +
             endText(d.messages[m].target) + "'/>";
    for (const MessageFlow &m : d.messages)
      if (m.source < 0 || m.target < 0) {
        all += "<participant id='outside' name='outside'/>";
        break;
      }
    all += "</collaboration>";
    for (int p = 0; p < d.processes; ++p)
      all += "<process id='p" + std::to_string(p) + "'>" + contents(d, p, -1) +
             "</process>";
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (d.nodes[n].kind == Kind::Called)
        all += "<process id='n" + std::to_string(n) + "'>" +
               contents(d, d.nodes[n].process, n) + "</process>";
    return all;
  }

protected:
  static std::string endText(int n) {
    return n < 0 ? "outside" : "n" + std::to_string(n);
  }
  unsigned pick(unsigned below) { return random() % below; }
  bool chance(unsigned percent) { return pick(100) < percent; }

  int add(Kind kind, int process, int parent) {
    d.nodes.push_back({kind, process, parent});
    return d.nodes.size() - 1;
  }

  void level(int process, int parent, unsigned size) {
    std::vector<int> starts, middle, ends, boundaries;
    unsigned numStarts = 1 + (parent < 0 && chance(15));
    for (unsigned i = 0; i < numStarts; ++i)
      starts.push_back(add(parent < 0 && chance(25)   ? Kind::MessageStart
                           : parent < 0 && chance(10) ? Kind::TimerStart
                                                      : Kind::NoneStart,
                           process, parent));
    static const Kind kinds[] = {
        Kind::Task,      Kind::Task,       Kind::Send,      Kind::Receive,
        Kind::Throw,     Kind::Catch,      Kind::Timer,     Kind::Exclusive,
        Kind::Exclusive, Kind::Parallel,   Kind::Parallel,  Kind::Inclusive,
        Kind::Inclusive, Kind::EventBased, Kind::SubProcess};
    std::vector<int> scopes;
    for (unsigned i = 0; i < size; ++i) {
      Kind kind = kinds[pick(std::size(kinds))];
      if (kind == Kind::SubProcess && parent >= 0)
        kind = Kind::Task;
      int n = add(kind, process, parent);
      middle.push_back(n);
      if (kind == Kind::SubProcess)
        scopes.push_back(n);
      if (kind == Kind::EventBased)
        addAwaited(process, parent, middle);
    }
    unsigned numEnds = 1 + chance(30);
    for (unsigned i = 0; i < numEnds; ++i)
      ends.push_back(add(chance(15)   ? Kind::Terminate
                         : chance(20) ? Kind::MessageEnd
                                      : Kind::NoneEnd,
                         process, parent));
    for (int n : std::vector<int>(middle)) {
      Kind k = d.nodes[n].kind;
      bool isActivity = k == Kind::Task || k == Kind::Send ||
                        k == Kind::Receive || k == Kind::SubProcess;
      if (isActivity && chance(k == Kind::SubProcess ? 50 : 12)) {
        int b = add(chance(50) ? Kind::MessageBoundary : Kind::TimerBoundary,
                    process, parent);
        d.nodes[b].host = n;
        d.nodes[b].interrupts = chance(70);
        boundaries.push_back(b);
      }
    }
    connect(starts, middle, ends, boundaries);
    for (int n : scopes)
      level(process, n, 1 + pick(2));
  }

  void connect(const std::vector<int> &starts, const std::vector<int> &middle,
               const std::vector<int> &ends,
               const std::vector<int> &boundaries) {
    std::vector<int> targets(middle);
    targets.insert(targets.end(), ends.begin(), ends.end());
    std::vector<int> sources(starts);
    sources.insert(sources.end(), middle.begin(), middle.end());
    sources.insert(sources.end(), boundaries.begin(), boundaries.end());
    std::set<std::pair<int, int>> known;
    auto flow = [&](int from, int to) {
      if (from == to || !known.insert({from, to}).second)
        return;
      d.flows.push_back({from, to});
    };
    auto waits = [&](int n) {
      Kind k = d.nodes[n].kind;
      return k == Kind::Catch || k == Kind::Receive || k == Kind::Timer;
    };
    auto target = [&](int from) {
      // Mostly forward, so that much of it is reached.
      for (int tries = 0; tries < 30; ++tries) {
        int to = targets[pick(targets.size())];
        if (d.nodes[from].kind == Kind::EventBased && !waits(to))
          continue;
        if (to != from && (to > from || chance(backward)))
          return to;
      }
      return d.nodes[from].kind == Kind::EventBased ? from + 1 : ends[0];
    };
    for (int n : sources) {
      Kind k = d.nodes[n].kind;
      bool splits = isGateway(k);
      unsigned count = splits ? 1 + pick(mostBranches) : 1 + chance(15);
      for (unsigned i = 0; i < count; ++i)
        flow(n, target(n));
    }
    for (int n : targets) {
      bool entered = false;
      for (const Flow &f : d.flows)
        entered |= f.target == n;
      if (!entered) {
        int from = starts[0];
        for (int s : sources)
          if (s < n && d.nodes[s].kind != Kind::EventBased && chance(50))
            from = s;
        flow(from, n);
      }
    }
    std::set<int> hasDefault;
    for (Flow &f : d.flows) {
      Kind k = d.nodes[f.source].kind;
      if (!known.count({f.source, f.target}))
        continue;
      if (k == Kind::Inclusive && chance(25) &&
          hasDefault.insert(f.source).second)
        f.isDefault = true;
      else if ((k == Kind::Task || k == Kind::Exclusive ||
                k == Kind::Inclusive) &&
               chance(20))
        f.isConditional = true;
    }
  }

  /// Whether an event-based gateway leads to \p n.
  bool isAwaited(int n) const {
    for (const Flow &f : d.flows)
      if (f.target == n && d.nodes[f.source].kind == Kind::EventBased)
        return true;
    return false;
  }
  /// Whether a message flow leads to \p n.
  bool isReached(int n) const {
    for (const MessageFlow &m : d.messages)
      if (m.target == n)
        return true;
    return false;
  }
  /// An event-based gateway has somewhere to go.
  void addAwaited(int process, int parent, std::vector<int> &middle) {
    middle.push_back(add(Kind::Catch, process, parent));
    middle.push_back(
        add(chance(50) ? Kind::Timer : Kind::Receive, process, parent));
  }
  /// Draws a message flow between \p n and one of \p others; false: there is
  /// none in another process.
  bool link(int n, const std::vector<int> &others, bool out) {
    for (int tries = 0; tries < 20 && !others.empty(); ++tries) {
      int other = others[pick(others.size())];
      int source = out ? n : other, target = out ? other : n;
      if (d.nodes[source].process == d.nodes[target].process)
        continue;
      if (linked.insert({source, target}).second)
        d.messages.push_back(
            {source, target, chance(30) ? "x" : "m" + std::to_string(source)});
      return true;
    }
    return false;
  }

  void connectMessages() {
    std::vector<int> senders, receivers;
    for (size_t n = 0; n < d.nodes.size(); ++n)
      switch (d.nodes[n].kind) {
      case Kind::Send:
      case Kind::Throw:
      case Kind::MessageEnd:
        senders.push_back(n);
        break;
      case Kind::Receive:
      case Kind::Catch:
      case Kind::MessageStart:
      case Kind::MessageBoundary:
        receivers.push_back(n);
        break;
      default:
        break;
      }
    // What finds no partner becomes something that needs none.
    for (int n : senders)
      if (!link(n, receivers, true))
        d.nodes[n].kind = d.nodes[n].kind == Kind::Send    ? Kind::Task
                          : d.nodes[n].kind == Kind::Throw ? Kind::Timer
                                                           : Kind::NoneEnd;
    senders.erase(std::remove_if(senders.begin(), senders.end(),
                                 [&](int n) {
                                   Kind k = d.nodes[n].kind;
                                   return k != Kind::Send && k != Kind::Throw &&
                                          k != Kind::MessageEnd;
                                 }),
                  senders.end());
    for (int n : receivers) {
      if (isReached(n) || link(n, senders, false))
        continue;
      Kind &k = d.nodes[n].kind;
      k = k == Kind::MessageStart               ? Kind::NoneStart
          : k == Kind::MessageBoundary          ? Kind::TimerBoundary
          : k == Kind::Receive && !isAwaited(n) ? Kind::Task
                                                : Kind::Timer;
    }
    // A receive task with a boundary event keeps its host.
    for (Node &n : d.nodes)
      if (n.host >= 0 && d.nodes[n.host].kind == Kind::Timer)
        d.nodes[n.host].kind = Kind::Task;
    // An event-based gateway leads to what waits.
    for (Flow &f : d.flows)
      if (d.nodes[f.source].kind == Kind::EventBased &&
          d.nodes[f.target].kind == Kind::Task)
        d.nodes[f.source].kind = Kind::Exclusive;
    for (Flow &f : d.flows)
      f.isDefault &= d.nodes[f.source].kind == Kind::Inclusive;
  }

  static std::string repeatText(const Node &node) {
    switch (node.repeat) {
    case Repeat::No:
      return "";
    case Repeat::Loop:
      return "<standardLoopCharacteristics/>";
    case Repeat::LoopTestBefore:
      return "<standardLoopCharacteristics testBefore='true'/>";
    case Repeat::Sequence:
    case Repeat::Parallel:
      break;
    }
    return std::string("<multiInstanceLoopCharacteristics") +
           (node.repeat == Repeat::Sequence ? " isSequential='true'>" : ">") +
           (node.times ? "<loopCardinality>" + std::to_string(node.times) +
                             "</loopCardinality>"
                       : "") +
           "</multiInstanceLoopCharacteristics>";
  }

  static std::string contents(const Diagram &d, int process, int parent) {
    std::string all;
    for (size_t n = 0; n < d.nodes.size(); ++n) {
      const Node &node = d.nodes[n];
      if (node.process != process || node.parent != parent)
        continue;
      std::string id = "id='n" + std::to_string(n) + "'";
      for (size_t f = 0; f < d.flows.size(); ++f)
        if (d.flows[f].source == int(n) && d.flows[f].isDefault)
          id += " default='f" + std::to_string(f) + "'";
      std::string code;
      if (node.code)
        code =
            std::string(" ") +
            (node.kind == Kind::ErrorEnd || node.kind == Kind::ErrorBoundary ||
                     node.kind == Kind::ErrorStart
                 ? "error"
                 : "escalation") +
            "Ref='c" + std::to_string(node.code) + "'";
      if (node.ref >= 0)
        code = " activityRef='n" + std::to_string(node.ref) + "'";
      if (!node.waits)
        code += " waitForCompletion='false'";
      auto event = [&](const char *tag, const char *definition) {
        std::string more;
        if (node.host >= 0)
          more = " attachedToRef='n" + std::to_string(node.host) +
                 "' cancelActivity='" + (node.interrupts ? "true" : "false") +
                 "'";
        else if (Diagram::isStart(node.kind) && !node.interrupts)
          more = " isInterrupting='false'";
        all += std::string("<") + tag + " " + id + more + ">" +
               (*definition ? std::string("<") + definition +
                                  "EventDefinition" + code + "/>"
                            : "") +
               "</" + tag + ">";
      };
      auto plain = [&](const std::string &tag, const std::string &inside = "",
                       const std::string &more = "") {
        all += "<" + tag + " " + id + more + ">" + repeatText(node) + inside +
               "</" + tag + ">";
      };
      switch (node.kind) {
      case Kind::NoneStart:
        event("startEvent", "");
        break;
      case Kind::TimerStart:
        event("startEvent", node.trigger);
        break;
      case Kind::MessageStart:
        event("startEvent", "message");
        break;
      case Kind::NoneEnd:
        event("endEvent", "");
        break;
      case Kind::MessageEnd:
        event("endEvent", "message");
        break;
      case Kind::Terminate:
        event("endEvent", "terminate");
        break;
      case Kind::Task:
        plain("task");
        break;
      case Kind::Send:
        plain("sendTask");
        break;
      case Kind::Receive:
        plain("receiveTask");
        break;
      case Kind::SubProcess:
        if (node.calls >= 0)
          plain("callActivity", "",
                " calledElement='n" + std::to_string(node.calls) + "'");
        else
          plain(node.isAdHoc         ? "adHocSubProcess"
                : node.isTransaction ? "transaction"
                                     : "subProcess",
                contents(d, process, n),
                node.isAdHoc ? " ordering='Sequential'" : "");
        break;
      case Kind::Throw:
        event("intermediateThrowEvent", "message");
        break;
      case Kind::Catch:
        event("intermediateCatchEvent", "message");
        break;
      case Kind::Timer:
        event("intermediateCatchEvent", node.trigger);
        break;
      case Kind::MessageBoundary:
        event("boundaryEvent", "message");
        break;
      case Kind::TimerBoundary:
        event("boundaryEvent", node.trigger);
        break;
      case Kind::Exclusive:
        plain("exclusiveGateway");
        break;
      case Kind::Parallel:
        plain("parallelGateway");
        break;
      case Kind::Inclusive:
        plain("inclusiveGateway");
        break;
      case Kind::EventBased:
        plain("eventBasedGateway");
        break;
      case Kind::ErrorEnd:
        event("endEvent", "error");
        break;
      case Kind::EscalationEnd:
        event("endEvent", "escalation");
        break;
      case Kind::EscalationThrow:
        event("intermediateThrowEvent", "escalation");
        break;
      case Kind::ErrorBoundary:
        event("boundaryEvent", "error");
        break;
      case Kind::EscalationBoundary:
        event("boundaryEvent", "escalation");
        break;
      case Kind::ErrorStart:
        event("startEvent", "error");
        break;
      case Kind::EscalationStart:
        event("startEvent", "escalation");
        break;
      case Kind::CancelEnd:
        event("endEvent", "cancel");
        break;
      case Kind::CancelBoundary:
        event("boundaryEvent", "cancel");
        break;
      case Kind::LinkThrow:
        code = " name='l" + std::to_string(node.link) + "'";
        event("intermediateThrowEvent", "link");
        break;
      case Kind::Announce:
        event("intermediateThrowEvent", node.trigger);
        break;
      case Kind::AnnounceEnd:
        event("endEvent", node.trigger);
        break;
      case Kind::LinkCatch:
        code = " name='l" + std::to_string(n) + "'";
        event("intermediateCatchEvent", "link");
        break;
      case Kind::Complex:
        plain("complexGateway");
        break;
      case Kind::TwoWay:
        plain("task");
        break;
      case Kind::Service:
        plain("serviceTask");
        break;
      case Kind::Handler:
        plain("subProcess", contents(d, process, n),
              " triggeredByEvent='true'");
        break;
      case Kind::Called:
        break;
      case Kind::Undoing: {
        std::string number = std::to_string(n);
        plain("task", "", " isForCompensation='true'");
        all += "<boundaryEvent id='b" + number + "' attachedToRef='n" +
               std::to_string(node.undoes) +
               "'><compensateEventDefinition/></boundaryEvent>"
               "<association id='a" +
               number + "' sourceRef='b" + number + "' targetRef='n" + number +
               "'/>";
        break;
      }
      }
    }
    for (size_t f = 0; f < d.flows.size(); ++f) {
      const Flow &flow = d.flows[f];
      const Node &source = d.nodes[flow.source];
      if (source.process != process || source.parent != parent)
        continue;
      all +=
          "<sequenceFlow id='f" + std::to_string(f) + "' sourceRef='n" +
          std::to_string(flow.source) + "' targetRef='n" +
          std::to_string(flow.target) + "'>" +
          (flow.isConditional ? "<conditionExpression>may</conditionExpression>"
                              : "") +
          "</sequenceFlow>";
    }
    return all;
  }

  std::mt19937 random;
  Diagram d;
  std::set<std::pair<int, int>> linked; ///< by message flows
  unsigned backward;
  unsigned mostBranches = 2;
};

} // namespace cif::naive

#endif
