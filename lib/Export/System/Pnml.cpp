//===- Pnml.cpp - --emit=pnml ---------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A system as a place/transition net in the interchange format of
/// [iso15909-2]. A counter is a place; the values of a local state are places
/// of which one is marked; a counter that a command wants to be small gets a
/// second place with what is missing to its maximum. Queues, places that are
/// emptied in one step, and inclusive joins cannot be expressed. A net does not
/// express when the system has ended.
///
//===----------------------------------------------------------------------===//

#include "Exported.h"
#include "XmlWriter.h"
#include "llvm/ADT/BitVector.h"
#include <map>

using namespace cif;

namespace {
using Command = CommandModel::Command;
using Test = CommandModel::Test;
using Update = CommandModel::Update;

class PnmlPrinter {
public:
  PnmlPrinter(const Exported &of, raw_ostream &os)
      : system(of), model(of.model()), xml(os) {}
  bool check();
  void print();

private:
  bool check(const Command &command) const;
  void place(const std::string &id, const Twine &name, uint64_t tokens);
  void transition(size_t number, const Command &command);
  std::string placeOf(uint32_t counter, uint32_t value) const {
    return "p" + std::to_string(counter + 1) + "." + std::to_string(value);
  }
  std::string placeOf(uint32_t counter) const {
    return "p" + std::to_string(counter + 1);
  }
  std::string freeOf(uint32_t counter) const {
    return "p" + std::to_string(counter + 1) + ".free";
  }

  const Exported &system;
  const CommandModel &model;
  XmlWriter xml;
  llvm::BitVector limited; ///< counters of which some command wants few
  size_t arcs = 0;
};
} // namespace

bool PnmlPrinter::check(const Command &command) const {
  if (command.receives != CommandModel::none ||
      command.sends != CommandModel::none)
    return system.refuse(
        command, "its message travels in a queue, and a net has no order; use "
                 "--network=bag, rsc or sync");
  if (!command.some.empty()) {
    // What can never hold is a step that is never taken.
    if (llvm::any_of(command.some, [](const auto &l) { return l.empty(); }))
      return true;
    return system.refuse(command, "it asks whether one of several places is "
                                  "marked or empty");
  }
  auto known = [&](uint32_t counter) {
    return model.counters[counter].maximum != CommandModel::none;
  };
  for (const Test &test : command.all)
    if (!model.counters[test.counter].isState && test.op != Test::AtLeast &&
        !known(test.counter))
      return system.refuse(command, "it asks whether a place is empty (" +
                                        model.counters[test.counter].name +
                                        ")");
  for (const Update &update : command.updates)
    if (!model.counters[update.counter].isState && update.op != Update::Add)
      return system.refuse(
          command,
          update.op == Update::Set
              ? "it empties a place (" + model.counters[update.counter].name +
                    ")"
              : "what it takes or counts depends on the tokens that are "
                "there (" +
                    model.counters[update.counter].name + ")");
  return true;
}

bool PnmlPrinter::check() {
  limited.resize(model.counters.size());
  for (const Command &command : model.commands) {
    if (!check(command))
      return false;
    for (const Test &test : command.all)
      if (!model.counters[test.counter].isState && test.op != Test::AtLeast)
        limited.set(test.counter);
  }
  return true;
}

void PnmlPrinter::place(const std::string &id, const Twine &name,
                        uint64_t tokens) {
  xml.open("place").attribute("id", id);
  xml.open("name").textElement("text", name.str());
  xml.close();
  if (tokens) {
    xml.open("initialMarking").textElement("text", std::to_string(tokens));
    xml.close();
  }
  xml.close();
}

void PnmlPrinter::transition(size_t number, const Command &command) {
  // By place: how many tokens it takes, and puts.
  std::map<std::string, std::pair<uint64_t, uint64_t>> moved;
  std::map<uint32_t, int64_t> changes;
  for (const Update &update : command.updates)
    changes[update.counter] = update.amount;
  for (const Test &test : command.all) {
    const CommandModel::Counter &counter = model.counters[test.counter];
    if (counter.isState) {
      auto change = changes.find(test.counter);
      uint32_t to =
          change == changes.end() ? test.value : uint32_t(change->second);
      moved[placeOf(test.counter, test.value)].first = 1;
      moved[placeOf(test.counter, to)].second = 1;
      continue;
    }
    // A side condition takes the tokens and puts them back.
    auto needs = [&](const std::string &of, uint64_t count) {
      auto &[takes, puts] = moved[of];
      takes = std::max(takes, count);
    };
    if (test.op != Test::AtMost)
      needs(placeOf(test.counter), test.value);
    if (test.op != Test::AtLeast)
      needs(freeOf(test.counter),
            counter.maximum - std::min(test.value, counter.maximum));
    changes.try_emplace(test.counter, 0);
  }
  for (auto [counter, by] : changes) {
    if (model.counters[counter].isState)
      continue;
    auto change = [&](const std::string &of, int64_t gain) {
      auto &[takes, puts] = moved[of];
      takes = std::max<uint64_t>(takes, gain < 0 ? -gain : 0);
      puts = takes + gain;
    };
    change(placeOf(counter), by);
    if (limited.test(counter))
      change(freeOf(counter), -by);
  }
  std::string id = "t" + std::to_string(number);
  xml.open("transition").attribute("id", id);
  xml.open("name").textElement("text", labelText(model.labels[command.label]));
  xml.close();
  xml.close();
  auto arc = [&](const std::string &from, const std::string &to,
                 uint64_t count) {
    if (!count)
      return;
    xml.open("arc").attribute("id", "a" + std::to_string(++arcs));
    xml.attribute("source", from).attribute("target", to);
    if (count > 1) {
      xml.open("inscription").textElement("text", std::to_string(count));
      xml.close();
    }
    xml.close();
  };
  for (const auto &[at, counts] : moved) {
    arc(at, id, counts.first);
    arc(id, at, counts.second);
  }
}

void PnmlPrinter::print() {
  xml.open("pnml").attribute("xmlns",
                             "http://www.pnml.org/version-2009/grammar/pnml");
  xml.open("net")
      .attribute("id", "net")
      .attribute("type", "http://www.pnml.org/version-2009/grammar/ptnet");
  std::string title;
  for (const std::string &line : system.header())
    title += (title.empty() ? "" : " ") + line;
  xml.open("name").textElement("text", title);
  xml.close();
  xml.open("page").attribute("id", "page");
  for (uint32_t c = 0; c < model.counters.size(); ++c) {
    const CommandModel::Counter &counter = model.counters[c];
    if (counter.isState) {
      for (uint32_t v = 0; v <= counter.maximum; ++v)
        place(placeOf(c, v), counter.name + " " + Twine(v),
              v == counter.initial);
      continue;
    }
    place(placeOf(c), counter.name, counter.initial);
    if (limited.test(c))
      place(freeOf(c), "room for " + counter.name,
            counter.maximum - counter.initial);
  }
  size_t number = 0;
  for (const Command &command : model.commands)
    if (command.some.empty()) // else it is never taken
      transition(++number, command);
  xml.close();
  xml.close();
  xml.close();
}

bool cif::emitPnml(const Module &module, raw_ostream &os,
                   DiagnosticEngine &diags, const EmitOptions &options) {
  std::optional<Exported> system =
      Exported::make(module, "pnml", options, diags);
  if (!system)
    return false;
  PnmlPrinter printer(*system, os);
  if (!printer.check())
    return false;
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  printer.print();
  return true;
}
