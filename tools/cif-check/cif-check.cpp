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
/// zlib and FlatBuffers. See docs/certificates.md. Tests include this file with
/// CIF_CHECK_IN_TEST set: then they say what a failure does and there is no
/// main.
///
//===----------------------------------------------------------------------===//

#include "cif_generated.h"
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <zlib.h>

static void fail(int status, const std::string &why); // ends here; see main

namespace {

using std::string;
using Set = std::set<uint32_t>;             // of states or labels
using Step = std::pair<uint32_t, uint32_t>; // a label, and a state or class
using Bits = std::vector<bool>;             // by state

void reject(const string &why) { fail(2, why); }
void refute(const string &why) { fail(1, why); }

template <class T>
bool within(const std::set<T> &small, const std::set<T> &large) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end());
}

std::map<string, uint32_t> labelIndex{{"tau", 0}, {"i", 0}};
std::set<string> hidden; // by --tau

/// A label as files have it: between quotes or not, with blanks around it.
uint32_t labelOf(string name) {
  name.erase(name.find_last_not_of(" \t\r") + 1);
  name.erase(0, name.find_first_not_of(" \t"));
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
    name = name.substr(1, name.size() - 2);
  // Blanks around the arrow and the colon of an exchange mean nothing.
  if (name.find("->") != string::npos && name.find('"') == string::npos)
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
  string head = name.substr(0, name.find('('));
  head.erase(head.find_last_not_of(' ') + 1);
  if (hidden.count(name) || hidden.count(head))
    return 0;
  return labelIndex.emplace(name, labelIndex.size()).first->second;
}

//===----------------------------------------------------------------------===//
// The two LTSs
//===----------------------------------------------------------------------===//

/// Both side by side: the states of the right follow those of the left.
struct Pair {
  std::vector<std::vector<Step>> steps; // of each state; label 0 is silent
  std::vector<uint32_t> first{0};       // state of each LTS, then their number
  std::vector<uint32_t> initial;

  /// Adds the next one; \p path is for messages.
  void read(const string &path, const string &text, const string &system) {
    bool isCif = text.size() > 8 && text.compare(4, 4, "CIF1") == 0;
    isCif ? readCif(path, text, system) : readAut(path, text);
    first.push_back(static_cast<uint32_t>(steps.size()));
  }
  void readAut(const string &path, const string &text);
  void readCif(const string &path, const string &text, const string &system);

  uint32_t size(int side) const { return first[side + 1] - first[side]; }
  Set start(int side, bool weak) const { return close({initial[side]}, weak); }
  /// What is reached by silent steps too, when \p weak.
  Set close(Set set, bool weak) const {
    std::vector<uint32_t> work(set.begin(), set.end());
    for (size_t i = 0; weak && i < work.size(); ++i)
      for (auto [label, target] : steps[work[i]])
        if (label == 0 && set.insert(target).second)
          work.push_back(target);
    return set;
  }
  Set post(const Set &set, uint32_t by, bool weak) const {
    Set result;
    for (uint32_t s : set)
      for (auto [label, target] : steps[s])
        if (label == by)
          result.insert(target);
    return by == 0 && weak ? set : close(std::move(result), weak);
  }
  bool canStep(uint32_t s, uint32_t label, const Bits &to) const {
    return std::any_of(steps[s].begin(), steps[s].end(), [&](Step step) {
      return step.first == label && to[step.second];
    });
  }
};

void Pair::readAut(const string &path, const string &text) {
  unsigned long long from = 0, to = 0, transitions = 0, states = 0;
  unsigned long long seen = 0, line = 0;
  const uint32_t base = first.back();
  std::istringstream in(text);
  for (string row; std::getline(in, row);) {
    row.erase(row.find_last_not_of(" \t\r") + 1);
    const char *begin = row.c_str();
    size_t comma = std::min(row.rfind(','), row.size());
    int at = 0, rest = 0;
    bool ok = true;
    ++line;
    if (!row.empty() && !states) {
      ok = std::sscanf(begin, " des ( %llu , %llu , %llu )%n", &from,
                       &transitions, &states, &rest) == 3 &&
           rest && from < states && transitions <= text.size() &&
           states <= 16 * transitions + 1048576;
      initial.push_back(base + static_cast<uint32_t>(from));
      steps.resize(ok ? base + states : 0);
    } else if (!row.empty()) {
      // A label may hold anything: it ends at the last comma.
      ok = std::sscanf(begin, " ( %llu , %n", &from, &at) == 1 &&
           std::sscanf(begin + comma, ", %llu )%n", &to, &rest) == 1 && rest &&
           size_t(at) <= comma && from < states && to < states;
      if (ok && ++seen)
        steps[base + from].emplace_back(labelOf(row.substr(at, comma - at)),
                                        base + to);
    }
    if (!ok)
      reject(path + ":" + std::to_string(line) + ": a bad line");
  }
  if (!states || seen != transitions)
    reject(path + ": not an AUT file with all its transitions");
}

/// A name as labels have it: in quotes unless it is a plain word.
string nameText(const string &name, bool always = false) {
  static const string digits = "0123456789", special = "\"\\\n\t\r";
  auto isPlain = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c >= 0x80;
  };
  const bool isWord =
      !name.empty() && std::all_of(name.begin(), name.end(), isPlain);
  if (isWord && !always &&
      (!std::isdigit(name[0]) ||
       name.find_first_not_of(digits) == string::npos))
    return name;
  string text = "\"";
  for (unsigned char c : name) {
    char hex[5];
    std::snprintf(hex, sizeof hex, "\\x%02X", c);
    size_t at = special.find(static_cast<char>(c));
    text += at != string::npos ? string{'\\', "\"\\ntr"[at]}
            : std::iscntrl(c)  ? string(hex)
                               : string(1, static_cast<char>(c));
  }
  return text + "\"";
}

/// The LTS with that name, or the only one, of a module.
void Pair::readCif(const string &path, const string &text,
                   const string &system) {
  auto check = [&](bool ok, const char *why) {
    if (!ok)
      reject(path + ": " + why);
  };
  const auto *bytes = reinterpret_cast<const uint8_t *>(text.data());
  flatbuffers::Verifier verifier(bytes, text.size());
  check(cif::fb::VerifyModuleBuffer(verifier), "not a CIF file that is whole");
  const cif::fb::Module &module = *cif::fb::GetModule(bytes);
  // Columns that hold nothing but zeros may be left out.
  auto at = [&](auto *column, uint32_t index) -> uint32_t {
    check(!column || index < column->size(), "a column is too short");
    return column ? column->Get(index) : 0;
  };
  auto stringAt = [&](uint32_t index) {
    string result;
    uint32_t i = index > 1 ? at(module.string_ends(), index - 2) : 0;
    for (; index && i < at(module.string_ends(), index - 1); ++i)
      result += static_cast<char>(at(module.string_bytes(), i));
    return result;
  };
  const cif::fb::System *found = nullptr;
  if (auto *all = module.systems())
    for (const cif::fb::System *one : *all)
      if (system.empty() ? all->size() == 1 : stringAt(one->name()) == system)
        found = one;
  check(found && found->row_begin() && found->label_kind(),
        "no such LTS; say --system=NAME for one of several");
  std::vector<uint32_t> labels;
  for (uint32_t l = 0; l < found->label_kind()->size(); ++l) {
    string sender = nameText(stringAt(at(found->label_sender(), l))),
           receiver = nameText(stringAt(at(found->label_receiver(), l))),
           plain = stringAt(at(found->label_message(), l)),
           message = ":" + nameText(plain);
    if (std::set<string>{"tau", "i", "tick"}.count(plain) ||
        plain.find_first_of("\n\r") != string::npos || plain[0] == '"' ||
        (plain.find(':') + 1 && plain.find_first_of("!?>") + 1))
      plain = nameText(plain, true); // not to be taken for another kind
    uint32_t kind = at(found->label_kind(), l);
    check(kind < 6, "an unknown kind of label");
    const string label =
        kind == 0   ? "tau"
        : kind == 4 ? plain
        : kind == 5 ? "tick"
        : kind == 3 ? receiver + "?" + sender + message
                    : sender + (kind == 1 ? "->" : "!") + receiver + message;
    labels.push_back(labelOf("\"" + label + "\""));
  }
  const char *wrong = "the LTS is not well-formed";
  uint32_t states = found->row_begin()->size() - 1, row = 0;
  check(states + 1 && found->initial() < states, wrong);
  initial.push_back(first.back() + found->initial());
  for (uint32_t s = 0; s < states; ++s) {
    uint32_t end = at(found->row_begin(), s + 1);
    check(end >= row && (end == row || found->target()), wrong);
    for (steps.emplace_back(); row < end; ++row) {
      uint32_t label = at(found->label(), row), to = at(found->target(), row);
      check(label < labels.size() && to < states, wrong);
      steps.back().push_back({labels[label], first.back() + to});
    }
  }
  check(row == (found->target() ? found->target()->size() : 0), wrong);
}

//===----------------------------------------------------------------------===//
// Certificates and witnesses
//===----------------------------------------------------------------------===//

/// Their words.
struct Reader : std::istringstream {
  using std::istringstream::istringstream;

  string word() {
    string found;
    *this >> found;
    return found;
  }
  void expect(const string &wanted) {
    string found = word();
    if (found != wanted)
      reject("expected '" + wanted + "', found '" + found.substr(0, 40) + "'");
  }
  uint32_t number(uint64_t below) {
    uint64_t found = 0;
    if (!(*this >> found) || found >= below)
      reject("a number is missing or too large");
    return static_cast<uint32_t>(found);
  }
  /// How many things follow; each takes a byte at least.
  uint32_t count() { return number(uint64_t(rdbuf()->in_avail()) + 1); }
  /// A label, to the end of the line.
  uint32_t label() {
    string rest;
    if (!std::getline(*this >> std::ws, rest) || rest.find('"') == string::npos)
      reject("a label is missing");
    return labelOf(rest);
  }
};

/// Grows or shrinks a set of states, from all or none, until \p next agrees.
Bits solve(size_t size, bool from,
           const std::function<bool(uint32_t, const Bits &)> &next) {
  Bits set(size, from);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t s = static_cast<uint32_t>(size); s-- > 0;)
      if (next(s, set) != set[s])
        set[s] = !set[s], more = true;
  }
  return set;
}

/// Classes of states, as a certificate gives them.
struct Classes {
  const Pair &lts;
  Pair inside;                       // only silent steps inside a class
  std::vector<uint32_t> of;          // by state
  std::vector<std::set<Step>> steps; // by class: what some state of it does
  std::vector<Set> below;            // by class: those that it simulates

  Classes(const Pair &both, Reader &in) : lts(both), steps(lts.steps.size()) {
    for (int side : {0, 1}) {
      in.expect(side ? "right" : "left");
      if (in.number(uint64_t(1) << 32) != lts.size(side))
        refute("the certificate is about LTSs of other sizes");
      for (uint32_t s = 0; s < lts.size(side); ++s)
        of.push_back(in.number(steps.size()));
    }
    inside.steps.resize(of.size());
    for (uint32_t s = 0; s < of.size(); ++s) {
      below.push_back({s});
      for (auto [label, target] : lts.steps[s]) {
        steps[of[s]].insert({label, of[target]});
        if (label == 0 && of[target] == of[s])
          inside.steps[s].push_back({label, target});
      }
    }
  }
  /// The steps to classes that a state can match: by a step of its own ('s'),
  /// after silent steps in its class ('b'), or with any silent steps around it
  /// ('w'). To stay is a silent step unless 's'.
  std::set<Step> reach(uint32_t state, char by) const {
    std::map<uint32_t, Set> targets;
    const Pair &silent = by == 'b' ? inside : lts;
    for (uint32_t s : silent.close({state}, by != 's')) {
      if (by != 's')
        targets[0].insert(s);
      for (auto [label, target] : lts.steps[s])
        targets[label].insert(target);
    }
    std::set<Step> result;
    for (auto &[label, set] : targets)
      for (uint32_t t : lts.close(set, by == 'w'))
        for (uint32_t c : below[of[t]])
          result.insert({label, c});
    return result;
  }
  /// Whether every state matches what those do that it must simulate, and one
  /// side's initial state is simulated by the other's.
  void check(char by, int side) const {
    if (!below[of[lts.initial[!side]]].count(of[lts.initial[side]]))
      refute("the initial states are not related");
    for (uint32_t s = 0; s < of.size(); ++s) {
      std::set<Step> reached = reach(s, by);
      for (uint32_t c : below[of[s]])
        if (!within(steps[c], reached))
          refute("state " + std::to_string(s) + " does not match a class");
    }
  }
  /// Pairs of classes, the second of which simulates the first.
  void checkPairs(Reader &in, int side) {
    in.expect(side ? "back" : "pairs");
    for (uint32_t c = 0; c < below.size(); ++c)
      below[c] = {c};
    for (uint32_t k = in.count(); k; --k) {
      uint32_t a = in.number(of.size());
      below[in.number(of.size())].insert(a);
    }
    check('w', side);
  }
  /// Whether all or none of a class can go on silently in it for ever.
  void checkDivergence() const {
    Bits divergent = solve(of.size(), true, [&](uint32_t s, const Bits &set) {
      return inside.canStep(s, 0, set);
    });
    std::map<uint32_t, bool> known;
    for (uint32_t s = 0; s < of.size(); ++s)
      if (known.emplace(of[s], divergent[s]).first->second != divergent[s])
        refute("states of one class differ in divergence");
  }
};

/// Whether the cover is closed under steps: then no trace of the side is lost.
void checkCover(const Pair &lts, Reader &in, int side, bool weak) {
  std::map<uint32_t, std::vector<Set>> cover;
  in.expect(side ? "back" : "cover");
  for (uint32_t k = in.count(); k; --k) {
    uint32_t s = lts.first[side] + in.number(lts.size(side));
    Set set;
    for (uint32_t n = in.count(); n; --n)
      set.insert(lts.first[!side] + in.number(lts.size(!side)));
    if (set.empty())
      refute("an empty set covers nothing");
    cover[s].push_back(std::move(set));
  }
  auto check = [&](uint32_t s, const Set &by) {
    if (std::none_of(cover[s].begin(), cover[s].end(),
                     [&](const Set &set) { return within(set, by); }))
      refute("state " + std::to_string(s) + " is not covered");
  };
  check(lts.initial[side], lts.start(!side, weak));
  for (uint32_t s = lts.first[side]; s < lts.first[side + 1]; ++s)
    for (size_t i = 0, end = cover[s].size(); i < end; ++i)
      for (auto [label, target] : lts.steps[s])
        check(target, lts.post(lts.close(cover[s][i], weak), label, weak));
}

/// The offers of groups of states that silently reach one another and no
/// others.
std::set<Set> offers(const Pair &lts, const Set &set) {
  std::set<Set> result;
  for (uint32_t s : set) {
    Set offer;
    bool atRest = true;
    for (uint32_t u : lts.close({s}, true)) {
      atRest = atRest && lts.close({u}, true).count(s);
      for (auto [label, target] : lts.steps[u])
        if (label)
          offer.insert(label);
    }
    if (atRest)
      result.insert(offer);
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

/// Follows all traces of both sides.
void checkOffers(const Pair &lts, bool ready) {
  std::set<std::pair<Set, Set>> seen{{lts.start(0, true), lts.start(1, true)}};
  std::vector<std::pair<Set, Set>> work(seen.begin(), seen.end());
  while (!work.empty()) {
    auto [left, right] = work.back();
    work.pop_back();
    auto x = offers(lts, left), y = offers(lts, right);
    if (!matched(x, y, ready) || !matched(y, x, ready))
      refute("the offers differ after some trace");
    for (uint32_t a = 1; a < labelIndex.size(); ++a) {
      std::pair next{lts.post(left, a, true), lts.post(right, a, true)};
      if (next.first.empty() != next.second.empty())
        refute("the traces differ");
      if (!next.first.empty() && seen.insert(next).second)
        work.push_back(next);
    }
  }
}

/// Where the formula holds that \p in has.
Bits satisfying(const Pair &lts, const string &relation, Reader &in) {
  // The operators that the relation preserves, and how many operands they have.
  std::map<string, size_t> operators{{"true", 0}, {"and", 0}};
  operators[relation == "strong" ? "may" : "weak"] = 1;
  if (relation.find("simulation") == string::npos)
    operators["not"] = 1;
  if (relation.find("branching") != string::npos)
    operators["until"] = 2;
  if (relation == "dp-branching")
    operators["diverge"] = 1;
  const Bits all(lts.steps.size(), true);
  std::vector<Bits> values;
  in.expect("formula");
  for (uint32_t i = 0, count = in.count(); i < count; ++i) {
    string op = in.word();
    if (!operators.count(op))
      refute("'" + op.substr(0, 40) + "' is not for this relation");
    std::vector<const Bits *> on(in.count());
    for (const Bits *&operand : on)
      operand = &values[in.number(i)];
    if (op != "and" && on.size() != operators[op])
      reject("a wrong number of operands");
    uint32_t by = op == "may" || op == "weak" || op == "until" ? in.label() : 0;
    // Silently over states of `over` to a step, or for tau to `goal` itself.
    auto until = [&](const Bits &over, const Bits &goal, uint32_t label) {
      return solve(all.size(), false, [&](uint32_t s, const Bits &set) {
        return over[s] && (lts.canStep(s, label, goal) ||
                           lts.canStep(s, 0, set) || (!label && goal[s]));
      });
    };
    const Bits &x = on.empty() ? all : *on[0];
    if (op == "until")
      values.push_back(until(x, *on[1], by));
    else if (op == "weak" && by == 0)
      values.push_back(until(all, x, 0));
    else if (op == "weak")
      values.push_back(until(all, until(all, x, 0), by));
    else
      values.push_back(
          solve(all.size(), true, [&](uint32_t s, const Bits &set) {
            return op == "not"   ? !x[s]
                   : op == "may" ? lts.canStep(s, by, x)
                   : op == "diverge"
                       ? x[s] && lts.canStep(s, 0, set)
                       : std::all_of(on.begin(), on.end(),
                                     [&](auto *o) { return (*o)[s]; });
          }));
  }
  if (values.empty())
    reject("there is no formula");
  return values.back();
}

void checkWitness(const Pair &lts, const string &relation, bool weak, int sides,
                  Reader &in) {
  in.expect("side");
  string name = in.word();
  int side = name == "right";
  if (name != "left" && (!side || sides < 2))
    refute("not a side that can refute the relation");
  bool offer = relation == "ready" || relation == "failures";
  if (!offer && relation.find("trace") == string::npos) {
    Bits holds = satisfying(lts, relation, in);
    if (!holds[lts.initial[side]] || holds[lts.initial[!side]])
      refute("the formula does not tell the two apart");
    return in.expect("end");
  }
  Set one = lts.start(side, weak), other = lts.start(!side, weak);
  in.expect("trace");
  for (uint32_t n = in.count(); n; --n) {
    uint32_t label = in.label();
    one = lts.post(one, label, weak);
    other = lts.post(other, label, weak);
  }
  if (one.empty())
    refute("not a trace of the " + name);
  string next = in.word();
  if (next == "offer" && offer) {
    Set claim;
    for (uint32_t n = in.count(); n; --n)
      claim.insert(in.label());
    std::set<Set> claimed{claim};
    if (!within(claimed, offers(lts, one)) ||
        matched(claimed, offers(lts, other), relation == "ready"))
      refute("there is no such offer, or the other side matches it");
    next = in.word();
  } else if (!other.empty()) {
    refute("the other side has the trace too");
  }
  if (next != "end")
    reject("expected 'end'");
}

/// Checks a certificate or witness; what it proves.
string check(const Pair &lts, Reader in) {
  string kind = in.word();
  in.expect("1");
  in.expect("relation");
  string relation = in.word();
  auto is = [&](const char *part) {
    return relation.find(part) != string::npos;
  };
  const string relations =
      " strong branching dp-branching weak weak-simulation "
      "weak-simulation-equivalence trace weak-trace trace-inclusion "
      "weak-trace-inclusion ready failures ";
  if (relations.find(" " + relation + " ") == string::npos ||
      (kind != "cif-witness" && kind != "cif-certificate"))
    reject("not a certificate or witness of a known relation");
  bool weak = relation.rfind("trace", 0) != 0;
  int sides = relation == "weak-simulation" || is("inclusion") ? 1 : 2;
  if (kind == "cif-witness") {
    checkWitness(lts, relation, weak, sides, in);
    return relation + ": violated, the witness is checked";
  }
  if (is("ready") || is("failures")) {
    checkOffers(lts, is("ready"));
  } else if (is("trace")) {
    for (int side = 0; side < sides; ++side)
      checkCover(lts, in, side, weak);
  } else {
    Classes classes(lts, in);
    for (int side = 0; is("simulation") && side < sides; ++side)
      classes.checkPairs(in, side);
    if (!is("simulation"))
      classes.check(is("strong") ? 's' : is("branching") ? 'b' : 'w', 0);
    if (is("dp-"))
      classes.checkDivergence();
  }
  in.expect("end");
  return relation + ": holds, the certificate is checked";
}

} // namespace

#ifndef CIF_CHECK_IN_TEST
static void fail(int status, const string &why) {
  const char *kind = status == 1 ? "not proved" : "error";
  std::fprintf(stderr, "cif-check: %s: %s\n", kind, why.c_str());
  std::exit(status);
}

static string slurp(const char *path) {
  string text;
  static char buffer[1 << 16];
  int got = -1;
  gzFile file = gzopen(path, "rb"); // plain files are read as they are
  while (file && (got = gzread(file, buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<size_t>(got));
  if (got < 0 || gzclose(file) != Z_OK)
    reject(string("cannot read ") + path);
  return text;
}

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
    std::istringstream list(word.substr(std::min<size_t>(6, word.size())));
    if (word.rfind("--system=", 0) == 0)
      system = word.substr(9);
    else if (word.rfind("--tau=", 0) == 0)
      for (string label; std::getline(list, label, ',');)
        hidden.insert(label);
    else
      files.push_back(argv[i]);
  }
  if (files.size() != 3)
    reject("expected a certificate and two LTSs; see --help");
  Pair lts;
  for (int side : {1, 2})
    lts.read(files[side], slurp(files[side]), system);
  std::puts(check(lts, Reader(slurp(files[0]))).c_str());
  return 0;
}
#endif
