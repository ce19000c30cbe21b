//===- Fields.cpp - What messages hold ------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fields of messages. BPMN leaves the structure of data to other languages; an
/// item definition of type boolean is sufficient by itself; other fields are
/// declared in extension elements of the message or of its item definition:
///
///   <message id="M1" name="order">
///     <extensionElements>
///       <cif:field name="Type" sort="alcoholic|soft"/>
///
/// Messages are known by name, so that a message flow of that name has them
/// too.
///
/// Without any of these, the name of a message or message flow may declare
/// fields as a function of Solidity does, which is the convention of ChorChain
/// and its relatives: `order(bool accepted, uint price)`. The names of flows
/// that leave a gateway are conditions then, if they are terms over such
/// fields: `accepted==true`. The names themselves are not changed.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "cif/IR/Names.h"
#include "cif/IR/Nodes.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "cif/Support/Diagnostics/Data.h"

using namespace cif;
using namespace cif::bpmn;

Sort Lowering::enumeration(StringRef enumName, std::vector<Name> literals,
                           ElementId at) {
  // Without a name of its own it is named by its values, so that what means the
  // same in two files is the same.
  std::string text = enumName.str();
  if (text.empty())
    for (Name literal : literals)
      text += (text.empty() ? "" : "|") + module.text(literal).str();
  for (unsigned again = 1;; ++again) {
    Name known = module.intern(
        again == 1 ? text : text + " (" + std::to_string(again) + ")");
    auto found =
        llvm::find_if(module.enumerations, [&](const Enumeration &other) {
          return other.name == known;
        });
    if (found != module.enumerations.end() && found->literals != literals)
      continue;
    Sort sort{static_cast<uint32_t>(Sort::firstEnum +
                                    (found - module.enumerations.begin()))};
    if (found == module.enumerations.end())
      module.enumerations.push_back({known, std::move(literals), loc(at)});
    return sort;
  }
}

bool Lowering::readField(ElementId e, Field &field) {
  field.name = tidy(doc.text(doc[e].name));
  if (field.name.empty())
    return missing(e, "name");
  StringRef sort = doc.attributeText(e, Attr::sort);
  static const std::pair<const char *, Sort> sorts[] = {
      {"", unknownSort}, {"bool", boolSort},   {"boolean", boolSort},
      {"int", intSort},  {"integer", intSort}, {"string", stringSort}};
  for (auto [text, known] : sorts)
    if (sort == text) {
      field.sort = known;
      return true;
    }
  std::vector<Name> literals;
  bool good = true;
  auto add = [&](StringRef text) {
    Name literal = module.intern(text.trim());
    good &= !literal.empty() && !llvm::is_contained(literals, literal);
    literals.push_back(literal);
  };
  if (sort == "enum") {
    doc.forChildren(e, [&](ElementId c) {
      if (doc[c].kind == ElementKind::CifLiteral)
        add(doc.text(doc[c].name));
    });
  } else {
    SmallVector<StringRef, 8> texts;
    sort.split(texts, '|');
    good = texts.size() > 1;
    for (StringRef text : texts)
      add(text);
  }
  if (!good || literals.empty()) {
    diags.report(place(e), diag::bpmn_field_sort)
        << module.text(field.name) << sort;
    return false;
  }
  field.sort =
      enumeration(doc.attributeText(e, Attr::enum_), std::move(literals), e);
  return true;
}

/// The sort that a type of Solidity stands for.
static std::optional<Sort> solidityType(StringRef type) {
  if (type == "bool")
    return boolSort;
  if (type == "string" || type == "address")
    return stringSort;
  if (!type.consume_front("uint") && !type.consume_front("int"))
    return std::nullopt;
  unsigned bits = 256;
  if (!type.empty() && (type.getAsInteger(10, bits) || bits % 8 || bits > 256))
    return std::nullopt;
  return intSort;
}

/// Reads `order(bool accepted, uint price)`; false: the name is just a name.
bool Lowering::readDeclared(StringRef name, std::vector<Field> &fields) {
  auto [head, list] = name.split('(');
  if (head.trim().empty() || !list.consume_back(")"))
    return false;
  SmallVector<StringRef, 4> parts;
  list.split(parts, ',');
  for (StringRef part : parts) {
    auto [type, field] = part.trim().split(' ');
    std::optional<Sort> sort = solidityType(type);
    field = field.trim();
    if (!sort || field.empty() || (field[0] >= '0' && field[0] <= '9') ||
        !llvm::all_of(field, isWordChar)) {
      fields.clear();
      return false;
    }
    fields.push_back({module.intern(field), *sort});
  }
  declaring.push_back(name.str());
  return true;
}

/// What conditions may say of the fields of a message.
void Lowering::addFields(const std::string &message,
                         std::vector<Field> fields) {
  if (fields.empty())
    return;
  for (const Field &field : fields) {
    StringRef plain = module.text(field.name);
    fieldTable.sorts[message + "." + plain.str()] = field.sort;
    if (fieldTable.ambiguous.count(plain))
      continue;
    auto [known, isNew] = fieldTable.sorts.try_emplace(plain, field.sort);
    if (!isNew && known->second != field.sort) {
      fieldTable.sorts.erase(known);
      fieldTable.ambiguous[plain] = message;
    }
  }
  fieldsOf.try_emplace(message, std::move(fields));
}

ExprId Lowering::namedCondition(ElementId flow, ElementId from) {
  if (declaring.empty() || (doc[from].kind != ElementKind::ExclusiveGateway &&
                            doc[from].kind != ElementKind::InclusiveGateway))
    return {};
  std::string text = tidyName(doc.text(doc[flow].name));
  ExprId read = parseNamedCondition(text, module, loc(flow), fieldTable, diags);
  if (read)
    deciding.push_back(std::move(text));
  return read;
}

/// Names mean what their author says; here they were taken at their word.
void Lowering::tellNames() {
  if (declaring.empty())
    return;
  auto first = [](const std::vector<std::string> &names) {
    return names.empty() ? std::string("none") : "'" + names[0] + "'";
  };
  diags.report(Place{source.path().str(), 0, 0, ""}, diag::bpmn_names_as_data)
      << declaring.size() << first(declaring) << deciding.size()
      << first(deciding);
  if (!deciding.empty())
    module.addAbstractions(
        {countedText("guards are the names of their flows", deciding.size())});
}

bool Lowering::readFields() {
  bool good = true;
  doc.forChildren(ElementId(0), [&](ElementId e) {
    if (doc[e].kind != ElementKind::CifEnum)
      return;
    std::vector<Name> literals;
    doc.forChildren(e, [&](ElementId c) {
      if (doc[c].kind == ElementKind::CifLiteral)
        literals.push_back(module.intern(doc.text(doc[c].name).trim()));
    });
    if (literals.empty())
      good = missing(e, "cif:literal");
    else
      enumeration(doc.text(doc[e].name), std::move(literals), e);
  });
  for (size_t i = 0; i < doc.elements.size(); ++i) {
    ElementId e(i);
    if (doc[e].kind != ElementKind::Message)
      continue;
    std::string text = tidyName(doc.text(doc[e].name));
    if (text.empty())
      text = doc.id(e).str();
    std::vector<Field> fields;
    auto readFrom = [&](ElementId holder) {
      doc.forChildren(holder, [&](ElementId c) {
        Field field;
        if (doc[c].kind != ElementKind::CifField)
          return;
        if (readField(c, field))
          fields.push_back(field);
        else
          good = false;
      });
    };
    readFrom(e);
    ElementId item = doc.resolve(doc.attribute(e, Attr::itemRef));
    if (item && doc[item].kind == ElementKind::ItemDefinition) {
      if (fields.empty())
        readFrom(item);
      StringRef type = doc.attributeText(item, Attr::structureRef);
      type = type.substr(type.find_last_of(":.#") + 1);
      if (fields.empty() && (type.equals_insensitive("boolean") ||
                             type.equals_insensitive("bool")))
        fields.push_back({module.intern(text), boolSort});
    }
    if (fields.empty())
      (void)readDeclared(text, fields);
    addFields(text, std::move(fields));
  }
  for (size_t i = 0; i < doc.elements.size(); ++i) {
    ElementId e(i);
    std::vector<Field> fields;
    if (doc[e].kind != ElementKind::MessageFlow)
      continue;
    std::string text = tidyName(doc.text(doc[e].name));
    if (!fieldsOf.count(text) && readDeclared(text, fields))
      addFields(text, std::move(fields));
  }
  // A message flow may call its message otherwise.
  if (fieldsOf.empty())
    return good;
  for (size_t i = 0; i < doc.elements.size(); ++i) {
    ElementId e(i);
    if (doc[e].kind != ElementKind::MessageFlow || doc[e].name.empty())
      continue;
    ElementId m = doc.resolve(doc.attribute(e, Attr::messageRef));
    if (!m || doc[m].kind != ElementKind::Message)
      continue;
    std::string own = tidyName(doc.text(doc[m].name));
    auto fields = fieldsOf.find(own.empty() ? doc.id(m).str() : own);
    std::string text = tidyName(doc.text(doc[e].name));
    if (fields == fieldsOf.end() || text.empty() || fieldsOf.count(text))
      continue;
    std::vector<Field> same = fields->second;
    for (const Field &field : same)
      fieldTable.sorts[text + "." + module.text(field.name).str()] = field.sort;
    fieldsOf.try_emplace(text, std::move(same));
  }
  return good;
}

void Lowering::giveFields() {
  if (fieldsOf.empty())
    return;
  for (Message &message : module.messages)
    if (auto fields = fieldsOf.find(module.text(message.name));
        fields != fieldsOf.end() && message.fields.empty())
      message.fields = fields->second;
}
