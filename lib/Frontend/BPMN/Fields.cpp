//===- Fields.cpp - What messages hold ------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fields of messages. BPMN leaves the structure of data to other languages; an
/// item definition of type boolean says enough by itself, other fields stand in
/// extension elements of the message or of its item definition:
///
///   <message id="M1" name="order">
///     <extensionElements>
///       <cif:field name="Type" sort="alcoholic|soft"/>
///
/// Messages are known by name, so that a message flow of that name has them
/// too.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "cif/IR/Names.h"
#include "cif/Support/DiagnosticKinds.h"

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
      continue;
    for (const Field &field : fields) {
      StringRef plain = module.text(field.name);
      fieldTable.sorts[text + "." + plain.str()] = field.sort;
      if (fieldTable.ambiguous.count(plain))
        continue;
      auto [known, isNew] = fieldTable.sorts.try_emplace(plain, field.sort);
      if (!isNew && known->second != field.sort) {
        fieldTable.sorts.erase(known);
        fieldTable.ambiguous[plain] = text;
      }
    }
    fieldsOf.try_emplace(text, std::move(fields));
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
