"""tlc.py JAR MODEL:NETWORK...: TLC finds a deadlock just where we find one, and
otherwise as many states as we do."""
import os
import re
import subprocess
import sys
import tempfile

jar, *cases = sys.argv[1:]
folder = tempfile.mkdtemp()


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


deadlocks = 0
for case in cases:
    model, network = case.rsplit(":", 1)
    options = ["--semantics=collaboration", "--network=" + network, model]
    if run("cifc", "-q", "--emit=tla", *options, "-o", "Model.tla").returncode \
            or run("cif-lts", "explore", "-q", *options, "-o",
                   "own.cif").returncode:
        sys.exit(case + ": not explored")
    info = run("cif-lts", "info", "own.cif").stdout
    states = int(re.search(r"reachable states: (\d+)", info)[1])
    stuck = re.search(r"deadlocks: (\d+)", info)[1] != "0"
    tlc = run("java", "-XX:+UseSerialGC", "-cp", jar, "tlc2.TLC", "-nowarning",
              "-noGenerateSpecTE", "-workers", "1", "-config", "Model.cfg",
              "Model.tla")
    # 11 is TLC's status for a deadlock.
    if tlc.returncode not in (0, 11) or (tlc.returncode == 11) != stuck:
        sys.exit("%s: we say %s, TLC ends with %d: %s"
                 % (case, "deadlock" if stuck else "none", tlc.returncode,
                    tlc.stdout[-500:] + tlc.stderr[-500:]))
    found = int(re.findall(r"(\d+) distinct states found", tlc.stdout)[-1])
    if not stuck and found != states:
        sys.exit("%s: %d states, TLC has %d" % (case, states, found))
    deadlocks += stuck
print("agree on", len(cases), "models,", deadlocks, "with deadlocks")
