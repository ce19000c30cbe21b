//===- Completion.cpp - Completion, answered by the tool itself -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The shells' scripts only ask `tool --complete -- WORDS` and show the answer,
/// so that they fit every version of the tool and every plugin.
///
//===----------------------------------------------------------------------===//

#include "cif/Support/AddedDiagnostics.h"
#include "cif/Support/Visible.h"
#include "cif/Tools/CommandLine.h"

using namespace cif;

static const char bashScript[] = R"(_TOOL_complete() {
  local IFS=$'\n'
  COMPREPLY=($("NAME" --complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ "${#COMPREPLY[@]}" -eq 1 ] && [ "${COMPREPLY[0]: -1}" = "=" ] && compopt -o nospace
}
complete -o default -o bashdefault -F _TOOL_complete NAME
)";

static const char zshScript[] = R"(#compdef NAME
_TOOL_complete() {
  local -a answers
  answers=("${(@f)$(NAME --complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -Q -S '' -- $answers
  _files
}
compdef _TOOL_complete NAME
)";

static const char fishScript[] =
    R"(complete -c NAME -a '(NAME --complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
)";

bool cif::printCompletionScript(raw_ostream &os, const ToolInfo &tool,
                                StringRef shell) {
  StringRef script = shell == "bash"   ? bashScript
                     : shell == "zsh"  ? zshScript
                     : shell == "fish" ? fishScript
                                       : "";
  if (script.empty())
    return false;
  std::string function = tool.name;
  std::replace(function.begin(), function.end(), '-', '_');
  while (!script.empty()) {
    size_t at = std::min(script.find("TOOL"), script.find("NAME"));
    os << script.take_front(at);
    if (at == StringRef::npos)
      break;
    os << (script.substr(at).starts_with("TOOL") ? function : tool.name);
    script = script.drop_front(at + 4);
  }
  return true;
}

/// The values that an option takes, where they are known.
static std::vector<StringRef> valuesOf(StringRef option,
                                       const Registry &registry) {
  std::vector<StringRef> values;
  if (option == "--emit")
    for (const Emitter &e : registry.emitters)
      values.push_back(e.name);
  else if (option == "--input-format")
    for (const FrontEnd &f : registry.frontEnds)
      values.push_back(f.name);
  else if (option == "--color")
    values = {"auto", "always", "never"};
  else if (option == "--print-ir")
    values = {"before", "after", "changed"};
  else if (option == "--completion")
    values = {"bash", "zsh", "fish"};
  else if (option == "--help" || option == "--explain" || option == "--passes")
    for (const auto &pass : registry.passes.all())
      values.push_back(pass->name);
  if (option == "--explain")
    for (const DiagInfo *info : allDiagnostics())
      values.push_back(info->code);
  return values;
}

/// Every option of the tool, with '=' where a value follows.
static std::vector<std::string> optionsOf(const ToolInfo &tool,
                                          const Registry &registry) {
  std::vector<std::string> names;
  for (const OptionInfo &o : allOptions())
    if ((o.tools & tool.bit) && o.section != OptionSection::Hidden)
      names.push_back(std::string("--") + o.name +
                      (o.value == OptionValue::Needed ? "=" : ""));
  if (tool.hasPasses())
    for (const auto &pass : registry.passes.all()) {
      names.push_back(std::string("--") + pass->name);
      for (const PassOptionInfo &o : pass->options)
        names.push_back(std::string("--") + o.name + "=");
    }
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  return names;
}

void cif::printCompletions(raw_ostream &os, const ToolInfo &tool,
                           const Registry &registry,
                           ArrayRef<std::string> words) {
  if (words.empty())
    return;
  StringRef word = words.back();
  // bash splits at '=' and wants only the value back: `--emit` `=` [`d`].
  size_t equals = word == "=" ? words.size() - 1 : words.size() - 2;
  if (words.size() >= 2 && words[equals] == "=" && equals > 0) {
    StringRef typed = word == "=" ? "" : word;
    for (StringRef value : valuesOf(words[equals - 1], registry))
      if (value.starts_with(typed))
        os << visible(value) << '\n';
    return;
  }
  if (word.contains('=')) {
    auto [option, typed] = word.split('=');
    for (StringRef value : valuesOf(option, registry))
      if (value.starts_with(typed))
        os << visible(option) << '=' << visible(value) << '\n';
    return;
  }
  if (word.starts_with("-")) // else the shell completes files
    for (const std::string &name : optionsOf(tool, registry))
      if (StringRef(name).starts_with(word))
        os << visible(name) << '\n';
}
