//===- TextParser.cpp - From text to a module -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextParser.h"
#include "TextWords.h"
#include "cif/IR/Text.h"
#include "cif/Support/Diagnostics/Forms.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

bool TextParser::checkUtf8() {
  size_t wrong = findNotUtf8(in.source.text());
  if (wrong == StringRef::npos)
    return true;
  (void)diags.report(in.source.place(wrong), diag::text_not_utf8);
  return false;
}

bool TextParser::header() {
  uint32_t major = 0, minor = 0;
  in.nextLine();
  const char *start = in.mark();
  if (!in.takeKeyword("cif"))
    return in.expected("'cif' and a version");
  if (!in.number(major, "a version") || !in.expect(".") ||
      !in.number(minor, "a minor version"))
    return false;
  if (major != formMajorVersion || minor > formMinorVersion) {
    diags.report(in.placeOf(start), diag::form_version)
        << Twine(major) + "." + Twine(minor) << "text" << knownVersions();
    return false;
  }
  return in.endLine();
}

bool TextParser::parse() {
  unsigned errorsBefore = diags.errors();
  if (!checkUtf8() || !header())
    return false;
  module.keepAlive.push_back(in.source.buffer());
  while (in.nextLine() && !diags.tooManyErrors())
    if (!statement())
      in.skipLine();
  if (diags.errors() != errorsBefore)
    return false;
  return verify(module, diags, [&](const VerifierSubject &subject) {
    return placeOfSubject(subject);
  });
}

bool TextParser::statement() {
  size_t offset = in.offset();
  const char *start = in.mark();
  StringRef keyword = in.keyword();
  auto noting = [&](std::vector<size_t> &offsets, bool ok) {
    if (ok)
      offsets.push_back(offset);
    return ok;
  };
  if (keyword == "module")
    return in.name(module.name, "the module's name") && in.endLine();
  if (keyword == "source")
    return sourceLine();
  if (keyword == "abstraction")
    return in.string(module.abstractions.emplace_back(), "a text") &&
           in.endLine();
  if (keyword == "participant")
    return noting(offsetsOf[VerifierSubject::Participant], participantLine());
  if (keyword == "enum")
    return noting(offsetsOf[VerifierSubject::Enumeration], enumLine());
  if (keyword == "message")
    return noting(offsetsOf[VerifierSubject::Message], messageLine());
  if (keyword == "expr")
    return exprLine();
  if (keyword == "choreography" || keyword == "process" ||
      keyword == "controller") {
    offsetsOf[VerifierSubject::Behaviour].push_back(offset);
    return behaviourBlock(keyword == "choreography"
                              ? BehaviourKind::Choreography
                          : keyword == "process" ? BehaviourKind::Process
                                                 : BehaviourKind::Controller);
  }
  if (keyword == "message-flow")
    return noting(offsetsOf[VerifierSubject::MessageFlow], messageFlowLine());
  if (keyword == "system") {
    offsetsOf[VerifierSubject::System].push_back(offset);
    return systemBlock();
  }
  if (keyword == "fact") {
    offsetsOf[VerifierSubject::Fact].push_back(offset);
    return factBlock();
  }
  in.reset(start);
  return in.expected("a declaration");
}

bool TextParser::block(function_ref<bool()> line) {
  bool ok = true;
  while (in.nextLine()) {
    if (diags.tooManyErrors())
      return false;
    if (in.take("}")) {
      if (!in.endLine())
        in.skipLine();
      return ok;
    }
    if (!line()) {
      ok = false;
      in.skipLine();
    }
  }
  return in.expected("'}'");
}

Place TextParser::placeOfSubject(const VerifierSubject &subject) const {
  const std::vector<size_t> &offsets =
      subject.kind == VerifierSubject::Node
          ? labels[subject.behaviour].nodeOffsets
      : subject.kind == VerifierSubject::Flow
          ? labels[subject.behaviour].flowOffsets
          : offsetsOf[subject.kind];
  if (subject.index < offsets.size())
    return in.source.place(offsets[subject.index]);
  return {in.source.path().str(), 0, 0, ""};
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

bool TextParser::sourceLine() {
  Source s;
  uint32_t number = 0;
  const char *start = in.mark();
  if (!in.number(number, "the source's number"))
    return false;
  if (number != module.sources.size()) {
    in.reset(start);
    return in.expected("source " + Twine(module.sources.size()));
  }
  if (!in.name(s.path, "the source's path"))
    return false;
  if (!in.atLineEnd() && !in.name(s.language, "the source's language"))
    return false;
  if (!in.atLineEnd()) {
    if (!in.takeKeyword("sha256"))
      return in.expected("'sha256' or the end of the line");
    if (!in.name(s.sha256, "the SHA-256 of the source's text"))
      return false;
  }
  module.sources.push_back(s);
  return in.endLine();
}

bool TextParser::range(uint32_t &low, uint32_t &high, bool open) {
  if (!in.number(low, "a number") || !in.expect(".."))
    return false;
  if (open && (in.rest().empty() || !llvm::isDigit(in.rest().front())))
    return true;
  return in.number(high, "a number");
}

bool TextParser::participantLine() {
  Participant p;
  if (!in.name(p.name, "the participant's name"))
    return false;
  if (in.takeKeyword("times") && !range(p.minimum, p.maximum, false))
    return false;
  if (!tail(p.loc))
    return false;
  module.participants.push_back(p);
  return in.endLine();
}

bool TextParser::enumLine() {
  Enumeration e;
  if (!in.name(e.name, "the enumeration's name") || !in.expect("("))
    return false;
  if (!in.take(")")) {
    do {
      if (!in.name(e.literals.emplace_back(), "a literal"))
        return false;
    } while (in.take(","));
    if (!in.expect(")"))
      return false;
  }
  if (!tail(e.loc) || !in.endLine())
    return false;
  enumerations.try_emplace(e.name.index(),
                           static_cast<uint32_t>(module.enumerations.size()));
  module.enumerations.push_back(std::move(e));
  return true;
}

bool TextParser::messageLine() {
  Message m;
  if (!exchange(m))
    return false;
  if (in.take("(")) {
    do {
      Field f;
      if (!in.name(f.name, "a field's name"))
        return false;
      if (in.take(":") && !sortRef(f.sort))
        return false;
      m.fields.push_back(f);
    } while (in.take(","));
    if (!in.expect(")"))
      return false;
  }
  if (!tail(m.loc) || !in.endLine())
    return false;
  module.messages.push_back(std::move(m));
  return true;
}

bool TextParser::exprLine() {
  uint32_t number = 0;
  const char *start = in.mark();
  if (!in.expect("$") || !in.number(number, "a number"))
    return false;
  if (number != namedExprs.size()) {
    in.reset(start);
    return in.expected("'$" + Twine(namedExprs.size()) + "'");
  }
  size_t first = module.exprs.size();
  ExprId id;
  if (!in.expect("=") || !expression(id))
    return false;
  if (in.peek() == '{' && !exprLocations(first, {}))
    return false;
  namedExprs.push_back(id);
  return in.endLine();
}

bool TextParser::messageFlowLine() {
  MessageFlow f;
  auto end = [&](BehaviourId &behaviour, NodeId &node) {
    if (in.take("-"))
      return true;
    const char *start = in.mark();
    StringRef word = in.word();
    uint32_t index = 0;
    if (!word.consume_front("b") || word.getAsInteger(10, index)) {
      in.reset(start);
      return in.expected("a behaviour ('b0') or '-'");
    }
    if (index >= module.behaviours.size())
      return in.unknown(start, "behaviour", ("b" + word).str());
    behaviour = BehaviourId(index);
    if (!in.take("."))
      return true;
    start = in.mark();
    StringRef label = in.word();
    return find(labels[index], label, node) || in.unknown(start, "node", label);
  };
  const char *start = in.mark();
  bool hasMessage = !in.takeKeyword("from");
  // A participant may be called `from`.
  if (!hasMessage && in.take("->"))
    hasMessage = true;
  if (hasMessage) {
    in.reset(start);
    if (!messageRef(f.message))
      return false;
    if (!in.takeKeyword("from"))
      return in.expected("'from'");
  }
  if (!end(f.sourceBehaviour, f.sourceNode))
    return false;
  if (!in.takeKeyword("to"))
    return in.expected("'to'");
  if (!end(f.targetBehaviour, f.targetNode) || !tail(f.loc) || !in.endLine())
    return false;
  module.messageFlows.push_back(f);
  return true;
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

bool TextParser::participantRef(ParticipantId &to) {
  if (in.take("?"))
    return true;
  in.skipBlanks();
  const char *start = in.mark();
  Name n;
  if (!in.name(n, "a participant"))
    return false;
  to = module.findParticipant(module.text(n));
  return to || in.unknown(start, "participant", module.text(n));
}

bool TextParser::exchange(Message &to) {
  return participantRef(to.sender) && in.expect("->") &&
         participantRef(to.receiver) && in.expect(":") &&
         in.name(to.name, "a message");
}

bool TextParser::messageRef(MessageId &to) {
  in.skipBlanks();
  const char *start = in.mark();
  Message m;
  if (!exchange(m))
    return false;
  size_t count = module.messages.size();
  to = module.getMessage(m.name, m.sender, m.receiver);
  if (module.messages.size() == count)
    return true;
  std::string text = module.exchangeText(to);
  module.messages.pop_back();
  return in.unknown(start, "message", text);
}

bool TextParser::sortRef(Sort &to) {
  bool quotedName = in.peek() == '"';
  const char *start = in.mark();
  Name n;
  if (!in.name(n, "a sort"))
    return false;
  if (!quotedName)
    if (auto builtin = builtinSort(module.text(n))) {
      to = *builtin;
      return true;
    }
  auto found = enumerations.find(n.index());
  if (found == enumerations.end())
    return in.unknown(start, "sort", module.text(n));
  to = Sort{Sort::firstEnum + found->second};
  return true;
}

bool TextParser::source(SourceId &to) {
  if (in.take("-"))
    return true;
  uint32_t index = 0;
  const char *start = in.mark();
  if (!in.number(index, "a source's number"))
    return false;
  if (index >= module.sources.size())
    return in.unknown(start, "source", std::to_string(index));
  to = SourceId(index);
  return true;
}

bool TextParser::location(Location &to) {
  const char *start = in.mark();
  in.take("@");
  if (to.source || to.line || to.column)
    return in.saidTwice(start, "@");
  if (!source(to.source))
    return false;
  if (in.take(":") && !in.number(to.line, "a line"))
    return false;
  return !in.take(":") || in.number(to.column, "a column");
}

bool TextParser::element(Location &to) {
  const char *start = in.mark();
  in.take("#");
  if (!to.element.empty())
    return in.saidTwice(start, "#");
  return in.name(to.element, "an element's id");
}

bool TextParser::tail(Location &to) {
  for (;;) {
    char next = in.peek();
    if (next == '@' ? !location(to) : next == '#' ? !element(to) : false)
      return false;
    if (next != '@' && next != '#')
      return true;
  }
}

bool cif::parseText(const SourceBuffer &source, Module &module,
                    DiagnosticEngine &diags) {
  return TextParser(source, module, diags).parse();
}

std::string cif::knownVersions() {
  std::string major = std::to_string(formMajorVersion);
  std::string last = major + "." + std::to_string(formMinorVersion);
  return formMinorVersion ? major + ".0 to " + last : last;
}

bool cif::looksText(StringRef bytes) {
  for (;;) {
    bytes = bytes.ltrim(" \t\r\n");
    if (!bytes.starts_with("//"))
      break;
    bytes = bytes.drop_front(std::min(bytes.find('\n'), bytes.size()));
  }
  if (!bytes.consume_front("cif"))
    return false;
  StringRef version = bytes.ltrim(" \t");
  return version.size() != bytes.size() && !version.empty() &&
         llvm::isDigit(version.front());
}
