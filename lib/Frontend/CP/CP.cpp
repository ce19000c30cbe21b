//===- CP.cpp - The front end of conversation protocols and peers ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Conversation protocols and peers: automata over interactions, and over sends
/// and receives [verchor, Def. 1 and 2]. The language is described in
/// docs/cp.md.
///
/// A protocol becomes a choreography. Each state is a node named like it: an
/// EventChoice when there are two or more ways on (its transitions, and its
/// being final), else a SimpleJoin. Each transition is an Interaction (`tau p`:
/// a Task of p) between two of them. The initial node leads to the initial
/// state; a final state has a flow to a Final node; a state without any way on
/// has a flow to a Stuck node. A peer becomes an LTS.
///
/// Data are those of IOC: there may be enumerations, a transition may have a
/// condition, and its message a payload. A state with a condition on a way on
/// is an EventChoice, whose flow has it. Where some peer of a file has data all
/// become processes, which are made like choreographies of sends and
/// receptions. A variable is bound at a state where every way to it binds it.
///
//===----------------------------------------------------------------------===//

#include "DataText.h"
#include "PeerBuilder.h"
#include "cif/Frontend/FrontEnd.h"
#include "cif/Support/Diagnostics/Text.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <numeric>

using namespace cif;

namespace {

struct State {
  Name name;
  Token at;      ///< where it is first mentioned
  Token finalAt; ///< where it is said to be final
  bool isFinal = false, onTransition = false;
};

struct Transition {
  uint32_t from, to;
  LabelKind kind = LabelKind::Exchange;
  Name first, second, message; ///< sender and receiver; or the partner alone
  Token at;
  std::optional<Argument> condition;
  std::vector<Argument> payload;
};

/// A block as written.
struct Automaton {
  bool isPeer = false;
  Name name;
  Token at;
  uint32_t initial = ~0u;
  Token initialAt;
  std::vector<State> states;
  std::vector<Transition> transitions;
  llvm::DenseMap<uint32_t, uint32_t> stateOf;

  bool hasData() const {
    return llvm::any_of(transitions, [](const Transition &t) {
      return t.condition || !t.payload.empty();
    });
  }
};

/// The variables of an automaton, and where they are bound.
struct Variables {
  struct Variable {
    Sort sort;
    uint32_t line, column;
  };
  llvm::DenseMap<uint32_t, uint32_t> numbers; ///< by name
  std::vector<Variable> all;
  std::vector<Name> names;
  std::vector<llvm::BitVector> boundAt; ///< by state
};

class Parser {
public:
  Parser(const SourceBuffer &source, Module &module, DiagnosticEngine &diags,
         const FrontEndOptions &options)
      : lexer(source, diags), module(module), diags(diags),
        select(options.select), sourceId(module.getSource(source.path(), "cp")),
        reader(lexer, module.strings, exprs), data(module, sourceId, diags) {}

  void parseFile();

private:
  bool atBlock() {
    return lexer.isWord("protocol") || lexer.isWord("peer") ||
           lexer.isWord("enum");
  }
  void skipToBlock() {
    while (!lexer.is(Tok::End) && !atBlock())
      lexer.advance();
  }
  void defineOnce(StringRef what, Name name, const Token &at,
                  llvm::DenseMap<uint32_t, Token> &defined);
  bool parseHeader(const Twine &what, Name &name, Token &at, Token &brace);
  void parseEnum();
  void parseBlock(bool isPeer);
  void parseItems(Automaton &automaton, const Token &brace);
  bool parseTransition(Automaton &automaton);
  bool parseStates(Automaton &automaton, bool isInitial);
  uint32_t state(Automaton &automaton, const Token &at);
  bool takeName(const Twine &what, Token &at);
  bool atItem() {
    return lexer.isWord("initial") || lexer.isWord("final") ||
           (lexer.isName() && lexer.isArrow(lexer.peek()));
  }
  void unknownItem(const Token &brace);

  bool check(const Automaton &automaton);
  void lowerGraph(const Automaton &automaton);
  NodeId lowerStep(const Automaton &automaton, const Transition &t,
                   const Variables &variables, Behaviour &b);
  std::vector<StateIndex> numbersOf(ArrayRef<State> states) const;
  void lowerPeer(const Automaton &automaton);
  Variables findVariables(const Automaton &automaton);
  Sort variable(const Variables &variables, uint32_t state, const RawExpr &raw);
  void lowerData(const Transition &t, const Variables &variables, Behaviour &b,
                 NodeId node);
  Location location(const Token &at) const {
    return {sourceId, at.line, at.column, Name()};
  }

  Lexer lexer;
  Module &module;
  DiagnosticEngine &diags;
  StringRef select;
  SourceId sourceId;
  std::vector<RawExpr> exprs;
  DataParser reader;
  DataLowering data;
  std::vector<Automaton> automata; ///< those that are to be lowered
  llvm::DenseMap<uint32_t, Token> protocols, peers, enumerations, literals;
  bool selected = false, saidSeparator = false;
};

} // namespace

void Parser::parseFile() {
  static const char blocks[] = "'protocol', 'peer' or 'enum'";
  if (lexer.isEmpty())
    lexer.expected(blocks);
  while (!lexer.is(Tok::End) && !diags.tooManyErrors()) {
    bool isPeer = lexer.isWord("peer");
    if (isPeer || lexer.isWord("protocol")) {
      parseBlock(isPeer);
      continue;
    }
    if (lexer.isWord("enum")) {
      parseEnum();
      continue;
    }
    lexer.expected(blocks, {"protocol", "peer", "enum"});
    lexer.advance();
    skipToBlock();
  }
  if (!select.empty() && !selected && !diags.hasErrors())
    diags.report(lexer.source.place(0), diag::unknown_block) << select;
  bool peersHaveData = llvm::any_of(automata, [](const Automaton &automaton) {
    return automaton.isPeer && automaton.hasData();
  });
  for (const Automaton &automaton : automata)
    if (automaton.isPeer && !peersHaveData)
      lowerPeer(automaton);
    else
      lowerGraph(automaton);
}

bool Parser::takeName(const Twine &what, Token &at) {
  at = lexer.token();
  if (!lexer.isName()) {
    lexer.expectedAfter(what);
    return false;
  }
  lexer.advance();
  return true;
}

void Parser::defineOnce(StringRef what, Name name, const Token &at,
                        llvm::DenseMap<uint32_t, Token> &defined) {
  auto [entry, isNew] = defined.try_emplace(name.index(), at);
  if (!isNew)
    diags.report(lexer.place(at), diag::redefinition)
            .note(lexer.place(entry->second), "the first one is here")
        << what << module.text(name);
}

/// `keyword name {`. False: there is no block to read.
bool Parser::parseHeader(const Twine &what, Name &name, Token &at,
                         Token &brace) {
  lexer.advance();
  if (takeName("the name of the " + what, at))
    name = lexer.name(at, module.strings);
  brace = lexer.token();
  if (lexer.consume(Tok::LeftBrace))
    return true;
  lexer.expected("'{'");
  skipToBlock();
  return false;
}

void Parser::parseEnum() {
  EnumDecl made;
  Token at, brace;
  if (!parseHeader("enumeration", made.name, at, brace))
    return;
  made.line = at.line;
  made.column = at.column;
  if (!made.name.empty())
    defineOnce("enumeration", made.name, at, enumerations);
  reader.parseLiterals(made, brace, [&](Name name, const Token &literal) {
    defineOnce("literal", name, literal, literals);
  });
  data.addEnumeration(made);
}

void Parser::parseBlock(bool isPeer) {
  Automaton automaton;
  automaton.isPeer = isPeer;
  Token brace;
  StringRef what = isPeer ? "peer" : "protocol";
  if (!parseHeader(what, automaton.name, automaton.at, brace))
    return;
  if (!automaton.name.empty())
    defineOnce(what, automaton.name, automaton.at, isPeer ? peers : protocols);
  unsigned before = diags.errors();
  parseItems(automaton, brace);
  if (diags.errors() != before || !check(automaton))
    return;
  if (!select.empty() && select != module.text(automaton.name))
    return;
  selected = true;
  automata.push_back(std::move(automaton));
}

void Parser::parseItems(Automaton &automaton, const Token &brace) {
  while (!diags.tooManyErrors()) {
    bool ok = true;
    // A state may be called "initial" too: then an arrow follows.
    bool isState = lexer.isName() && lexer.isArrow(lexer.peek());
    if (isState) {
      ok = parseTransition(automaton);
    } else if (lexer.is(Tok::Semicolon) || lexer.is(Tok::Comma)) {
      // Said once: who writes one writes many.
      if (!std::exchange(saidSeparator, true))
        diags.report(lexer.place(lexer.token()), diag::expected_token)
                .note("no " + lexer.found() + " is needed between these")
            << "'initial', 'final', a transition or '}'" << lexer.found();
      lexer.advance();
      continue;
    } else if (lexer.isWord("initial") || lexer.isWord("final")) {
      bool isInitial = lexer.isWord("initial");
      lexer.advance();
      ok = parseStates(automaton, isInitial);
    } else if (lexer.consume(Tok::RightBrace)) {
      return;
    } else {
      unknownItem(brace);
      if (lexer.is(Tok::End))
        return;
      lexer.advance();
      ok = false;
    }
    // Go on with the next line: the rest of this one may look like a
    // transition.
    uint32_t line = lexer.previous().line;
    while (!ok && !lexer.is(Tok::RightBrace) && !lexer.is(Tok::End) &&
           (lexer.token().line == line || !atItem()))
      lexer.advance();
  }
}

/// Nothing begins like this: a keyword that is not spelt right, a transition
/// without its arrow, or something else.
void Parser::unknownItem(const Token &brace) {
  static const char items[] = "'initial', 'final', a transition or '}'";
  const Token at = lexer.token();
  // A name that is followed by a name on its line.
  bool two =
      lexer.isName() && lexer.peek().line == at.line &&
      (lexer.peek().kind == Tok::Word || lexer.peek().kind == Tok::Number ||
       lexer.peek().kind == Tok::Quoted);
  StringRef guess = two && at.kind == Tok::Word && lexer.text(at).size() > 3
                        ? nearest(lexer.text(at), {"initial", "final"})
                        : StringRef();
  if (!guess.empty())
    lexer.expected(items, at, "did you mean '" + guess + "'?");
  else if (two)
    diags.report(lexer.place(lexer.peek()), diag::expected_token)
            .note("a transition is 's -> t : p -> q : message'")
        << "'->' after the state" << lexer.found(lexer.peek());
  else
    lexer.expected(items, brace, "the block opened here");
}

/// `s` after `initial`; `s {, s}` after `final`.
bool Parser::parseStates(Automaton &automaton, bool isInitial) {
  do {
    Token at;
    if (!takeName("a state", at))
      return false;
    uint32_t index = state(automaton, at);
    if (!isInitial) {
      automaton.states[index].isFinal = true;
      automaton.states[index].finalAt = at;
      continue;
    }
    if (automaton.initial != ~0u)
      diags.report(lexer.place(at), diag::redefinition)
              .note(lexer.place(automaton.initialAt), "the first one is here")
          << "initial state of" << module.text(automaton.name);
    automaton.initial = index;
    automaton.initialAt = at;
    return true;
  } while (lexer.consume(Tok::Comma));
  return true;
}

uint32_t Parser::state(Automaton &automaton, const Token &at) {
  Name name = lexer.name(at, module.strings);
  auto [entry, isNew] = automaton.stateOf.try_emplace(
      name.index(), static_cast<uint32_t>(automaton.states.size()));
  if (isNew)
    automaton.states.push_back({name, at});
  return entry->second;
}

/// `s -> t : p -> q : m` or `s -> t : tau p` in a protocol; `s -> t : q!m`,
/// `s -> t : p?m` or `s -> t : tau` in a peer; with a condition, `[x < 5] =>`,
/// in front, and a payload behind.
bool Parser::parseTransition(Automaton &automaton) {
  Transition transition;
  Token from = lexer.token(), to, first, second, message;
  lexer.advance();
  lexer.consumeArrow();
  if (!takeName("a state", to))
    return false;
  if (!lexer.consume(Tok::Colon)) {
    lexer.expectedAfter("':'");
    return false;
  }
  if (lexer.is(Tok::LeftBracket)) {
    Token open = lexer.token();
    if (!reader.parseCondition(transition.condition.emplace()))
      return false;
    if (!lexer.consume(Tok::FatArrow)) {
      lexer.expected("'=>'", open, "after the guard");
      return false;
    }
  }
  transition.at = lexer.token();
  bool peer = automaton.isPeer;
  if (lexer.isWord("tau") && !lexer.isArrow(lexer.peek()) &&
      lexer.peek().kind != Tok::Bang && lexer.peek().kind != Tok::Question) {
    lexer.advance();
    transition.kind = LabelKind::Tau;
    if (!peer) {
      if (!takeName("the participant whose step it is", first))
        return false;
      transition.first = lexer.name(first, module.strings);
    }
  } else {
    if (!takeName(peer ? "'q!message', 'p?message' or 'tau'"
                       : "'p -> q : message' or 'tau p'",
                  first))
      return false;
    transition.first = lexer.name(first, module.strings);
    if (peer) {
      transition.kind =
          lexer.is(Tok::Bang) ? LabelKind::Send : LabelKind::Receive;
      if (!lexer.consume(Tok::Bang) && !lexer.consume(Tok::Question)) {
        lexer.expectedAfter("'!' or '?'");
        return false;
      }
    } else {
      if (!lexer.consumeArrow()) {
        lexer.expectedAfter("'->' and the receiver");
        return false;
      }
      if (!takeName("the receiver", second))
        return false;
      transition.second = lexer.name(second, module.strings);
      if (!lexer.consume(Tok::Colon)) {
        lexer.expectedAfter("':' and the message");
        return false;
      }
    }
    if (!takeName("the message", message))
      return false;
    transition.message = lexer.name(message, module.strings);
    if (lexer.is(Tok::LeftParen) && !reader.parsePayload(transition.payload))
      return false;
    Name sender = peer ? automaton.name : transition.second;
    if (sender == transition.first)
      diags.report(lexer.place(transition.at), diag::self_message)
          << module.text(sender) << module.text(transition.message);
  }
  transition.from = state(automaton, from);
  transition.to = state(automaton, to);
  automaton.states[transition.from].onTransition = true;
  automaton.states[transition.to].onTransition = true;
  automaton.transitions.push_back(transition);
  return true;
}

bool Parser::check(const Automaton &automaton) {
  if (automaton.initial == ~0u) {
    diags.report(lexer.place(automaton.at), diag::no_initial_state)
            .note("write 'initial' and a state in the block")
        << (automaton.isPeer ? "peer" : "protocol")
        << module.text(automaton.name);
    return false;
  }
  if (!automaton.transitions.empty())
    for (const State &s : automaton.states)
      if (!s.onTransition) {
        auto report = diags.report(lexer.place(s.at), diag::state_not_used);
        report << module.text(s.name);
        SmallVector<StringRef> known;
        for (const State &other : automaton.states)
          if (other.onTransition)
            known.push_back(module.text(other.name));
        // Names like s1 and s2 are near by nature.
        if (module.text(s.name).size() > 3)
          report.guess(nearest(module.text(s.name), known));
      }
  return true;
}

/// The number of each state of a peer, which runs show: that of its name, if
/// the states are called s0, s1 and so on, else by where it is first mentioned.
std::vector<StateIndex> Parser::numbersOf(ArrayRef<State> states) const {
  std::vector<StateIndex> numbers;
  StringRef stem = module.text(states.front().name).rtrim("0123456789");
  for (const State &s : states) {
    StringRef digits = module.text(s.name);
    StateIndex number = 0;
    if (!digits.consume_front(stem) || digits.getAsInteger(10, number) ||
        number >= states.size() || digits != std::to_string(number))
      break;
    numbers.push_back(number);
  }
  if (numbers.size() < states.size()) {
    numbers.resize(states.size());
    std::iota(numbers.begin(), numbers.end(), 0);
  }
  return numbers;
}

void Parser::lowerPeer(const Automaton &automaton) {
  Location loc = location(automaton.at);
  ParticipantId owner = module.getParticipant(automaton.name, loc);
  const std::vector<StateIndex> numbers = numbersOf(automaton.states);
  PeerBuilder builder;
  for (size_t i = 0; i < numbers.size(); ++i)
    builder.addState();
  for (size_t i = 0; i < numbers.size(); ++i)
    if (automaton.states[i].isFinal)
      builder.setFinal(numbers[i]);
  for (const Transition &t : automaton.transitions) {
    const StateIndex from = numbers[t.from], to = numbers[t.to];
    if (t.kind == LabelKind::Tau) {
      builder.addTau(from, to, t.at.line);
      continue;
    }
    module.getParticipant(t.first, location(t.at));
    builder.addAction(from, t.kind, t.first, t.message, to, t.at.line);
  }
  builder.finish(module, owner, numbers[automaton.initial], loc);
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

Variables Parser::findVariables(const Automaton &automaton) {
  Variables found;
  for (const Transition &t : automaton.transitions)
    for (const Argument &argument : t.payload) {
      if (argument.variable.empty())
        continue;
      Sort sort = data.sortOf(argument);
      auto [at, isNew] = found.numbers.try_emplace(
          argument.variable.index(), static_cast<uint32_t>(found.all.size()));
      if (isNew) {
        found.all.push_back({sort, argument.line, argument.column});
        found.names.push_back(argument.variable);
      }
      const Variables::Variable &known = found.all[at->second];
      if (known.sort != sort && sort != unknownSort)
        diags.report(lexer.place(argument.line, argument.column),
                     diag::sort_mismatch)
                .note(lexer.place(known.line, known.column),
                      "the variable is declared here")
            << ("variable '" + module.text(argument.variable) + "'")
            << data.sortText(known.sort) << data.sortText(sort);
    }
  if (found.all.empty())
    return found;
  // What every way to a state binds: from "all" downwards.
  std::vector<SmallVector<uint32_t, 2>> leaving(automaton.states.size());
  for (size_t i = 0; i < automaton.transitions.size(); ++i)
    leaving[automaton.transitions[i].from].push_back(static_cast<uint32_t>(i));
  found.boundAt.assign(automaton.states.size(),
                       llvm::BitVector(found.all.size(), true));
  found.boundAt[automaton.initial].reset();
  std::vector<uint32_t> work{automaton.initial};
  llvm::BitVector reached(automaton.states.size());
  reached.set(automaton.initial);
  while (!work.empty()) {
    uint32_t from = work.back();
    work.pop_back();
    for (uint32_t i : leaving[from]) {
      const Transition &t = automaton.transitions[i];
      llvm::BitVector after = found.boundAt[from];
      for (const Argument &argument : t.payload)
        if (!argument.variable.empty())
          after.set(found.numbers.lookup(argument.variable.index()));
      after &= found.boundAt[t.to];
      if (reached.test(t.to) && after == found.boundAt[t.to])
        continue;
      reached.set(t.to);
      found.boundAt[t.to] = std::move(after);
      work.push_back(t.to);
    }
  }
  return found;
}

Sort Parser::variable(const Variables &variables, uint32_t state,
                      const RawExpr &raw) {
  auto number = variables.numbers.find(raw.name.index());
  if (number == variables.numbers.end()) {
    SmallVector<StringRef> names;
    for (size_t i = 0; i < variables.all.size(); ++i)
      if (variables.boundAt[state].test(i))
        names.push_back(module.text(variables.names[i]));
    data.unknownVariable(raw, names);
    return unknownSort;
  }
  const Variables::Variable &known = variables.all[number->second];
  if (!variables.boundAt[state].test(number->second))
    diags.report(lexer.place(raw.line, raw.column), diag::unknown_variable)
            .note(lexer.place(known.line, known.column),
                  "declared here, but not on every path to its use")
        << module.text(raw.name);
  return known.sort;
}

/// The payload of a message.
void Parser::lowerData(const Transition &t, const Variables &variables,
                       Behaviour &b, NodeId id) {
  bool receives = t.kind == LabelKind::Receive;
  SmallVector<ExprId, 4> values;
  for (const Argument &argument : t.payload) {
    if (!argument.variable.empty()) {
      uint32_t number = variables.numbers.lookup(argument.variable.index());
      values.push_back(data.declare(argument, variables.all[number].sort));
      continue;
    }
    values.push_back(data.lower(exprs, argument, [&](const RawExpr &raw) {
      return variable(variables, t.from, raw);
    }));
    if (receives && module.expr(values.back()).op != ExprOp::Variable)
      diags
          .report(lexer.place(argument.line, argument.column),
                  diag::not_a_variable)
          .note("write a variable and its sort, 'x: int'");
  }
  Node &node = b.node(id);
  if (!values.empty()) {
    node.firstArgument = static_cast<uint32_t>(b.arguments.size());
    node.numArguments = static_cast<uint32_t>(values.size());
    if (receives || !t.payload.front().variable.empty())
      node.flags |= BindsArguments;
    b.arguments.insert(b.arguments.end(), values.begin(), values.end());
  }
  SmallVector<Field, 4> fields;
  data.fieldsOf(t.payload, values, fields);
  data.checkFields(node.message, fields, t.at.line, t.at.column);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static NodeId addNodeTo(Behaviour &b, NodeKind kind, Location loc) {
  Node node{.kind = kind, .loc = loc};
  b.nodes.push_back(node);
  return NodeId(b.nodes.size() - 1);
}

/// What a transition does.
NodeId Parser::lowerStep(const Automaton &automaton, const Transition &t,
                         const Variables &variables, Behaviour &b) {
  Location loc = location(t.at);
  NodeId node;
  if (t.kind == LabelKind::Tau) {
    node = addNodeTo(b, NodeKind::Task, loc);
    if (!automaton.isPeer)
      b.node(node).participant = module.getParticipant(t.first, loc);
  } else {
    node = addNodeTo(b,
                     t.kind == LabelKind::Exchange ? NodeKind::Interaction
                     : t.kind == LabelKind::Send   ? NodeKind::Send
                                                   : NodeKind::Receive,
                     loc);
    ParticipantId first = module.getParticipant(t.first, loc);
    ParticipantId second =
        automaton.isPeer ? b.owner : module.getParticipant(t.second, loc);
    if (t.kind == LabelKind::Send)
      std::swap(first, second);
    b.node(node).message = module.getMessage(t.message, first, second, loc);
    lowerData(t, variables, b, node);
  }
  return node;
}

/// A protocol, or a peer that is a process.
void Parser::lowerGraph(const Automaton &automaton) {
  Behaviour b{.name = automaton.name, .loc = location(automaton.at)};
  if (automaton.isPeer) {
    b.kind = BehaviourKind::Process;
    b.owner = module.getParticipant(automaton.name, b.loc);
  }
  Variables variables = findVariables(automaton);
  auto addNode = [&](NodeKind kind, Location loc) {
    return addNodeTo(b, kind, loc);
  };
  auto addFlow = [&](NodeId from, NodeId to, Location loc) -> Flow & {
    Flow flow{.source = from, .target = to, .loc = loc};
    b.flows.push_back(flow);
    return b.flows.back();
  };
  std::vector<uint32_t> ways(automaton.states.size(), 0);
  for (size_t i = 0; i < ways.size(); ++i)
    ways[i] = automaton.states[i].isFinal;
  llvm::BitVector asks(ways.size());
  for (const Transition &t : automaton.transitions) {
    ++ways[t.from];
    if (t.condition)
      asks.set(t.from);
  }

  NodeId initial = addNode(NodeKind::Initial, location(automaton.initialAt));
  for (size_t i = 0; i < ways.size(); ++i) {
    NodeId node = addNode(ways[i] > 1 || asks.test(i) ? NodeKind::EventChoice
                                                      : NodeKind::SimpleJoin,
                          location(automaton.states[i].at));
    b.node(node).name = automaton.states[i].name;
  }
  // The state's nodes stand in the states' order behind the initial one.
  auto stateNode = [](uint32_t state) { return NodeId(size_t(state) + 1); };
  addFlow(initial, stateNode(automaton.initial), b.node(initial).loc);
  for (const Transition &t : automaton.transitions) {
    Location loc = location(t.at);
    NodeId node = lowerStep(automaton, t, variables, b);
    ExprId guard;
    if (t.condition)
      guard = data.lowerCondition(exprs, *t.condition, [&](const RawExpr &raw) {
        return variable(variables, t.from, raw);
      });
    addFlow(stateNode(t.from), node, loc).guard = guard;
    addFlow(node, stateNode(t.to), loc);
  }
  for (size_t i = 0; i < ways.size(); ++i) {
    const State &s = automaton.states[i];
    auto index = static_cast<uint32_t>(i);
    if (s.isFinal)
      addFlow(stateNode(index), addNode(NodeKind::Final, location(s.finalAt)),
              location(s.finalAt));
    else if (ways[i] == 0)
      addFlow(stateNode(index), addNode(NodeKind::Stuck, location(s.at)),
              location(s.at));
  }
  module.behaviours.push_back(std::move(b));
}

int cif::detectCp(StringRef path, StringRef text) {
  return detectKeyword(path, text, {"protocol", "peer"}, ".cp");
}

bool cif::parseCp(const SourceBuffer &source, Module &module,
                  DiagnosticEngine &diags, const FrontEndOptions &options) {
  unsigned before = diags.errors();
  Parser(source, module, diags, options).parseFile();
  return diags.errors() == before;
}
