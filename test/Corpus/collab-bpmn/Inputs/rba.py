"""Compares verdicts with those that rust_bpmn_analyzer's own tests expect.

    rba.py CORPUS

Prints each row that differs, and how many agree.
"""
import csv
import json
import pathlib
import subprocess
import sys

NAMES = {"safeness": "safe", "no-dead-activities": "no-dead-activity"}

folder = pathlib.Path(sys.argv[1]) / "collab-bpmn"
with open(folder / "expected-rba.tsv", encoding="utf-8") as table:
    rows = list(csv.DictReader(table, delimiter="\t"))
agree = 0
for row in rows:
    name = NAMES.get(row["property"], row["property"])
    run = subprocess.run(
        ["cifc", "-q", "--check-" + name, "--verdicts=-", "-o", "/dev/null",
         str(folder / row["model"])],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    found = json.loads(run.stdout)["verdict"]
    if found == {"true": "holds", "false": "violated"}[row["verdict"]]:
        agree += 1
    else:
        print(row["model"], name, "is", found, "and", row["verdict"], "there")
print(agree, "of", len(rows), "agree")
