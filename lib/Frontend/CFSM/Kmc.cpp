//===- Kmc.cpp - The front end of KMC's session types ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Communicating automata written as session types, as the tool KMC reads them:
///
///   A: rec x . { B!m ; x, B!stop ; end }
///   B: rec x . { A?m ; x, A?stop ; end }
///
/// Each machine becomes a peer whose states are the types that it goes through;
/// `end` is final. A message may have a sort, `m<int>`, which is part of its
/// name. A choice whose branch is a recursion has the transitions of that
/// recursion and its own (the two are told apart: the others are not offered
/// when it comes back).
///
/// The parser makes an automaton with silent steps (to a variable, to `end`,
/// into such a branch) and takes them out; a cycle of them is unguarded
/// recursion.
///
//===----------------------------------------------------------------------===//

#include "MachineReader.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;
using namespace cif::cfsm;

namespace {

/// A step of a state: an action, or (kind Tau) silently to another state.
struct Edge {
  uint32_t from, to;
  LabelKind kind;
  Name partner, message;
  uint32_t line, column;
};

struct Machine {
  Name name;
  Location loc;
  std::vector<Edge> edges;
  uint32_t numStates = 2; ///< 0: the beginning, 1: the end
};
constexpr uint32_t initialState = 0, endState = 1;

/// More than this is no model that anybody wrote.
constexpr size_t maxTransitions = 1 << 22;

class Reader : public MachineReader<Machine> {
public:
  Reader(const SourceBuffer &source, Module &module, DiagnosticEngine &diags,
         const FrontEndOptions &options)
      : MachineReader(source, module, diags, options, "kmc", "!?:;{},.<>()") {}

  void parseFile();
  void lower();

private:
  void parseMachine();
  void parseType(Machine &machine);
  bool parseStep(Machine &machine);
  void silent(Machine &machine, uint32_t from, uint32_t to) {
    machine.edges.push_back({from, to, LabelKind::Tau, Name(), Name(),
                             scanner.tokenLine, scanner.tokenColumn});
  }
  /// To the next machine: a word with a colon behind it.
  void skipMachine();
  bool atMachine() const { return scanner.isWord() && scanner.nextIsColon(); }
  void lowerMachine(const Machine &machine);

  // Of the machine that is being read.
  uint32_t current = 0;
  struct Open { ///< a brace
    uint32_t state;
    size_t bindings;
    Place place;
  };
  std::vector<Open> open;
  struct Binding {
    Name name;
    uint32_t previous;
  };
  std::vector<Binding> bindings;
  llvm::DenseMap<uint32_t, uint32_t> variables;
  void unbind(size_t count) {
    for (; bindings.size() > count; bindings.pop_back())
      if (bindings.back().previous == ~0u)
        variables.erase(bindings.back().name.index());
      else
        variables[bindings.back().name.index()] = bindings.back().previous;
  }
};

} // namespace

void Reader::skipMachine() {
  while (!scanner.atEnd() && !atMachine())
    scanner.advance();
}

void Reader::parseFile() {
  if (scanner.atEnd())
    scanner.expected("a machine, 'A: ...'");
  while (!scanner.atEnd() && !diags.tooManyErrors()) {
    if (atMachine()) {
      parseMachine();
      continue;
    }
    scanner.expected("a machine, 'A: ...'");
    scanner.advance();
    skipMachine();
  }
}

void Reader::parseMachine() {
  Machine machine{.name = module.intern(scanner.token),
                  .loc = scanner.location(sourceId)};
  declare(machine);
  scanner.advance();
  scanner.advance(); // the colon
  parseType(machine);
  machines.push_back(std::move(machine));
}

/// Reads one type, with a stack of the braces that are open.
void Reader::parseType(Machine &machine) {
  open.clear();
  bindings.clear();
  variables.clear();
  current = initialState;
  while (true) {
    // Prefixes, recursions and braces, up to `end` or a variable.
    if (!parseStep(machine)) {
      skipMachine();
      return;
    }
    if (current != ~0u)
      continue;
    // A type is complete: close what it closes.
    while (!open.empty() && scanner.is("}")) {
      unbind(open.back().bindings);
      open.pop_back();
      scanner.advance();
    }
    if (open.empty())
      return;
    unbind(open.back().bindings);
    if (!scanner.consume(",")) {
      diags.report(scanner.place(), diag::expected_token)
              .note(open.back().place, "the brace opened here")
          << "',' or '}'"
          << (scanner.atEnd() ? Twine("the end of the file")
                              : "'" + Twine(scanner.token) + "'");
      skipMachine();
      return;
    }
    current = open.back().state;
  }
}

/// Reads one step of a type at `current`; that becomes none when the type is
/// complete.
bool Reader::parseStep(Machine &machine) {
  if (scanner.is("{")) {
    open.push_back({current, bindings.size(), scanner.place()});
    scanner.advance();
    return true;
  }
  if (!scanner.isWord()) {
    scanner.expected("'end', 'rec', '{', an action or a variable");
    return false;
  }
  uint32_t line = scanner.tokenLine, column = scanner.tokenColumn;
  Place place = scanner.place();
  Name word = module.intern(scanner.token);
  bool isEnd = scanner.is("end"), isRec = scanner.is("rec");
  scanner.advance();
  if (scanner.is("!") || scanner.is("?")) {
    Edge edge{current,
              machine.numStates,
              scanner.is("!") ? LabelKind::Send : LabelKind::Receive,
              word,
              Name(),
              line,
              column};
    scanner.advance();
    if (!takeName("the message", edge.message))
      return false;
    if (scanner.consume("<")) { // its sort
      std::string full = module.text(edge.message).str() + "<";
      while (scanner.isWord()) {
        full += scanner.token;
        scanner.advance();
      }
      if (!scanner.consume(">")) {
        scanner.expected("'>'");
        return false;
      }
      edge.message = module.intern(full + ">");
    }
    if (!scanner.consume(";")) {
      scanner.expected("';'");
      return false;
    }
    machine.edges.push_back(edge);
    current = machine.numStates++;
    return true;
  }
  if (isRec) {
    Name variable;
    if (!takeName("a variable", variable))
      return false;
    if (!scanner.consume(".")) {
      scanner.expected("'.'");
      return false;
    }
    // A recursion in a branch comes back to the branch, not to the choice.
    if (!open.empty() && open.back().state == current) {
      silent(machine, current, machine.numStates);
      current = machine.numStates++;
    }
    auto [entry, isNew] = variables.try_emplace(variable.index(), ~0u);
    bindings.push_back({variable, entry->second});
    entry->second = current;
    return true;
  }
  if (isEnd) {
    silent(machine, current, endState);
    current = ~0u;
    return true;
  }
  auto variable = variables.find(word.index());
  if (variable == variables.end())
    diags.report(place, diag::unknown_call)
            .note("write an action as 'B!m;' or 'B?m;'")
        << module.text(word);
  else
    silent(machine, current, variable->second);
  current = ~0u;
  return true;
}

namespace {
/// The edges of a machine by their source.
struct OutgoingEdges {
  explicit OutgoingEdges(const Machine &machine)
      : begin(machine.numStates + 1, 0), order(machine.edges.size()) {
    for (const Edge &e : machine.edges)
      ++begin[e.from + 1];
    for (size_t i = 0; i < machine.numStates; ++i)
      begin[i + 1] += begin[i];
    std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
    for (uint32_t i = 0; i < machine.edges.size(); ++i)
      order[next[machine.edges[i].from]++] = i;
  }
  std::vector<uint32_t> begin; ///< of each state, in `order`
  std::vector<uint32_t> order; ///< indexes of edges
};
} // namespace

/// The edge that closes a cycle of silent steps, or null.
static const Edge *closesSilentCycle(const Machine &machine,
                                     const OutgoingEdges &out) {
  enum : uint8_t { New, Active, Done };
  std::vector<uint8_t> colour(machine.numStates, New);
  std::vector<std::pair<uint32_t, uint32_t>> path;
  for (uint32_t root = 0; root < machine.numStates; ++root) {
    if (colour[root] != New)
      continue;
    colour[root] = Active;
    path.push_back({root, out.begin[root]});
    while (!path.empty()) {
      auto &[state, at] = path.back();
      if (at == out.begin[state + 1]) {
        colour[state] = Done;
        path.pop_back();
        continue;
      }
      const Edge &e = machine.edges[out.order[at++]];
      if (e.kind != LabelKind::Tau)
        continue;
      if (colour[e.to] == Active)
        return &e;
      if (colour[e.to] == New) {
        colour[e.to] = Active;
        path.push_back({e.to, out.begin[e.to]});
      }
    }
  }
  return nullptr;
}

/// Takes the silent steps out and keeps what is reachable.
void Reader::lowerMachine(const Machine &machine) {
  const OutgoingEdges out(machine);
  const auto &[begin, order] = out;
  // A cycle of silent steps is a recursion without an action.
  if (const Edge *e = closesSilentCycle(machine, out)) {
    diags.report({scanner.source.path().str(), e->line, e->column, ""},
                 diag::unguarded_recursion)
        << module.text(machine.name);
    return;
  }

  // Each state has the actions of all that it reaches silently. A state that
  // only goes silently to one other is that one.
  std::vector<uint32_t> same(machine.numStates);
  for (uint32_t s = 0; s < machine.numStates; ++s)
    same[s] = begin[s + 1] - begin[s] == 1 &&
                      machine.edges[order[begin[s]]].kind == LabelKind::Tau
                  ? machine.edges[order[begin[s]]].to
                  : s;
  auto find = [&](uint32_t s) {
    while (same[s] != s)
      s = same[s] = same[same[s]];
    return s;
  };
  PeerBuilder builder;
  builder.saysFinal = true;
  std::vector<uint32_t> number(machine.numStates, ~0u), queue, work, stamp;
  stamp.assign(machine.numStates, ~0u);
  auto visit = [&](uint32_t s) {
    s = find(s);
    if (number[s] == ~0u) {
      number[s] = builder.addState();
      queue.push_back(s);
    }
    return number[s];
  };
  visit(initialState);
  for (size_t i = 0; i < queue.size(); ++i) {
    uint32_t state = queue[i];
    work.assign(1, state);
    stamp[state] = state;
    for (size_t j = 0; j < work.size(); ++j) {
      if (work[j] == endState)
        builder.setFinal(number[state]);
      for (uint32_t k = begin[work[j]]; k < begin[work[j] + 1]; ++k) {
        const Edge &e = machine.edges[order[k]];
        if (e.kind != LabelKind::Tau) {
          uint32_t to = visit(e.to);
          builder.addAction(number[state], e.kind, e.partner, e.message, to,
                            e.line);
        } else if (stamp[e.to] != state) {
          stamp[e.to] = state;
          work.push_back(e.to);
        }
      }
      if (builder.numTransitions() > maxTransitions) {
        diags.report(module.place(machine.loc), diag::too_many_transitions)
            << module.text(machine.name) << maxTransitions;
        return;
      }
    }
  }
  if (isSelected(machine))
    builder.finish(module, module.getParticipant(machine.name), 0, machine.loc);
}

void Reader::lower() {
  for (const Machine &machine : machines) {
    for (const Edge &e : machine.edges) {
      if (e.kind == LabelKind::Tau)
        continue;
      Location loc{sourceId, e.line, e.column, Name()};
      checkPartner(machine, e.partner, e.message, loc);
      if (names.try_emplace(e.partner.index(), loc).second) {
        diags.report(module.place(loc), diag::unknown_machine)
            << module.text(e.partner);
        module.getParticipant(e.partner, loc);
      }
    }
    lowerMachine(machine);
  }
}

int cif::detectKmc(StringRef path, StringRef text) {
  // `A : type`, where the type begins with an action, `rec`, a brace or `end`.
  StringRef rest = cfsm::skipBlanks(text);
  StringRef name = rest.take_while(isWordChar);
  rest = cfsm::skipBlanks(rest.drop_front(name.size()));
  if (name.empty() || !rest.consume_front(":"))
    return byEnding(path, ".kmc", text);
  while (true) {
    rest = cfsm::skipBlanks(rest);
    StringRef word = rest.take_while(isWordChar);
    rest = cfsm::skipBlanks(rest.drop_front(word.size()));
    if (word.empty())
      return rest.starts_with("{") ? 70 : 0;
    if (word == "rec") {
      StringRef variable = rest.take_while(isWordChar);
      rest = cfsm::skipBlanks(rest.drop_front(variable.size()));
      if (variable.empty() || !rest.consume_front("."))
        return 0;
      continue;
    }
    if (word == "end" || rest.starts_with("!") || rest.starts_with("?"))
      return 90;
    return 0;
  }
}

bool cif::parseKmc(const SourceBuffer &source, Module &module,
                   DiagnosticEngine &diags, const FrontEndOptions &options) {
  return readMachines<Reader>(source, module, diags, options);
}
