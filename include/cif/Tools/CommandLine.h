//===- CommandLine.h - Options, from the tables to the drivers ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The command line of every tool: options from Options.def, passes and their
/// options from the registry. The same tables give parsing, --help, manual
/// pages and completion. LLVM's own option library is not used: it registers
/// options in static constructors, keeps no order across options, and cannot be
/// asked for completions.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_COMMANDLINE_H
#define CIF_TOOLS_COMMANDLINE_H

#include "cif/Tools/Registry.h"

namespace cif {

enum ToolBits : unsigned {
  Cifc = 1 << 0,
  Opt = 1 << 1,
  As = 1 << 2,
  Dis = 1 << 3,
  CifLts = 1 << 4,
  Reduce = 1 << 5,
  Lsp = 1 << 6,
};

enum class OptionValue : uint8_t { None, Needed, Optional };
enum class OptionSection : uint8_t {
  Input,
  Passes,
  Output,
  More, ///< --help only names them
  Generic,
  Hidden
};

struct OptionInfo {
  const char *name;
  char shortName; ///< 0: none
  OptionValue value;
  const char *metavar;
  unsigned tools;
  OptionSection section;
  const char *help;
};
/// What Options.def lists, for all tools.
ArrayRef<OptionInfo> allOptions();

/// What a tool is, for its help and its manual page.
struct ToolInfo {
  ToolBits bit;
  const char *name;
  const char *synopsis; ///< what follows the name
  const char *summary;  ///< one line
  const char *examples; ///< lines "command    what it does"
  /// What its exit status means; null: what it means for all others.
  const char *exitStatus = nullptr;
  /// Options that its help omits, because a command has no use for them.
  ArrayRef<StringRef> omitted = {};

  /// Whether passes are options of this tool.
  bool hasPasses() const { return bit == Cifc || bit == Opt; }
};

/// The command line, taken apart.
struct Arguments {
  struct Option {
    const OptionInfo *info; ///< null: a pass, or an option of passes
    const PassInfo *pass;   ///< set for `--PASS[=VALUE]`
    std::string name;       ///< without dashes
    std::string value;
    bool hasValue;
    bool fromNextWord = false; ///< `--name value`
  };
  std::vector<Option> options; ///< in the order given
  std::vector<std::string> inputs;

  /// The last option of this name; null: not given. There are several only of
  /// those that are taken one by one, and of options of passes.
  const Option *last(StringRef name) const;
  bool has(StringRef name) const { return last(name) != nullptr; }
  StringRef value(StringRef name, StringRef otherwise = "") const {
    const Option *option = last(name);
    return option ? StringRef(option->value) : otherwise;
  }
};

/// The error that an option with one value has two.
void reportGivenTwice(const Arguments::Option &first, StringRef second,
                      DiagnosticEngine &diags);

/// Takes the command line apart. False: errors were reported. `-` alone and
/// everything after `--` are inputs.
bool parseArguments(const ToolInfo &tool, ArrayRef<const char *> argv,
                    const Registry &registry, DiagnosticEngine &diags,
                    Arguments &arguments);

/// --help: sections, exit status, examples; 40 lines at most.
void printHelp(raw_ostream &os, const ToolInfo &tool, const Registry &registry);
/// --help=PASS.
void printPassHelp(raw_ostream &os, const PassInfo &pass);
void printPassList(raw_ostream &os, const Registry &registry);
void printFormatList(raw_ostream &os, const Registry &registry);
void printVersion(raw_ostream &os, const ToolInfo &tool);
/// The manual page as man(7) source.
void printMan(raw_ostream &os, const ToolInfo &tool, const Registry &registry);
/// The script that makes \p shell ask the tool for completions; false: unknown
/// shell.
bool printCompletionScript(raw_ostream &os, const ToolInfo &tool,
                           StringRef shell);
/// Completions of the last of \p words, a line each.
void printCompletions(raw_ostream &os, const ToolInfo &tool,
                      const Registry &registry, ArrayRef<std::string> words);

} // namespace cif

#endif
