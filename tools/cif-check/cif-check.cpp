//===- cif-check.cpp - Checks certificates and witnesses ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks what `cif-lts compare --certificate=FILE` wrote against the two LTSs,
/// by the definitions and with no code of the engine: its own AUT reader, plain
/// searches, only the C++ library and zlib. See docs/certificates.md.
///
/// Exit status: 0 the verdict is checked, 1 the certificate or witness does not
/// prove it, 2 bad usage or input.
///
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>
#include <zlib.h>

namespace {

using Set = std::vector<uint32_t>; // sorted, each once
using Bits = std::vector<bool>;

[[noreturn]] void fail(int status, const std::string &why) {
  std::fprintf(stderr, "cif-check: %s: %s\n",
               status == 1 ? "not proved" : "error", why.c_str());
  std::exit(status);
}
void bad(const std::string &why) { fail(2, why); }
void refute(const std::string &why) { fail(1, why); }

std::string slurp(const char *path) {
  gzFile file = gzopen(path, "rb"); // plain files are read as they are
  if (!file)
    bad(std::string("cannot open ") + path);
  std::string text;
  static char buffer[1 << 16];
  int got;
  while ((got = gzread(file, buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<size_t>(got));
  if (got < 0 || gzclose(file) != Z_OK)
    bad(std::string("cannot read ") + path);
  return text;
}

/// Labels of all LTSs, by text; 0 is tau.
std::map<std::string, uint32_t> labelIndex{{"tau", 0}, {"i", 0}};
std::set<std::string> hidden; // names given with --tau

/// Blanks around the arrow and the colon of an exchange mean nothing.
std::string normalised(std::string text) {
  if (text.find("->") != std::string::npos &&
      text.find('"') == std::string::npos)
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

uint32_t labelOf(const std::string &text) {
  std::string name = normalised(text);
  std::string head = name.substr(0, name.find('('));
  while (!head.empty() && head.back() == ' ')
    head.pop_back();
  if (hidden.count(name) || hidden.count(head))
    return 0;
  return labelIndex.emplace(name, labelIndex.size()).first->second;
}

struct Edge {
  uint32_t label, target;
};

/// One LTS, with what was asked of it before.
struct Lts {
  uint32_t initial = 0;
  std::vector<std::vector<Edge>> edges;

  explicit Lts(const char *path);
  uint32_t size() const { return static_cast<uint32_t>(edges.size()); }
  Set close(Set set, bool weak) const;
  Set post(const Set &set, uint32_t label, bool weak) const;
};

Lts::Lts(const char *path) {
  std::string text = slurp(path);
  unsigned long long from, to, transitions = 0, states = 0, seen = 0, line = 0;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    std::string row = text.substr(at, end - at);
    row.erase(row.find_last_not_of(" \t\r") + 1);
    std::string where = path + (":" + std::to_string(++line)) + ": ";
    int label = 0, rest = 0;
    if (row.empty())
      continue;
    if (edges.empty()) {
      if (std::sscanf(row.c_str(), " des ( %llu , %llu , %llu )%n", &from,
                      &transitions, &states, &rest) != 3 ||
          !rest || from >= states || states > 16 * transitions + 1048576)
        bad(where + "bad header");
      initial = static_cast<uint32_t>(from);
      edges.resize(states);
      continue;
    }
    size_t comma = row.rfind(',');
    if (comma == std::string::npos ||
        std::sscanf(row.c_str(), " ( %llu , %n", &from, &label) != 1 ||
        std::sscanf(row.c_str() + comma, ", %llu )%n", &to, &rest) != 1 ||
        !rest || size_t(label) > comma || from >= states || to >= states)
      bad(where + "bad transition");
    std::string name = row.substr(label, comma - label);
    name.erase(name.find_last_not_of(" \t") + 1);
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
      name = name.substr(1, name.size() - 2);
    edges[from].push_back({labelOf(name), static_cast<uint32_t>(to)});
    ++seen;
  }
  if (edges.empty() || seen != transitions)
    bad(std::string(path) + ": not an AUT file with all its transitions");
}

Set sorted(Set set) {
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}
bool within(const Set &small, const Set &large) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end());
}

Set Lts::close(Set set, bool weak) const {
  static Bits seen;
  seen.resize(std::max(seen.size(), edges.size()));
  set = sorted(std::move(set));
  for (uint32_t s : set)
    seen[s] = true;
  for (size_t i = 0; weak && i < set.size(); ++i)
    for (Edge e : edges[set[i]])
      if (e.label == 0 && !seen[e.target]) {
        seen[e.target] = true;
        set.push_back(e.target);
      }
  for (uint32_t s : set)
    seen[s] = false;
  return sorted(std::move(set));
}

Set Lts::post(const Set &set, uint32_t label, bool weak) const {
  if (label == 0 && weak)
    return set;
  Set result;
  for (uint32_t s : set)
    for (Edge e : edges[s])
      if (e.label == label)
        result.push_back(e.target);
  return close(std::move(result), weak);
}

/// The words of a certificate or witness.
struct Reader {
  std::string text;
  size_t at = 0;

  std::string word() {
    while (at < text.size() &&
           std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    size_t start = at;
    while (at < text.size() &&
           !std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    return text.substr(start, at - start);
  }
  void expect(const std::string &wanted) {
    std::string found = word();
    if (found != wanted)
      bad("expected '" + wanted + "', found '" + found.substr(0, 40) + "'");
  }
  uint32_t count(uint64_t below) {
    std::string found = word();
    if (found.empty() || found.size() > 10 ||
        found.find_first_not_of("0123456789") != std::string::npos ||
        std::stoull(found) >= below)
      bad("bad number '" + found.substr(0, 40) + "'");
    return static_cast<uint32_t>(std::stoull(found));
  }
  /// A quoted label; \" \\ \n \t \r \xHH as everywhere.
  uint32_t label() {
    while (at < text.size() && text[at] == ' ')
      ++at;
    while (at < text.size() && text[at] == '\n')
      ++at;
    if (at >= text.size() || text[at++] != '"')
      bad("a label is missing");
    std::string name;
    while (at < text.size() && text[at] != '"') {
      char c = text[at++];
      if (c == '\\' && at < text.size()) {
        c = text[at++];
        if (c == 'x' && at + 2 <= text.size()) {
          c = static_cast<char>(
              std::strtol(text.substr(at, 2).c_str(), nullptr, 16));
          at += 2;
        } else {
          c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
        }
      }
      name += c;
    }
    if (at++ >= text.size())
      bad("a label has no end");
    return labelOf(name);
  }
  std::vector<uint32_t> labels() {
    std::vector<uint32_t> result(count(text.size()));
    for (uint32_t &l : result)
      l = label();
    return result;
  }
};

//===----------------------------------------------------------------------===//
// Certificates
//===----------------------------------------------------------------------===//

using Step = std::pair<uint32_t, uint32_t>; // label, class

/// Both LTSs as one, with a class for each state.
struct Classes {
  std::vector<std::vector<Edge>> edges;
  std::vector<uint32_t> of;
  uint32_t left, right; // initial states

  Classes(const Lts &l, const Lts &r, Reader &in)
      : edges(l.edges), left(l.initial), right(l.size() + r.initial) {
    for (auto row : r.edges) {
      for (Edge &e : row)
        e.target += l.size();
      edges.push_back(std::move(row));
    }
    for (auto [name, n] : {std::pair("left", l.size()), {"right", r.size()}}) {
      in.expect(name);
      if (in.count(uint64_t(1) << 32) != n)
        refute("the certificate is about LTSs of other sizes");
      for (uint32_t i = 0; i < n; ++i)
        of.push_back(in.count(edges.size()));
    }
  }

  /// What \p s can do: its own steps; those of states that it reaches silently
  /// in its class; or with any silent steps before and after. Stops early when
  /// \p enough says so.
  template <class Enough>
  bool moves(uint32_t s, char kind, Enough enough) const {
    // Nodes: state * 2 + whether the visible label was taken (weak).
    std::set<std::pair<uint32_t, uint32_t>> seen{{s, 0}};
    std::vector<std::pair<uint32_t, uint32_t>> todo{{s, 0}};
    if (kind == 'w' && enough(Step{0, of[s]}))
      return true;
    while (!todo.empty()) {
      auto [u, by] = todo.back(); // by: 0, or 1 + the label that was taken
      todo.pop_back();
      for (Edge e : edges[u]) {
        uint32_t c = of[e.target];
        std::pair<uint32_t, uint32_t> next{e.target, by};
        if (kind == 's') {
          if (enough(Step{e.label, c}))
            return true;
          continue;
        }
        if (kind == 'b') {
          if (e.label != 0 || c != of[s]) {
            if (enough(Step{e.label, c}))
              return true;
            continue;
          }
        } else {
          if (e.label != 0 && by != 0)
            continue;
          if (e.label != 0)
            next.second = 1 + e.label;
          if (enough(Step{next.second ? next.second - 1 : 0, c}))
            return true;
        }
        if (seen.insert(next).second)
          todo.push_back(next);
      }
    }
    return false;
  }
};

/// Whether the classes are a bisimulation of the kind: what some state of a
/// class does in a step, every state of it must match.
void checkBisimulation(const Classes &classes, char kind, bool divergence) {
  if (classes.of[classes.left] != classes.of[classes.right])
    refute("the initial states are in different classes");
  size_t n = classes.edges.size();
  std::vector<std::set<Step>> demands(n);
  for (uint32_t s = 0; s < n; ++s)
    for (Edge e : classes.edges[s])
      if (kind == 's' || e.label != 0 || classes.of[e.target] != classes.of[s])
        demands[classes.of[s]].insert({e.label, classes.of[e.target]});
  for (uint32_t s = 0; s < n; ++s) {
    std::set<Step> open = demands[classes.of[s]];
    if (!open.empty() && !classes.moves(s, kind, [&](Step step) {
          open.erase(step);
          return open.empty();
        }))
      refute("state " + std::to_string(s) +
             " cannot do what another of its class can");
  }
  if (!divergence)
    return;
  // Take away states without a silent step inside their class, until only those
  // are left that can go on for ever.
  Bits alive(n, true);
  std::vector<uint32_t> successors(n), dead;
  std::vector<std::vector<uint32_t>> before(n);
  for (uint32_t s = 0; s < n; ++s) {
    for (Edge e : classes.edges[s])
      if (e.label == 0 && classes.of[e.target] == classes.of[s]) {
        ++successors[s];
        before[e.target].push_back(s);
      }
    if (successors[s] == 0)
      dead.push_back(s);
  }
  while (!dead.empty()) {
    uint32_t s = dead.back();
    dead.pop_back();
    alive[s] = false;
    for (uint32_t p : before[s])
      if (--successors[p] == 0)
        dead.push_back(p);
  }
  std::vector<int> diverges(n, -1);
  for (uint32_t s = 0; s < n; ++s) {
    int &known = diverges[classes.of[s]];
    if (known != -1 && known != int(alive[s]))
      refute("states of one class differ in divergence");
    known = alive[s];
  }
}

/// Whether "equal classes, or a listed pair" is a weak simulation.
void checkSimulation(const Classes &classes, Reader &in, const char *name,
                     uint32_t from, uint32_t to) {
  size_t n = classes.edges.size();
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  in.expect(name);
  for (uint32_t k = in.count(uint64_t(1) << 32); k; --k) {
    uint32_t a = in.count(n);
    pairs.insert({a, in.count(n)});
  }
  auto related = [&](uint32_t a, uint32_t b) {
    return a == b || pairs.count({a, b});
  };
  if (!related(classes.of[from], classes.of[to]))
    refute("the initial states are not related");
  std::vector<std::set<Step>> demands(n);
  std::vector<std::vector<uint32_t>> members(n);
  for (uint32_t s = 0; s < n; ++s) {
    members[classes.of[s]].push_back(s);
    for (Edge e : classes.edges[s])
      demands[classes.of[s]].insert({e.label, classes.of[e.target]});
  }
  std::vector<std::pair<uint32_t, uint32_t>> all(pairs.begin(), pairs.end());
  for (uint32_t c = 0; c < n; ++c)
    all.push_back({c, c});
  for (auto [a, b] : all)
    for (uint32_t t : members[b]) {
      std::set<Step> open = demands[a];
      if (!open.empty() && !classes.moves(t, 'w', [&](Step step) {
            for (auto it = open.begin(); it != open.end();)
              it = it->first == step.first && related(it->second, step.second)
                       ? open.erase(it)
                       : std::next(it);
            return open.empty();
          }))
        refute("state " + std::to_string(t) + " does not simulate class " +
               std::to_string(a));
    }
}

/// Whether the cover is closed under steps: then no trace of \p one gets lost.
void checkCover(const Lts &one, const Lts &other, Reader &in, const char *name,
                bool weak) {
  in.expect(name);
  std::vector<std::vector<Set>> cover(one.size());
  for (uint32_t k = in.count(uint64_t(1) << 32); k; --k) {
    uint32_t s = in.count(one.size());
    uint32_t size = in.count(uint64_t(other.size()) + 1);
    Set set;
    for (uint32_t i = 0; i < size; ++i)
      set.push_back(in.count(other.size()));
    if (set.empty())
      refute("an empty set covers nothing");
    cover[s].push_back(sorted(std::move(set)));
  }
  auto covered = [&](uint32_t s, const Set &set) {
    return std::any_of(cover[s].begin(), cover[s].end(),
                       [&](const Set &small) { return within(small, set); });
  };
  if (!covered(one.initial, other.close({other.initial}, weak)))
    refute("the initial state is not covered");
  for (uint32_t s = 0; s < one.size(); ++s)
    for (const Set &set : cover[s])
      for (Edge e : one.edges[s])
        if (!covered(e.target,
                     other.post(other.close(set, weak), e.label, weak)))
          refute("state " + std::to_string(s) +
                 " has a step that is not covered");
}

/// The offers of groups of states that silently reach one another and no
/// others.
std::set<Set> offers(const Lts &lts, const Set &set) {
  std::set<Set> result;
  for (uint32_t s : set) {
    Set reach = lts.close({s}, true), offer;
    bool atRest = true;
    for (uint32_t u : reach) {
      Set back = lts.close({u}, true);
      atRest = atRest && std::binary_search(back.begin(), back.end(), s);
      for (Edge e : lts.edges[u])
        if (e.label)
          offer.push_back(e.label);
    }
    if (atRest)
      result.insert(sorted(std::move(offer)));
  }
  return result;
}

/// Whether each offer in \p one is matched in \p other.
bool matched(const std::set<Set> &one, const std::set<Set> &other, bool ready) {
  return std::all_of(one.begin(), one.end(), [&](const Set &x) {
    return std::any_of(other.begin(), other.end(), [&](const Set &y) {
      return ready ? x == y : within(y, x);
    });
  });
}

void checkOffers(const Lts &l, const Lts &r, bool ready) {
  std::set<std::pair<Set, Set>> seen;
  std::vector<std::pair<Set, Set>> todo{
      {l.close({l.initial}, true), r.close({r.initial}, true)}};
  while (!todo.empty()) {
    auto pair = todo.back();
    todo.pop_back();
    if (!seen.insert(pair).second)
      continue;
    auto x = offers(l, pair.first), y = offers(r, pair.second);
    if (!matched(x, y, ready) || !matched(y, x, ready))
      refute("the offers differ after some trace");
    for (uint32_t a = 1; a < labelIndex.size(); ++a) {
      Set u = l.post(pair.first, a, true), v = r.post(pair.second, a, true);
      if (u.empty() != v.empty())
        refute("the traces differ");
      if (!u.empty())
        todo.push_back({u, v});
    }
  }
}

//===----------------------------------------------------------------------===//
// Witnesses
//===----------------------------------------------------------------------===//

struct Node {
  std::string op;
  std::vector<uint32_t> operands;
  uint32_t label = 0;
};

/// Grows \p set backwards over silent steps from states of \p over.
void closeBackwards(const Lts &lts, Bits &set, const Bits &over) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t s = lts.size(); s-- > 0;)
      if (!set[s] && over[s])
        for (Edge e : lts.edges[s])
          if (e.label == 0 && set[e.target] && !set[s])
            set[s] = more = true;
  }
}

Bits before(const Lts &lts, const Bits &set, uint32_t label) {
  Bits result(lts.size());
  for (uint32_t s = 0; s < lts.size(); ++s)
    for (Edge e : lts.edges[s])
      if (e.label == label && set[e.target])
        result[s] = true;
  return result;
}

bool satisfies(const Lts &lts, const std::vector<Node> &nodes) {
  std::vector<Bits> values;
  Bits all(lts.size(), true);
  for (const Node &node : nodes) {
    Bits value = all;
    auto operand = [&](size_t i) -> const Bits & {
      return values[node.operands[i]];
    };
    if (node.op == "not") {
      value = operand(0);
      value.flip();
    } else if (node.op == "and") {
      for (uint32_t o : node.operands)
        for (uint32_t s = 0; s < lts.size(); ++s)
          value[s] = value[s] && values[o][s];
    } else if (node.op == "may") {
      value = before(lts, operand(0), node.label);
    } else if (node.op == "weak") {
      value = operand(0);
      closeBackwards(lts, value, all);
      if (node.label) {
        value = before(lts, value, node.label);
        closeBackwards(lts, value, all);
      }
    } else if (node.op == "until") {
      value = before(lts, operand(1), node.label);
      for (uint32_t s = 0; s < lts.size(); ++s)
        value[s] =
            operand(0)[s] && (value[s] || (node.label == 0 && operand(1)[s]));
      closeBackwards(lts, value, operand(0));
    } else if (node.op == "diverge") {
      value = operand(0); // the greatest set with a silent step into itself
      for (bool more = true; more;) {
        Bits stays = before(lts, value, 0);
        more = false;
        for (uint32_t s = 0; s < lts.size(); ++s)
          if (value[s] && !stays[s]) {
            value[s] = false;
            more = true;
          }
      }
    }
    values.push_back(std::move(value));
  }
  return values.back()[lts.initial];
}

void checkWitness(const std::string &relation, const Lts &left,
                  const Lts &right, Reader &in) {
  in.expect("side");
  std::string side = in.word();
  if (side != "left" && side != "right")
    bad("expected a side, found '" + side.substr(0, 40) + "'");
  if (side == "right" && (relation == "weak-simulation" ||
                          relation.find("inclusion") != std::string::npos))
    refute("only the left can refute a preorder");
  const Lts &one = side == "left" ? left : right;
  const Lts &other = side == "left" ? right : left;
  bool trace = relation.find("trace") != std::string::npos;
  bool offer = relation == "ready" || relation == "failures";
  bool weak = relation != "trace" && relation != "trace-inclusion";
  std::string kind = in.word();
  if (kind == "trace" && (trace || offer)) {
    Set x = one.close({one.initial}, weak),
        y = other.close({other.initial}, weak);
    for (uint32_t l : in.labels()) {
      x = one.post(x, l, weak);
      y = other.post(y, l, weak);
    }
    if (x.empty())
      refute("the trace is not one of the " + side);
    std::string next = in.word();
    if (next == "end" && y.empty())
      return;
    if (next != "offer" || !offer)
      refute("the other side has the trace too");
    std::set<Set> claimed{sorted(in.labels())};
    in.expect("end");
    if (!offers(one, x).count(*claimed.begin()))
      refute("there is no such offer");
    if (matched(claimed, offers(other, y), relation == "ready"))
      refute("the other side has a matching offer");
    return;
  }
  if (kind != "formula" || trace || offer)
    refute("no witness for this relation");
  std::vector<Node> nodes(in.count(in.text.size()));
  static const std::map<std::string, size_t> operators{
      {"true", 0}, {"not", 1},   {"and", 0},    {"may", 1},
      {"weak", 1}, {"until", 2}, {"diverge", 1}};
  // What each relation preserves; a formula beyond it proves nothing.
  std::set<std::string> allowed{"true", "and"};
  if (relation == "strong")
    allowed.insert({"not", "may"});
  else
    allowed.insert("weak");
  if (relation.find("simulation") == std::string::npos)
    allowed.insert("not");
  if (relation.find("branching") != std::string::npos)
    allowed.insert("until");
  if (relation == "dp-branching")
    allowed.insert("diverge");
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    nodes[i].op = in.word();
    if (!allowed.count(nodes[i].op))
      refute("'" + nodes[i].op.substr(0, 40) + "' is not for this relation");
    nodes[i].operands.resize(in.count(in.text.size()));
    for (uint32_t &o : nodes[i].operands)
      o = in.count(i);
    size_t wanted = operators.at(nodes[i].op);
    if (nodes[i].op != "and" && nodes[i].operands.size() != wanted)
      bad("a wrong number of operands");
    if (nodes[i].op == "may" || nodes[i].op == "weak" || nodes[i].op == "until")
      nodes[i].label = in.label();
  }
  in.expect("end");
  if (nodes.empty() || !satisfies(one, nodes) || satisfies(other, nodes))
    refute("the formula does not tell the two apart");
}

} // namespace

int main(int argc, char **argv) {
  std::vector<const char *> files;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.rfind("--tau=", 0) == 0) {
      std::string name;
      for (char c : argument.substr(6) + ",")
        if (c == ',')
          hidden.insert(name), name.clear();
        else
          name += c;
    } else if (argument.size() > 1 && argument[0] == '-') {
      std::printf("usage: cif-check [--tau=LABEL,...] CERTIFICATE LEFT.aut "
                  "RIGHT.aut\n\nChecks what cif-lts compare --certificate= "
                  "wrote. Exit status: 0 checked, 1 not\nproved, 2 bad usage "
                  "or input.\n");
      return argument == "--help" || argument == "-h" ? 0 : 2;
    } else {
      files.push_back(argv[i]);
    }
  }
  if (files.size() != 3)
    bad("expected a certificate and two LTSs; see --help");
  Lts left(files[1]), right(files[2]);
  Reader in{slurp(files[0])};
  std::string kind = in.word();
  in.expect("1");
  in.expect("relation");
  std::string relation = in.word();
  static const std::set<std::string> relations{"strong",
                                               "branching",
                                               "dp-branching",
                                               "weak",
                                               "weak-trace",
                                               "trace",
                                               "weak-simulation-equivalence",
                                               "ready",
                                               "failures",
                                               "weak-simulation",
                                               "weak-trace-inclusion",
                                               "trace-inclusion"};
  if (!relations.count(relation))
    bad("unknown relation '" + relation.substr(0, 40) + "'");
  if (kind == "cif-witness") {
    checkWitness(relation, left, right, in);
    std::printf("%s: violated, the witness is checked\n", relation.c_str());
    return 0;
  }
  if (kind != "cif-certificate")
    bad("neither a certificate nor a witness");
  bool weak = relation.rfind("weak", 0) == 0;
  if (relation == "strong" || relation == "weak") {
    checkBisimulation(Classes(left, right, in), relation[0], false);
  } else if (relation == "branching" || relation == "dp-branching") {
    checkBisimulation(Classes(left, right, in), 'b', relation[0] == 'd');
  } else if (relation.rfind("weak-simulation", 0) == 0) {
    Classes classes(left, right, in);
    checkSimulation(classes, in, "pairs", classes.left, classes.right);
    if (relation != "weak-simulation")
      checkSimulation(classes, in, "back", classes.right, classes.left);
  } else if (relation == "ready" || relation == "failures") {
    checkOffers(left, right, relation == "ready");
  } else {
    checkCover(left, right, in, "cover", weak);
    if (relation.find("inclusion") == std::string::npos)
      checkCover(right, left, in, "back", weak);
  }
  in.expect("end");
  std::printf("%s: holds, the certificate is checked\n", relation.c_str());
  return 0;
}
