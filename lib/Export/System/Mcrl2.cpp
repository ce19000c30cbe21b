//===- Mcrl2.cpp - --emit=mcrl2 -------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A system as a linear process of mCRL2 [groote14]: counters and queues are
/// its parameters, each command is a summand. Its LTS is that of the system up
/// to the names of the actions, which the comments give.
///
//===----------------------------------------------------------------------===//

#include "Exported.h"

using namespace cif;

static void printSummand(const Exported &system,
                         const CommandModel::Command &command,
                         const ConditionStyle &style, raw_ostream &os) {
  using Update = CommandModel::Update;
  const CommandModel &model = system.model();
  std::vector<std::string> more, effect;
  auto message = [](uint32_t m) { return std::to_string(m + 1); };
  std::string first, last;
  uint32_t in = CommandModel::none;
  if (command.receives != CommandModel::none) {
    in = model.messages[command.receives].queue;
    const std::string &queue = system.queues[in];
    more.push_back(queue + " != []");
    more.push_back("head(" + queue + ") == " + message(command.receives));
    effect.push_back(queue + " = tail(" + queue + ")");
  }
  if (command.sends != CommandModel::none) {
    const uint32_t out = model.messages[command.sends].queue;
    const std::string &queue = system.queues[out];
    if (model.queues[out].capacity != CommandModel::none)
      more.push_back("#" + queue + " < " +
                     std::to_string(model.queues[out].capacity));
    effect.push_back(queue + " = " + queue + " <| " + message(command.sends));
  }
  for (const Update &update : command.updates) {
    const std::string &name = system.counters[update.counter];
    std::string by = (update.amount < 0 ? " - " : " + ") +
                     std::to_string(std::abs(update.amount));
    std::string value;
    switch (update.op) {
    case Update::Set:
      value = std::to_string(update.amount);
      break;
    case Update::Add:
      value = name + by;
      break;
    case Update::TakeAdd:
      value = "if(" + name + " > 0, " + name + " - 1, 0)" + by;
      break;
    case Update::Count:
      value = "if(" + name + " < " + std::to_string(update.limit) + ", " +
              name + by + ", " + name + ")";
      break;
    }
    effect.push_back(name + " = " + value);
  }
  os << '(' << condition(command.all, command.some, more, style) << ") -> "
     << (command.label == tauLabel ? "tau" : system.labels[command.label])
     << " . System(";
  for (size_t i = 0; i < effect.size(); ++i)
    os << (i ? ", " : "") << effect[i];
  os << ')';
  if (std::string origin = system.origin(command); !origin.empty())
    os << " % " << origin;
  os << '\n';
}

bool cif::emitMcrl2(const Module &module, raw_ostream &os,
                    DiagnosticEngine &diags, const EmitOptions &options) {
  std::optional<Exported> system =
      Exported::make(module, "mcrl2", options, diags);
  if (!system)
    return false;
  const CommandModel &model = system->model();
  for (const std::string &line : system->header())
    os << "% " << line << '\n';
  os << '\n';
  for (size_t l = 1; l < model.labels.size(); ++l)
    os << "act " << system->labels[l] << "; % "
       << commentText(labelText(model.labels[l])) << '\n';
  for (size_t m = 0; m < model.messages.size(); ++m)
    os << "% message " << m + 1 << ": " << commentText(model.messages[m].name)
       << '\n';
  os << "\nproc System(";
  const char *separator = "\n    ";
  for (size_t i = 0; i < model.counters.size(); ++i) {
    os << separator << system->counters[i] << ": Int";
    separator = ",\n    ";
  }
  for (size_t i = 0; i < model.queues.size(); ++i) {
    os << separator << system->queues[i] << ": List(Pos)";
    separator = ",\n    ";
  }
  os << ") =\n";
  auto name = [&](uint32_t counter) { return system->counters[counter]; };
  ConditionStyle style{"==", ">=", "<=", "&&", "||", "true", "false", name};
  const char *plus = "    ";
  for (const CommandModel::Command &command : model.commands) {
    os << plus;
    plus = "  + ";
    printSummand(*system, command, style, os);
  }
  if (model.commands.empty())
    os << "    delta\n";
  os << "  ;\n\ninit System(";
  separator = "";
  for (const CommandModel::Counter &counter : model.counters) {
    os << separator << counter.initial;
    separator = ", ";
  }
  for (size_t i = 0; i < model.queues.size(); ++i) {
    os << separator << "[]";
    separator = ", ";
  }
  os << ");\n";
  return true;
}
