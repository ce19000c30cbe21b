//===- cif-check.cpp - Checks certificates and witnesses ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks what `cif-lts compare --certificate=FILE` wrote by the definitions,
/// with no code of the engine: own readers of AUT and of binary CIF, plain
/// searches, only the C++ library, zlib and FlatBuffers. The format is that of
/// docs/certificates.md. Tests include this file with a fail() of their own.
///
//===----------------------------------------------------------------------===//

#include "cif_generated.h"
#include <algorithm>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <zlib.h>

static void fail(int status, const std::string &why); // ends here; see main

namespace {

using std::string, std::string_view, std::ranges::any_of, std::ranges::includes;
using Set = std::set<uint32_t>;             // of states or labels
using Step = std::pair<uint32_t, uint32_t>; // a label, and a state or class
using Bits = std::vector<bool>;             // by state

/// What the files must be like, and what a proof must show.
void need(bool ok, string_view why) { ok ? void() : fail(2, string(why)); }
void prove(bool ok, string_view why) { ok ? void() : fail(1, string(why)); }

string reading; // the file, for messages
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

/// A name as labels have it: in quotes unless it is a plain word.
string nameText(const string &name, bool always = false) {
  string text;
  bool isWord = !name.empty() && !always;
  const bool isNumber = isWord && std::isdigit(name[0]);
  for (unsigned char c : name) {
    isWord = isWord && (isNumber ? std::isdigit(c)
                                 : std::isalnum(c) || c == '_' || c >= 0x80);
    const size_t at = string_view("\"\\\n\t\r").find(static_cast<char>(c));
    const char letter = at < 5 ? "\"\\ntr"[at] : 0;
    const char *form = letter ? "\\%c" : std::iscntrl(c) ? "\\x%02X" : "%c";
    char letters[5];
    std::snprintf(letters, sizeof letters, form, letter ? letter : c);
    text += letters;
  }
  return isWord ? text : '"' + text + '"';
}

/// Both side by side: the states of the right follow those of the left.
struct Pair {
  std::vector<std::vector<Step>> steps; // of each state; label 0 is silent
  std::vector<uint32_t> first{0};       // state of each LTS, then their number
  std::vector<uint32_t> initial;

  void read(const string &text, const string &system) {
    bool isCif = text.size() > 8 && text.compare(4, 4, "CIF1") == 0;
    isCif ? readCif(text, system) : readAut(text);
    first.push_back(static_cast<uint32_t>(steps.size()));
  }
  void readAut(const string &text) {
    unsigned long long from = 0, to = 0, transitions = 0, states = 0;
    const uint32_t base = first.back();
    int end = 0;
    std::istringstream in(text);
    string row;
    std::getline(in >> std::ws, row);
    need(std::sscanf(row.c_str(), "des ( %llu , %llu , %llu )%n", &from,
                     &transitions, &states, &end) == 3 &&
             end && from < states && transitions <= text.size() &&
             states <= text.size() + 1048576,
         "not an AUT file: " + row.substr(0, 60));
    initial.push_back(base + static_cast<uint32_t>(from));
    steps.resize(base + states);
    for (; std::getline(in >> std::ws, row); --transitions) {
      int at = 0, rest = 0;
      // A label may hold anything: it ends at the last comma.
      const size_t comma = std::min(row.rfind(','), row.size());
      need(std::sscanf(row.c_str(), "( %llu , %n", &from, &at) == 1 &&
               std::sscanf(&row[comma], ", %llu )%n", &to, &rest) == 1 && at &&
               rest && size_t(at) <= comma && from < states && to < states,
           "a bad line: " + row.substr(0, 60));
      steps[base + from].emplace_back(labelOf(row.substr(at, comma - at)),
                                      base + to);
    }
    need(transitions == 0, "not as many transitions as announced");
  }
  /// The LTS with that name, or the only one, of a module.
  void readCif(const string &text, const string &system) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(text.data());
    flatbuffers::Verifier verifier(bytes, text.size());
    need(cif::fb::VerifyModuleBuffer(verifier), "not a CIF file that is whole");
    const cif::fb::Module &module = *cif::fb::GetModule(bytes);
    // Columns that hold nothing but zeros may be left out.
    auto at = [&](auto *column, uint32_t index) -> uint32_t {
      need(!column || index < column->size(), "a column is too short");
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
    need(found && found->row_begin() && found->label_kind(),
         "no such LTS; say --system=NAME for one of several");
    std::vector<uint32_t> labels;
    for (uint32_t l = 0; l < found->label_kind()->size(); ++l) {
      auto name = [&](auto *column) { return stringAt(at(column, l)); };
      string sender = nameText(name(found->label_sender())),
             receiver = nameText(name(found->label_receiver())),
             plain = name(found->label_message()),
             message = ":" + nameText(plain);
      if (std::set<string>{"tau", "i", "tick"}.count(plain) ||
          plain.find_first_of("\n\r") != string::npos || plain[0] == '"' ||
          (plain.find(':') + 1 && plain.find_first_of("!?>") + 1))
        plain = nameText(plain, true); // not to be taken for another kind
      const char *kinds[] = {"tau", "->", "!", "?", "", "tick"};
      const uint32_t kind = at(found->label_kind(), l);
      need(kind < std::size(kinds), "an unknown kind of label");
      if (kind == 3)
        std::swap(sender, receiver); // the receiver comes first
      const string partner = kind > 1 && receiver == "\"\"" ? "" : receiver,
                   exchange = sender + kinds[kind] + partner + message,
                   label = kind == 4  ? plain
                           : kind % 5 ? exchange
                                      : kinds[kind];
      labels.push_back(labelOf('"' + label + '"'));
    }
    const char *wrong = "the LTS is not well-formed";
    uint32_t states = found->row_begin()->size() - 1, row = 0;
    need(states + 1 && found->initial() < states, wrong);
    initial.push_back(first.back() + found->initial());
    for (uint32_t s = 0; s < states; ++s) {
      uint32_t end = at(found->row_begin(), s + 1);
      need(end >= row && (end == row || found->target()), wrong);
      for (steps.emplace_back(); row < end; ++row) {
        uint32_t label = at(found->label(), row), to = at(found->target(), row);
        need(label < labels.size() && to < states, wrong);
        steps.back().push_back({labels[label], first.back() + to});
      }
    }
    need(row == (found->target() ? found->target()->size() : 0), wrong);
  }
  uint32_t size(int side) const { return first[side + 1] - first[side]; }
  /// What is reached by silent steps too, when \p weak.
  Set close(Set set, bool weak = true) const {
    std::vector<uint32_t> work(set.begin(), set.end());
    for (size_t i = 0; weak && i < work.size(); ++i)
      for (auto [label, target] : steps[work[i]])
        if (label == 0 && set.insert(target).second)
          work.push_back(target);
    return set;
  }
  Set post(const Set &set, uint32_t by, bool weak) const {
    Set result, closed = close(set, weak);
    for (uint32_t s : closed)
      for (auto [label, target] : steps[s])
        if (label == by)
          result.insert(target);
    return by == 0 && weak ? closed : close(std::move(result), weak);
  }
  bool canStep(uint32_t s, uint32_t label, const Bits &to) const {
    return any_of(steps[s], [&](Step step) {
      return step.first == label && to[step.second];
    });
  }
  /// What is offered at rest: where all that is silently reached leads back.
  std::optional<Set> offer(uint32_t s) const {
    Set labels;
    for (uint32_t u : close({s})) {
      if (!close({u}).count(s))
        return std::nullopt;
      for (auto [label, target] : steps[u])
        if (label)
          labels.insert(label);
    }
    return labels;
  }
};

/// The words of a certificate or witness.
struct Reader : std::istringstream {
  using std::istringstream::istringstream;
  string word() {
    string found;
    *this >> found;
    return found.substr(0, 40);
  }
  void expect(const string &wanted) {
    string found = word();
    need(found == wanted, "expected '" + wanted + "', found '" + found + "'");
  }
  uint32_t number(uint64_t below) {
    uint64_t found = 0;
    need(*this >> found && found < below, "a number is missing or too large");
    return static_cast<uint32_t>(found);
  }
  /// How many things follow; each takes a byte at least.
  uint32_t count() { return number(uint64_t(rdbuf()->in_avail()) + 1); }
  /// A label, to the end of the line.
  uint32_t label() {
    string rest;
    std::getline(*this >> std::ws, rest);
    need(rest.find('"') != string::npos, "a label is missing");
    return labelOf(rest);
  }
};

/// A relation, by its name.
struct Relation : string {
  bool is(const char *part) const { return find(part) != npos; }
  bool isWeak() const { return *this != "strong" && rfind("trace", 0) != 0; }
  int sides() const { return ends_with("ion") ? 1 : 2; } // a preorder: one
  bool hasOffers() const { return is("ready") || is("failures"); }
  bool hasTraces() const { return is("trace") || hasOffers(); }
  bool matches(const Set &offer, const Set &other) const {
    return is("ready") ? offer == other : includes(offer, other);
  }
};

/// Grows or shrinks a set of states, from all or none, until \p next agrees.
Bits solve(size_t size, bool from, const auto &next) {
  Bits set(size, from);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t s = static_cast<uint32_t>(size); s-- > 0;)
      if (next(s, set) != set[s])
        set[s] = !set[s], more = true;
  }
  return set;
}

/// Whether every state matches what the classes do that it simulates, its own
/// and those that the certificate names: by a step (strong), after silent steps
/// in its class (branching), or with silent steps around it (weak).
void checkClasses(const Pair &lts, const Relation &relation, Reader &in) {
  const bool isStrong = relation == "strong",
             isSimulation = relation.is("simulation"),
             isBranching = relation.is("branching");
  const size_t size = lts.steps.size();
  std::vector<uint32_t> of; // the class of each state
  for (int side : {0, 1}) {
    in.expect(side ? "right" : "left");
    prove(in.number(uint64_t(1) << 32) == lts.size(side),
          "the certificate is about LTSs of other sizes");
    while (of.size() < lts.first[side + 1])
      of.push_back(in.number(size));
  }
  std::vector<std::set<Step>> steps(size); // what some state of a class does
  Pair inside;                             // only silent steps inside a class
  inside.steps.resize(size);
  for (uint32_t s = 0; s < size; ++s)
    for (auto [label, target] : lts.steps[s]) {
      steps[of[s]].insert({label, of[target]});
      if (label == 0 && of[target] == of[s])
        inside.steps[s].push_back({label, target});
    }
  for (int side = 0; side < (isSimulation ? relation.sides() : 1); ++side) {
    std::vector<Set> below; // the classes that a class simulates
    for (uint32_t c = 0; c < size; ++c)
      below.push_back({c});
    if (isSimulation)
      in.expect(side ? "back" : "pairs");
    for (uint32_t n = isSimulation ? in.count() : 0; n; --n) {
      uint32_t a = in.number(size);
      below[in.number(size)].insert(a);
    }
    prove(below[of[lts.initial[!side]]].count(of[lts.initial[side]]),
          "the initial states are not related");
    for (uint32_t s = 0; s < size; ++s) {
      const Set start = (isBranching ? inside : lts).close({s}, !isStrong);
      std::map<uint32_t, Set> reached; // by label
      for (uint32_t c : below[of[s]])
        for (const Step &step : steps[c]) {
          Set &to = reached[step.first];
          if (to.empty())
            to = lts.post(start, step.first, !isStrong && !isBranching);
          if (step.first == 0 && !isStrong)
            to.insert(start.begin(), start.end());
          auto isGoal = [&](auto t) { return below[of[t]].count(step.second); };
          prove(any_of(to, isGoal),
                "state " + std::to_string(s) + " does not match a class");
        }
    }
  }
  // All or none of a class can go on silently in it for ever.
  Bits divergent = solve(size, true, [&](uint32_t s, const Bits &set) {
    return relation.is("dp-") && inside.canStep(s, 0, set);
  });
  std::map<uint32_t, bool> known;
  for (uint32_t s = 0; s < size; ++s)
    prove(known.emplace(of[s], divergent[s]).first->second == divergent[s],
          "states of one class differ in divergence");
}

/// Whether the cover is closed under steps: then no trace of the side is lost.
/// Where a state is at rest, its cover has to match the offer.
void checkCovers(const Pair &lts, const Relation &relation, Reader &in) {
  const bool weak = relation.isWeak();
  for (int side = 0; side < relation.sides(); ++side) {
    std::map<uint32_t, std::vector<Set>> cover;
    in.expect(side ? "back" : "cover");
    for (uint32_t k = in.count(); k; --k) {
      uint32_t s = lts.first[side] + in.number(lts.size(side));
      Set set;
      for (uint32_t n = in.count(); n; --n)
        set.insert(lts.first[!side] + in.number(lts.size(!side)));
      prove(!set.empty(), "an empty set covers nothing");
      cover[s].push_back(std::move(set));
    }
    auto check = [&](uint32_t s, const Set &by) {
      prove(any_of(cover[s], [&](auto &set) { return includes(by, set); }),
            "state " + std::to_string(s) + " is not covered");
    };
    check(lts.initial[side], lts.close({lts.initial[!side]}, weak));
    for (uint32_t s = lts.first[side]; s < lts.first[side + 1]; ++s)
      for (size_t i = 0, end = cover[s].size(); i < end; ++i) {
        for (auto [label, target] : lts.steps[s])
          check(target, lts.post(cover[s][i], label, weak));
        const auto offer = relation.hasOffers() ? lts.offer(s) : std::nullopt;
        prove(!offer || any_of(lts.close(cover[s][i]),
                               [&](uint32_t t) {
                                 const auto other = lts.offer(t);
                                 return other &&
                                        relation.matches(*offer, *other);
                               }),
              "an offer of state " + std::to_string(s) + " is not matched");
      }
  }
}

/// Where the formula holds that \p in has.
Bits satisfying(const Pair &lts, const Relation &relation, Reader &in) {
  // The operators that the relation preserves, with numbers of operands.
  string operators = relation.hasOffers() ? " true:0 offer:0 " : " true:0 ";
  if (!relation.hasTraces())
    operators += relation.isWeak() ? "and:* weak:1 " : "and:* may:1 ";
  if (!relation.hasTraces() && !relation.is("simulation"))
    operators += "not:1 ";
  if (relation.is("branching"))
    operators += relation.is("dp-") ? "until:2 diverge:1 " : "until:2 ";
  const Bits all(lts.steps.size(), true);
  // Silently over states of `over` to a step, or for tau to `goal` itself.
  auto until = [&](const Bits &over, const Bits &goal, uint32_t label) {
    return solve(all.size(), false, [&](uint32_t s, const Bits &set) {
      return over[s] && (lts.canStep(s, label, goal) ||
                         lts.canStep(s, 0, set) || (!label && goal[s]));
    });
  };
  std::vector<Bits> values;
  in.expect("formula");
  for (uint32_t i = 0, count = in.count(); i < count; ++i) {
    const string op = in.word();
    const bool hasLabel = op == "may" || op == "weak" || op == "until";
    std::vector<const Bits *> on(in.count());
    for (const Bits *&operand : on)
      operand = &values[in.number(i)];
    const string arity = op == "and" ? "*" : std::to_string(on.size());
    prove(operators.find(" " + op + ":" + arity + " ") != string::npos,
          "'" + op + "' is not so for this relation");
    Set labels;
    for (uint32_t n = op == "offer" ? in.count() : hasLabel; n; --n)
      labels.insert(in.label());
    const uint32_t by = hasLabel ? *labels.begin() : 0;
    const Bits &x = on.empty() ? all : *on[0];
    auto holds = [&](uint32_t s, const Bits &set) {
      std::optional<Set> offer = op == "offer" ? lts.offer(s) : std::nullopt;
      return op == "not"       ? !x[s]
             : op == "may"     ? lts.canStep(s, by, x)
             : op == "diverge" ? x[s] && lts.canStep(s, 0, set)
             : op == "offer"
                 ? offer && relation.matches(labels, *offer)
                 : std::ranges::all_of(on, [&](auto *o) { return (*o)[s]; });
    };
    values.push_back(op == "until"  ? until(x, *on[1], by)
                     : op == "weak" ? until(all, until(all, x, 0), by)
                                    : solve(all.size(), true, holds));
  }
  need(!values.empty(), "there is no formula");
  return values.back();
}

/// Checks a certificate or witness; what it proves.
string check(const Pair &lts, Reader in) {
  const string kind = in.word(), version = in.word();
  const bool isWitness = kind == "cif-witness";
  need((isWitness || kind == "cif-certificate") && version == "1",
       "neither a certificate nor a witness");
  in.expect("relation");
  const Relation relation{in.word()};
  const string known = " strong branching dp-branching weak weak-simulation "
                       "weak-simulation-equivalence trace weak-trace "
                       "trace-inclusion weak-trace-inclusion ready failures ";
  need(known.find(" " + relation + " ") != string::npos, "an unknown relation");
  if (isWitness) {
    in.expect("side");
    const string name = in.word();
    const int side = name == "right";
    prove(side ? relation.sides() > 1 : name == "left", "not such a side");
    Set one{lts.initial[side]}, other{lts.initial[!side]};
    in.expect("trace");
    for (uint32_t n = in.count(); n; --n) {
      const uint32_t label = in.label();
      for (Set *set : {&one, &other})
        *set = lts.post(*set, label, relation.isWeak());
    }
    const Bits holds = satisfying(lts, relation, in);
    auto isOne = [&](uint32_t s) { return holds[s]; };
    prove(any_of(one, isOne) && std::ranges::none_of(other, isOne),
          "the witness does not tell the two apart");
  } else {
    (relation.hasTraces() ? checkCovers : checkClasses)(lts, relation, in);
  }
  in.expect("end");
  return relation + (isWitness ? ": violated, the witness is checked"
                               : ": holds, the certificate is checked");
}

} // namespace

#ifndef CIF_CHECK_IN_TEST
static void fail(int status, const string &why) {
  std::cerr << "cif-check: " << (status == 1 ? "not proved: " : "error: ")
            << reading << why << "\n";
  std::exit(status);
}

static string slurp(const string &path) {
  string text;
  static char buffer[1 << 16];
  int got = -1;
  gzFile file = gzopen(path.c_str(), "rb"); // plain files are read as they are
  while (file && (got = gzread(file, buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<size_t>(got));
  reading = path + ": ";
  need(got >= 0 && gzclose(file) == Z_OK, "cannot be read");
  return text;
}

int main(int argc, char **argv) {
  std::vector<string> files;
  string system, label;
  for (int i = 1; i < argc; ++i) {
    const string word = argv[i], value = word.substr(word.find('=') + 1);
    if (word == "--help" || word == "-h")
      return std::puts(
                 "usage: cif-check [--tau=LABEL,...] [--system=NAME] FILE "
                 "LEFT RIGHT\n\nChecks the FILE that cif-lts compare "
                 "--certificate= wrote. Exit status: 0\nchecked, 1 not "
                 "proved, 2 bad usage or input.") < 0;
    if (word.rfind("--system=", 0) == 0)
      system = value;
    else if (word.rfind("--tau=", 0) == 0)
      for (std::istringstream list(value); std::getline(list, label, ',');)
        hidden.insert(label);
    else if (word[0] == '-')
      fail(2, "unknown option '" + word + "'; see --help");
    else
      files.push_back(word);
  }
  need(files.size() == 3, "expected a certificate and two LTSs; see --help");
  Pair lts;
  for (int side : {1, 2})
    lts.read(slurp(files[side]), system);
  std::cout << check(lts, Reader(slurp(files[0]))) << "\n";
}
#endif
