//===- cif-check.cpp - Checks certificates and witnesses ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks what `cif-lts compare --certificate=FILE` wrote against the two LTSs,
/// by the definitions and with no code of the engine: its own readers of AUT
/// and of binary CIF (by the schema), plain searches, only the C++ library,
/// zlib and FlatBuffers. See docs/certificates.md. Tests include this file and
/// set CIF_CHECK_IN_TEST: then a failure is an exception and there is no main.
///
//===----------------------------------------------------------------------===//

#include "LtsReader.h"

namespace {

/// The words of a certificate or witness.
struct Reader {
  string text;
  size_t at = 0;

  void blanks() {
    at = std::min(text.find_first_not_of(" \n", at), text.size());
  }
  string word() {
    blanks();
    size_t start = at;
    at = std::min(text.find_first_of(" \n", at), text.size());
    return text.substr(start, at - start);
  }
  void expect(const string &wanted) {
    string found = word();
    if (found != wanted)
      bad("expected '" + wanted + "', found '" + found.substr(0, 40) + "'");
  }
  uint32_t number(uint64_t below) {
    string found = word();
    if (found.empty() || found.size() > 10 ||
        found.find_first_not_of("0123456789") != string::npos ||
        std::stoull(found) >= below)
      bad("bad number '" + found.substr(0, 40) + "'");
    return static_cast<uint32_t>(std::stoull(found));
  }
  /// How many things follow; each takes a byte at least.
  uint32_t count() { return number(text.size()); }
  /// A label in quotes, with \" \\ \n \t \r \xHH inside.
  uint32_t label() {
    blanks();
    string name;
    if (text.substr(at++, 1) != "\"")
      bad("a label is missing");
    for (; at < text.size() && text[at] != '"'; ++at) {
      char c = text[at];
      if (c == '\\' && ++at < text.size()) {
        c = text[at];
        if (c == 'x' && at + 2 < text.size()) {
          c = char(std::strtol(text.substr(at + 1, 2).c_str(), nullptr, 16));
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
  Set labels() {
    Set result(count());
    for (uint32_t &l : result)
      l = label();
    return result;
  }
};

//===----------------------------------------------------------------------===//
// Certificates
//===----------------------------------------------------------------------===//

using Step = std::pair<uint32_t, uint32_t>; // label, class

/// Both LTSs as one, with a class for each state and its steps of each class.
struct Classes {
  std::vector<std::vector<Edge>> edges;
  std::vector<uint32_t> of;
  uint32_t left, right; // initial states
  std::vector<std::set<Step>> steps;
  std::vector<Set> members;

  Classes(const Lts &l, const Lts &r, Reader &in)
      : edges(l.edges), left(l.initial), right(l.size() + r.initial) {
    for (auto row : r.edges) {
      for (Edge &e : row)
        e.target += l.size();
      edges.push_back(std::move(row));
    }
    for (auto [name, n] : {std::pair("left", l.size()), {"right", r.size()}}) {
      in.expect(name);
      if (in.number(uint64_t(1) << 32) != n)
        refute("the certificate is about LTSs of other sizes");
      for (uint32_t i = 0; i < n; ++i)
        of.push_back(in.number(edges.size()));
    }
    steps.resize(edges.size());
    members.resize(edges.size());
    for (uint32_t s = 0; s < edges.size(); ++s) {
      members[of[s]].push_back(s);
      for (Edge e : edges[s])
        steps[of[s]].insert({e.label, of[e.target]});
    }
  }

  /// Takes from \p open what state \p s can match: by its own steps ('s'),
  /// after silent steps in its class ('b'), or with any silent steps around
  /// ('w'). A step matches those of \p open with its label and a class that is
  /// \p related to its own. Whether none is left.
  template <class Related>
  bool match(uint32_t s, char kind, std::set<Step> open,
             Related related) const {
    auto take = [&](uint32_t label, uint32_t c) {
      for (auto it = open.lower_bound({label, 0});
           it != open.end() && it->first == label;)
        it = related(it->second, c) ? open.erase(it) : std::next(it);
    };
    if (kind != 's')
      take(0, of[s]); // to stay is a silent move
    // States with 0, or with 1 + the visible label that was taken ('w').
    std::set<std::pair<uint32_t, uint32_t>> seen{{s, 0}};
    std::vector<std::pair<uint32_t, uint32_t>> work{{s, 0}};
    while (!work.empty() && !open.empty()) {
      auto [u, by] = work.back();
      work.pop_back();
      for (Edge e : edges[u]) {
        uint32_t c = of[e.target];
        if (kind != 'w')
          take(e.label, c);
        if (kind == 's' || (kind == 'b' && (e.label != 0 || c != of[s])) ||
            (e.label != 0 && by != 0))
          continue;
        std::pair next{e.target, e.label ? 1 + e.label : by};
        if (kind == 'w')
          take(next.second ? next.second - 1 : 0, c);
        if (seen.insert(next).second)
          work.push_back(next);
      }
    }
    return open.empty();
  }
};

/// Whether the classes are a bisimulation: what some state of a class does in a
/// step, every state of it must match.
void checkBisimulation(const Classes &classes, char kind, bool divergence) {
  if (classes.of[classes.left] != classes.of[classes.right])
    refute("the initial states are in different classes");
  auto equal = [](uint32_t a, uint32_t b) { return a == b; };
  uint32_t n = static_cast<uint32_t>(classes.edges.size());
  for (uint32_t s = 0; s < n; ++s)
    if (!classes.match(s, kind, classes.steps[classes.of[s]], equal))
      refute("state " + std::to_string(s) + " cannot do what its class can");
  // Take away states without a silent step inside their class, until only those
  // are left that can go on for ever.
  Bits alive(n, divergence);
  for (bool more = divergence; more;) {
    more = false;
    for (uint32_t s = 0; s < n; ++s) {
      bool goesOn = false;
      for (Edge e : classes.edges[s])
        goesOn |= e.label == 0 && alive[e.target] &&
                  classes.of[e.target] == classes.of[s];
      if (alive[s] && !goesOn)
        more = true, alive[s] = false;
    }
  }
  for (uint32_t s = 0; s < n; ++s)
    if (alive[s] != alive[classes.members[classes.of[s]].front()])
      refute("states of one class differ in divergence");
}

/// Whether "equal classes, or a listed pair" is a weak simulation.
void checkSimulation(const Classes &classes, Reader &in, const char *name,
                     uint32_t from, uint32_t to) {
  uint32_t n = static_cast<uint32_t>(classes.edges.size());
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  in.expect(name);
  for (uint32_t k = in.count(); k; --k) {
    uint32_t a = in.number(n);
    pairs.insert({a, in.number(n)});
  }
  for (uint32_t c = 0; c < n; ++c)
    pairs.insert({c, c});
  auto related = [&](uint32_t a, uint32_t b) {
    return pairs.count({a, b}) != 0;
  };
  if (!related(classes.of[from], classes.of[to]))
    refute("the initial states are not related");
  for (auto [a, b] : pairs)
    for (uint32_t t : classes.members[b])
      if (!classes.match(t, 'w', classes.steps[a], related))
        refute("state " + std::to_string(t) + " does not simulate a class");
}

/// Whether the cover is closed under steps: then no trace of \p one gets lost.
void checkCover(const Lts &one, const Lts &other, Reader &in, const char *name,
                bool weak) {
  in.expect(name);
  std::vector<std::vector<Set>> cover(one.size());
  for (uint32_t k = in.count(); k; --k) {
    uint32_t s = in.number(one.size());
    Set set(in.count());
    for (uint32_t &t : set)
      t = in.number(other.size());
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
          refute("a step of state " + std::to_string(s) + " is not covered");
}

/// The offers of groups of states that silently reach one another and no
/// others.
std::set<Set> offers(const Lts &lts, const Set &set) {
  std::set<Set> result;
  for (uint32_t s : set) {
    Set offer;
    bool atRest = true;
    for (uint32_t u : lts.close({s}, true)) {
      atRest = atRest && has(lts.close({u}, true), s);
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
  std::vector<std::pair<Set, Set>> work{
      {l.close({l.initial}, true), r.close({r.initial}, true)}};
  while (!work.empty()) {
    auto pair = work.back();
    work.pop_back();
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
        work.push_back({u, v});
    }
  }
}

struct Node {
  string op;
  Set operands;
  uint32_t label = 0;
};

Bits before(const Lts &lts, const Bits &set, uint32_t label) {
  Bits result(lts.size());
  for (uint32_t s = 0; s < lts.size(); ++s)
    for (Edge e : lts.edges[s])
      if (e.label == label && set[e.target])
        result[s] = true;
  return result;
}

/// Grows \p set backwards over silent steps from states of \p over.
Bits backwards(const Lts &lts, Bits set, const Bits &over) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t s = lts.size(); s-- > 0;)
      for (Edge e : lts.edges[s])
        if (!set[s] && over[s] && e.label == 0 && set[e.target])
          set[s] = more = true;
  }
  return set;
}

bool satisfies(const Lts &lts, const std::vector<Node> &nodes) {
  std::vector<Bits> values;
  const Bits all(lts.size(), true);
  for (const Node &node : nodes) {
    Bits value = all;
    const Bits first = node.operands.empty() ? all : values[node.operands[0]];
    const Bits last =
        node.operands.empty() ? all : values[node.operands.back()];
    if (node.op == "not") {
      value = first;
      value.flip();
    } else if (node.op == "and") {
      for (uint32_t o : node.operands)
        for (uint32_t s = 0; s < lts.size(); ++s)
          value[s] = value[s] && values[o][s];
    } else if (node.op == "may") {
      value = before(lts, first, node.label);
    } else if (node.op == "weak") {
      value = backwards(lts, first, all);
      if (node.label)
        value = backwards(lts, before(lts, value, node.label), all);
    } else if (node.op == "until") {
      value = before(lts, last, node.label);
      for (uint32_t s = 0; s < lts.size(); ++s)
        value[s] = first[s] && (value[s] || (node.label == 0 && last[s]));
      value = backwards(lts, value, first);
    } else if (node.op == "diverge") {
      // The greatest set with a silent step into itself from everywhere.
      for (Bits old; old != value;) {
        Bits stays = before(lts, old = value, 0);
        for (uint32_t s = 0; s < lts.size(); ++s)
          value[s] = value[s] && first[s] && stays[s];
      }
    }
    values.push_back(std::move(value));
  }
  return values.back()[lts.initial];
}

/// The operators that \p relation preserves, with their operands; a formula
/// with others proves nothing.
std::map<string, size_t> operatorsOf(const string &relation) {
  std::map<string, size_t> result{{"true", 0}, {"and", 0}};
  result[relation == "strong" ? "may" : "weak"] = 1;
  if (relation.find("simulation") == string::npos)
    result["not"] = 1;
  if (relation.find("branching") != string::npos)
    result["until"] = 2;
  if (relation == "dp-branching")
    result["diverge"] = 1;
  return result;
}

void checkWitness(const string &relation, bool weak, const Lts &left,
                  const Lts &right, Reader &in) {
  in.expect("side");
  string side = in.word();
  bool preorder = relation == "weak-simulation" ||
                  relation.find("inclusion") != string::npos;
  if (side != "left" && (side != "right" || preorder))
    refute("not a side that can refute the relation");
  const Lts &one = side == "left" ? left : right;
  const Lts &other = side == "left" ? right : left;
  bool offer = relation == "ready" || relation == "failures";
  if (offer || relation.find("trace") != string::npos) {
    Set x = one.close({one.initial}, weak);
    Set y = other.close({other.initial}, weak);
    in.expect("trace");
    for (uint32_t l : in.labels()) {
      x = one.post(x, l, weak);
      y = other.post(y, l, weak);
    }
    if (x.empty())
      refute("the trace is not one of the " + side);
    string next = in.word();
    if (next == "end" && y.empty())
      return;
    if (next != "offer" || !offer)
      refute("the other side has the trace too");
    std::set<Set> claimed{sorted(in.labels())};
    if (!offers(one, x).count(*claimed.begin()) ||
        matched(claimed, offers(other, y), relation == "ready"))
      refute("there is no such offer, or the other side matches it");
    return in.expect("end");
  }
  in.expect("formula");
  std::vector<Node> nodes(in.count());
  const std::map<string, size_t> operators = operatorsOf(relation);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    Node &node = nodes[i];
    auto found = operators.find(node.op = in.word());
    if (found == operators.end())
      refute("'" + node.op.substr(0, 40) + "' is not for this relation");
    node.operands.resize(in.count());
    for (uint32_t &o : node.operands)
      o = in.number(i);
    if (node.op != "and" && node.operands.size() != found->second)
      bad("a wrong number of operands");
    if (node.op == "may" || node.op == "weak" || node.op == "until")
      node.label = in.label();
  }
  in.expect("end");
  if (nodes.empty() || !satisfies(one, nodes) || satisfies(other, nodes))
    refute("the formula does not tell the two apart");
}

/// Checks a certificate or witness; what it proves.
string check(const Lts &left, const Lts &right, Reader in) {
  string kind = in.word();
  in.expect("1");
  in.expect("relation");
  string relation = in.word();
  // Bisimulations, simulations, traces and offers.
  static const std::map<string, char> kinds{
      {"strong", 'b'},          {"branching", 'b'},
      {"dp-branching", 'b'},    {"weak", 'b'},
      {"weak-simulation", 's'}, {"weak-simulation-equivalence", 's'},
      {"trace", 't'},           {"weak-trace", 't'},
      {"trace-inclusion", 't'}, {"weak-trace-inclusion", 't'},
      {"ready", 'o'},           {"failures", 'o'}};
  if (!kinds.count(relation) ||
      (kind != "cif-witness" && kind != "cif-certificate"))
    bad("not a certificate or witness of a known relation");
  bool weak = relation.rfind("trace", 0) != 0;
  bool both = relation.find("inclusion") == string::npos;
  if (kind == "cif-witness") {
    checkWitness(relation, weak, left, right, in);
    return relation + ": violated, the witness is checked";
  }
  switch (kinds.at(relation)) {
  case 'b': {
    char by = relation == "strong" ? 's' : relation == "weak" ? 'w' : 'b';
    checkBisimulation({left, right, in}, by, relation == "dp-branching");
    break;
  }
  case 's': {
    Classes classes(left, right, in);
    checkSimulation(classes, in, "pairs", classes.left, classes.right);
    if (relation != "weak-simulation")
      checkSimulation(classes, in, "back", classes.right, classes.left);
    break;
  }
  case 't':
    checkCover(left, right, in, "cover", weak);
    if (both)
      checkCover(right, left, in, "back", weak);
    break;
  default:
    checkOffers(left, right, relation == "ready");
  }
  in.expect("end");
  return relation + ": holds, the certificate is checked";
}

} // namespace

#ifndef CIF_CHECK_IN_TEST
int main(int argc, char **argv) {
  std::vector<const char *> files;
  string system;
  for (int i = 1; i < argc; ++i) {
    string word = argv[i];
    if (word == "--help" || word == "-h")
      return std::puts(
                 "usage: cif-check [--tau=LABEL,...] [--system=NAME] FILE "
                 "LEFT RIGHT\n\nChecks the FILE that cif-lts compare "
                 "--certificate= wrote. Exit status: 0\nchecked, 1 not "
                 "proved, 2 bad usage or input.") < 0;
    if (word.rfind("--system=", 0) == 0)
      system = word.substr(9);
    else if (word.rfind("--tau=", 0) == 0)
      for (size_t at = 6, end; at < word.size(); at = end + 1) {
        end = std::min(word.find(',', at), word.size());
        hidden.insert(word.substr(at, end - at));
      }
    else
      files.push_back(argv[i]);
  }
  if (files.size() != 3)
    bad("expected a certificate and two LTSs; see --help");
  Lts left(files[1], slurp(files[1]), system);
  Lts right(files[2], slurp(files[2]), system);
  std::puts(check(left, right, {slurp(files[0])}).c_str());
  return 0;
}
#endif
