//===- Tla.cpp - --emit=tla -----------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A system as a TLA+ module and a configuration for TLC [lamport02]. All
/// counters are one tuple and all queues another, so that each command only
/// names what it changes. TLC reports a state without a step as a deadlock: in
/// the states in which the system may end, the module may stay as it is.
///
//===----------------------------------------------------------------------===//

#include "Exported.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

static void printAction(const Exported &system, size_t number,
                        const CommandModel::Command &command,
                        const ConditionStyle &style, raw_ostream &os) {
  using Update = CommandModel::Update;
  const CommandModel &model = system.model();
  std::vector<std::string> more;
  std::string queues;
  // One command never takes from and puts into the same queue.
  if (command.receives != CommandModel::none) {
    const std::string &queue =
        system.queues[model.messages[command.receives].queue];
    more.push_back("q[" + queue + "] # <<>>");
    more.push_back("Head(q[" + queue +
                   "]) = " + system.messages[command.receives]);
    queues += "![" + queue + "] = Tail(@)";
  }
  if (command.sends != CommandModel::none) {
    const uint32_t in = model.messages[command.sends].queue;
    if (model.queues[in].capacity != CommandModel::none)
      more.push_back("Len(q[" + system.queues[in] + "]) < " +
                     std::to_string(model.queues[in].capacity));
    queues += (queues.empty() ? "!" : ", !") + ("[" + system.queues[in]) +
              "] = Append(@, " + system.messages[command.sends] + ")";
  }
  os << "\\* " << commentText(labelText(model.labels[command.label]));
  if (std::string origin = system.origin(command); !origin.empty())
    os << ": " << origin;
  // TLC takes each alternative of an action for a step of its own, and those of
  // several lists multiply; those of a value it does not.
  std::string guard = condition(command.all, command.some, more, style);
  if (!command.some.empty())
    guard = "(" + guard + ") = TRUE";
  os << "\nStep" << number << " == /\\ " << guard << '\n';
  os.indent(10) << "/\\ ";
  if (command.updates.empty())
    os << "UNCHANGED n";
  else
    os << "n' = [n EXCEPT ";
  const char *separator = "";
  for (const Update &update : command.updates) {
    std::string by = (update.amount < 0 ? " - " : " + ") +
                     std::to_string(std::abs(update.amount));
    os << separator << "![" << system.counters[update.counter] << "] = ";
    separator = ", ";
    switch (update.op) {
    case Update::Set:
      os << update.amount;
      break;
    case Update::Add:
      os << '@' << by;
      break;
    case Update::TakeAdd:
      os << "(IF @ > 0 THEN @ - 1 ELSE 0)" << by;
      break;
    case Update::Count:
      os << "IF @ < " << update.limit << " THEN @" << by << " ELSE @";
      break;
    }
  }
  os << (command.updates.empty() ? "\n" : "]\n");
  os.indent(10) << "/\\ "
                << (queues.empty() ? "UNCHANGED q"
                                   : "q' = [q EXCEPT " + queues + "]")
                << '\n';
}

static void printModule(const Exported &system, StringRef name,
                        raw_ostream &os) {
  const CommandModel &model = system.model();
  os << "---- MODULE " << name << " ----\n";
  for (const std::string &line : system.header())
    os << "\\* " << line << '\n';
  os << "EXTENDS Integers, Sequences\n\nVARIABLES\n"
        "  n, \\* local states, tokens and counts\n"
        "  q  \\* queues\n\n";
  auto define = [&](const std::string &word, size_t value, StringRef text) {
    os << word << " == " << value << " \\* " << commentText(text) << '\n';
  };
  for (size_t i = 0; i < model.counters.size(); ++i)
    define(system.counters[i], i + 1, model.counters[i].name);
  for (size_t i = 0; i < model.queues.size(); ++i)
    define(system.queues[i], i + 1, model.queues[i].name);
  for (size_t i = 0; i < model.messages.size(); ++i)
    define(system.messages[i], i + 1, model.messages[i].name);
  os << "\nvars == <<n, q>>\n\nInit == /\\ n = <<";
  for (size_t i = 0; i < model.counters.size(); ++i)
    os << (i ? ", " : "") << model.counters[i].initial;
  os << ">>\n        /\\ q = <<";
  for (size_t i = 0; i < model.queues.size(); ++i)
    os << (i ? ", " : "") << "<<>>";
  os << ">>\n\n";
  auto counter = [&](uint32_t c) { return "n[" + system.counters[c] + "]"; };
  ConditionStyle style{"=", ">=", "<=", "/\\", "\\/", "TRUE", "FALSE", counter};
  for (size_t i = 0; i < model.commands.size(); ++i)
    printAction(system, i + 1, model.commands[i], style, os);
  std::vector<std::string> empty;
  for (const std::string &queue : system.queues)
    empty.push_back("q[" + queue + "] = <<>>");
  std::string end = condition(model.finalAll, model.finalSome, empty, style);
  if (!model.finalSome.empty())
    end = "(" + end + ") = TRUE";
  os << "\nFinal == " << end << "\n\nNext == \\/ Final /\\ UNCHANGED vars\n";
  for (size_t i = 0; i < model.commands.size(); ++i)
    os.indent(8) << "\\/ Step" << i + 1 << '\n';
  os << "\nSpec == Init /\\ [][Next]_vars\n====\n";
}

/// Whether a module may be called so: neither a reserved word nor one of the
/// modules that it is made of [lamport02, 15.1].
static bool isModuleName(StringRef name) {
  static const llvm::StringSet<> taken = {
      "Integers", "Naturals",  "Sequences",  "ACTION",      "ASSUME",
      "AXIOM",    "BY",        "ASSUMPTION", "CASE",        "CHOOSE",
      "CONSTANT", "CONSTANTS", "COROLLARY",  "DEF",         "DEFINE",
      "DEFS",     "DOMAIN",    "ELSE",       "ENABLED",     "EXCEPT",
      "EXTENDS",  "HAVE",      "HIDE",       "IF",          "IN",
      "INSTANCE", "LAMBDA",    "LEMMA",      "LET",         "LOCAL",
      "MODULE",   "NEW",       "OBVIOUS",    "OMITTED",     "ONLY",
      "OTHER",    "PICK",      "PROOF",      "PROPOSITION", "PROVE",
      "QED",      "RECURSIVE", "STATE",      "SUBSET",      "SUFFICES",
      "TAKE",     "TEMPORAL",  "THEN",       "THEOREM",     "UNCHANGED",
      "UNION",    "USE",       "VARIABLE",   "VARIABLES",   "WITH",
      "WITNESS",  "TRUE",      "FALSE",      "BOOLEAN",     "STRING"};
  return llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         llvm::any_of(name, [](char c) { return llvm::isAlpha(c); }) &&
         !name.starts_with("WF_") && !name.starts_with("SF_") &&
         !taken.contains(name);
}

bool cif::emitTla(const Module &module, raw_ostream &os,
                  DiagnosticEngine &diags, const EmitOptions &options) {
  std::optional<Exported> system =
      Exported::make(module, "tla", options, diags);
  if (!system || !system->knowsFinal())
    return false;
  // What follows a module is not read.
  static constexpr ModuleLanguage language = {
      isModuleName,
      "letters, digits and underscores, at least one letter; no word of TLA+ "
      "and no module that it extends",
      "cfg", "Configuration", ""};
  return system->writeModule(
      language, options, os,
      [&](StringRef name, raw_ostream &to) { printModule(*system, name, to); },
      [&](StringRef, raw_ostream &to) {
        for (const std::string &line : system->header())
          to << "\\* " << line << '\n';
        to << "INIT Init\nNEXT Next\n";
      });
}
