# Compares the numbers of states and of generated states (steps, and one for the
# initial state) with those that were published for each model and network.
#   states.py CIF-LTS CORPUS
import csv
import os
import subprocess
import sys

tool, corpus = sys.argv[1:]
folder = os.path.join(corpus, "fbpmn")
expected = {}
with open(os.path.join(folder, "expected.tsv")) as table:
    for row in csv.DictReader(table, delimiter="\t"):
        if row["states"]:
            expected[row["model"], row["network"]] = (
                int(row["states"]),
                int(row["transitions"]),
            )
wrong = 0
for (model, network), published in sorted(expected.items()):
    path = os.path.join(folder, model)
    command = [tool, "explore", path + ".bpmn", "--semantics=fbpmn",
               "--network=" + network, "--quiet", "-o", "-"]
    if os.path.exists(path + ".constraint"):
        command.append("--constraint=" + path + ".constraint")
    run = subprocess.run(command, capture_output=True, text=True)
    header = run.stdout.split("\n", 1)[0]
    found = None
    if header.startswith("des ("):
        _, transitions, states = header[5:-1].split(",")
        found = int(states), int(transitions) + 1
    if found != published:
        wrong += 1
        print(f"{model} {network}: published {published}, found {found}")
        if run.stderr:
            print(run.stderr)
print(f"{len(expected) - wrong} of {len(expected)} as published")
