"""Compiles every header of include/cif on its own, two at a time."""
import json
import os
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


def compiles(header):
    result = subprocess.run(
        [compiler, *flags, "-fsyntax-only", "-x", "c++", "-include", header, os.devnull],
        cwd=entry["directory"], capture_output=True, text=True)
    return header, result.returncode == 0, result.stderr


headers = [os.path.join(base, name)
           for base, _, names in os.walk(os.path.join(root, "include", "cif"))
           for name in names if name.endswith(".h")]
with ThreadPoolExecutor(2) as pool:
    failures = [(h, e) for h, ok, e in pool.map(compiles, sorted(headers)) if not ok]
for header, error in failures:
    print(header + " does not compile alone:\n" + error)
sys.exit(1 if failures else 0)
