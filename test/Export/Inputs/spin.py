"""spin.py FOLDER MODEL:NETWORK[:BOUND]...: Spin finds an invalid end state just where
we find a deadlock. A choreography is projected first."""
import os
import re
import subprocess
import sys

folder, *cases = sys.argv[1:]
os.makedirs(folder, exist_ok=True)


def run(*command, mayFail=False):
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode and not mayFail:
        sys.exit("%s: %s" % (" ".join(command), done.stdout + done.stderr))
    return done.stderr if done.returncode else done.stdout


deadlocks, models, networks = 0, set(), set()
for case in cases:
    model, network, *bound = case.split(":")
    models.add(model)
    networks.add(network)
    if model.endswith((".cp", ".ioc")) and "E0931" not in run(
            "cifc", "-q", "--project", model, "-o", "peers.cif", mayFail=True):
        model = "peers.cif"  # E0931: it has peers, and nothing to project
    options = ["--network=" + network, *("--bound=" + b for b in bound), model]
    run("cif-lts", "explore", "-q", *options, "-o", "own.cif")
    ours = int(re.search(r"deadlocks: (\d+)", run("cif-lts", "info", "own.cif"))[1])
    run("cifc", "-q", "--emit=promela", *options, "-o", "x.pml")
    run("spin", "-a", "x.pml")
    run("gcc", "-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOFAIR", "-o", "pan", "pan.c")
    said = run("./pan", "-n", "-m100000")
    if "depth too small" in said or "aborting" in said:
        sys.exit("%s: Spin has not seen everything: %s" % (case, said))
    theirs = int(re.search(r"errors: (\d+)", said)[1])
    if bool(ours) != bool(theirs):
        sys.exit("%s: we have %d deadlocks, Spin %d" % (case, ours, theirs))
    deadlocks += bool(ours)
    print(case, "deadlock" if ours else "none", flush=True)
print("agree on %d models and %d networks, %d with deadlocks"
      % (len(models), len(networks), deadlocks))
