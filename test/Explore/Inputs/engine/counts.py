"""counts.py PLUGIN FOLDER MODEL:NETWORK:BOUND...: LTSmin's engines count the states
that we explore: the sequential one, the multi-core one with two workers, the
symbolic one, and the distributed one with two and four. What the distributed
one writes is strongly bisimilar to what we do."""
import os
import re
import subprocess
import sys

plugin, folder, *cases = sys.argv[1:]
engines = {
    "seq": ["pins2lts-seq"],
    "mc": ["pins2lts-mc", "--procs=2", "-s20"],
    "sym": ["pins2lts-sym", "--order=chain", "--regroup=gs", "--lace-workers=1",
            "--lace-dqsize=40000", "--sylvan-sizes=18,22,16,20"],
    "dist2": ["mpirun", "-np", "2", "pins2lts-dist", "--mpi"],
    "dist4": ["mpirun", "-np", "4", "pins2lts-dist", "--mpi"],
}
patterns = {
    "seq": r"state space (?:has )?\d+ levels,? (\d+) states (\d+) transitions",
    "mc": r"Explored (\d+) states (\d+) transitions",
    "sym": r"state space has (\d+) states()",
    "dist": r"state space has \d+ levels (\d+) states (\d+) transitions",
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


os.makedirs(folder, exist_ok=True)
networks = set()
for case in cases:
    model, network, bound = case.rsplit(":", 2)
    networks.add(network)
    options = [(n, v) for n, v in (("network", network), ("bound", bound)) if v]
    own = run("cif-lts", "explore", "-q", *("--%s=%s" % o for o in options),
              model, "-o", "own.aut")
    if own.returncode:
        sys.exit("%s: not explored: %s" % (case, own.stderr))
    with open(os.path.join(folder, "own.aut")) as file:
        transitions, states = re.match(r"des *\(\d+, *(\d+), *(\d+)\)",
                                       file.read()).groups()
    for name, command in engines.items():
        out = ["--filter=action", "out.gcf"] if name == "dist2" else []
        said = run(*command, "--loader=" + plugin,
                   *("--cif-%s=%s" % o for o in options),
                   *out[:1], model, *out[1:])
        text = said.stdout + said.stderr
        found = re.findall(patterns[re.sub(r"\d", "", name)], text)
        if not found or found[-1][0] != states \
                or found[-1][1] not in ("", transitions):
            sys.exit("%s, %s: %s states and %s transitions, the engine says %s"
                     % (case, name, states, transitions, found or text[-2000:]))
    run("ltsmin-convert", "--rdwr", "--segments=1", "out.gcf", "out.aut")
    same = run("cif-lts", "compare", "--relation=strong", "own.aut", "out.aut")
    if same.returncode:
        sys.exit("%s: the distributed output differs: %s%s"
                 % (case, same.stdout, same.stderr))
print("equal: %d models, %d networks" % (len(cases), len(networks)))
