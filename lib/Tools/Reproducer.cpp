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
#include "llvm/ADT/StringExtras.h"
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
  std::string tool, folder, script;
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

static void makeScript() {
  std::string &script = reproducer->script;
  script = "#!/bin/sh\n# Runs " + reproducer->tool +
           " as it was when it crashed.\ncd \"$(dirname \"$0\")\" && exec " +
           reproducer->tool;
  for (const std::string &argument : reproducer->arguments) {
    std::string word = argument;
    for (size_t i = 0; i < reproducer->inputs.size(); ++i)
      if (argument == reproducer->inputs[i].path)
        word = "input" + std::to_string(i);
    script += ' ' + shellQuoted(word);
  }
  if (!reproducer->inputs.empty() && reproducer->inputs[0].path == "<stdin>")
    script += " < input0";
  script += '\n';
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
    folder.append("/run.sh"); // reserved: no allocation here
    writeAll(folder.c_str(), reproducer->script, 0700);
    say(reproducer->tool);
    say(": crashed; this is a defect of the tool. Please report it with ");
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
