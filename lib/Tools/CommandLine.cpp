//===- CommandLine.cpp - Taking a command line apart ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/CommandLine.h"
#include "cif/Support/Diagnostics/Usage.h"

using namespace cif;

static const OptionInfo options[] = {
#define CIF_OPTION(NAME, SHORT, VALUE, METAVAR, TOOLS, SECTION, HELP)          \
  {NAME, SHORT, OptionValue::VALUE, METAVAR, TOOLS, OptionSection::SECTION,    \
   HELP},
#include "cif/Tools/Options.def"
};

ArrayRef<OptionInfo> cif::allOptions() { return options; }

const Arguments::Option *Arguments::last(StringRef name) const {
  for (const Option &option : llvm::reverse(options))
    if (option.name == name)
      return &option;
  return nullptr;
}

void cif::reportGivenTwice(const Arguments::Option &first, StringRef second,
                           DiagnosticEngine &diags) {
  diags.report(diag::usage)
      << ("option '--" + first.name + "' is given twice, as '" + first.value +
          "' and as '" + second + "'")
             .str();
}

namespace {
class ArgumentParser {
public:
  ArgumentParser(const ToolInfo &tool, const Registry &registry,
                 DiagnosticEngine &diags, Arguments &arguments)
      : tool(tool), registry(registry), diags(diags), arguments(arguments) {}

  void parse(ArrayRef<const char *> argv) {
    for (size_t i = 0; i < argv.size(); ++i) {
      StringRef word = argv[i];
      const char *next = i + 1 < argv.size() ? argv[i + 1] : nullptr;
      if (word == "--") {
        for (StringRef input : argv.drop_front(i + 1))
          arguments.inputs.push_back(input.str());
        return;
      }
      if (!word.starts_with("-") || word == "-")
        arguments.inputs.push_back(word.str());
      else
        i += word.starts_with("--") ? parseLong(word, next)
                                    : parseShort(word, next);
    }
  }

private:
  const OptionInfo *find(StringRef name, char shortName) const {
    auto matches = [&](const OptionInfo &o) {
      return shortName ? o.shortName == shortName : name == o.name;
    };
    for (const OptionInfo &o : allOptions())
      if ((o.tools & tool.bit) && matches(o))
        return &o;
    return nullptr;
  }

  /// A list that is given in several parts is one list. Any other value counts
  /// alone: that one of two is dropped would be seen by nobody.
  bool isRepeated(const OptionInfo &info, StringRef value) {
    // Each of these is taken by itself.
    if (StringRef(info.name) == "load" || StringRef(info.name) == "report")
      return false;
    for (Arguments::Option &earlier : arguments.options) {
      if (earlier.info != &info || !earlier.hasValue)
        continue;
      if (StringRef(info.metavar).ends_with(",..."))
        earlier.value += "," + value.str();
      else if (earlier.value != value)
        reportGivenTwice(earlier, value, diags);
      return true;
    }
    return false;
  }

  void add(const OptionInfo *info, const PassInfo *pass, StringRef name,
           StringRef value, bool hasValue) {
    if (info && hasValue && isRepeated(*info, value))
      return;
    arguments.options.push_back(
        {info, pass, name.str(), value.str(), hasValue});
  }

  void needsValue(const Twine &name, StringRef metavar) {
    diags.report(diag::option_needs_value) << name << metavar;
  }

  /// -o FILE, -oFILE, -q. Returns how many further words it took.
  unsigned parseShort(StringRef word, const char *next) {
    // What compilers call it.
    if (const OptionInfo *deps = find("deps", 0);
        deps && (word == "-MD" || word == "-MF")) {
      bool named = word == "-MF";
      if (named && !next)
        needsValue(word, deps->metavar);
      else
        add(deps, nullptr, deps->name, named ? StringRef(next) : "", named);
      return named && next ? 1 : 0;
    }
    const OptionInfo *info = find("", word[1]);
    if (!info) {
      unknown(word);
      return 0;
    }
    StringRef rest = word.drop_front(2);
    if (info->value != OptionValue::Needed) {
      if (!rest.empty())
        diags.report(diag::option_takes_no_value) << word.take_front(2);
      add(info, nullptr, info->name, "", false);
      return 0;
    }
    if (rest.empty() && !next) {
      needsValue(word, info->metavar);
      return 0;
    }
    add(info, nullptr, info->name, rest.empty() ? StringRef(next) : rest, true);
    return rest.empty() ? 1 : 0;
  }

  /// --name, --name=value, and --name value where a value is needed.
  unsigned parseLong(StringRef word, const char *next) {
    auto [name, value] = word.drop_front(2).split('=');
    bool hasValue = word.contains('=');
    const OptionInfo *info = find(name, 0);
    const PassInfo *pass =
        !info && tool.hasPasses() ? registry.passes.find(name) : nullptr;
    OptionValue kind = OptionValue::None;
    StringRef metavar;
    if (info) {
      kind = info->value;
      metavar = info->metavar;
    } else if (pass) {
      for (const PassOptionInfo &o : pass->options)
        if (o.isValue) {
          kind = o.needed() ? OptionValue::Needed : OptionValue::Optional;
          metavar = o.metavar;
        }
    } else if (const PassOptionInfo *option = passOption(name)) {
      kind = *option->metavar ? OptionValue::Needed : OptionValue::Optional;
      metavar = option->metavar;
    } else {
      unknown(word.take_until([](char c) { return c == '='; }));
      return 0;
    }
    unsigned taken = 0;
    if (hasValue && kind == OptionValue::None) {
      diags.report(diag::option_takes_no_value) << "--" + name;
    } else if (!hasValue && kind == OptionValue::Needed) {
      // GNU style: the value may be the next word.
      if (!next || StringRef(next).starts_with("--")) {
        needsValue("--" + name, metavar);
        return 0;
      }
      value = next;
      hasValue = true;
      taken = 1;
    }
    // As a script writes it whose variable is not set. It is not the default.
    // A pipeline may be empty, though.
    if (hasValue && value.empty() && kind != OptionValue::None &&
        name != "passes") {
      needsValue("--" + name, metavar);
      return taken;
    }
    size_t before = arguments.options.size();
    add(info, pass, name, value, hasValue);
    if (arguments.options.size() > before)
      arguments.options.back().fromNextWord = taken;
    return taken;
  }

  /// An option that some pass declares can be given to all passes at once.
  const PassOptionInfo *passOption(StringRef name) const {
    if (tool.hasPasses())
      for (const auto &pass : registry.passes.all())
        if (const PassOptionInfo *option = pass->findOption(name))
          return option;
    return nullptr;
  }

  void unknown(StringRef word) {
    std::vector<StringRef> names;
    for (const OptionInfo &o : allOptions())
      if (o.tools & tool.bit)
        names.push_back(o.name);
    if (tool.hasPasses())
      for (const auto &pass : registry.passes.all()) {
        names.push_back(pass->name);
        for (const PassOptionInfo &o : pass->options)
          names.push_back(o.name);
      }
    StringRef near = nearest(word.ltrim('-'), names);
    diags.report(diag::unknown_option)
        << word
        << (near.empty() ? (Twine("; see ") + tool.name + " --help").str()
                         : ("; did you mean '--" + near + "'?").str());
  }

  const ToolInfo &tool;
  const Registry &registry;
  DiagnosticEngine &diags;
  Arguments &arguments;
};
} // namespace

bool cif::parseArguments(const ToolInfo &tool, ArrayRef<const char *> argv,
                         const Registry &registry, DiagnosticEngine &diags,
                         Arguments &arguments) {
  unsigned errors = diags.errors();
  ArgumentParser(tool, registry, diags, arguments).parse(argv);
  return diags.errors() == errors;
}
