# How many of the published choreographies that are realizable are proved to be
# so by their structure, and whether the search agrees with each proof.
#   proved.py CIFC CORPUS
import glob
import json
import os
import subprocess
import sys

tool, corpus = sys.argv[1:]
proved = realizable = other = wrong = 0


def answers(path, *options):
    run = subprocess.run([tool, "--check-realizable", "--verdicts=-",
                          "--max-states=200000", *options, path],
                         capture_output=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


folder = os.path.join(corpus, "choreo-bpmn", "main")
for path in sorted(glob.glob(os.path.join(folder, "*"))):
    for first, searched in zip(answers(path), answers(path, "--no-proof")):
        by_proof = first["method"] == "sender-connected"
        if first["verdict"] != searched["verdict"] and not (
                by_proof and searched["verdict"] == "inconclusive"):
            wrong += 1
            print("differs:", path, first["subject"])
        if first["verdict"] != "holds":
            other += 1
            continue
        realizable += 1
        proved += by_proof
        if not by_proof:
            print("searched:", os.path.basename(path), first["subject"])
print(f"{proved} of {realizable} realizable choreographies are proved, "
      f"{other} others, {wrong} differ")
