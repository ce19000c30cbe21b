#!/usr/bin/env python3
"""Compares cifc with the published verdicts of the tool fbpmn: verdicts.py CORPUS

One process for each model: all networks and properties, under the constraint of
the model where it has one. Prints what differs, the tally, and the CPU time.
"""
import collections
import json
import os
import resource
import subprocess
import sys

folder = os.path.join(sys.argv[1], "fbpmn")
rows = collections.defaultdict(list)
with open(os.path.join(folder, "expected.tsv"), encoding="utf-8") as table:
    head = table.readline().rstrip("\n").split("\t")
    for line in table:
        row = dict(zip(head, line.rstrip("\n").split("\t")))
        rows[row["model"]].append(row)

names = {"safe": "safe", "sound": "sound", "msg-sound": "message-relaxed-sound",
         "type": "bounded"}
same = wrong = counts = 0
for model, expected in sorted(rows.items()):
    command = ["cifc", "-q", "--check-collaboration", "--semantics=fbpmn",
               "--network=all", "--table=none", "--verdicts=-"]
    constraint = os.path.join(folder, model + ".constraint")
    if os.path.exists(constraint):
        command.append("--constraint=" + constraint)
    run = subprocess.run(command + [os.path.join(folder, model + ".bpmn")],
                         capture_output=True, text=True)
    found = {}
    for line in run.stdout.splitlines():
        fact = json.loads(line)
        found[fact["property"], fact["parameters"]["network"]] = fact
    for row in expected:
        fact = found.get((names[row["property"]], row["network"]))
        if not fact:
            print("%(model)s %(network)s %(property)s: no verdict" % row,
                  run.stderr[:300])
            wrong += 1
            continue
        if row["property"] != "type":
            verdict = {"true": "holds", "false": "violated"}[row["verdict"]]
            if fact["verdict"] != verdict:
                print("%(model)s %(network)s %(property)s: published %(verdict)s,"
                      % row, "found", fact["verdict"])
                wrong += 1
            else:
                same += 1
        if row["states"] and int(row["states"]) != fact["states"]:
            print("%(model)s %(network)s %(property)s: %(states)s states published,"
                  % row, "found", fact["states"])
            wrong += 1
        counts += bool(row["states"])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("verdicts as published: %d, state counts compared: %d, differences: %d"
      % (same, counts, wrong))
print("CPU: %.2f s" % (used.ru_utime + used.ru_stime), file=sys.stderr)
sys.exit(wrong != 0)
