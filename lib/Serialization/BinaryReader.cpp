//===- BinaryReader.cpp - From bytes to a module -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads the columns of schema/cif.fbs. Nothing in the buffer is trusted: the
/// FlatBuffers verifier says that every offset stays inside, this reader checks
/// lengths, enumerators, indexes and UTF-8, and the IR verifier the rest.
///
/// Offsets of a hostile buffer may all lead to the same bytes, so that a small
/// file would unfold into a huge module. A written file never shares bytes: the
/// total that is read must not exceed the size of the buffer.
///
//===----------------------------------------------------------------------===//

#include "WireEnums.h"
#include "cif/IR/Names.h"
#include "cif/IR/Text.h"
#include "cif/IR/Verifier.h"
#include "cif/Serialization/Binary.h"
#include "cif/Support/Diagnostics/Forms.h"
#include <cstring>

using namespace cif;
using flatbuffers::Vector;

static_assert(FLATBUFFERS_LITTLEENDIAN, "columns are read in place");

namespace {

constexpr uint32_t none = 0xffffffffu;

class Reader {
public:
  Reader(std::shared_ptr<llvm::MemoryBuffer> buffer, Module &module,
         DiagnosticEngine &diags)
      : buffer(std::move(buffer)), module(module), diags(diags) {
    file.file = this->buffer->getBufferIdentifier().str();
  }

  bool read();

private:
  const uint8_t *data() const {
    return reinterpret_cast<const uint8_t *>(buffer->getBufferStart());
  }
  size_t size() const { return buffer->getBufferSize(); }

  void damaged(const Twine &what) {
    if (!failed)
      diags.report(file, diag::damaged_module) << what;
    failed = true;
  }
  void outOfRange(StringRef what, uint64_t index, StringRef column) {
    if (!failed)
      diags.report(file, diag::module_out_of_range) << what << index << column;
    failed = true;
  }

  bool checkVersion();
  bool checkOffsets();

  /// The values of a vector, in place. Only for types of up to four bytes, to
  /// which FlatBuffers aligns every vector.
  template <class T>
  ArrayRef<T> values(const Vector<T> *vector) {
    static_assert(sizeof(T) <= 4);
    if (!vector || !spend(uint64_t(vector->size()) * sizeof(T)))
      return {};
    return {reinterpret_cast<const T *>(vector->Data()), vector->size()};
  }
  /// The same for types of eight bytes, whose alignment nobody promises.
  template <class T>
  SharedArray<T> wideValues(const Vector<T> *vector) {
    if (!vector || !vector->size() ||
        !spend(uint64_t(vector->size()) * sizeof(T)))
      return {};
    if (reinterpret_cast<uintptr_t>(vector->Data()) % alignof(T) == 0)
      return {ArrayRef<T>(reinterpret_cast<const T *>(vector->Data()),
                          vector->size()),
              buffer};
    std::vector<T> copy(vector->size());
    std::memcpy(copy.data(), vector->Data(), copy.size() * sizeof(T));
    return copy;
  }
  bool spend(uint64_t bytes) {
    if (bytes <= budget) {
      budget -= bytes;
      return !failed;
    }
    damaged("its parts overlap");
    return false;
  }

  /// Makes an item for each value of a column, which is spent when it is read.
  template <class Items, class T>
  void resize(Items &items, const Vector<T> *column) {
    if (column && uint64_t(column->size()) * sizeof(T) <= budget)
      items.resize(column->size());
    else if (column)
      damaged("its parts overlap");
  }

  /// Hands each value of a column to set(item, value).
  template <class T, class Items, class Set>
  void fill(ArrayRef<T> column, Items &items, StringRef what, Set set) {
    if (column.empty() || failed)
      return;
    if (column.size() != items.size())
      return damaged("column '" + what + "' has " + Twine(column.size()) +
                     " values for " + Twine(items.size()));
    for (size_t i = 0; i < column.size(); ++i)
      set(items[i], column[i]);
  }
  template <class Items, class Set>
  void numbers(const Vector<uint32_t> *column, Items &items, StringRef what,
               Set set) {
    fill(values(column), items, what, set);
  }
  /// A column of indexes: none, or below \p limit.
  template <class Items, class Set>
  void ids(const Vector<uint32_t> *column, Items &items, StringRef what,
           StringRef ofWhat, size_t limit, Set set) {
    fill(values(column), items, what, [&](auto &item, uint32_t raw) {
      if (raw != none && raw >= limit)
        return outOfRange(ofWhat, raw, what);
      set(item, raw);
    });
  }
  template <class Items, class Set>
  void names(const Vector<uint32_t> *column, Items &items, StringRef what,
             Set set) {
    fill(values(column), items, what,
         [&](auto &item, uint32_t index) { set(item, name(index, what)); });
  }
  /// WireEnums.h proves that both enumerations have the same enumerators.
  template <class Enum, class WireEnum, class Items, class Set>
  void enums(const Vector<WireEnum> *column, Items &items, StringRef what,
             Enum last, Set set) {
    fill(values(column), items, what, [&](auto &item, WireEnum value) {
      set(item, enumerator(value, what, last));
    });
  }
  template <class Enum, class WireEnum>
  Enum enumerator(WireEnum value, StringRef what, Enum last) {
    if (static_cast<uint8_t>(value) > static_cast<uint8_t>(last)) {
      outOfRange("value", static_cast<uint8_t>(value), what);
      return {};
    }
    return static_cast<Enum>(value);
  }
  Name name(uint32_t index, StringRef what) {
    if (index < module.strings.size())
      return Name(index);
    outOfRange("string", index, what);
    return {};
  }
  /// A copy of a string, for labels and facts. A long string that is named
  /// again and again must not fill the memory.
  std::string copy(Name n) {
    StringRef text = module.text(n);
    if (text.size() > copyBudget) {
      damaged("its labels and facts refer to long strings too often");
      return {};
    }
    copyBudget -= text.size();
    return text.str();
  }
  std::string string(uint32_t index, StringRef what) {
    return copy(name(index, what));
  }
  uint32_t id(uint32_t raw, StringRef what, StringRef ofWhat, size_t limit) {
    if (raw == none || raw < limit)
      return raw;
    outOfRange(ofWhat, raw, what);
    return none;
  }
  /// Calls part(item, begin, end) with each item's part of \p total things.
  template <class Items, class Part>
  void parts(const Vector<uint32_t> *ends, Items &items, StringRef what,
             size_t total, Part part) {
    ArrayRef<uint32_t> column = values(ends);
    if (column.empty() && total)
      return damaged("column '" + what + "' is missing");
    uint32_t begin = 0;
    fill(column, items, what, [&](auto &item, uint32_t end) {
      if (failed)
        return;
      if (end < begin || end > total)
        return damaged("column '" + what + "' is not in order");
      part(item, begin, end);
      begin = end;
    });
    if (!failed && begin != total)
      damaged("column '" + what + "' ends too early");
  }

  template <class Items>
  void locations(const fb::Locations *from, Items &items, StringRef what);
  Location location(const fb::Location *from, StringRef what);
  Place place(const fb::Place &from, StringRef what);
  template <class Items, class Get>
  void places(const Vector<const fb::Place *> *column, Items &items,
              StringRef what, Get get);

  void strings(const fb::Module &from);
  void sources(const fb::Sources *from);
  void participants(const fb::Participants *from);
  void enumerations(const fb::Enumerations *from);
  void messages(const fb::Messages *from);
  void exprs(const fb::Exprs *from);
  void nodes(const fb::Nodes *from, Behaviour &to);
  void flows(const fb::Flows *from, Behaviour &to);
  void attributes(const fb::Attributes *from, Behaviour &to);
  void behaviour(const fb::Behaviour &from, Behaviour &to);
  void messageFlows(const fb::MessageFlows *from);
  void system(const fb::System &from, SystemDecl &to);
  void witness(const fb::Witness &from, Witness &to);
  void fact(const fb::Fact &from, Fact &to);
  template <class Table, class Items, class Read>
  void tables(const Vector<flatbuffers::Offset<Table>> *from, Items &items,
              Read read);

  std::shared_ptr<llvm::MemoryBuffer> buffer;
  Module &module;
  DiagnosticEngine &diags;
  Place file;
  uint64_t budget = 0, copyBudget = 0;
  bool failed = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Before anything is read
//===----------------------------------------------------------------------===//

/// Reads the version without a look at anything else: a later version may have
/// another layout.
bool Reader::checkVersion() {
  flatbuffers::Verifier verifier(data(), size(), /*max_depth=*/2,
                                 /*max_tables=*/2);
  const uint32_t root = verifier.VerifyOffset(0);
  auto *table = reinterpret_cast<const flatbuffers::Table *>(data() + root);
  using fb::Module;
  if (!root || !table->VerifyTableStart(verifier) ||
      !table->VerifyField<uint16_t>(verifier, Module::VT_VERSION_MAJOR, 2) ||
      !table->VerifyField<uint16_t>(verifier, Module::VT_VERSION_MINOR, 2)) {
    damaged("its root is cut off");
    return false;
  }
  unsigned major = table->GetField<uint16_t>(Module::VT_VERSION_MAJOR, 0);
  unsigned minor = table->GetField<uint16_t>(Module::VT_VERSION_MINOR, 0);
  if (major == formMajorVersion && minor <= formMinorVersion)
    return true;
  diags.report(file, diag::form_version)
      << Twine(major) + "." + Twine(minor) << "binary" << knownVersions();
  return false;
}

bool Reader::checkOffsets() {
  flatbuffers::Verifier::Options limits;
  limits.max_depth = 8; // Module, Fact, Witness and some to spare
  // A table takes four bytes and its vtable four; what has more shares bytes.
  limits.max_tables = static_cast<uint32_t>(size() / 4);
  flatbuffers::Verifier verifier(data(), size(), limits);
  if (fb::VerifyModuleBuffer(verifier))
    return true;
  damaged("an offset leads out of the file");
  return false;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

template <class Items>
void Reader::locations(const fb::Locations *from, Items &items,
                       StringRef what) {
  if (!from)
    return;
  ids(from->source(), items, what, "source", module.sources.size(),
      [](auto &i, uint32_t v) { i.loc.source = SourceId::fromRaw(v); });
  numbers(from->line(), items, what,
          [](auto &i, uint32_t v) { i.loc.line = v; });
  numbers(from->column(), items, what,
          [](auto &i, uint32_t v) { i.loc.column = v; });
  names(from->element(), items, what,
        [](auto &i, Name v) { i.loc.element = v; });
}

Location Reader::location(const fb::Location *from, StringRef what) {
  if (!from)
    return {};
  return {SourceId::fromRaw(
              id(from->source(), what, "source", module.sources.size())),
          from->line(), from->column(), name(from->element(), what)};
}

Place Reader::place(const fb::Place &from, StringRef what) {
  return {string(from.file(), what), from.line(), from.column(),
          string(from.element(), what)};
}

template <class Items, class Get>
void Reader::places(const Vector<const fb::Place *> *column, Items &items,
                    StringRef what, Get get) {
  if (!column || !spend(uint64_t(column->size()) * sizeof(fb::Place)))
    return;
  if (column->size() != items.size())
    return damaged("column '" + what + "' has " + Twine(column->size()) +
                   " values for " + Twine(items.size()));
  for (uint32_t i = 0; i < column->size(); ++i)
    get(items[i]) = place(*column->Get(i), what);
}

void Reader::strings(const fb::Module &from) {
  ArrayRef<uint8_t> bytes = values(from.string_bytes());
  ArrayRef<uint32_t> ends = values(from.string_ends());
  StringRef all(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (findNotUtf8(all) != StringRef::npos)
    return damaged("a string is not valid UTF-8");
  module.strings.reserve(ends.size() + 1);
  uint32_t start = 0;
  for (uint32_t end : ends) {
    if (end < start || end > all.size())
      return damaged("column 'string_ends' is not in order");
    StringRef text = all.slice(start, end);
    if (!text.empty() && (text.front() & 0xc0) == 0x80)
      return damaged("a string starts within a character");
    if (module.strings.internStable(text).index() + 1 != module.strings.size())
      return damaged("a string is there twice");
    start = end;
  }
  if (start != all.size())
    damaged("column 'string_ends' ends too early");
}

void Reader::sources(const fb::Sources *from) {
  if (!from)
    return;
  auto &all = module.sources;
  resize(all, from->path());
  names(from->path(), all, "sources.path",
        [](Source &s, Name v) { s.path = v; });
  names(from->language(), all, "sources.language",
        [](Source &s, Name v) { s.language = v; });
  names(from->sha256(), all, "sources.sha256",
        [](Source &s, Name v) { s.sha256 = v; });
}

void Reader::participants(const fb::Participants *from) {
  if (!from)
    return;
  auto &all = module.participants;
  resize(all, from->name());
  names(from->name(), all, "participants.name",
        [](Participant &p, Name v) { p.name = v; });
  numbers(from->minimum(), all, "participants.minimum",
          [](Participant &p, uint32_t v) { p.minimum = v; });
  numbers(from->maximum(), all, "participants.maximum",
          [](Participant &p, uint32_t v) { p.maximum = v; });
  locations(from->locations(), all, "participants.locations");
}

void Reader::enumerations(const fb::Enumerations *from) {
  if (!from)
    return;
  auto &all = module.enumerations;
  resize(all, from->name());
  names(from->name(), all, "enumerations.name",
        [](Enumeration &e, Name v) { e.name = v; });
  std::vector<Name> literals;
  resize(literals, from->literals());
  names(from->literals(), literals, "enumerations.literals",
        [](Name &l, Name v) { l = v; });
  parts(from->literals_end(), all, "enumerations.literals_end", literals.size(),
        [&](Enumeration &e, uint32_t begin, uint32_t end) {
          e.literals.assign(literals.begin() + begin, literals.begin() + end);
        });
  locations(from->locations(), all, "enumerations.locations");
}

void Reader::messages(const fb::Messages *from) {
  if (!from)
    return;
  auto &all = module.messages;
  size_t participants = module.participants.size();
  resize(all, from->name());
  names(from->name(), all, "messages.name",
        [](Message &m, Name v) { m.name = v; });
  ids(from->sender(), all, "messages.sender", "participant", participants,
      [](Message &m, uint32_t v) { m.sender = ParticipantId::fromRaw(v); });
  ids(from->receiver(), all, "messages.receiver", "participant", participants,
      [](Message &m, uint32_t v) { m.receiver = ParticipantId::fromRaw(v); });
  std::vector<Field> fields;
  resize(fields, from->field_name());
  names(from->field_name(), fields, "messages.field_name",
        [](Field &f, Name v) { f.name = v; });
  numbers(from->field_sort(), fields, "messages.field_sort",
          [](Field &f, uint32_t v) { f.sort.value = v; });
  parts(from->fields_end(), all, "messages.fields_end", fields.size(),
        [&](Message &m, uint32_t begin, uint32_t end) {
          m.fields.assign(fields.begin() + begin, fields.begin() + end);
        });
  locations(from->locations(), all, "messages.locations");
}

void Reader::exprs(const fb::Exprs *from) {
  if (!from)
    return;
  auto &all = module.exprs;
  resize(all, from->op());
  enums(from->op(), all, "exprs.op", ExprOp::GreaterEqual,
        [](Expr &e, ExprOp v) { e.op = v; });
  numbers(from->sort(), all, "exprs.sort",
          [](Expr &e, uint32_t v) { e.sort.value = v; });
  ids(from->lhs(), all, "exprs.lhs", "expression", all.size(),
      [](Expr &e, uint32_t v) { e.lhs = ExprId::fromRaw(v); });
  ids(from->rhs(), all, "exprs.rhs", "expression", all.size(),
      [](Expr &e, uint32_t v) { e.rhs = ExprId::fromRaw(v); });
  SharedArray<int64_t> literals = wideValues(from->value());
  fill(literals.ref(), all, "exprs.value",
       [](Expr &e, int64_t v) { e.value = v; });
  names(from->name(), all, "exprs.name", [](Expr &e, Name v) { e.name = v; });
  locations(from->locations(), all, "exprs.locations");
}

void Reader::nodes(const fb::Nodes *from, Behaviour &to) {
  if (!from)
    return;
  auto &all = to.nodes;
  resize(all, from->kind());
  size_t count = all.size(), exprs = module.exprs.size();
  enums(from->kind(), all, "nodes.kind",
        static_cast<NodeKind>(numNodeKinds - 1),
        [](Node &n, NodeKind v) { n.kind = v; });
  enums(from->trigger(), all, "nodes.trigger", Trigger::Race,
        [](Node &n, Trigger v) { n.trigger = v; });
  enums(from->loop(), all, "nodes.loop", LoopKind::MultiParallel,
        [](Node &n, LoopKind v) { n.loop = v; });
  fill(values(from->flags()), all, "nodes.flags",
       [](Node &n, fb::NodeFlags v) { n.flags = uint16_t(v); });
  ids(from->parent(), all, "nodes.parent", "node", count,
      [](Node &n, uint32_t v) { n.parent = NodeId::fromRaw(v); });
  ids(from->attached_to(), all, "nodes.attached_to", "node", count,
      [](Node &n, uint32_t v) { n.attachedTo = NodeId::fromRaw(v); });
  names(from->name(), all, "nodes.name", [](Node &n, Name v) { n.name = v; });
  ids(from->message(), all, "nodes.message", "message", module.messages.size(),
      [](Node &n, uint32_t v) { n.message = MessageId::fromRaw(v); });
  ids(from->reply(), all, "nodes.reply", "message", module.messages.size(),
      [](Node &n, uint32_t v) { n.reply = MessageId::fromRaw(v); });
  ids(from->participant(), all, "nodes.participant", "participant",
      module.participants.size(),
      [](Node &n, uint32_t v) { n.participant = ParticipantId::fromRaw(v); });
  ids(from->condition(), all, "nodes.condition", "expression", exprs,
      [](Node &n, uint32_t v) { n.condition = ExprId::fromRaw(v); });
  numbers(from->loop_minimum(), all, "nodes.loop_minimum",
          [](Node &n, uint32_t v) { n.loopMinimum = v; });
  numbers(from->loop_maximum(), all, "nodes.loop_maximum",
          [](Node &n, uint32_t v) { n.loopMaximum = v; });
  resize(to.arguments, from->arguments());
  ids(from->arguments(), to.arguments, "nodes.arguments", "expression", exprs,
      [](ExprId &e, uint32_t v) { e = ExprId::fromRaw(v); });
  parts(from->arguments_end(), all, "nodes.arguments_end", to.arguments.size(),
        [](Node &n, uint32_t begin, uint32_t end) {
          n.firstArgument = begin == end ? 0 : begin;
          n.numArguments = end - begin;
        });
  locations(from->locations(), all, "nodes.locations");
}

void Reader::flows(const fb::Flows *from, Behaviour &to) {
  if (!from)
    return;
  auto &all = to.flows;
  resize(all, from->source());
  ids(from->source(), all, "flows.source", "node", to.nodes.size(),
      [](Flow &f, uint32_t v) { f.source = NodeId::fromRaw(v); });
  ids(from->target(), all, "flows.target", "node", to.nodes.size(),
      [](Flow &f, uint32_t v) { f.target = NodeId::fromRaw(v); });
  ids(from->guard(), all, "flows.guard", "expression", module.exprs.size(),
      [](Flow &f, uint32_t v) { f.guard = ExprId::fromRaw(v); });
  fill(values(from->flags()), all, "flows.flags",
       [](Flow &f, fb::FlowFlags v) { f.flags = uint8_t(v); });
  names(from->name(), all, "flows.name", [](Flow &f, Name v) { f.name = v; });
  locations(from->locations(), all, "flows.locations");
}

void Reader::attributes(const fb::Attributes *from, Behaviour &to) {
  if (!from)
    return;
  auto &all = to.attributes;
  resize(all, from->key());
  names(from->key(), all, "attributes.key",
        [](Attribute &a, Name v) { a.key = v; });
  names(from->value(), all, "attributes.value",
        [](Attribute &a, Name v) { a.value = v; });
  ids(from->node(), all, "attributes.node", "node", to.nodes.size(),
      [](Attribute &a, uint32_t v) { a.node = NodeId::fromRaw(v); });
}

void Reader::behaviour(const fb::Behaviour &from, Behaviour &to) {
  to.name = name(from.name(), "behaviour.name");
  to.kind =
      enumerator(from.kind(), "behaviour.kind", BehaviourKind::Controller);
  to.owner =
      ParticipantId::fromRaw(id(from.owner(), "behaviour.owner", "participant",
                                module.participants.size()));
  to.loc = location(from.location(), "behaviour.location");
  nodes(from.nodes(), to);
  flows(from.flows(), to);
  attributes(from.attributes(), to);
}

void Reader::messageFlows(const fb::MessageFlows *from) {
  if (!from)
    return;
  auto &all = module.messageFlows;
  resize(all, from->message());
  size_t behaviours = module.behaviours.size();
  ids(from->message(), all, "message_flows.message", "message",
      module.messages.size(),
      [](MessageFlow &f, uint32_t v) { f.message = MessageId::fromRaw(v); });
  ids(from->source_behaviour(), all, "message_flows.source_behaviour",
      "behaviour", behaviours, [](MessageFlow &f, uint32_t v) {
        f.sourceBehaviour = BehaviourId::fromRaw(v);
      });
  ids(from->target_behaviour(), all, "message_flows.target_behaviour",
      "behaviour", behaviours, [](MessageFlow &f, uint32_t v) {
        f.targetBehaviour = BehaviourId::fromRaw(v);
      });
  auto node = [&](BehaviourId b, uint32_t v, StringRef what) {
    if (v != none && (!b || v >= module.behaviours[b.index()].nodes.size()))
      outOfRange("node", v, what);
    return NodeId::fromRaw(v);
  };
  numbers(from->source_node(), all, "message_flows.source_node",
          [&](MessageFlow &f, uint32_t v) {
            f.sourceNode =
                node(f.sourceBehaviour, v, "message_flows.source_node");
          });
  numbers(from->target_node(), all, "message_flows.target_node",
          [&](MessageFlow &f, uint32_t v) {
            f.targetNode =
                node(f.targetBehaviour, v, "message_flows.target_node");
          });
  locations(from->locations(), all, "message_flows.locations");
}

void Reader::system(const fb::System &from, SystemDecl &to) {
  to.name = name(from.name(), "system.name");
  to.role = enumerator(from.role(), "system.role", SystemRole::Controller);
  to.owner = ParticipantId::fromRaw(id(
      from.owner(), "system.owner", "participant", module.participants.size()));
  to.loc = location(from.location(), "system.location");
  Lts &lts = to.lts;
  lts.initial = from.initial();
  lts.labels.clear();
  resize(lts.labels, from.label_kind());
  enums(from.label_kind(), lts.labels, "system.label_kind", LabelKind::Tick,
        [](Label &l, LabelKind v) { l.kind = v; });
  names(from.label_sender(), lts.labels, "system.label_sender",
        [&](Label &l, Name v) { l.sender = copy(v); });
  names(from.label_receiver(), lts.labels, "system.label_receiver",
        [&](Label &l, Name v) { l.receiver = copy(v); });
  names(from.label_message(), lts.labels, "system.label_message",
        [&](Label &l, Name v) { l.message = copy(v); });
  lts.rowBegin = {values(from.row_begin()), buffer};
  lts.label = {values(from.label()), buffer};
  lts.target = {values(from.target()), buffer};
  lts.finals = wideValues(from.finals());
  to.transitionLines = {values(from.transition_lines()), buffer};
  if (failed)
    return;
  if (std::string wrong = verifyLts(lts); !wrong.empty())
    damaged(wrong);
  else if (!to.transitionLines.empty() &&
           to.transitionLines.size() != lts.numTransitions())
    damaged("transition lines and transitions differ in number");
}

void Reader::witness(const fb::Witness &from, Witness &to) {
  to.kind = string(from.kind(), "witness.kind");
  resize(to.steps, from.step_label());
  names(from.step_label(), to.steps, "witness.step_label",
        [&](WitnessStep &s, Name v) { s.label = copy(v); });
  places(from.step_place(), to.steps, "witness.step_place",
         [](WitnessStep &s) -> Place & { return s.at; });
  names(from.step_note(), to.steps, "witness.step_note",
        [&](WitnessStep &s, Name v) { s.note = copy(v); });
  if (from.loop_start() != none)
    to.loopStart = from.loop_start();
  to.formula = string(from.formula(), "witness.formula");
}

void Reader::fact(const fb::Fact &from, Fact &to) {
  to.property = string(from.property(), "fact.property");
  to.subject = string(from.subject(), "fact.subject");
  ArrayRef<uint32_t> pairs = values(from.parameters());
  if (pairs.size() % 2)
    damaged("column 'fact.parameters' is not in pairs");
  for (size_t i = 0; i + 1 < pairs.size() && !failed; i += 2)
    to.parameters.emplace_back(string(pairs[i], "fact.parameters"),
                               string(pairs[i + 1], "fact.parameters"));
  for (uint32_t text : values(from.abstractions()))
    if (!failed)
      to.abstractions.push_back(string(text, "fact.abstractions"));
  to.verdict =
      enumerator(from.verdict(), "fact.verdict", Verdict::Inconclusive);
  to.exact = from.exact();
  to.method = string(from.method(), "fact.method");
  to.message = string(from.message(), "fact.message");
  if (from.place())
    to.at = place(*from.place(), "fact.place");
  resize(to.notes, from.note_text());
  names(from.note_text(), to.notes, "fact.note_text",
        [&](Note &n, Name v) { n.text = copy(v); });
  places(from.note_place(), to.notes, "fact.note_place",
         [](Note &n) -> Place & { return n.place; });
  to.states = from.states();
  to.transitions = from.transitions();
  to.digest = from.digest();
  if (from.witness())
    witness(*from.witness(), to.witness.emplace());
}

template <class Table, class Items, class Read>
void Reader::tables(const Vector<flatbuffers::Offset<Table>> *from,
                    Items &items, Read read) {
  if (!from || !spend(uint64_t(from->size()) * 4))
    return;
  items.reserve(from->size());
  for (uint32_t i = 0; i < from->size() && !failed; ++i)
    read(*from->Get(i), items.emplace_back());
}

bool Reader::read() {
  if (!looksBinary(buffer->getBuffer())) {
    diags.report(file, diag::not_binary)
        << (file.file.empty() ? "input" : file.file);
    return false;
  }
  if (size() >= maxBinarySize) {
    damaged("it is larger than the binary form can be");
    return false;
  }
  if (reinterpret_cast<uintptr_t>(data()) % 8)
    buffer =
        llvm::MemoryBuffer::getMemBufferCopy(buffer->getBuffer(), file.file);
  if (!checkVersion() || !checkOffsets())
    return false;

  budget = size();
  copyBudget = 256 * budget + (16 << 20);
  module.keepAlive.push_back(buffer);
  const fb::Module &from = *fb::GetModule(data());
  strings(from);
  if (failed)
    return false;
  module.name = name(from.name(), "module.name");
  sources(from.sources());
  participants(from.participants());
  enumerations(from.enumerations());
  messages(from.messages());
  exprs(from.exprs());
  tables(from.behaviours(), module.behaviours,
         [&](const fb::Behaviour &f, Behaviour &b) { behaviour(f, b); });
  messageFlows(from.message_flows());
  tables(from.systems(), module.systems,
         [&](const fb::System &f, SystemDecl &s) { system(f, s); });
  tables(from.facts(), module.facts,
         [&](const fb::Fact &f, Fact &to) { fact(f, to); });
  for (uint32_t text : values(from.abstractions()))
    if (!failed)
      module.abstractions.push_back(string(text, "module.abstractions"));
  if (failed)
    return false;
  return verify(module, diags, [&](const VerifierSubject &) { return file; });
}

bool cif::readBinary(std::shared_ptr<llvm::MemoryBuffer> buffer, Module &module,
                     DiagnosticEngine &diags) {
  return Reader(std::move(buffer), module, diags).read();
}

bool cif::looksBinary(StringRef bytes) {
  return bytes.size() >= 8 && bytes.substr(4, 4) == fb::ModuleIdentifier();
}
