//===- BinaryWriter.cpp - From a module to bytes -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes the columns of schema/cif.fbs. A column that holds nothing but its
/// default is left out. Strings are numbered by first use, expressions by
/// ExprOrder, so that equal modules give equal bytes.
///
//===----------------------------------------------------------------------===//

#include "WireEnums.h"
#include "cif/IR/ExprOrder.h"
#include "cif/IR/Text.h"
#include "cif/Serialization/Binary.h"
#include "cif/Support/Diagnostics/Forms.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;
using flatbuffers::Offset;
using flatbuffers::Vector;

namespace {

constexpr uint32_t none = 0xffffffffu;
/// What tables, vtables and padding take at most between two size checks.
constexpr uint64_t slack = 4096;

class Writer {
public:
  Writer(const Module &module, uint64_t limit)
      : module(module), limit(limit), exprs(module),
        names(module.strings.size(), 0), fbb(expectedSize(module, limit)) {}

  bool write();
  flatbuffers::FlatBufferBuilder &builder() { return fbb; }

private:
  static size_t expectedSize(const Module &module, uint64_t limit);

  /// The number of a string in the file. The module's names are all different,
  /// so they need no look-up; labels and facts have texts of their own.
  uint32_t string(Name name) {
    if (name.empty())
      return 0;
    uint32_t &number = names[name.index()];
    if (!number) {
      strings.push_back(module.text(name));
      number = static_cast<uint32_t>(strings.size());
    }
    return number;
  }
  uint32_t string(StringRef text) {
    if (text.empty())
      return 0;
    if (Name name = module.strings.lookup(text); !name.empty())
      return string(name);
    uint32_t &number = others[text];
    if (!number) {
      strings.push_back(text);
      number = static_cast<uint32_t>(strings.size());
    }
    return number;
  }

  /// Whether another \p bytes may be written.
  bool room(uint64_t bytes) {
    if (!tooLarge && fbb.GetSize() + bytes + slack <= limit)
      return true;
    tooLarge = true;
    return false;
  }

  template <class T>
  Offset<Vector<T>> array(ArrayRef<T> values) {
    if (values.empty() || !room(values.size() * sizeof(T)))
      return 0;
    return fbb.CreateVector(values.data(), values.size());
  }

  /// One value of each item; nothing when all are \p byDefault.
  template <class T, class Items, class Get>
  Offset<Vector<T>> column(const Items &items, T byDefault, Get get,
                           bool always = false) {
    if (items.empty() || tooLarge)
      return 0;
    if (!always && llvm::all_of(items, [&](const auto &item) {
          return static_cast<T>(get(item)) == byDefault;
        }))
      return 0;
    if (!room(items.size() * sizeof(T)))
      return 0;
    T *to = nullptr;
    Offset<Vector<T>> result = fbb.CreateUninitializedVector(items.size(), &to);
    for (const auto &item : items)
      *to++ = static_cast<T>(get(item));
    return result;
  }
  template <class Items, class Get>
  Offset<Vector<uint32_t>> stringColumn(const Items &items, Get get,
                                        bool always = false) {
    return column<uint32_t>(
        items, 0, [&](const auto &item) { return string(get(item)); }, always);
  }
  template <class Items, class Get>
  Offset<Vector<uint32_t>> ids(const Items &items, Get get,
                               bool always = false) {
    return column<uint32_t>(
        items, none, [&](const auto &item) { return get(item).raw(); }, always);
  }

  template <class Items, class Get>
  Offset<fb::Locations> locations(const Items &items, Get get);
  template <class Items>
  Offset<fb::Locations> locations(const Items &items) {
    return locations(
        items, [](const auto &i) -> auto & { return i.loc; });
  }

  fb::Location location(const Location &loc) {
    return {loc.source.raw(), loc.line, loc.column, string(loc.element)};
  }
  fb::Place place(const Place &p) {
    return {string(p.file), p.line, p.column, string(p.element)};
  }
  template <class Items, class Get>
  Offset<Vector<const fb::Place *>> places(const Items &items, Get get);

  Offset<fb::Sources> sources();
  Offset<fb::Participants> participants();
  Offset<fb::Enumerations> enumerations();
  Offset<fb::Messages> messages();
  Offset<fb::Exprs> expressions();
  Offset<fb::Nodes> nodes(const Behaviour &b);
  Offset<fb::Flows> flows(const Behaviour &b);
  Offset<fb::Attributes> attributes(const Behaviour &b);
  Offset<fb::Behaviour> behaviour(const Behaviour &b);
  Offset<fb::MessageFlows> messageFlows();
  Offset<fb::System> system(const SystemDecl &s);
  Offset<fb::Witness> witness(const Witness &w);
  Offset<fb::Fact> fact(const Fact &f);
  /// A vector of tables.
  template <class Table, class Items, class Make>
  Offset<Vector<Offset<Table>>> tables(const Items &items, Make make);

  const Module &module;
  uint64_t limit;
  ExprOrder exprs;
  std::vector<uint32_t> names;      // numbers of the module's names; 0: not yet
  llvm::StringMap<uint32_t> others; // numbers of texts that are no names
  std::vector<StringRef> strings;   // the file's, from number 1
  flatbuffers::FlatBufferBuilder fbb;
  bool tooLarge = false;
};

} // namespace

/// A guess that spares the builder from growing by copies; what it reserves and
/// does not use costs address space only.
size_t Writer::expectedSize(const Module &module, uint64_t limit) {
  uint64_t size = 4096 + module.exprs.size() * 45 + module.messages.size() * 40;
  for (const Behaviour &b : module.behaviours)
    size += b.nodes.size() * 65 + b.flows.size() * 40;
  for (const SystemDecl &s : module.systems)
    size += 4 * (s.lts.rowBegin.size() + 3 * s.lts.target.size()) +
            8 * s.lts.finals.size() + 100 * s.lts.labels.size();
  size += module.strings.size() * 20;
  return static_cast<size_t>(std::min(size, limit));
}

template <class Items, class Get>
Offset<fb::Locations> Writer::locations(const Items &items, Get get) {
  auto source = ids(items, [&](const auto &item) { return get(item).source; });
  auto line = column<uint32_t>(
      items, 0, [&](const auto &item) { return get(item).line; });
  auto columns = column<uint32_t>(
      items, 0, [&](const auto &item) { return get(item).column; });
  auto element =
      stringColumn(items, [&](const auto &item) { return get(item).element; });
  if (source.IsNull() && line.IsNull() && columns.IsNull() && element.IsNull())
    return 0;
  return fb::CreateLocations(fbb, source, line, columns, element);
}

template <class Items, class Get>
Offset<Vector<const fb::Place *>> Writer::places(const Items &items, Get get) {
  if (llvm::all_of(items, [&](const auto &i) { return get(i) == Place(); }) ||
      !room(items.size() * sizeof(fb::Place)))
    return 0;
  std::vector<fb::Place> values;
  for (const auto &item : items)
    values.push_back(place(get(item)));
  return fbb.CreateVectorOfStructs(values);
}

template <class Table, class Items, class Make>
Offset<Vector<Offset<Table>>> Writer::tables(const Items &items, Make make) {
  std::vector<Offset<Table>> offsets;
  for (const auto &item : items) {
    if (!room(slack))
      return 0;
    offsets.push_back(make(item));
  }
  if (offsets.empty() || !room(offsets.size() * 4))
    return 0;
  return fbb.CreateVector(offsets);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

Offset<fb::Sources> Writer::sources() {
  if (module.sources.empty())
    return 0;
  auto path = stringColumn(
      module.sources, [](const Source &s) { return s.path; }, true);
  auto language =
      stringColumn(module.sources, [](const Source &s) { return s.language; });
  auto sha256 =
      stringColumn(module.sources, [](const Source &s) { return s.sha256; });
  return fb::CreateSources(fbb, path, language, sha256);
}

Offset<fb::Participants> Writer::participants() {
  const auto &all = module.participants;
  if (all.empty())
    return 0;
  auto name = stringColumn(
      all, [](const Participant &p) { return p.name; }, true);
  auto minimum =
      column<uint32_t>(all, 1, [](const Participant &p) { return p.minimum; });
  auto maximum =
      column<uint32_t>(all, 1, [](const Participant &p) { return p.maximum; });
  auto where = locations(all);
  return fb::CreateParticipants(fbb, name, minimum, maximum, where);
}

Offset<fb::Enumerations> Writer::enumerations() {
  const auto &all = module.enumerations;
  if (all.empty())
    return 0;
  auto name = stringColumn(
      all, [](const Enumeration &e) { return e.name; }, true);
  uint32_t end = 0;
  std::vector<uint32_t> ends;
  std::vector<Name> literals;
  for (const Enumeration &e : all) {
    ends.push_back(end += static_cast<uint32_t>(e.literals.size()));
    literals.insert(literals.end(), e.literals.begin(), e.literals.end());
  }
  auto literalsEnd = array<uint32_t>(ends);
  auto literal = stringColumn(
      literals, [](Name n) { return n; }, true);
  auto where = locations(all);
  return fb::CreateEnumerations(fbb, name, literalsEnd, literal, where);
}

Offset<fb::Messages> Writer::messages() {
  const auto &all = module.messages;
  if (all.empty())
    return 0;
  auto name = stringColumn(
      all, [](const Message &m) { return m.name; }, true);
  auto sender = ids(all, [](const Message &m) { return m.sender; });
  auto receiver = ids(all, [](const Message &m) { return m.receiver; });
  std::vector<Field> fields;
  for (const Message &m : all)
    fields.insert(fields.end(), m.fields.begin(), m.fields.end());
  uint32_t end = 0;
  Offset<Vector<uint32_t>> fieldsEnd = 0;
  if (!fields.empty()) {
    std::vector<uint32_t> ends;
    for (const Message &m : all)
      ends.push_back(end += static_cast<uint32_t>(m.fields.size()));
    fieldsEnd = array<uint32_t>(ends);
  }
  auto fieldName = stringColumn(
      fields, [](const Field &f) { return f.name; }, true);
  auto fieldSort =
      column<uint32_t>(fields, 0, [](const Field &f) { return f.sort.value; });
  auto where = locations(all);
  return fb::CreateMessages(fbb, name, sender, receiver, fieldsEnd, fieldName,
                            fieldSort, where);
}

Offset<fb::Exprs> Writer::expressions() {
  if (exprs.size() == 0)
    return 0;
  std::vector<const Expr *> items;
  for (uint32_t i = 0; i < exprs.size(); ++i)
    items.push_back(&module.expr(exprs.at(i)));
  auto op = column<fb::ExprOp>(
      items, {}, [](const Expr *e) { return e->op; }, true);
  auto sort =
      column<uint32_t>(items, 0, [](const Expr *e) { return e->sort.value; });
  auto lhs = column<uint32_t>(
      items, none, [&](const Expr *e) { return exprs.numberOrNone(e->lhs); });
  auto rhs = column<uint32_t>(
      items, none, [&](const Expr *e) { return exprs.numberOrNone(e->rhs); });
  auto value =
      column<int64_t>(items, 0, [](const Expr *e) { return e->value; });
  auto name = stringColumn(items, [](const Expr *e) { return e->name; });
  auto where = locations(
      items, [](const Expr *e) -> auto & { return e->loc; });
  return fb::CreateExprs(fbb, op, sort, lhs, rhs, value, name, where);
}

Offset<fb::Nodes> Writer::nodes(const Behaviour &b) {
  const auto &all = b.nodes;
  if (all.empty())
    return 0;
  auto kind = column<fb::NodeKind>(
      all, {}, [](const Node &n) { return n.kind; }, true);
  auto trigger =
      column<fb::Trigger>(all, {}, [](const Node &n) { return n.trigger; });
  auto loop =
      column<fb::LoopKind>(all, {}, [](const Node &n) { return n.loop; });
  auto flags =
      column<fb::NodeFlags>(all, {}, [](const Node &n) { return n.flags; });
  auto parent = ids(all, [](const Node &n) { return n.parent; });
  auto attachedTo = ids(all, [](const Node &n) { return n.attachedTo; });
  auto name = stringColumn(all, [](const Node &n) { return n.name; });
  auto message = ids(all, [](const Node &n) { return n.message; });
  auto reply = ids(all, [](const Node &n) { return n.reply; });
  auto participant = ids(all, [](const Node &n) { return n.participant; });
  auto condition = column<uint32_t>(all, none, [&](const Node &n) {
    return exprs.numberOrNone(n.condition);
  });
  auto loopMinimum =
      column<uint32_t>(all, 0, [](const Node &n) { return n.loopMinimum; });
  auto loopMaximum =
      column<uint32_t>(all, 0, [](const Node &n) { return n.loopMaximum; });
  std::vector<uint32_t> ends, arguments;
  if (!b.arguments.empty()) {
    for (const Node &n : all) {
      for (uint32_t i = 0; i < n.numArguments; ++i)
        arguments.push_back(exprs.number(b.arguments[n.firstArgument + i]));
      ends.push_back(static_cast<uint32_t>(arguments.size()));
    }
    if (arguments.empty())
      ends.clear();
  }
  auto argumentsEnd = array<uint32_t>(ends);
  auto argumentColumn = array<uint32_t>(arguments);
  auto where = locations(all);
  return fb::CreateNodes(fbb, kind, trigger, loop, flags, parent, attachedTo,
                         name, message, reply, participant, condition,
                         loopMinimum, loopMaximum, argumentsEnd, argumentColumn,
                         where);
}

Offset<fb::Flows> Writer::flows(const Behaviour &b) {
  const auto &all = b.flows;
  if (all.empty())
    return 0;
  auto source = ids(
      all, [](const Flow &f) { return f.source; }, true);
  auto target = ids(
      all, [](const Flow &f) { return f.target; }, true);
  auto guard = column<uint32_t>(
      all, none, [&](const Flow &f) { return exprs.numberOrNone(f.guard); });
  auto flags =
      column<fb::FlowFlags>(all, {}, [](const Flow &f) { return f.flags; });
  auto name = stringColumn(all, [](const Flow &f) { return f.name; });
  auto where = locations(all);
  return fb::CreateFlows(fbb, source, target, guard, flags, name, where);
}

Offset<fb::Attributes> Writer::attributes(const Behaviour &b) {
  const auto &all = b.attributes;
  if (all.empty())
    return 0;
  auto key = stringColumn(
      all, [](const Attribute &a) { return a.key; }, true);
  auto value = stringColumn(all, [](const Attribute &a) { return a.value; });
  auto node = ids(all, [](const Attribute &a) { return a.node; });
  return fb::CreateAttributes(fbb, key, value, node);
}

Offset<fb::Behaviour> Writer::behaviour(const Behaviour &b) {
  auto nodeColumns = nodes(b);
  auto flowColumns = flows(b);
  auto attributeColumns = attributes(b);
  uint32_t name = string(b.name);
  fb::Location where = location(b.loc);
  return fb::CreateBehaviour(fbb, name, static_cast<fb::BehaviourKind>(b.kind),
                             b.owner.raw(),
                             b.loc == Location() ? nullptr : &where,
                             nodeColumns, flowColumns, attributeColumns);
}

Offset<fb::MessageFlows> Writer::messageFlows() {
  const auto &all = module.messageFlows;
  if (all.empty())
    return 0;
  auto message = ids(
      all, [](const MessageFlow &f) { return f.message; }, true);
  auto sourceBehaviour =
      ids(all, [](const MessageFlow &f) { return f.sourceBehaviour; });
  auto sourceNode = ids(all, [](const MessageFlow &f) { return f.sourceNode; });
  auto targetBehaviour =
      ids(all, [](const MessageFlow &f) { return f.targetBehaviour; });
  auto targetNode = ids(all, [](const MessageFlow &f) { return f.targetNode; });
  auto where = locations(all);
  return fb::CreateMessageFlows(fbb, message, sourceBehaviour, sourceNode,
                                targetBehaviour, targetNode, where);
}

Offset<fb::System> Writer::system(const SystemDecl &s) {
  const Lts &lts = s.lts;
  auto kind = column<fb::LabelKind>(
      lts.labels, {}, [](const Label &l) { return l.kind; }, true);
  auto sender = stringColumn(
      lts.labels, [](const Label &l) { return StringRef(l.sender); });
  auto receiver = stringColumn(
      lts.labels, [](const Label &l) { return StringRef(l.receiver); });
  auto message = stringColumn(
      lts.labels, [](const Label &l) { return StringRef(l.message); });
  auto rowBegin = array(lts.rowBegin.ref());
  auto label = array(lts.label.ref());
  auto target = array(lts.target.ref());
  auto finals = array(lts.finals.ref());
  Offset<Vector<uint32_t>> lines = 0;
  if (llvm::any_of(s.transitionLines, [](uint32_t line) { return line; }))
    lines = array(s.transitionLines.ref());
  uint32_t name = string(s.name);
  fb::Location where = location(s.loc);
  return fb::CreateSystem(fbb, name, static_cast<fb::SystemRole>(s.role),
                          s.owner.raw(), s.loc == Location() ? nullptr : &where,
                          lts.initial, kind, sender, receiver, message,
                          rowBegin, label, target, finals, lines);
}

Offset<fb::Witness> Writer::witness(const Witness &w) {
  auto label = stringColumn(
      w.steps, [](const WitnessStep &s) { return StringRef(s.label); }, true);
  auto at = places(
      w.steps, [](const WitnessStep &s) -> auto & { return s.at; });
  auto note = stringColumn(
      w.steps, [](const WitnessStep &s) { return StringRef(s.note); });
  // Not within the call: the order of arguments is the compiler's.
  uint32_t kind = string(w.kind), formula = string(w.formula);
  return fb::CreateWitness(fbb, kind, label, at, note,
                           w.loopStart.value_or(none), formula);
}

Offset<fb::Fact> Writer::fact(const Fact &f) {
  std::vector<StringRef> pairs;
  for (const auto &[name, value] : f.parameters) {
    pairs.push_back(name);
    pairs.push_back(value);
  }
  auto parameters = stringColumn(
      pairs, [](StringRef s) { return s; }, true);
  auto abstractions = stringColumn(
      f.abstractions, [](const std::string &s) { return StringRef(s); }, true);
  auto noteText = stringColumn(
      f.notes, [](const Note &n) { return StringRef(n.text); }, true);
  auto notePlace = places(
      f.notes, [](const Note &n) -> auto & { return n.place; });
  Offset<fb::Witness> shown = 0;
  if (f.witness)
    shown = witness(*f.witness);
  uint32_t property = string(f.property), subject = string(f.subject),
           method = string(f.method), message = string(f.message);
  fb::Place where = place(f.at);
  return fb::CreateFact(
      fbb, property, subject, parameters, static_cast<fb::Verdict>(f.verdict),
      f.exact, method, message, f.at == Place() ? nullptr : &where, noteText,
      notePlace, f.states, f.transitions, shown, f.digest, abstractions);
}

bool Writer::write() {
  uint32_t name = string(module.name);
  auto sourceColumns = sources();
  auto participantColumns = participants();
  auto enumerationColumns = enumerations();
  auto messageColumns = messages();
  auto exprColumns = expressions();
  auto behaviours = tables<fb::Behaviour>(
      module.behaviours, [&](const Behaviour &b) { return behaviour(b); });
  auto messageFlowColumns = messageFlows();
  auto systems = tables<fb::System>(
      module.systems, [&](const SystemDecl &s) { return system(s); });
  auto facts =
      tables<fb::Fact>(module.facts, [&](const Fact &f) { return fact(f); });
  auto abstractions = stringColumn(
      module.abstractions, [](const std::string &s) { return StringRef(s); },
      true);

  // By now all strings are known.
  std::vector<uint32_t> ends;
  uint64_t size = 0;
  for (StringRef text : strings) {
    size += text.size();
    ends.push_back(static_cast<uint32_t>(size));
  }
  auto stringEnds = array<uint32_t>(ends);
  Offset<Vector<uint8_t>> stringBytes = 0;
  if (size && room(size)) {
    uint8_t *to = nullptr;
    stringBytes = fbb.CreateUninitializedVector(size, &to);
    for (StringRef text : strings)
      to = std::copy(text.begin(), text.end(), to);
  }
  if (!room(slack))
    return false;
  fb::FinishModuleBuffer(
      fbb, fb::CreateModule(fbb, formMajorVersion, formMinorVersion, name,
                            stringBytes, stringEnds, sourceColumns,
                            participantColumns, enumerationColumns,
                            messageColumns, exprColumns, behaviours,
                            messageFlowColumns, systems, facts, abstractions));
  return true;
}

bool cif::writeBinary(const Module &module, raw_ostream &os,
                      DiagnosticEngine &diags, uint64_t limit) {
  // Most of a module that is too large is one LTS: say so at once.
  uint64_t atLeast = 0;
  for (const SystemDecl &s : module.systems)
    atLeast +=
        4 * (s.lts.rowBegin.size() + s.lts.label.size() + s.lts.target.size()) +
        8 * s.lts.finals.size();
  if (atLeast <= limit) {
    Writer writer(module, limit);
    if (writer.write()) {
      os.write(
          reinterpret_cast<const char *>(writer.builder().GetBufferPointer()),
          writer.builder().GetSize());
      return true;
    }
  }
  diags.report(diag::module_too_large) << limit;
  return false;
}
