"""Checks every collaboration of a folder and counts the verdicts.

    tally.py CORPUS

Prints how many rows of `cifc --check` hold, are violated and are inconclusive,
the last by reason, and what no file may do: take more than 5 s of CPU, or lack
a row. Files that are not BPMN, which is an error with a place, have no rows.
"""
import collections
import json
import pathlib
import re
import resource
import subprocess
import sys

PROPERTIES = """safe bounded deadlock-free livelock-free option-to-complete
proper-completion no-dead-activity no-undelivered-message sound
message-relaxed-sound""".split()


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


folder = pathlib.Path(sys.argv[1]) / "collab-bpmn"
verdicts = collections.Counter()
reasons = collections.Counter()
files = refused = 0
for path in sorted(folder.rglob("*.bpmn")):
    before = cpu()
    run = subprocess.run(
        ["cifc", "--check", "--verdicts=-", "-o", "/dev/null", str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if cpu() - before > 5:
        print("SLOW", path.relative_to(folder), round(cpu() - before, 1))
    if run.returncode == 2:
        refused += 1
        continue
    files += 1
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    rows = [row for row in rows if row["property"] in PROPERTIES]
    for name in PROPERTIES:
        if sum(row["property"] == name for row in rows) != 1:
            print("NO ROW", path.relative_to(folder), name)
    for row in rows:
        verdicts[row["verdict"]] += 1
        if row["verdict"] == "inconclusive":
            reason = row["message"].split(": ", 1)[1]
            reason = re.sub("'[^']*'", "'...'", reason)
            reasons[re.sub(r"cycle of \d+ steps?", "cycle", reason)] += 1

total = sum(verdicts.values())
print(files, "files,", total, "rows;", refused, "files are refused")
for verdict in ("holds", "violated", "inconclusive"):
    share = 100 * verdicts[verdict] / total
    print("%s: %d (%.1f%%)" % (verdict, verdicts[verdict], share))
for reason, count in reasons.most_common():
    print("  %d: %s" % (count, reason))
if verdicts["inconclusive"] * 20 < total:
    print("inconclusive is under 5%")
