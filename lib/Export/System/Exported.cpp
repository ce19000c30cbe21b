//===- Exported.cpp - Systems for the languages of other tools ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exported.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

std::string cif::identifier(char kind, size_t number, StringRef name) {
  constexpr size_t most = 40;
  std::string text = kind + std::to_string(number);
  bool gap = true;
  for (char c : name) {
    if (text.size() > most)
      break;
    if (!llvm::isAlnum(c)) {
      gap = true;
      continue;
    }
    if (gap)
      text += '_';
    gap = false;
    text += c;
  }
  return text;
}

std::string cif::commentText(StringRef text) {
  std::string out;
  for (char c : text.take_front(200)) {
    // Neither the ends of comments nor what a preprocessor looks for.
    if (!llvm::isPrint(c) || c == '\\' || c == '%' ||
        (!out.empty() &&
         ((out.back() == '*' && (c == '/' || c == ')')) ||
          ((out.back() == '/' || out.back() == '(') && c == '*') ||
          (out.back() == '-' && c == '-'))))
      out += '?';
    else
      out += c;
  }
  return out;
}

std::optional<Exported> Exported::make(const Module &module, const char *format,
                                       const EmitOptions &options,
                                       DiagnosticEngine &diags) {
  Exported result(module, format, diags);
  result.made = makeSystem(module, options.semantics, diags);
  if (!result.made)
    return std::nullopt;
  for (const std::string &text : result.made->abstractions())
    diags.report(diag::semantics_abstracts) << "the model" << text;
  SemanticsKind kind = resolveSemantics(module, options.semantics);
  result.semantics = semanticsWords()[static_cast<unsigned>(kind)].str();
  if (kind != SemanticsKind::Choreography && kind != SemanticsKind::Local)
    result.semantics +=
        ", network " +
        networkWords()[static_cast<unsigned>(options.semantics.network.value_or(
                           defaultNetwork(kind)))]
            .str();
  if (options.semantics.bound != noBound)
    result.semantics += ", bound " + std::to_string(options.semantics.bound);
  std::string reason;
  Origin at;
  result.commands = result.made->commands(reason, at);
  if (!result.commands) {
    // What could not be worked out may well be expressible.
    if (reason == result.made->trouble() && options.stopped) {
      options.stopped(reason);
      return std::nullopt;
    }
    diags.report(originPlace(module, at), diag::emit_node)
        << format
        << (at.kind == Origin::None ? "the system" : originText(module, at))
        << reason;
    return std::nullopt;
  }
  const CommandModel &model = *result.commands;
  for (size_t i = 0; i < model.counters.size(); ++i)
    result.counters.push_back(identifier('n', i + 1, model.counters[i].name));
  for (size_t i = 0; i < model.queues.size(); ++i)
    result.queues.push_back(identifier('q', i + 1, model.queues[i].name));
  for (size_t i = 0; i < model.messages.size(); ++i)
    result.messages.push_back(identifier('m', i + 1, model.messages[i].name));
  for (size_t i = 0; i < model.labels.size(); ++i)
    result.labels.push_back(identifier('a', i, labelText(model.labels[i])));
  return result;
}

bool Exported::refuse(const Twine &what, const Twine &why) const {
  diags->report(diag::emit_node) << format << what << why;
  return false;
}

bool Exported::refuse(const CommandModel::Command &command,
                      const Twine &why) const {
  Origin at = command.group == CommandModel::none
                  ? Origin()
                  : made->groups().origin(command.group);
  diags->report(originPlace(*module, at), diag::emit_node)
      << format
      << (at.kind == Origin::None ? "a step" : originText(*module, at)) << why;
  return false;
}

bool Exported::hasBounds() const {
  for (const CommandModel::Queue &queue : model().queues)
    if (queue.capacity == CommandModel::none)
      return refuse("the " + queue.name,
                    "it has no bound; --bound=N gives it one");
  return true;
}

bool Exported::knowsFinal() const {
  return model().finalReason.empty() ||
         refuse("when the system has ended", model().finalReason);
}

bool Exported::writeModule(const ModuleLanguage &language,
                           const EmitOptions &options, raw_ostream &os,
                           Part first, Part second) const {
  const StringRef name =
      options.fileName.empty() ? "System" : StringRef(options.fileName);
  if (!language.isName(name))
    return refuse("the file name '" + name + "'",
                  Twine("a module is named like its file: ") + language.names);
  first(name, os);
  if (options.beside) {
    raw_ostream *file = options.beside(language.second);
    if (file)
      second(name, *file);
    return file != nullptr;
  }
  std::string text;
  llvm::raw_string_ostream lines(text);
  second(name, lines);
  os << '\n'
     << language.remark << language.title << ", for " << name << '.'
     << language.second << ":\n";
  for (StringRef rest = text; !rest.empty();) {
    auto [line, behind] = rest.split('\n');
    os << language.remark << line << '\n';
    rest = behind;
  }
  return true;
}

std::vector<std::string> Exported::header() const {
  std::vector<std::string> lines{"Written by CIF. Semantics: " + semantics +
                                 "."};
  for (const Source &source : module->sources)
    lines.push_back("Source: " + commentText(module->text(source.path)));
  return lines;
}

std::string Exported::origin(const CommandModel::Command &command) const {
  std::string text;
  for (uint32_t group : {command.group, command.partner})
    if (group != CommandModel::none)
      text += (text.empty() ? "" : "; ") +
              commentText(originText(*module, made->groups().origin(group)));
  return text;
}

static std::string textOf(const CommandModel::Test &test,
                          const ConditionStyle &style) {
  using Test = CommandModel::Test;
  return style.counter(test.counter) + " " +
         (test.op == Test::Is        ? style.equals
          : test.op == Test::AtLeast ? style.atLeast
                                     : style.atMost) +
         " " + std::to_string(test.value);
}

std::string cif::condition(ArrayRef<CommandModel::Test> all,
                           ArrayRef<SmallVector<CommandModel::Test, 4>> some,
                           ArrayRef<std::string> more,
                           const ConditionStyle &style) {
  std::string text;
  auto add = [&](const std::string &part) {
    if (!text.empty())
      text += std::string(" ") + style.both + " ";
    text += part;
  };
  for (const CommandModel::Test &test : all)
    add(textOf(test, style));
  for (const auto &list : some) {
    std::string any;
    for (const CommandModel::Test &test : list)
      any += (any.empty() ? std::string()
                          : " " + std::string(style.either) + " ") +
             textOf(test, style);
    add(any.empty() ? std::string(style.no) : "(" + any + ")");
  }
  for (const std::string &part : more)
    add(part);
  return text.empty() ? style.yes : text;
}
