//===- cif-check.cpp - Checks certificates and witnesses ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks what `cif-lts compare --certificate=FILE` wrote, by the rules of
/// docs/certificates.md (connected.h: of --check-realizable). Tests include
/// this file with their own fail().
///
//===----------------------------------------------------------------------===//

#include "cif_generated.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <zlib.h>

static void fail(int status, const std::string &why); // 1: not proved

namespace {
using std::string, std::string_view, std::ranges::any_of, std::ranges::includes;
using Set = std::set<uint32_t>;             // of states or labels
using Step = std::pair<uint32_t, uint32_t>; // a label, and a state or class
using Bits = std::vector<bool>;             // by state

void need(bool ok, string_view why) { ok ? void() : fail(2, string(why)); }
void prove(bool ok, string_view why) { ok ? void() : fail(1, string(why)); }

#include "module.h"

/// `->`, `!` or `?` and three names; `tau`; `tick`; or `=` and any other text.
using Label = std::array<string, 4>;
string reading;                                     // the file, for messages
std::map<Label, uint32_t> labelIndex{{{"tau"}, 0}}; // 0: hidden labels too

/// Takes a name off \p text, a word or a text in quotes, if there is one.
bool takeName(string_view &text, string &name) {
  auto isLetter = [](char c) { return c < 0 || std::isalnum(c) || c == '_'; };
  size_t at = std::ranges::find_if_not(text, isLetter) - text.begin();
  name = text.substr(0, at); // a number, or a word that does not start like one
  const size_t letter = name.find_first_not_of("0123456789");
  bool isName = at && (letter == 0 || letter == string::npos);
  if (text.starts_with('"')) {
    for (at = 1; at < text.size() && text[at] != '"'; ++at) {
      if ((name += text[at]).back() != '\\')
        continue;
      const size_t which = string_view("\"\\ntrx").find(text.substr(++at, 1));
      unsigned char code = which < 5 ? "\"\\\n\t\r"[which] : 0;
      const char *digits = text.data() + at + 1;
      at += which == 5 ? 2 : 0;
      if (which > 5 || at >= text.size() ||
          (which == 5 &&
           std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2))
        return false;
      name.back() = static_cast<char>(code);
    }
    isName = at++ < text.size();
  }
  text.remove_prefix(isName ? at : 0);
  return isName;
}

Label meaning(string_view text) { // of a label's text
  const Label plain{"=", "", "", string(text)};
  if (text == "tau" || text == "i" || text == "tick")
    return {text == "i" ? "tau" : string(text)};
  auto take = [&](string_view mark, bool blanks) {
    const bool found = text.starts_with(mark);
    text.remove_prefix(found ? mark.size() : 0);
    while (blanks && text.starts_with(' '))
      text.remove_prefix(1);
    return found;
  };
  Label label;
  const bool hasFirst = takeName(text, label[1]);
  take("", true);
  if (hasFirst && text.empty() && plain[3][0] == '"')
    return {"=", "", "", label[1]};   // quoted as a whole
  const bool both = take("->", true); // with blanks around its marks
  label[0] = both ? "->" : take("!", false) ? "!" : take("?", false) ? "?" : "";
  const bool hasSecond = takeName(text, label[2]) && take("", both);
  const bool isOne = take(":", both) && takeName(text, label[3]) &&
                     text.empty() && (!both || (hasFirst && hasSecond));
  return isOne && !label[0].empty() ? label : plain;
}

uint32_t numberOf(const Label &label) { // to hide `lock` hides `lock(1)` too
  Label head = label;
  head[3].erase(std::min(head[3].find('('), head[3].size()));
  head[3].erase(head[3].find_last_not_of(" \t\n\v\f\r") + 1);
  bool hide = head[0] == "=" && labelIndex.count(head) && !labelIndex[head];
  const size_t number = hide ? 0 : labelIndex.size();
  return labelIndex.emplace(label, number).first->second;
}

uint32_t labelOf(string name) { // as in files: in quotes or not, with blanks
  name.erase(name.find_last_not_of(" \t\r") + 1);
  name.erase(0, name.find_first_not_of(" \t"));
  const size_t quote = name[0] == '"';
  need(!quote || (name.size() > 1 && name.back() == '"'), "a missing quote");
  return numberOf(meaning(name.substr(quote, name.size() - 2 * quote)));
}

/// Both side by side: the states of the right follow those of the left.
struct Pair {
  std::vector<std::vector<Step>> steps;    // of each state; label 0 is silent
  std::vector<uint32_t> first{0}, initial; // states; then how many there are

  void read(const string &text, const string &system) {
    text.find("CIF1") == 4 ? readCif(text, system) : readAut(text);
    first.push_back(static_cast<uint32_t>(steps.size()));
  }
  void readAut(const string &text) {
    unsigned long long from = 0, to = 0, count = 0, states = 0;
    std::istringstream in(text);
    string row;
    auto isAt = [&](size_t at, const char *form, auto... numbers) {
      int end = 0; // what follows must be blank
      return std::sscanf(&row[at], form, numbers..., &end) > 0 && end &&
             row.find_first_not_of(" \t\r", at + end) == row.npos;
    };
    std::getline(in >> std::ws, row);
    need(isAt(0, "des ( %llu , %llu , %llu )%n", &from, &count, &states) &&
             from < states && states <= text.size() + 1048576,
         "not an AUT file: " + row.substr(0, 60));
    initial.push_back(first.back() + static_cast<uint32_t>(from));
    steps.resize(first.back() + states);
    for (; std::getline(in >> std::ws, row); --count) {
      int at = 0; // of the label, which may hold anything but a last comma
      const size_t comma = std::min(row.rfind(','), row.size());
      std::sscanf(row.c_str(), "( %llu , %n", &from, &at);
      need(at && size_t(at) <= comma && isAt(comma, ", %llu )%n", &to) &&
               from < states && to < states,
           "a bad line: " + row.substr(0, 60));
      steps[first.back() + from].emplace_back(
          labelOf(row.substr(at, comma - at)), first.back() + to);
    }
    need(count == 0, "not as many transitions as announced");
  }
  /// The LTS with that name, or the only one, of a module.
  void readCif(const string &text, const string &system) {
    const Columns in = Columns::of(text);
    const cif::fb::System *found = nullptr;
    if (auto *all = in.module.systems())
      for (const cif::fb::System *one : *all)
        if (system.empty() ? all->size() == 1 : in.text(one->name()) == system)
          found = one;
    need(found && found->row_begin() && found->label_kind(),
         "no such LTS; choose one with --system=NAME");
    std::vector<uint32_t> labels;
    for (uint32_t l = 0; l < found->label_kind()->size(); ++l) {
      auto name = [&](auto *column) { return in.text(in.at(column, l)); };
      const char *kinds[] = {"tau", "->", "!", "?", "=", "tick"};
      const auto kind = uint32_t(found->label_kind()->Get(l));
      need(kind < std::size(kinds), "an unknown kind of label");
      Label label{kinds[kind], name(found->label_sender()),
                  name(found->label_receiver()), name(found->label_message())};
      if (kind == 3)
        label[1].swap(label[2]); // the receiver comes first
      labels.push_back(numberOf(kind ? label : Label{"tau"}));
    }
    const char *wrong = "the LTS is not well-formed";
    const uint32_t states = std::max(found->row_begin()->size(), 1u) - 1;
    need(found->initial() < states, wrong);
    initial.push_back(first.back() + found->initial());
    uint32_t row = 0, rows = found->target() ? found->target()->size() : 0;
    for (uint32_t s = 0; s < states; ++s) {
      const uint32_t end = in.at(found->row_begin(), s + 1);
      for (steps.emplace_back(); row < std::min(end, rows); ++row) {
        uint32_t label = in.at(found->label(), row),
                 to = in.at(found->target(), row);
        need(label < labels.size() && to < states, wrong);
        steps.back().push_back({labels[label], first.back() + to});
      }
      need(row == end && (s + 1 < states || row == rows), wrong);
    }
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
  bool canStep(uint32_t s, uint32_t by, const Bits &to) const {
    auto isSuch = [&](Step t) { return t.first == by && to[t.second]; };
    return any_of(steps[s], isSuch);
  }
  /// What is offered at rest: where all that is silently reached leads back.
  std::optional<Set> offer(uint32_t s) const {
    Set labels;
    for (uint32_t u : close({s})) {
      if (!close({u}).count(s))
        return std::nullopt;
      for (auto [label, target] : steps[u])
        labels.insert(label);
    }
    labels.erase(0);
    return labels;
  }
};

struct Reader : std::istringstream { // of the words of a proof
  using std::istringstream::istringstream;
  string word(string found = "") {
    return *this >> found ? found.substr(0, 40) : "";
  }
  void expect(const string &wanted) {
    const string found = word();
    need(found == wanted, "expected '" + wanted + "', found '" + found + "'");
  }
  uint32_t number(uint64_t below, uint64_t found = 0) {
    need(*this >> found && found < below, "a number is missing or too large");
    return static_cast<uint32_t>(found);
  }
  /// How many things follow; each takes a byte at least.
  uint32_t count() { return number(uint64_t(rdbuf()->in_avail()) + 1); }
  uint32_t label(string rest = "") { // to the end of the line
    need(!!std::getline(*this >> std::ws, rest), "a label is missing");
    return labelOf(rest);
  }
};

struct Relation : string { // by its name
  bool is(const char *part) const { return find(part) != npos; }
  bool isWeak() const { return *this != "strong" && rfind("trace", 0) != 0; }
  int sides() const { return ends_with("ion") ? 1 : 2; } // a preorder: one
  bool hasOffers() const { return is("ready") || is("failures"); }
  bool hasTraces() const { return is("trace") || hasOffers(); }
  bool matches(const Set &offer, const std::optional<Set> &other) const {
    return other && (is("ready") ? offer == *other : includes(offer, *other));
  }
};

/// Grows or shrinks a set of states, from all or none, until \p next agrees.
Bits solve(uint32_t size, bool from, const auto &next) {
  Bits set(size, from), before;
  while (before != set)
    for (uint32_t s = (before = set, size); s-- > 0;)
      set[s] = next(s, set);
  return set;
}

/// Whether every state matches the classes that it simulates, its own and those
/// that the certificate names.
void checkClasses(const Pair &lts, const Relation &relation, Reader &in) {
  const bool inClass = relation.is("branching"), silently = relation.isWeak();
  const int simulations = relation.is("simulation") ? relation.sides() : 0;
  const size_t size = lts.steps.size();
  std::vector<uint32_t> of; // the class of each state
  for (int side : {0, 1}) {
    in.expect(side ? "right" : "left");
    prove(in.number(1ull << 32) == lts.size(side), "the LTSs differ in size");
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
  for (int side = 0; side < std::max(simulations, 1); ++side) {
    std::vector<Set> below; // the classes that a class simulates
    for (uint32_t c = 0; c < size; ++c)
      below.push_back({c});
    if (simulations)
      in.expect(side ? "back" : "pairs");
    for (uint32_t n = simulations ? in.count() : 0; n; --n) {
      uint32_t a = in.number(size);
      below[in.number(size)].insert(a);
    }
    prove(below[of[lts.initial[!side]]].count(of[lts.initial[side]]),
          "the initial states are not related");
    for (uint32_t s = 0; s < size; ++s) {
      const Set start = (inClass ? inside : lts).close({s}, silently);
      std::map<uint32_t, Set> reached; // by label
      for (uint32_t c : below[of[s]])
        for (const Step &step : steps[c]) {
          Set &to = reached[step.first];
          if (to.empty())
            to = lts.post(start, step.first, silently && !inClass);
          if (step.first == 0 && silently)
            to.insert(start.begin(), start.end());
          auto isGoal = [&](auto t) { return below[of[t]].count(step.second); };
          prove(any_of(to, isGoal),
                "state " + std::to_string(s) + " does not match a class");
        }
    }
  }
  // All or none of a class can go on silently in it for ever.
  const Bits goesOn = solve(size, true, [&](uint32_t s, const Bits &set) {
    return relation.is("dp-") && inside.canStep(s, 0, set);
  });
  std::map<uint32_t, bool> known;
  for (uint32_t s = 0; s < size; ++s)
    prove(known.emplace(of[s], goesOn[s]).first->second == goesOn[s],
          "states of one class differ in divergence");
}

/// Whether the cover is closed under steps: then no trace of the side is lost.
/// Where a state is at rest, its cover has to match the offer.
void checkCovers(const Pair &lts, const Relation &relation, Reader &in) {
  for (int side = 0; side < relation.sides(); ++side) {
    const bool weak = relation.isWeak();
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
        auto ok = [&](auto t) {
          return relation.matches(*offer, lts.offer(t));
        };
        prove(!offer || any_of(lts.close(cover[s][i]), ok),
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
      return op == "not"       ? !x[s]
             : op == "may"     ? lts.canStep(s, by, x)
             : op == "diverge" ? x[s] && lts.canStep(s, 0, set)
             : op == "offer"   ? relation.matches(labels, lts.offer(s))
                               : !any_of(on, [&](auto *o) { return !(*o)[s]; });
    };
    values.push_back(op == "until"  ? until(x, *on[1], by)
                     : op == "weak" ? until(all, until(all, x, 0), by)
                                    : solve(all.size(), true, holds));
  }
  need(!values.empty(), "there is no formula");
  return values.back();
}

string check(const Pair &lts, Reader in) { // says what is proved
  const string kind = in.word();
  const bool isWitness = kind == "cif-witness";
  need(isWitness || kind == "cif-certificate", "no certificate or witness");
  in.expect("1");
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
    in.expect("trace");
    const bool traces = relation.hasTraces(), weak = relation.isWeak();
    std::vector<uint32_t> trace(in.count());
    std::ranges::generate(trace, [&] { return in.label(); });
    prove(traces || trace.empty(), "a trace is no witness for this relation");
    const Bits holds = satisfying(lts, relation, in);
    auto canHold = [&](uint32_t initial) {
      Set after = lts.close({initial}, traces && weak);
      for (uint32_t label : trace)
        after = lts.post(after, label, weak);
      return any_of(after, [&](uint32_t s) { return holds[s]; });
    };
    prove(canHold(lts.initial[side]) && !canHold(lts.initial[!side]),
          "the witness does not distinguish the two");
  } else {
    (relation.hasTraces() ? checkCovers : checkClasses)(lts, relation, in);
  }
  in.expect("end");
  in.expect("");
  return relation + (isWitness ? ": violated, the witness is checked"
                               : ": holds, the certificate is checked");
}
#include "connected.h"
} // namespace
#ifndef CIF_CHECK_IN_TEST
static void fail(int status, const string &why) {
  string text = (status == 1 ? "not proved: " : "error: ") + reading + why;
  for (char &c : text)
    c = c < ' ' || c > '~' ? '?' : c;
  std::cerr << "cif-check: " << text << "\n";
  std::exit(status);
}

static string slurp(const string &path, string text = "", int got = -1) {
  static char buffer[1 << 16];
  gzFile file = gzopen(path.c_str(), "rb"); // or a plain file
  reading = path + ": ";
  while (file && (got = gzread(file, buffer, sizeof buffer)) > 0)
    need(text.append(buffer, got).size() >> 30 == 0, "has more than 1 GiB");
  need(got >= 0 && gzclose(file) == Z_OK, "cannot be read");
  return text;
}

int main(int argc, char **argv) {
  auto say = [](string said) { return std::cout << said << std::endl ? 0 : 2; };
  std::vector<string> files;
  string system, label;
  for (int i = 1; i < argc; ++i) {
    const string word = argv[i], value = word.substr(word.find('=') + 1);
    if (word == "--help" || word == "-h")
      return say("usage: cif-check [--tau=LABEL,...] [--system=NAME] FILE LEFT "
                 "RIGHT\n       cif-check [--system=NAME] FILE MODULE\nVerify "
                 "FILE, a certificate or witness that cif-lts compare wrote "
                 "for LEFT\nand RIGHT, or cifc for MODULE.\nExit "
                 "status: 0 checked, 1 not proved, 2 bad usage or input.");
    if (word == "--version")
      return say("cif-check (CIF) " CIF_VERSION);
    if (word.rfind("--system=", 0) == 0)
      system = value;
    else if (word.rfind("--tau=", 0) == 0)
      for (std::istringstream list(value); std::getline(list, label, ',');)
        for (const Label &one : {meaning(label), Label{"=", "", "", label}})
          label.empty() ? void() : void(labelIndex[one] = 0);
    else if (word[0] == '-')
      fail(2, "unknown option '" + word + "'; see --help");
    else
      files.push_back(word);
  }
  need(files.size() == 3 || files.size() == 2,
       "expected a certificate and two LTSs or a module; see --help");
  if (files.size() == 2)
    return say(checkConnected(readNet(slurp(files[1]), system),
                              Reader(slurp(files[0]))));
  Pair lts;
  lts.read(slurp(files[1]), system);
  lts.read(slurp(files[2]), system);
  return say(check(lts, Reader(slurp(files[0]))));
}
#endif
