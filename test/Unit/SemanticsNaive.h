//===- SemanticsNaive.h - The definitions, written down plainly
//------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interpreters to test against: sets of vectors of plain data, straight from
/// the definitions, with no thought of speed and no code shared with the
/// library. Every state has a text; two models agree when they have the same
/// states, final states and labelled steps by text.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_SEMANTICSNAIVE_H
#define CIF_TEST_UNIT_SEMANTICSNAIVE_H

#include "SemanticsModels.h"
#include <deque>
#include <functional>
#include <tuple>

namespace cif::test {

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

struct NaiveMessage {
  int sender, receiver;
  std::string name;
  std::vector<int> stamp;
  bool is(const NaiveMessage &m) const {
    return sender == m.sender && receiver == m.receiver && name == m.name;
  }
  auto operator<=>(const NaiveMessage &) const = default;
};

struct NaiveTransit {
  std::vector<NaiveMessage> messages; ///< in the order of sending
  std::vector<std::vector<int>> clocks;
  auto operator<=>(const NaiveTransit &) const = default;
};

struct NaiveNetwork {
  NetworkKind kind;
  uint32_t bound;
  std::vector<std::string> names; ///< of participants

  std::string queue(const NaiveMessage &m) const {
    switch (kind) {
    case NetworkKind::FifoPair:
      return "queue " + names[m.sender] + "->" + names[m.receiver];
    case NetworkKind::Inbox:
      return "inbox of " + names[m.receiver];
    case NetworkKind::Outbox:
      return "outbox of " + names[m.sender];
    case NetworkKind::FifoAll:
      return "the queue";
    case NetworkKind::Causal: // only for the bound
      return names[m.sender] + ">" + names[m.receiver];
    default: // bag: a count for each message edge
      return names[m.sender] + ">" + names[m.receiver] + ":" + m.name;
    }
  }
  NaiveTransit initial() const {
    return {{},
            std::vector<std::vector<int>>(names.size(),
                                          std::vector<int>(names.size()))};
  }
  bool send(NaiveTransit &t, NaiveMessage m) const {
    if (kind == NetworkKind::Rsc && !t.messages.empty())
      return false;
    size_t same = 0;
    for (const NaiveMessage &other : t.messages)
      same += queue(other) == queue(m);
    if (kind != NetworkKind::Rsc && same >= bound)
      return false;
    if (kind == NetworkKind::Causal) {
      ++t.clocks[m.sender][m.sender];
      m.stamp = t.clocks[m.sender];
    }
    t.messages.push_back(m);
    return true;
  }
  static bool before(const std::vector<int> &a, const std::vector<int> &b) {
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i] > b[i])
        return false;
    return true;
  }
  bool receive(NaiveTransit &t, const NaiveMessage &m) const {
    for (size_t i = 0; i < t.messages.size(); ++i) {
      bool wanted = t.messages[i].is(m);
      if (kind == NetworkKind::Causal) {
        for (size_t j = 0; j < t.messages.size(); ++j)
          if (j != i && t.messages[j].receiver == m.receiver &&
              before(t.messages[j].stamp, t.messages[i].stamp))
            wanted = false;
        if (!wanted)
          continue;
        for (size_t k = 0; k < names.size(); ++k)
          t.clocks[m.receiver][k] =
              std::max(t.clocks[m.receiver][k], t.messages[i].stamp[k]);
      } else if (kind != NetworkKind::Bag) {
        if (queue(t.messages[i]) != queue(m))
          continue;
        if (!wanted)
          return false; // another one is first
      }
      if (wanted) {
        t.messages.erase(t.messages.begin() + i);
        return true;
      }
    }
    return false;
  }
  /// Messages in transit as the library's description has them, sorted; under
  /// `causal` with the order of stamps and who knows what, \p key only.
  std::string text(const NaiveTransit &t, bool key = false) const {
    std::map<std::string, std::string> pieces;
    if (kind == NetworkKind::Bag || kind == NetworkKind::Rsc ||
        kind == NetworkKind::Causal) {
      std::map<std::string, int> count;
      for (const NaiveMessage &m : t.messages)
        ++count[m.name];
      std::string text;
      for (auto &[name, n] : count)
        text += name + (n > 1 ? " x" + std::to_string(n) : "") + ",";
      if (key && kind == NetworkKind::Causal) {
        std::vector<NaiveMessage> list = t.messages;
        std::stable_sort(list.begin(), list.end(),
                         [](auto &a, auto &b) { return a.sender < b.sender; });
        for (auto &m : list) {
          text += "/" + m.name;
          for (auto &other : list)
            text += before(m.stamp, other.stamp) ? '1' : '0';
          for (auto &clock : t.clocks)
            text += before(m.stamp, clock) ? 'k' : '-';
        }
      }
      return text;
    }
    for (const NaiveMessage &m : t.messages)
      pieces[queue(m)] += (pieces.count(queue(m)) ? " " : "") + m.name;
    std::string text;
    for (auto &[name, contents] : pieces)
      text += name + ": [" + contents + "],";
    return text;
  }
};

/// What the library's description says of the network, in the same form.
inline std::string sortedTransit(StringRef text) {
  text.consume_front("in transit: ");
  SmallVector<StringRef, 8> pieces;
  text.split(pieces, ", ", -1, false);
  llvm::sort(pieces);
  std::string result;
  for (StringRef piece : pieces)
    result += piece.str() + ",";
  return result;
}

//===----------------------------------------------------------------------===//
// Labelled graphs by text
//===----------------------------------------------------------------------===//

struct TextGraph {
  size_t states = 0;
  std::set<std::string> finals;
  std::set<std::string> steps; ///< "from | label | to"
  bool complete = true;
  bool operator==(const TextGraph &) const = default;
};

/// Explores a naive model. \p key tells states apart; \p text is for comparing.
template <class State>
TextGraph naiveGraph(
    State initial, size_t limit, std::function<std::string(const State &)> key,
    std::function<std::string(const State &)> text,
    std::function<bool(const State &)> isFinal,
    std::function<void(const State &, std::function<void(std::string, State)>)>
        successors) {
  TextGraph graph;
  std::set<std::string> seen{key(initial)};
  std::deque<State> work{initial};
  while (!work.empty()) {
    State s = work.front();
    work.pop_front();
    if (isFinal(s))
      graph.finals.insert(text(s));
    successors(s, [&](std::string label, State t) {
      graph.steps.insert(text(s) + " | " + label + " | " + text(t));
      if (seen.insert(key(t)).second)
        work.push_back(t);
    });
    if (seen.size() > limit) {
      graph.complete = false;
      break;
    }
  }
  graph.states = seen.size();
  return graph;
}

//===----------------------------------------------------------------------===//
// Peers
//===----------------------------------------------------------------------===//

struct NaivePeersState {
  std::vector<uint32_t> local;
  NaiveTransit transit;
};

inline TextGraph naivePeers(const Module &m, NaiveNetwork network,
                            Observation observe, size_t limit) {
  using State = NaivePeersState;
  auto &names = network.names;
  for (const SystemDecl &s : m.systems)
    names.push_back(m.text(s.name).str());
  auto unit = [&](const std::string &name) {
    return int(llvm::find(names, name) - names.begin());
  };
  auto text = [&](const State &s, bool key) {
    std::string result;
    for (size_t i = 0; i < s.local.size(); ++i)
      result += names[i] + " in " + std::to_string(s.local[i]) + ", ";
    return result + "; " + network.text(s.transit, key);
  };
  State initial{std::vector<uint32_t>(names.size()), network.initial()};
  return naiveGraph<State>(
      initial, limit, [&](const State &s) { return text(s, true); },
      [&](const State &s) { return text(s, false); },
      [&](const State &s) {
        for (size_t i = 0; i < names.size(); ++i)
          if (!m.systems[i].lts.isFinal(s.local[i]))
            return false;
        return s.transit.messages.empty();
      },
      [&](const State &s, auto sink) {
        for (size_t i = 0; i < names.size(); ++i) {
          const Lts &lts = m.systems[i].lts;
          for (size_t k = 0; k < lts.labelsOf(s.local[i]).size(); ++k) {
            const Label &l = lts.labels[lts.labelsOf(s.local[i])[k]];
            State t = s;
            t.local[i] = lts.targetsOf(s.local[i])[k];
            if (l.kind == LabelKind::Tau) {
              sink("tau", t);
              continue;
            }
            NaiveMessage message{
                unit(l.sender), unit(l.receiver), l.message, {}};
            std::string exchange =
                l.sender + "->" + l.receiver + ":" + l.message;
            bool sends = l.kind == LabelKind::Send;
            if (network.kind == NetworkKind::Sync) {
              if (!sends)
                continue;
              int r = message.receiver;
              const Lts &other = m.systems[r].lts;
              for (size_t j = 0; j < other.labelsOf(s.local[r]).size(); ++j) {
                Label back = other.labels[other.labelsOf(s.local[r])[j]];
                back.kind = LabelKind::Send;
                if (back != l ||
                    other.labels[other.labelsOf(s.local[r])[j]].kind !=
                        LabelKind::Receive)
                  continue;
                State u = t;
                u.local[r] = other.targetsOf(s.local[r])[j];
                sink(exchange, u);
              }
              continue;
            }
            if (!(sends ? network.send(t.transit, message)
                        : network.receive(t.transit, message)))
              continue;
            std::string shown = "tau";
            if (observe == Observation::Both)
              shown = sends ? l.sender + "!" + l.receiver + ":" + l.message
                            : l.receiver + "?" + l.sender + ":" + l.message;
            else if (sends == (observe != Observation::Receive))
              shown = exchange;
            sink(shown, t);
          }
        }
      });
}

//===----------------------------------------------------------------------===//
// Graphs with tokens
//===----------------------------------------------------------------------===//

/// Choreographies and collaborations without containers, boundary events and
/// mixed gateways. Flows are numbered through all behaviours.
class NaiveTokens {
public:
  struct State {
    std::vector<int> tokens;
    NaiveTransit transit;
  };

  const Module &m;
  NaiveNetwork network;
  Observation observe;
  bool tooDeep = false;

  NaiveTokens(const Module &of, NaiveNetwork with, Observation shown)
      : m(of), network(std::move(with)), observe(shown) {
    for (size_t b = 0; b < m.behaviours.size(); ++b) {
      first.push_back(total);
      total += m.behaviours[b].flows.size();
      if (m.behaviours[b].owner)
        network.names.push_back(m.participantName(m.behaviours[b].owner).str());
    }
  }

  TextGraph graph(size_t limit) {
    State initial{std::vector<int>(total), network.initial()};
    for (size_t b = 0; b < m.behaviours.size(); ++b)
      for (size_t n = 0; n < m.behaviours[b].nodes.size(); ++n)
        if (node(b, n).kind == NodeKind::Initial)
          for (int f : outs(b, n))
            ++initial.tokens[f];
    return naiveGraph<State>(
        initial, limit, [&](const State &s) { return text(s, true); },
        [&](const State &s) { return text(s, false); },
        [&](const State &s) {
          return s.transit.messages.empty() && canVanish(s.tokens);
        },
        [&](const State &s, auto sink) { successors(s, sink); });
  }

private:
  struct Firing {
    int behaviour, node;
    enum { Gateway, Resolve, Step } kind;
    std::vector<int> taken, made;
  };
  /// A step of a node, perhaps with gateways before it: what it leads to.
  struct Move {
    int behaviour, node;
    std::vector<int> tokens;
  };
  struct Token {
    int flow;
    bool own;
    std::set<int> history;
    auto operator<=>(const Token &) const = default;
  };

  std::vector<int> first;
  int total = 0;

  const Node &node(int b, int n) const { return m.behaviours[b].nodes[n]; }
  const Flow &flow(int f) const {
    int b = m.behaviours.size() - 1;
    while (first[b] > f)
      --b;
    return m.behaviours[b].flows[f - first[b]];
  }
  std::vector<int> outs(int b, int n) const { return flowsOf(b, n, true); }
  std::vector<int> ins(int b, int n) const { return flowsOf(b, n, false); }
  std::vector<int> flowsOf(int b, int n, bool out) const {
    std::vector<int> result;
    for (size_t f = 0; f < m.behaviours[b].flows.size(); ++f)
      if ((out ? m.behaviours[b].flows[f].source
               : m.behaviours[b].flows[f].target) == NodeId(n))
        result.push_back(first[b] + f);
    return result;
  }

  std::string text(const State &s, bool key) const {
    std::string result;
    for (int f = 0; f < total; ++f)
      if (s.tokens[f])
        result += "flow '" + m.text(flow(f).name).str() + "'" +
                  (s.tokens[f] > 1 ? " x" + std::to_string(s.tokens[f]) : "") +
                  ", ";
    return result + "; " + network.text(s.transit, key);
  }

  /// Pre(n, e): flows with a path to e on which no node is n.
  std::set<int> pre(int b, int n, int e) const {
    std::set<int> seen;
    std::vector<int> work{e};
    while (!work.empty()) {
      int at = work.back();
      work.pop_back();
      int source = flow(at).source.index();
      if (source == n)
        continue;
      for (int f : ins(b, source))
        if (seen.insert(f).second)
          work.push_back(f);
    }
    seen.erase(e);
    return seen;
  }
  bool orJoins(int b, int n, const std::vector<int> &tokens) const {
    std::set<int> reached;
    bool any = false;
    for (int f : ins(b, n))
      if (tokens[f]) {
        any = true;
        auto before = pre(b, n, f);
        reached.insert(before.begin(), before.end());
      }
    for (int f : ins(b, n))
      if (!tokens[f])
        for (int x : pre(b, n, f))
          if (tokens[x] && !reached.count(x))
            return false;
    return any;
  }

  std::vector<Firing> enabled(const std::vector<int> &tokens) const {
    std::vector<Firing> result;
    for (size_t b = 0; b < m.behaviours.size(); ++b)
      for (size_t n = 0; n < m.behaviours[b].nodes.size(); ++n) {
        NodeKind kind = node(b, n).kind;
        std::vector<int> in = ins(b, n), out = outs(b, n), marked;
        for (int f : in)
          if (tokens[f])
            marked.push_back(f);
        if (marked.empty())
          continue;
        auto add = [&](auto how, std::vector<int> taken,
                       std::vector<int> made) {
          result.push_back({int(b), int(n), how, taken, made});
        };
        switch (kind) {
        case NodeKind::Choice:
        case NodeKind::DominatedChoice:
        case NodeKind::SimpleJoin:
        case NodeKind::EventChoice:
          for (int f : marked) {
            if (out.empty())
              add(Firing::Gateway, {f}, {});
            for (int g : out)
              add(kind == NodeKind::EventChoice ? Firing::Resolve
                                                : Firing::Gateway,
                  {f}, {g});
          }
          break;
        case NodeKind::AllSelect:
        case NodeKind::AllJoin:
          if (marked.size() == in.size())
            add(Firing::Gateway, in, out);
          break;
        case NodeKind::SubsetSelect:
        case NodeKind::SubsetJoin: {
          if (in.size() > 1 && !orJoins(b, n, tokens))
            break;
          std::vector<int> plain, defaults;
          for (int g : out)
            (flow(g).flags & DefaultFlow ? defaults : plain).push_back(g);
          if (out.size() <= 1) {
            add(Firing::Gateway, marked, out);
            break;
          }
          for (unsigned set = 1; set < (1u << plain.size()); ++set) {
            std::vector<int> made;
            for (size_t i = 0; i < plain.size(); ++i)
              if (set >> i & 1)
                made.push_back(plain[i]);
            add(Firing::Gateway, marked, made);
          }
          if (!defaults.empty())
            add(Firing::Gateway, marked, defaults);
          break;
        }
        case NodeKind::Final:
          for (int f : marked)
            add(Firing::Gateway, {f}, {});
          break;
        case NodeKind::Stuck:
          break;
        default:
          for (int f : marked)
            add(Firing::Step, {f}, out);
        }
      }
    return result;
  }

  static std::vector<int> count(const std::vector<Token> &tokens, int total) {
    std::vector<int> result(total);
    for (const Token &t : tokens)
      ++result[t.flow];
    return result;
  }

  /// All ways to take the tokens of a firing, as indexes.
  static std::vector<std::vector<int>> picks(const std::vector<Token> &tokens,
                                             const std::vector<int> &flows) {
    std::vector<std::vector<int>> ways{{}};
    for (int f : flows) {
      std::vector<std::vector<int>> more;
      for (auto &way : ways)
        for (size_t i = 0; i < tokens.size(); ++i)
          if (tokens[i].flow == f) {
            more.push_back(way);
            more.back().push_back(i);
          }
      ways = std::move(more);
    }
    return ways;
  }

  /// Runs of gateways that begin with the taking of a branch; \p end gets each
  /// step that needs all that was fired before it, \p rest each marking.
  void branches(const std::vector<int> &marking,
                std::function<void(const Move &)> end,
                std::function<void(const std::vector<int> &)> rest) {
    std::vector<Token> start;
    for (int f = 0; f < total; ++f)
      for (int i = 0; i < marking[f]; ++i)
        start.push_back({f, false, {}});
    std::set<std::pair<std::vector<Token>, int>> seen;
    std::vector<std::pair<std::vector<Token>, int>> work{{start, 0}};
    while (!work.empty()) {
      auto [tokens, fired] = work.back();
      work.pop_back();
      if (seen.size() > 3000) {
        tooDeep = true;
        return;
      }
      std::vector<int> now = count(tokens, total);
      rest(now);
      for (const Firing &f : enabled(now))
        for (auto &pick : picks(tokens, f.taken)) {
          bool own = false;
          std::set<int> history;
          for (int i : pick) {
            own |= tokens[i].own;
            history.insert(tokens[i].history.begin(), tokens[i].history.end());
          }
          if (f.kind == Firing::Step ? !own || int(history.size()) != fired
                                     : !own && f.kind != Firing::Resolve)
            continue;
          std::vector<Token> next;
          for (size_t i = 0; i < tokens.size(); ++i)
            if (!llvm::is_contained(pick, int(i)))
              next.push_back(tokens[i]);
          history.insert(fired);
          for (int g : f.made)
            next.push_back({g, true, history});
          if (f.kind == Firing::Step) {
            end({f.behaviour, f.node, count(next, total)});
            continue;
          }
          // Dead ends of ended tokens still count as fired.
          std::sort(next.begin(), next.end());
          if (seen.insert({next, fired + 1}).second)
            work.push_back({next, fired + 1});
        }
    }
  }

  bool canVanish(const std::vector<int> &marking) {
    bool found = false;
    branches(
        marking, [](const Move &) {},
        [&](const std::vector<int> &left) {
          found |= llvm::all_of(left, [](int n) { return n == 0; });
        });
    return found;
  }

  void successors(const State &s,
                  std::function<void(std::string, State)> sink) {
    std::vector<Move> moves;
    for (const Firing &f : enabled(s.tokens)) {
      std::vector<int> next = s.tokens;
      for (int t : f.taken)
        --next[t];
      for (int t : f.made)
        ++next[t];
      if (f.kind == Firing::Gateway)
        sink("tau", {next, s.transit});
      if (f.kind == Firing::Step)
        moves.push_back({f.behaviour, f.node, next});
    }
    branches(
        s.tokens, [&](const Move &move) { moves.push_back(move); },
        [](const std::vector<int> &) {});
    auto messageOf = [&](const Move &move) {
      const Message &msg = m.message(node(move.behaviour, move.node).message);
      auto unit = [&](ParticipantId p) {
        return int(llvm::find(network.names, m.participantName(p)) -
                   network.names.begin());
      };
      return NaiveMessage{
          unit(msg.sender), unit(msg.receiver), m.text(msg.name).str(), {}};
    };
    auto exchange = [&](const Move &move) {
      const Message &msg = m.message(node(move.behaviour, move.node).message);
      return m.participantName(msg.sender).str() + "->" +
             m.participantName(msg.receiver).str() + ":" +
             m.text(msg.name).str();
    };
    for (const Move &move : moves) {
      NodeKind kind = node(move.behaviour, move.node).kind;
      if (kind == NodeKind::Task) {
        sink("tau", {move.tokens, s.transit});
        continue;
      }
      if (kind == NodeKind::Interaction) {
        sink(exchange(move), {move.tokens, s.transit});
        continue;
      }
      bool sends = kind == NodeKind::Send;
      if (network.kind == NetworkKind::Sync) {
        for (const Move &other : moves) {
          if (!sends ||
              node(other.behaviour, other.node).kind != NodeKind::Receive ||
              !messageOf(other).is(messageOf(move)))
            continue;
          State t = s; // each changes its own participant's flows
          for (int f = 0; f < total; ++f)
            t.tokens[f] +=
                move.tokens[f] - s.tokens[f] + other.tokens[f] - s.tokens[f];
          sink(exchange(move), t);
        }
        continue;
      }
      State t{move.tokens, s.transit};
      if (!(sends ? network.send(t.transit, messageOf(move))
                  : network.receive(t.transit, messageOf(move))))
        continue;
      const std::string whole = exchange(move);
      std::string shown = "tau";
      if (observe == Observation::Both)
        shown = ""; // compared by kind elsewhere
      else if (sends == (observe == Observation::Send))
        shown = whole;
      sink(shown, t);
    }
  }
};

} // namespace cif::test

#endif
