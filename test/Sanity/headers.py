"""Compiles every header of include/cif on its own, two at a time.

Through ccache, where it is there: most headers have not changed since last time.
"""
import json
import os
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


cache = [tool for tool in [shutil.which("ccache")] if tool]
environment = {**os.environ, "CCACHE_BASEDIR": root, "CCACHE_NOHASHDIR": "1"}
folder = os.path.join(build, "test", "Sanity", "headers")
os.makedirs(folder, exist_ok=True)


def compiles(header):
    name = os.path.relpath(header, os.path.join(root, "include"))
    source = os.path.join(folder, name.replace(os.sep, "-") + ".cpp")
    with open(source, "w") as file:
        file.write('#include "%s"\n' % name)
    result = subprocess.run([*cache, compiler, *flags, "-O0", "-c", source, "-o", source + ".o"],
                            cwd=entry["directory"], env=environment,
                            capture_output=True, text=True)
    return header, result.returncode == 0, result.stderr


headers = [os.path.join(base, name)
           for base, _, names in os.walk(os.path.join(root, "include", "cif"))
           for name in names if name.endswith(".h")]
with ThreadPoolExecutor(2) as pool:
    failures = [(h, e) for h, ok, e in pool.map(compiles, sorted(headers)) if not ok]
for header, error in failures:
    print(header + " does not compile alone:\n" + error)
sys.exit(1 if failures else 0)
