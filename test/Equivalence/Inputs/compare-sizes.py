"""Minimises every LTS of the corpus and compares the sizes with ref.tsv.

Usage: compare-sizes.py CORPUS/lts
"""
import os
import subprocess
import sys

folder = sys.argv[1]
names = {
    "bisim": "strong",
    "branching-bisim": "branching",
    "dpbranching-bisim": "dp-branching",
    "weak-bisim": "weak",
    "weak-trace": "weak-trace",
    "trace": "trace",
}
# `i` is silent here and a label there.
exceptions = {("abp.aut", "weak-trace")}

done = differ = 0
with open(os.path.join(folder, "ref.tsv")) as table:
    next(table)
    for line in table:
        file, tau, _, _, relation, states, transitions = (
            line.rstrip("\n").split("\t") + [""] * 7)[:7]
        if not states.isdigit() or (file, relation) in exceptions:
            continue
        command = ["cif-lts", "minimize", "--relation=" + names[relation],
                   os.path.join(folder, file)]
        if tau:
            command.append("--tau=" + tau)
        header = subprocess.run(
            command, stdout=subprocess.PIPE, check=True
        ).stdout.split(b"\n", 1)[0].decode()
        found = header[header.index("(") + 1:header.index(")")].split(",")
        if found[1:] != [transitions, states]:
            print(file, tau, relation, "expected", states, transitions,
                  "found", found[2], found[1])
            differ += 1
        done += 1
print(done, "compared")
print(differ, "differ")
