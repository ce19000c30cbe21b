"""Compiles every header of include/cif on its own, two at a time.

Through ccache, where it is there: most headers have not changed since last time.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

root, build = sys.argv[1:3]
with open(os.path.join(build, "compile_commands.json")) as f:
    entry = next(e for e in json.load(f) if e["file"].endswith("lib/Tools/Cifc.cpp"))
words = entry["command"].split()
compiler = next(w for w in words if os.path.basename(w) in ("c++", "g++", "clang++")
                or "clang++" in os.path.basename(w))
flags = [w for i, w in enumerate(words)
         if w.startswith(("-I", "-std", "-f")) or w == "-isystem" or words[i - 1] == "-isystem"]
# Precompiled, each with what it includes. A header that includes one of them uses
# nothing before it has: to compile it after that one is to compile it alone.
COMMON = ["cif/Semantics/Semantics.h", "cif/IR/Module.h", "cif/Support/LLVM.h"]


cache = [tool for tool in [shutil.which("ccache")] if tool]
environment = {**os.environ, "CCACHE_BASEDIR": root, "CCACHE_NOHASHDIR": "1",
               "CCACHE_INODECACHE": "1", "CCACHE_SLOPPINESS": "pch_defines,time_macros"}
folder = os.path.join(build, "test", "Sanity", "headers")
os.makedirs(folder, exist_ok=True)


def included(header, found):
    """Adds to `found` what a header includes, directly or not."""
    waiting = [header]
    while waiting:
        path = os.path.join(root, "include", waiting.pop())
        if os.path.exists(path):  # others are generated
            with open(path, encoding="utf-8") as file:
                new = set(re.findall(r'^#include "(cif/[^"]+)"', file.read(), re.M)) - found
            found |= new
            waiting += new
    return found


def run(name, text, *arguments):
    """Compiles a file of the folder; what the compiler says when it fails."""
    source = os.path.join(folder, name)
    with open(source, "w") as file:
        file.write(text)
    result = subprocess.run([*cache, compiler, *flags, "-O0", *arguments, "-c", source],
                            cwd=entry["directory"], env=environment,
                            capture_output=True, text=True)
    return result.stderr if result.returncode else ""


def precompile(header):
    name = header.replace("/", "-")
    return run(name, '#include "%s"\n' % header, "-x", "c++-header", "-o",
               os.path.join(folder, name + ".gch"))


def compiles(header):
    after = next((c for c in COMMON if c in included(header, set())), None)
    name = header.replace("/", "-") + ".cpp"
    return run(name, '#include "%s"\n' % header, "-o", os.path.join(folder, name + ".o"),
               *(["-include", os.path.join(folder, after.replace("/", "-"))] if after else []))


headers = sorted(os.path.relpath(os.path.join(base, name), os.path.join(root, "include"))
                 for base, _, names in os.walk(os.path.join(root, "include", "cif"))
                 for name in names if name.endswith(".h"))
with ThreadPoolExecutor(2) as pool:
    list(pool.map(precompile, COMMON))
    failures = [(h, e) for h, e in zip(headers, pool.map(compiles, headers)) if e]
for header, error in failures:
    print("include/" + header + " does not compile alone:\n" + error)
sys.exit(1 if failures else 0)
