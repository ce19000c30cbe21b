//===- Help.cpp - --help, lists, manual pages -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/CommandLine.h"
#include "cif/Tools/Version.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cif;

static const struct {
  OptionSection section;
  const char *title;
} sections[] = {{OptionSection::Input, "Input"},
                {OptionSection::Passes, "Passes and limits"},
                {OptionSection::Output, "Output"},
                {OptionSection::Generic, "Help"},
                {OptionSection::More, "More (see the manual page)"}};

static const struct {
  PassGroup group;
  const char *title;
} groups[] = {{PassGroup::Transform, "transform"},
              {PassGroup::Lowering, "lower"},
              {PassGroup::Check, "check"},
              {PassGroup::Print, "print"}};

/// "-o, --output=FILE" or "--help[=PASS]".
static std::string spelling(const OptionInfo &o) {
  std::string text;
  if (o.shortName)
    text = {'-', o.shortName, ',', ' '};
  text += std::string("--") + o.name;
  if (o.value == OptionValue::Needed)
    text += std::string("=") + o.metavar;
  else if (o.value == OptionValue::Optional)
    text += std::string("[=") + o.metavar + "]";
  return text;
}

/// The page of a command leaves out "COMMAND: ".
static StringRef helpOf(const ToolInfo &tool, const OptionInfo &o) {
  StringRef text = o.help;
  text.consume_front((StringRef(tool.name).split(' ').second + ": ").str());
  return text;
}

static void forEachOption(const ToolInfo &tool, OptionSection section,
                          function_ref<void(const OptionInfo &)> visit) {
  for (const OptionInfo &o : allOptions())
    if (o.section == section && (o.tools & tool.bit) &&
        !llvm::is_contained(tool.omitted, o.name))
      visit(o);
}

/// Words in lines of at most 78 columns after a title.
static void printWrapped(raw_ostream &os, StringRef title,
                         ArrayRef<std::string> words) {
  std::string line =
      title.empty() ? "  " : llvm::formatv("  {0,-11}", title).str();
  size_t indent = line.size();
  for (const std::string &word : words) {
    if (line.size() + word.size() + 1 > 80 && line.size() > indent) {
      os << StringRef(line).rtrim() << '\n';
      line = std::string(indent, ' ');
    }
    line += word + " ";
  }
  os << StringRef(line).rtrim() << '\n';
}

static const char *const exitStatusText =
    "0 every checked property holds, or nothing was checked; 1 one is "
    "violated;\n  2 bad usage or bad input, nothing written; 3 inconclusive";

static StringRef exitStatusOf(const ToolInfo &tool) {
  return tool.exitStatus ? tool.exitStatus : exitStatusText;
}

void cif::printHelp(raw_ostream &os, const ToolInfo &tool,
                    const Registry &registry) {
  os << "usage: " << tool.name << ' ' << tool.synopsis << '\n'
     << tool.summary << '\n';
  for (const auto &[section, title] : sections) {
    std::vector<std::string> names;
    bool any = false;
    forEachOption(tool, section, [&](const OptionInfo &o) {
      if (!std::exchange(any, true))
        os << title << ":\n";
      if (o.section == OptionSection::More)
        names.push_back(std::string("--") + o.name);
      else
        os << llvm::formatv("  {0,-23} {1}\n", spelling(o), helpOf(tool, o));
    });
    if (!names.empty())
      printWrapped(os, "", names);
    if (section != OptionSection::Passes || !tool.hasPasses())
      continue;
    std::vector<std::string> others; // a line for all small groups
    for (const auto &[group, groupTitle] : groups) {
      // Most checks begin alike; their number must not fill the screen.
      std::vector<std::string> passes, checks;
      for (const auto &pass : registry.passes.all()) {
        StringRef name = pass->name;
        if (pass->group != group)
          continue;
        if (name.consume_front("check-"))
          checks.push_back(name.str());
        else
          passes.push_back("--" + name.str());
      }
      if (!checks.empty())
        printWrapped(os, "--check-", checks);
      if (group == PassGroup::Transform)
        printWrapped(os, groupTitle, passes);
      else
        llvm::append_range(others, passes);
    }
    if (!others.empty())
      printWrapped(os, "others", others);
  }
  os << "Exit status:\n  " << exitStatusOf(tool) << "\nExamples:\n"
     << tool.examples;
}

void cif::printPassHelp(raw_ostream &os, const PassInfo &pass) {
  os << "--" << pass.name << ": " << pass.summary;
  if (*pass.reference)
    os << " [" << pass.reference << ']';
  os << '\n';
  for (const PassOptionInfo &o : pass.options) {
    std::string name = o.name;
    if (*o.metavar)
      name += std::string("=") + o.metavar;
    os << llvm::formatv("  {0,-24} {1}", name, o.help);
    if (*o.defaultValue)
      os << " (default " << o.defaultValue << ')';
    if (o.isValue)
      os << "; also --" << pass.name << '=';
    os << '\n';
  }
}

void cif::printPassList(raw_ostream &os, const Registry &registry) {
  for (const auto &[group, title] : groups)
    for (const auto &pass : registry.passes.all())
      if (pass->group == group)
        printPassHelp(os, *pass);
}

void cif::printFormatList(raw_ostream &os, const Registry &registry) {
  os << "Read (--input-format):\n";
  for (const FrontEnd &f : registry.frontEnds)
    os << llvm::formatv("  {0,-8} {1} (.{2})\n", f.name, f.description,
                        StringRef(f.extensions).split(' ').first);
  os << "Written (--emit):\n";
  for (const Emitter &e : registry.emitters)
    os << llvm::formatv("  {0,-8} {1}\n", e.name, e.description);
}

void cif::printVersion(raw_ostream &os, const ToolInfo &tool) {
  os << tool.name << " (CIF) " << versionText() << '\n' << buildText();
}

//===----------------------------------------------------------------------===//
// Manual pages
//===----------------------------------------------------------------------===//

/// A text as man(7) source.
static std::string roff(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  if (!result.empty() && (result[0] == '.' || result[0] == '\''))
    result.insert(0, "\\&");
  return result;
}

void cif::printMan(raw_ostream &os, const ToolInfo &tool,
                   const Registry &registry) {
  os << ".TH " << StringRef(tool.name).upper() << " 1 \"\" \"CIF "
     << versionText() << "\" \"CIF Manual\"\n";
  os << ".SH NAME\n"
     << roff(tool.name) << " \\- " << roff(tool.summary) << '\n';
  os << ".SH SYNOPSIS\n.B " << roff(tool.name) << '\n'
     << roff(tool.synopsis) << '\n';
  os << ".SH OPTIONS\n";
  for (const auto &[section, title] : sections) {
    os << ".SS " << StringRef(title).split(" (").first << '\n';
    forEachOption(tool, section, [&](const OptionInfo &o) {
      os << ".TP\n.B " << roff(spelling(o)) << '\n' << roff(o.help) << '\n';
    });
  }
  if (tool.hasPasses()) {
    os << ".SH PASSES\nPasses run in the order given. An option of a pass may "
          "be given in braces in\n.B \\-\\-passes\nor as an option of its own, "
          "for every pass that has it.\n";
    for (const auto &pass : registry.passes.all()) {
      if (pass->group == PassGroup::Test)
        continue;
      os << ".TP\n.B \\-\\-" << roff(pass->name) << '\n'
         << roff(pass->summary) << '\n';
      for (const PassOptionInfo &o : pass->options)
        os << ".br\n.I " << roff(o.name) << '\n' << roff(o.help) << '\n';
    }
  }
  os << ".SH EXIT STATUS\n" << roff(exitStatusOf(tool)) << '\n';
  os << ".SH EXAMPLES\n.nf\n";
  SmallVector<StringRef, 8> lines;
  StringRef(tool.examples).split(lines, '\n');
  for (StringRef line : lines)
    os << roff(line) << '\n';
  os << ".fi\n.SH SEE ALSO\n.BR cifc (1),\n.BR cif\\-opt (1),\n.BR cif\\-as "
        "(1),\n.BR cif\\-dis (1),\n.BR cif\\-lts (1)\n";
}
