//===- Reproducer.cpp - What is left after a crash ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The handler runs in a broken process: everything it needs is made ready when
/// the inputs are read, and it only opens, writes and closes.
///
//===----------------------------------------------------------------------===//

#include "cif/Tools/Reproducer.h"
#include "Signals.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace cif;

namespace {
struct Reproducer {
  std::string tool, folder, script, words;
  std::vector<std::string> arguments;
  struct Input {
    std::string path, copy;
    StringRef bytes;
  };
  std::vector<Input> inputs;
};
} // namespace

// A signal handler can reach nothing but globals.
static Reproducer *reproducer = nullptr;

std::string cif::shellQuoted(StringRef word) {
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// What stands for \p argument in the folder: `a.bpmn` and `--spec=a.bpmn` are
/// `input0` and `--spec=input0` when a.bpmn was read first.
static std::string wordInFolder(StringRef argument) {
  for (size_t i = 0; i < reproducer->inputs.size(); ++i) {
    StringRef before = argument;
    if (before.consume_back(reproducer->inputs[i].path) &&
        (before.empty() || before.ends_with("=")))
      return before.str() + "input" + std::to_string(i);
  }
  return argument.str();
}

/// Makes the script for people, and the words for --run-reproducer, each with a
/// zero behind it: the tool, what standard input was, the arguments.
static void makeScript() {
  std::string &script = reproducer->script, &words = reproducer->words;
  const bool stdinRead =
      !reproducer->inputs.empty() && reproducer->inputs[0].path == "<stdin>";
  script = "#!/bin/sh\n# Runs " + reproducer->tool +
           " as it was when it crashed.\ncd \"$(dirname \"$0\")\" && exec " +
           reproducer->tool;
  words = reproducer->tool + '\0' + (stdinRead ? "input0" : "") + '\0';
  for (const std::string &argument : reproducer->arguments) {
    std::string word = wordInFolder(argument);
    script += ' ' + shellQuoted(word);
    words += word + '\0';
  }
  if (stdinRead)
    script += " < input0";
  script += '\n';
}

StringRef cif::reproducerFolder(ArrayRef<const char *> words) {
  StringRef first = words.empty() ? StringRef() : words[0];
  if (words.size() == 1 && first.consume_front("--run-reproducer="))
    return first;
  return words.size() == 2 && first == "--run-reproducer" ? words[1]
                                                          : StringRef();
}

bool cif::enterReproducer(StringRef folder, StringRef tool,
                          DiagnosticEngine &diags,
                          std::vector<std::string> &words) {
  auto fail = [&](const Twine &why) {
    diags.report(diag::cannot_open) << folder << why;
    return false;
  };
  auto file = llvm::MemoryBuffer::getFile(folder + "/words");
  if (!file)
    return fail(file.getError().message());
  SmallVector<StringRef> parts;
  (*file)->getBuffer().split(parts, '\0');
  if (parts.size() < 3 || !parts.back().empty())
    return fail("the file 'words' is damaged");
  if (parts[0] != tool)
    return fail("it was left by " + parts[0]);
  if (chdir(folder.str().c_str()) != 0)
    return fail(std::strerror(errno));
  if (!parts[1].empty()) {
    int input = open(parts[1].str().c_str(), O_RDONLY);
    if (input < 0 || dup2(input, STDIN_FILENO) < 0)
      return fail(std::strerror(errno));
    close(input);
  }
  words.assign(parts.begin() + 2, parts.end() - 1);
  return true;
}

static void writeAll(const char *path, StringRef bytes, int mode) {
  int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
  if (fd < 0)
    return;
  while (!bytes.empty()) {
    ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written <= 0)
      break;
    bytes = bytes.drop_front(static_cast<size_t>(written));
  }
  close(fd);
}

static void say(StringRef text) {
  if (write(STDERR_FILENO, text.data(), text.size()) < 0)
    return;
}

static void onCrash(int signal) {
  std::signal(signal, SIG_DFL);
  removeTemporaries();
  if (reproducer && mkdir(reproducer->folder.c_str(), 0700) == 0) {
    for (const Reproducer::Input &input : reproducer->inputs)
      writeAll(input.copy.c_str(), input.bytes, 0600);
    std::string &folder = reproducer->folder;
    const size_t length = folder.size();
    folder.append("/words"); // reserved: no allocation here
    writeAll(folder.c_str(), reproducer->words, 0600);
    folder.resize(length);
    folder.append("/run.sh");
    writeAll(folder.c_str(), reproducer->script, 0700);
    folder.resize(length);
    say(reproducer->tool);
    say(": crashed; this is a defect of the tool. Please report it with the "
        "folder ");
    say(folder);
    say(",\nwhich has the input; this repeats the run: ");
    say(reproducer->tool);
    say(" --run-reproducer=");
    say(folder);
    say("\n");
  }
  raise(signal);
}

void cif::installReproducer(StringRef tool, ArrayRef<const char *> arguments) {
  const char *temporary = std::getenv("TMPDIR");
  delete reproducer;
  reproducer = new Reproducer;
  reproducer->tool = tool.str();
  reproducer->folder =
      std::string(temporary && *temporary ? temporary : P_tmpdir) + "/" +
      tool.str() + "-crash-" + std::to_string(getpid());
  reproducer->folder.reserve(reproducer->folder.size() + 16);
  for (const char *argument : arguments)
    reproducer->arguments.push_back(argument);
  makeScript();
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, onCrash);
}

void cif::reproducerInput(StringRef path, StringRef bytes) {
  if (!reproducer)
    return;
  std::string copy =
      reproducer->folder + "/input" + std::to_string(reproducer->inputs.size());
  reproducer->inputs.push_back({path.str(), copy, bytes});
  makeScript();
}
