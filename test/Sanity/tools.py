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


for tool in sorted(t for t in os.listdir(os.path.join(root, "tools"))
                   if t != "CMakeLists.txt"):
    lines = ask(tool, "--help").splitlines()
    if not 3 <= len(lines) <= 40:
        problems.append("%s --help has %d lines" % (tool, len(lines)))
    if not lines or not lines[0].startswith("usage: " + tool):
        problems.append("%s --help does not begin with its usage" % tool)
    if not any("exit status" in line.lower() for line in lines):
        problems.append("%s --help does not tell the exit status" % tool)
    if tool == "cif-check":
        page = os.path.join(root, "docs", "man", tool + ".1")
    else:
        page = os.path.join(build, "man", tool + ".1")
        ask(tool, "--version")
        for shell in ["bash", "zsh", "fish"]:
            if tool not in ask(tool, "--completion=" + shell):
                problems.append("%s has no completion for %s" % (tool, shell))
    if not os.path.exists(page):
        problems.append("%s has no manual page" % tool)
print("\n".join(problems))
sys.exit(1 if problems else 0)
