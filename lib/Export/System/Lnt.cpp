//===- Lnt.cpp - --emit=lnt -----------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A system as a process of LNT, for CADP, with an SVL script that generates
/// and reduces its LTS and looks for deadlocks: the back end of [verchor], Sec.
/// III-C. Where that translates each construct of a choreography, this writes
/// the commands of any system as alternatives of a loop, as the other writers
/// do; its LTS is that of the system up to the names of the gates, which the
/// comments give.
///
//===----------------------------------------------------------------------===//

#include "Exported.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

static std::string conditionOf(const Exported &system,
                               const CommandModel::Command &command,
                               const ConditionStyle &style) {
  const CommandModel &model = system.model();
  std::vector<std::string> more;
  std::string head;
  if (command.receives != CommandModel::none) {
    const std::string &queue =
        system.queues[model.messages[command.receives].queue];
    // The head is looked at only where there is one.
    head = " and then (head (" + queue +
           ") == " + std::to_string(command.receives + 1) + ")";
    more.push_back("length (" + queue + ") > 0");
  }
  if (command.sends != CommandModel::none) {
    const uint32_t out = model.messages[command.sends].queue;
    if (uint32_t room = model.queues[out].capacity; room != CommandModel::none)
      more.push_back("length (" + system.queues[out] + ") < " +
                     std::to_string(room));
  }
  return "((" + condition(command.all, command.some, more, style) + "))" + head;
}

/// The assignments behind the action, one after the other: no counter occurs
/// twice, and what is received leaves its queue before something enters.
static std::vector<std::string> effectOf(const Exported &system,
                                         const CommandModel::Command &command) {
  using Update = CommandModel::Update;
  const CommandModel &model = system.model();
  std::vector<std::string> effect;
  if (command.receives != CommandModel::none) {
    const std::string &queue =
        system.queues[model.messages[command.receives].queue];
    effect.push_back(queue + " := tail (" + queue + ")");
  }
  if (command.sends != CommandModel::none) {
    const std::string &queue =
        system.queues[model.messages[command.sends].queue];
    effect.push_back(queue + " := append (" +
                     std::to_string(command.sends + 1) + ", " + queue + ")");
  }
  for (const Update &update : command.updates) {
    const std::string &name = system.counters[update.counter];
    std::string change = name + " := " + name +
                         (update.amount < 0 ? " - " : " + ") +
                         std::to_string(std::abs(update.amount));
    switch (update.op) {
    case Update::Set:
      effect.push_back(name + " := " + std::to_string(update.amount));
      break;
    case Update::Add:
      effect.push_back(change);
      break;
    case Update::TakeAdd:
      effect.push_back("if " + name + " > 0 then " + name + " := " + name +
                       " - 1 end if");
      effect.push_back(change);
      break;
    case Update::Count:
      effect.push_back("if " + name + " < " + std::to_string(update.limit) +
                       " then " + change + " end if");
      break;
    }
  }
  return effect;
}

static void printVariables(const Exported &system, raw_ostream &os) {
  const CommandModel &model = system.model();
  os << "   var\n";
  const size_t count = model.counters.size() + model.queues.size();
  for (size_t i = 0; i < count; ++i) {
    const bool isCounter = i < model.counters.size();
    const size_t q = i - model.counters.size();
    os << "      " << (isCounter ? system.counters[i] : system.queues[q])
       << (isCounter ? ": nat" : ": contents") << (i + 1 < count ? "," : "")
       << " -- "
       << commentText(isCounter ? model.counters[i].name : model.queues[q].name)
       << '\n';
  }
  os << "   in\n";
  for (size_t i = 0; i < model.counters.size(); ++i)
    os << "      " << system.counters[i] << " := " << model.counters[i].initial
       << ";\n";
  for (const std::string &queue : system.queues)
    os << "      " << queue << " := {};\n";
}

static void printModule(const Exported &system, StringRef name,
                        raw_ostream &os) {
  const CommandModel &model = system.model();
  for (const std::string &line : system.header())
    os << "-- " << line << '\n';
  for (size_t m = 0; m < model.messages.size(); ++m)
    os << "-- message " << m + 1 << ": " << commentText(model.messages[m].name)
       << '\n';
  os << "\nmodule " << name << " is\n   !nat_bits 16\n\n";
  if (!model.queues.empty())
    os << "type contents is\n   list of nat\n"
          "   with \"length\", \"head\", \"tail\", \"append\"\nend type\n\n";
  os << "process MAIN";
  for (size_t l = 1; l < model.labels.size(); ++l)
    os << (l == 1 ? " [\n   " : "   ") << system.labels[l]
       << (l + 1 < model.labels.size() ? ": none," : ": none") << " -- "
       << commentText(labelText(model.labels[l])) << '\n';
  os << (model.labels.size() > 1 ? "]" : "") << " is\n";
  if (model.commands.empty()) {
    os << "   stop\nend process\n\nend module\n";
    return;
  }
  printVariables(system, os);
  os << "      loop\n         select\n";
  auto counter = [&](uint32_t c) { return system.counters[c]; };
  // Operators have no precedence: each comparison is in parentheses.
  ConditionStyle style{"==",     ">=",   "<=",    ") and (",
                       ") or (", "true", "false", counter};
  const char *between = "";
  for (const CommandModel::Command &command : model.commands) {
    os << between << "            only if "
       << conditionOf(system, command, style) << " then";
    if (std::string origin = system.origin(command); !origin.empty())
      os << " -- " << origin;
    os << "\n               "
       << (command.label == tauLabel ? "i" : system.labels[command.label]);
    for (const std::string &change : effectOf(system, command))
      os << ";\n               " << change;
    os << "\n            end if\n";
    between = "         []\n";
  }
  os << "         end select\n      end loop\n   end var\nend process\n\n"
        "end module\n";
}

static void printScript(const Exported &system, StringRef name,
                        raw_ostream &os) {
  for (const std::string &line : system.header())
    os << "-- " << line << '\n';
  os << '"' << name << ".bcg\" = generation of \"" << name << ".lnt\";\n"
     << '"' << name << "_min.bcg\" = branching reduction of \"" << name
     << ".bcg\";\n"
     << '"' << name << "_deadlock.seq\" = deadlock of \"" << name << ".bcg\";\n"
     << '"' << name << "_livelock.seq\" = livelock of \"" << name
     << ".bcg\";\n";
}

/// Whether a module may be called so; capitals and small letters are the same.
static bool isModuleName(StringRef name) {
  static const llvm::StringSet<> keywords = {
      "access", "and",    "any",     "array",   "as",     "assert",  "break",
      "by",     "case",   "channel", "disrupt", "div",    "else",    "elsif",
      "end",    "ensure", "eval",    "exit",    "false",  "for",     "function",
      "hide",   "i",      "if",      "implies", "in",     "is",      "library",
      "list",   "loop",   "mod",     "module",  "none",   "not",     "null",
      "of",     "only",   "or",      "out",     "par",    "process", "raise",
      "raises", "range",  "rem",     "require", "result", "return",  "select",
      "set",    "sorted", "stop",    "then",    "trap",   "true",    "type",
      "unless", "use",    "var",     "where",   "while",  "with",    "xor"};
  return llvm::isAlpha(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !name.ends_with("_") && !name.contains("__") &&
         !keywords.contains(name.lower());
}

bool cif::emitLnt(const Module &module, raw_ostream &os,
                  DiagnosticEngine &diags, const EmitOptions &options) {
  std::optional<Exported> system =
      Exported::make(module, "lnt", options, diags);
  if (!system)
    return false;
  static constexpr ModuleLanguage language = {
      isModuleName,
      "a letter, then letters, digits and single underscores; no word of LNT",
      "svl", "Script", "-- "};
  return system->writeModule(
      language, options, os,
      [&](StringRef name, raw_ostream &to) { printModule(*system, name, to); },
      [&](StringRef name, raw_ostream &to) { printScript(*system, name, to); });
}
