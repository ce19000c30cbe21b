//===- Json.cpp - --emit=json ---------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The whole module as one JSON object: each table is a list of objects, and
/// things refer to each other by their index in these lists, as in the schema.
/// What is absent or as usual is left out. docs/exports.md has the names.
///
//===----------------------------------------------------------------------===//

#include "cif/Support/Json.h"
#include "cif/Export/Emitter.h"
#include "cif/IR/ExprText.h"
#include "cif/IR/Text.h"
#include "cif/Support/Visible.h"

using namespace cif;

namespace {

class JsonWriter {
public:
  JsonWriter(const Module &from, raw_ostream &os) : module(from), json(os, 1) {}

  void write();

private:
  void text(StringRef key, StringRef value) {
    if (!value.empty())
      json.attribute(key, utf8(value));
  }
  void text(StringRef key, Name value) { text(key, module.text(value)); }
  template <typename Tag>
  void index(StringRef key, Id<Tag> id) {
    if (id)
      json.attribute(key, int64_t(id.index()));
  }
  void number(StringRef key, uint64_t value, uint64_t usual = 0) {
    if (value != usual)
      json.attribute(key, int64_t(value));
  }
  void flag(StringRef key, bool value) {
    if (value)
      json.attribute(key, true);
  }
  void expression(StringRef key, ExprId id) {
    if (id)
      json.attribute(key, utf8(exprText(module, id)));
  }
  void place(const Location &loc);
  std::string sortName(Sort sort) const;
  template <typename Rows, typename Write>
  void table(StringRef key, const Rows &rows, Write writeRow) {
    json.attributeArray(key, [&] {
      for (const auto &row : rows)
        json.object([&] { writeRow(row); });
    });
  }
  void node(const Behaviour &behaviour, const Node &node);
  void behaviour(const Behaviour &behaviour);
  void system(const SystemDecl &system);
  void fact(const Fact &fact);

  const Module &module;
  llvm::json::OStream json;
};

} // namespace

void JsonWriter::place(const Location &loc) {
  if (!loc.source && !loc.line && loc.element.empty())
    return;
  json.attributeObject("at", [&] {
    index("source", loc.source);
    number("line", loc.line);
    number("column", loc.column);
    text("id", loc.element);
  });
}

std::string JsonWriter::sortName(Sort sort) const {
  if (sort.isEnum())
    return utf8(module.text(module.enumerations[sort.enumIndex()].name));
  return sort == boolSort     ? "bool"
         : sort == intSort    ? "int"
         : sort == stringSort ? "string"
                              : "";
}

void JsonWriter::node(const Behaviour &behaviour, const Node &node) {
  json.attribute("kind", nodeKindText(node.kind));
  if (node.trigger != Trigger::None)
    json.attribute("trigger", triggerText(node.trigger));
  text("name", node.name);
  index("message", node.message);
  index("reply", node.reply);
  index("participant", node.participant);
  index("parent", node.parent);
  index("attachedTo", node.attachedTo);
  if (node.loop != LoopKind::None)
    json.attribute("loop", loopKindText(node.loop));
  number("loopMinimum", node.loopMinimum);
  number("loopMaximum", node.loopMaximum);
  expression("condition", node.condition);
  flag("nonInterrupting", node.flags & NonInterrupting);
  flag("loopTestAfter", node.flags & LoopTestAfter);
  flag("transaction", node.flags & Transaction);
  flag("eventTriggered", node.flags & EventTriggered);
  flag("adHoc", node.flags & AdHoc);
  flag("instantiate", node.flags & Instantiate);
  flag("parallelMultiple", node.flags & ParallelMultiple);
  flag("bindsArguments", node.flags & BindsArguments);
  if (node.numArguments)
    json.attributeArray("arguments", [&] {
      for (uint32_t a = 0; a < node.numArguments; ++a)
        json.value(utf8(
            exprText(module, behaviour.arguments[node.firstArgument + a])));
    });
  place(node.loc);
}

void JsonWriter::behaviour(const Behaviour &behaviour) {
  json.attribute("kind", behaviourKindText(behaviour.kind));
  text("name", behaviour.name);
  index("owner", behaviour.owner);
  place(behaviour.loc);
  table("nodes", behaviour.nodes,
        [&](const Node &row) { node(behaviour, row); });
  table("flows", behaviour.flows, [&](const Flow &flow) {
    index("source", flow.source);
    index("target", flow.target);
    text("name", flow.name);
    expression("guard", flow.guard);
    flag("default", flow.flags & DefaultFlow);
    place(flow.loc);
  });
  if (!behaviour.attributes.empty())
    table("attributes", behaviour.attributes, [&](const Attribute &row) {
      index("node", row.node);
      text("key", row.key);
      text("value", row.value);
    });
}

void JsonWriter::system(const SystemDecl &system) {
  const Lts &lts = system.lts;
  json.attribute("role", systemRoleText(system.role));
  text("name", system.name);
  index("owner", system.owner);
  place(system.loc);
  json.attribute("states", int64_t(lts.numStates()));
  json.attribute("initial", int64_t(lts.initial));
  if (lts.saysFinal())
    json.attributeArray("final", [&] {
      for (StateIndex s = 0; s < lts.numStates(); ++s)
        if (lts.isFinal(s))
          json.value(int64_t(s));
    });
  // A triple each: from, label, to.
  json.attributeArray("transitions", [&] {
    for (StateIndex s = 0; s < lts.numStates(); ++s) {
      ArrayRef<LabelIndex> labels = lts.labelsOf(s);
      ArrayRef<StateIndex> targets = lts.targetsOf(s);
      for (size_t i = 0; i < labels.size(); ++i)
        json.array([&] {
          json.value(int64_t(s));
          json.value(utf8(labelText(lts.labels[labels[i]])));
          json.value(int64_t(targets[i]));
        });
    }
  });
}

void JsonWriter::fact(const Fact &fact) {
  json.attribute("property", utf8(fact.property));
  text("subject", fact.subject);
  json.attributeObject("parameters", [&] {
    for (const auto &[key, value] : fact.parameters)
      json.attribute(utf8(key), utf8(value));
  });
  json.attribute("verdict", verdictText(fact.verdict));
  json.attribute("exact", fact.exact);
  text("method", fact.method);
  text("message", fact.message);
  number("states", fact.states);
  number("transitions", fact.transitions);
  if (!fact.witness)
    return;
  json.attributeObject("witness", [&] {
    text("kind", fact.witness->kind);
    table("steps", fact.witness->steps, [&](const WitnessStep &step) {
      text("label", step.label);
      text("file", step.at.file);
      number("line", step.at.line);
      text("id", step.at.element);
      text("note", step.note);
    });
    if (fact.witness->loopStart)
      json.attribute("loopStart", int64_t(*fact.witness->loopStart));
    text("formula", fact.witness->formula);
  });
}

void JsonWriter::write() {
  json.object([&] {
    json.attribute("format", std::to_string(formMajorVersion) + "." +
                                 std::to_string(formMinorVersion));
    text("name", module.name);
    table("sources", module.sources, [&](const Source &source) {
      text("path", source.path);
      text("language", source.language);
      text("sha256", source.sha256);
    });
    table("participants", module.participants, [&](const Participant &row) {
      text("name", row.name);
      number("minimum", row.minimum, 1);
      number("maximum", row.maximum, 1);
      place(row.loc);
    });
    table("enumerations", module.enumerations, [&](const Enumeration &row) {
      text("name", row.name);
      json.attributeArray("literals", [&] {
        for (Name literal : row.literals)
          json.value(utf8(module.text(literal)));
      });
    });
    table("messages", module.messages, [&](const Message &message) {
      text("name", message.name);
      index("sender", message.sender);
      index("receiver", message.receiver);
      if (!message.fields.empty())
        table("fields", message.fields, [&](const Field &field) {
          text("name", field.name);
          text("sort", sortName(field.sort));
        });
      place(message.loc);
    });
    table("behaviours", module.behaviours,
          [&](const Behaviour &row) { behaviour(row); });
    table("messageFlows", module.messageFlows, [&](const MessageFlow &flow) {
      index("message", flow.message);
      index("sourceBehaviour", flow.sourceBehaviour);
      index("sourceNode", flow.sourceNode);
      index("targetBehaviour", flow.targetBehaviour);
      index("targetNode", flow.targetNode);
      place(flow.loc);
    });
    table("systems", module.systems,
          [&](const SystemDecl &row) { system(row); });
    table("facts", module.facts, [&](const Fact &row) { fact(row); });
    json.attributeArray("abstractions", [&] {
      for (StringRef line : module.abstractions)
        json.value(utf8(line));
    });
  });
}

bool cif::emitJson(const Module &module, raw_ostream &os, DiagnosticEngine &,
                   const EmitOptions &) {
  std::string text;
  llvm::raw_string_ostream to(text);
  JsonWriter(module, to).write();
  os << visibleJson(to.str()) << '\n';
  return true;
}
