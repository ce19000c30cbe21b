//===- Promela.cpp - --emit=promela ---------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A system as one Promela process that repeats commands, each one indivisible
/// step, so that Spin's states are those of the system. Where the system may
/// end the process may end, in one more state; a state without a step that is
/// not such an end is an invalid end state for Spin: a deadlock.
///
//===----------------------------------------------------------------------===//

#include "Exported.h"

using namespace cif;

/// The smallest type with these values; Spin's numbers are signed.
static const char *typeFor(uint32_t maximum) {
  return maximum <= 1       ? "bit"
         : maximum <= 255   ? "byte"
         : maximum <= 32767 ? "short"
                            : "int";
}

static void printCommand(const Exported &system,
                         const CommandModel::Command &command,
                         const ConditionStyle &style, raw_ostream &os) {
  using Update = CommandModel::Update;
  const CommandModel &model = system.model();
  std::vector<std::string> more, effect;
  if (command.receives != CommandModel::none) {
    const std::string &queue =
        system.queues[model.messages[command.receives].queue];
    more.push_back(queue + "?[" + system.messages[command.receives] + "]");
    effect.push_back(queue + "?" + system.messages[command.receives]);
  }
  if (command.sends != CommandModel::none) {
    const uint32_t in = model.messages[command.sends].queue;
    // A channel without room is a handshake to Spin, and there is no partner.
    more.push_back(model.queues[in].capacity
                       ? "nfull(" + system.queues[in] + ")"
                       : "false");
    if (model.queues[in].capacity)
      effect.push_back(system.queues[in] + "!" +
                       system.messages[command.sends]);
  }
  for (const Update &update : command.updates) {
    const std::string &name = system.counters[update.counter];
    std::string by = (update.amount < 0 ? " - " : " + ") +
                     std::to_string(std::abs(update.amount));
    switch (update.op) {
    case Update::Set:
      effect.push_back(name + " = " + std::to_string(update.amount));
      break;
    case Update::Add:
      effect.push_back(name + " = " + name + by);
      break;
    case Update::TakeAdd:
      effect.push_back(name + " = (" + name + " > 0 -> " + name + " - 1 : 0)" +
                       by);
      break;
    case Update::Count:
      effect.push_back(name + " = (" + name + " < " +
                       std::to_string(update.limit) + " -> " + name + by +
                       " : " + name + ")");
      break;
    }
  }
  os << "  :: d_step { " << condition(command.all, command.some, more, style)
     << " -> ";
  for (const std::string &part : effect)
    os << part << "; ";
  os << "skip } /* " << commentText(labelText(model.labels[command.label]));
  if (std::string origin = system.origin(command); !origin.empty())
    os << ": " << origin;
  os << " */\n";
}

bool cif::emitPromela(const Module &module, raw_ostream &os,
                      DiagnosticEngine &diags, const EmitOptions &options) {
  std::optional<Exported> system =
      Exported::make(module, "promela", options, diags);
  if (!system || !system->hasBounds() || !system->knowsFinal())
    return false;
  const CommandModel &model = system->model();
  for (const CommandModel::Queue &queue : model.queues)
    if (queue.capacity > 255)
      return system->refuse("the " + queue.name,
                            "a channel of Spin holds at most 255 messages");
  for (const CommandModel::Counter &counter : model.counters)
    if (counter.initial > INT32_MAX)
      return system->refuse("'" + counter.name + "'",
                            "its initial value does not fit into 32 bits");
  for (const std::string &line : system->header())
    os << "/* " << line << " */\n";
  os << "/* To find deadlocks: spin -run -DSAFETY -DNOREDUCE FILE */\n\n";
  for (size_t m = 0; m < model.messages.size(); ++m)
    os << "#define " << system->messages[m] << ' ' << m + 1 << " /* "
       << commentText(model.messages[m].name) << " */\n";
  for (size_t i = 0; i < model.counters.size(); ++i) {
    const CommandModel::Counter &counter = model.counters[i];
    os << typeFor(counter.maximum) << ' ' << system->counters[i] << " = "
       << counter.initial << "; /* " << commentText(counter.name) << " */\n";
  }
  for (size_t i = 0; i < model.queues.size(); ++i)
    if (uint32_t room = model.queues[i].capacity)
      os << "chan " << system->queues[i] << " = [" << room << "] of { "
         << (model.messages.size() < 256 ? "byte" : "int") << " }; /* "
         << commentText(model.queues[i].name) << " */\n";
  auto name = [&](uint32_t counter) { return system->counters[counter]; };
  ConditionStyle style{"==", ">=", "<=", "&&", "||", "true", "false", name};
  os << "\nactive proctype system() {\n  do\n";
  std::vector<std::string> empty;
  for (const CommandModel::Command &command : model.commands) {
    // What waits for a message in a queue without room waits for ever.
    if (command.receives == CommandModel::none ||
        model.queues[model.messages[command.receives].queue].capacity)
      printCommand(*system, command, style, os);
  }
  for (size_t i = 0; i < model.queues.size(); ++i)
    if (model.queues[i].capacity)
      empty.push_back("empty(" + system->queues[i] + ")");
  os << "  :: " << condition(model.finalAll, model.finalSome, empty, style)
     << " -> break /* the end */\n  od\n}\n";
  return true;
}
