"""Asks every tool for what every tool has."""
import os
import subprocess
import sys

root, build = sys.argv[1:3]
problems = []


def ask(tool, *arguments):
    result = subprocess.run([os.path.join(build, "bin", tool), *arguments],
                            capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if result.returncode:
        problems.append("%s %s exits with %d" % (tool, " ".join(arguments), result.returncode))
    return result.stdout


binaries = os.path.join(build, "bin")
links = {name for name in os.listdir(binaries)
         if os.path.islink(os.path.join(binaries, name))}
listed = {line.split()[0] for line in ask("cif", "--help").splitlines()
          if line.startswith("  ")}
if links != listed:
    problems.append("cif --help and the links to cif differ: %s" % (links ^ listed))
for tool in sorted(links | {"cif-check"}):
    lines = ask(tool, "--help").splitlines()
    if not 3 <= len(lines) <= 40:
        problems.append("%s --help has %d lines" % (tool, len(lines)))
    problems += ["%s --help is too wide: %s" % (tool, line) for line in lines
                 if len(line) > 80]
    if not lines or not lines[0].startswith("usage: " + tool):
        problems.append("%s --help does not begin with its usage" % tool)
    if not any("exit status" in line.lower() for line in lines):
        problems.append("%s --help does not tell the exit status" % tool)
    ask(tool, "--version")
    if tool == "cif-check":
        page = os.path.join(root, "docs", "man", tool + ".1")
    else:
        page = os.path.join(build, "man", tool + ".1")
        for shell in ["bash", "zsh", "fish"]:
            if tool not in ask(tool, "--completion=" + shell):
                problems.append("%s has no completion for %s" % (tool, shell))
    if not os.path.exists(page):
        problems.append("%s has no manual page" % tool)
print("\n".join(problems))
sys.exit(1 if problems else 0)
