//===- TokenCommands.cpp - Nets as guarded commands -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps of a net and its network as plain data: a counter for each place,
/// a command for each firing, and for each pair of firings that shake hands.
/// Decisions that depend on the whole marking, and data, cannot be expressed in
/// this way.
///
//===----------------------------------------------------------------------===//

#include "Deferral.h"
#include "TokenNet.h"
#include "TransitCommands.h"

using namespace cif;

namespace {
using Command = CommandModel::Command;
using Test = CommandModel::Test;
using Update = CommandModel::Update;

/// What a set of terminations in large scopes must not exceed.
constexpr size_t maxParts = size_t(1) << 25;

class Maker {
public:
  Maker(const TokenCommandsSetup &from, std::string &why, Origin &where)
      : setup(from), net(from.net), reason(why), at(where),
        model(std::make_unique<CommandModel>()) {}
  std::unique_ptr<CommandModel> run();

private:
  bool isExpressible();
  void addPlaces();
  Command commandOf(const Firing &firing) const;
  void addJoin(const OrJoin &join, Command &command) const;
  void updates(const Firing &firing, Command &command) const;
  bool add(Command command);
  bool handshake(const Firing &from, const Firing &to);
  bool overlap(const Command &a, const Command &b) const;
  void addFinal();

  const TokenCommandsSetup &setup;
  const TokenNet &net;
  std::string &reason;
  Origin &at;
  std::unique_ptr<CommandModel> model;
  size_t parts = 0;
};
} // namespace

bool Maker::isExpressible() {
  if (!net.limit.empty()) {
    reason = net.limit;
  } else if (net.data) {
    reason = "guards depend on data";
    for (const Firing &firing : net.firings)
      if (firing.guards)
        at = firing.origin;
  } else if (setup.options.limits.any()) {
    reason = "tokens are limited by a constraint";
  } else if (!setup.deferral.relevantPlaces().empty()) {
    reason = "it is the first step after an event-based choice that depends on "
             "other tokens";
    if (!setup.deferral.lastFirings().empty()) {
      at = net.firings[setup.deferral.lastFirings().front()].origin;
    } else if (!setup.deferral.branchFirings().empty()) {
      at = net.firings[setup.deferral.branchFirings().front()].origin;
      reason = "how its branches go on depends on other tokens";
    }
  } else {
    reason = setup.deferral.trouble();
  }
  return reason.empty();
}

void Maker::addPlaces() {
  for (uint32_t p = 0; p < net.numPlaces; ++p)
    model->counters.push_back(
        {net.placeNames[p], 0, CommandModel::none, false});
  for (const Arc &arc : net.initial)
    model->counters[arc.place].initial += arc.count;
  for (unsigned p : net.marks.set_bits())
    model->counters[p].maximum =
        std::max(net.maxMark, model->counters[p].initial);
}

/// TokenNet::joins as clauses: an incoming flow is marked; and for each place
/// before an incoming flow: that flow is marked, or the place is empty, or its
/// token can come to one that is marked.
void Maker::addJoin(const OrJoin &join, Command &command) const {
  auto &any = command.some.emplace_back();
  for (uint32_t place : join.incoming)
    any.push_back({Test::AtLeast, place, 1});
  for (size_t i = 0; i < join.incoming.size(); ++i)
    for (unsigned place : join.before[i].set_bits()) {
      auto &clause = command.some.emplace_back();
      clause.push_back({Test::Is, place, 0});
      for (size_t k = 0; k < join.incoming.size(); ++k)
        if (k == i || join.movesTo[k].test(place))
          clause.push_back({Test::AtLeast, join.incoming[k], 1});
    }
}

/// In the order in which a firing changes the places: it takes, clears, puts.
void Maker::updates(const Firing &firing, Command &command) const {
  std::map<uint32_t, Update> by;
  auto of = [&](uint32_t place) -> Update & {
    return by.try_emplace(place, Update{Update::Add, place, 0}).first->second;
  };
  for (const Arc &arc : firing.pre)
    of(arc.place).amount -= arc.count;
  if (firing.orJoin != noIndex)
    for (uint32_t place : net.orJoins[firing.orJoin].incoming)
      of(place).op = Update::TakeAdd;
  if (firing.clears != noIndex)
    for (uint32_t place : net.sets[firing.clears])
      of(place) = {Update::Set, place, 0};
  for (const Arc &arc : firing.post) {
    Update &update = of(arc.place);
    if (!net.marks.test(arc.place))
      update.amount += arc.count;
    else if (update.op == Update::Set)
      update.amount += update.amount < net.maxMark ? arc.count : 0;
    else
      update = {Update::Count, arc.place, arc.count, net.maxMark};
  }
  for (auto &[place, update] : by)
    if (update.op != Update::Add || update.amount)
      command.updates.push_back(update);
}

/// Without its message.
Command Maker::commandOf(const Firing &firing) const {
  Command command{.label = firing.label, .group = firing.group};
  std::map<uint32_t, uint32_t> need;
  for (const Arc &arc : firing.pre)
    need[arc.place] += arc.count;
  for (auto [place, count] : need)
    command.all.push_back({Test::AtLeast, place, count});
  if (firing.empty != noIndex)
    for (uint32_t place : net.sets[firing.empty])
      command.all.push_back({Test::Is, place, 0});
  if (firing.marked != noIndex) {
    auto &any = command.some.emplace_back();
    for (uint32_t place : net.sets[firing.marked])
      any.push_back({Test::AtLeast, place, 1});
  }
  if (firing.orJoin != noIndex)
    addJoin(net.orJoins[firing.orJoin], command);
  updates(firing, command);
  return command;
}

bool Maker::add(Command command) {
  parts += command.all.size() + command.updates.size() + 1;
  for (const auto &list : command.some)
    parts += list.size();
  if (parts > maxParts) {
    reason = "it takes more than " + std::to_string(maxParts) +
             " tests and changes of places";
    return false;
  }
  model->commands.push_back(std::move(command));
  return true;
}

/// Whether \p b looks at what \p a changes, or the other way round.
bool Maker::overlap(const Command &a, const Command &b) const {
  llvm::BitVector changed(net.numPlaces), seen(net.numPlaces);
  for (const Update &update : a.updates)
    changed.set(update.counter);
  for (const Test &test : a.all)
    seen.set(test.counter);
  for (const auto &list : a.some)
    for (const Test &test : list)
      seen.set(test.counter);
  auto looks = [&](const Test &test) { return changed.test(test.counter); };
  return llvm::any_of(b.all, looks) ||
         llvm::any_of(
             b.some,
             [&](const auto &list) { return llvm::any_of(list, looks); }) ||
         llvm::any_of(b.updates, [&](const Update &update) {
           return changed.test(update.counter) || seen.test(update.counter);
         });
}

bool Maker::handshake(const Firing &from, const Firing &to) {
  Command command = commandOf(from), other = commandOf(to);
  if (overlap(command, other)) {
    reason =
        "its participant would exchange a message with itself by handshake";
    at = from.origin;
    return false;
  }
  command.partner = to.group;
  command.all.append(other.all);
  llvm::append_range(command.some, other.some);
  command.updates.append(other.updates);
  return add(std::move(command));
}

void Maker::addFinal() {
  model->finalReason.clear();
  if (setup.options.semantics == SemanticsKind::Fbpmn) {
    for (uint32_t place : net.messagePlaces)
      model->finalAll.push_back({Test::Is, place, 0});
    for (size_t p = 0; p < setup.processes.size(); ++p) {
      const CollaborationProcess &process = setup.processes[p];
      SmallVector<Test, 4> idle;
      if (process.started != noneOf)
        idle.push_back({Test::Is, process.started, 0});
      else if (process.permit != noneOf)
        idle.push_back({Test::AtLeast, process.permit, 1});
      auto must = [&](Test test) {
        model->finalSome.push_back(idle);
        model->finalSome.back().push_back(test);
      };
      for (uint32_t place : net.soundEmpty[p])
        must({Test::Is, place, 0});
      for (uint32_t place : net.soundEnds[p])
        must({Test::AtMost, place, 1});
    }
    return;
  }
  // A token at a choice that has a branch without a step may vanish. As the
  // choices depend on no other tokens here, each is asked alone.
  llvm::BitVector alone(net.numPlaces);
  std::vector<uint32_t> marking(net.numPlaces);
  for (unsigned place : setup.deferral.vanishingPlaces().set_bits()) {
    marking[place] = 1;
    if (setup.deferral.vanishes(marking.data(), 0))
      alone.set(place);
    marking[place] = 0;
  }
  if (alone.any() && llvm::any_of(net.firings, [](const Firing &firing) {
        return firing.completes != noIndex;
      }))
    model->finalReason = "an event-based choice has a branch without a step";
  for (uint32_t place = 0; place < net.numPlaces; ++place)
    if (!net.idle.test(place) && !alone.test(place))
      model->finalAll.push_back({Test::Is, place, 0});
}

std::unique_ptr<CommandModel> Maker::run() {
  if (!isExpressible())
    return nullptr;
  model->labels = setup.labels.vec();
  addPlaces();
  addFinal();
  std::vector<std::string> names;
  for (const CollaborationMessage &message : setup.messages)
    names.push_back(labelText(message.label));
  std::optional<TransitCommands> transit;
  if (setup.network)
    transit.emplace(*model, setup.options.network, *setup.network, names,
                    reason);
  if (!reason.empty())
    return nullptr;
  const bool sync = setup.network && setup.network->isSync();
  SmallVector<const Firing *, 16> sends, receptions;
  for (const Firing &firing : net.firings) {
    if (firing.kind == FiringKind::Deferred || firing.never)
      continue;
    const bool out = firing.kind == FiringKind::Send;
    const bool travels = firing.message != noIndex && setup.network &&
                         (out || firing.kind == FiringKind::Receive);
    if (travels && sync) {
      (out ? sends : receptions).push_back(&firing);
      continue;
    }
    const std::vector<Firing> ways = net.waysOf(firing);
    if (ways.empty()) {
      reason = net.splits[firing.split].tooManyText();
      at = firing.origin;
      return nullptr;
    }
    for (const Firing &way : ways) {
      Command command = commandOf(way);
      if (travels && out)
        transit->send(command, firing.message);
      else if (travels)
        transit->receive(command, firing.message);
      if (!add(std::move(command)))
        return nullptr;
    }
  }
  for (const Firing *from : sends)
    for (const Firing *to : receptions)
      if (from->message == to->message && !handshake(*from, *to))
        return nullptr;
  if (std::string trouble = setup.deferral.trouble(); !trouble.empty()) {
    reason = std::move(trouble);
    return nullptr;
  }
  return std::move(model);
}

std::unique_ptr<CommandModel>
cif::makeTokenCommands(const TokenCommandsSetup &setup, std::string &reason,
                       Origin &at) {
  return Maker(setup, reason, at).run();
}
