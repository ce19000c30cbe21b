"""Compares check-kmc with the verdicts that KMC's authors give for its examples.

Usage: verdicts.py CFSM_DIR. Prints what differs, a line each, then how many
verdicts were compared, and exits with 1 when anything differs.
"""
import csv
import json
import os
import re
import subprocess
import sys

folder = sys.argv[1]

# Where the comment or the name in a file is not about what the file holds now;
# what it holds, and why.
CORRECTED = {
    # Three messages go out before the one that the receiver waits for first.
    ("synthesis/tmp.txt", "2-MC"): ("3-MC", "true"),
    # P waits for a message from itself; no system of peers at all.
    ("synthesis/diffbounds-rec-extra.txt", "2-MC"): None,
    # The line "safe with this one" is part of the text here.
    ("nondir/directednessce-all-safe.txt", "2-safe"): ("2-safe", "true"),
    # 8, 16 and 24 messages go out before any is read.
    ("large/8peers-10msg-k10.txt", "least-k"): ("least-k", "8"),
    ("large/8peers-20msg-k20.txt", "least-k"): ("least-k", "16"),
    ("large/8peers-30msg-k30.txt", "least-k"): ("least-k", "24"),
    # "Expects to receive from different machines": not directed.
    ("benchmarks/HealthSystem.txt", "CSA"): ("directed", "false"),
}
BY_NAME = [
    ("twoexhnotonexh.txt", "1-exhaustive", "false"),
    ("twoexhnotonexh.txt", "2-exhaustive", "true"),
    ("kexist-not-kexh.txt", "3-exhaustive", "false"),
    ("large/8peers-10msg-k10.txt", "10-MC", "true"),
    ("large/8peers-20msg-k20.txt", "20-MC", "true"),
    ("large/8peers-30msg-k30.txt", "30-MC", "true"),
]


def kmc(path, *options):
    """The verdicts of check-kmc on a file; none: it is no system of peers."""
    run = subprocess.run(
        ["cifc", *options, "--verdicts=-", "-o", os.devnull,
         os.path.join(folder, "kmc", path)], capture_output=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def answer(path, name, wanted):
    """What check-kmc says of property `name`."""
    match = re.fullmatch(r"(\d+)-(MC|safe|exhaustive)", name)
    if match:
        k, what = match.groups()
        facts = kmc(path, "--check-kmc=" + k)
        if what != "MC":
            return facts[0]["parameters"][what]
        return "yes" if facts[0]["verdict"] == "holds" else "no"
    if name == "directed":
        return kmc(path, "--check-kmc=1")[0]["parameters"]["directed"]
    if name == "least-k":
        first = kmc(path, "--check-kmc=1", "--max=40")[0]
        return first["parameters"]["k"] if first["verdict"] == "holds" else "none"
    if name == "safe":
        return "no" if kmc(path, "--check-kmc=1", "--max=3")[1]["verdict"] == "violated" else "yes"
    if name == "k-exhaustive(any k)":
        known = [kmc(path, "--check-kmc=%d" % k)[0]["parameters"]["exhaustive"]
                 for k in range(1, 5)]
        return "yes" if "yes" in known else "no"
    return None


words = {"true": "yes", "false": "no", "unknown": "no"}
wrong, compared = [], 0


def compare(path, name, wanted):
    global compared
    wanted = re.match(r"\w+", wanted).group()
    wanted = words.get(wanted, wanted)
    found = answer(path, name, wanted)
    if found is None:
        return  # a question that check-kmc does not answer
    compared += 1
    if found != wanted:
        wrong.append("%s: %s is %s, expected %s" % (path, name, found, wanted))


with open(os.path.join(folder, "kmc-verdicts.tsv"), encoding="utf-8") as table:
    for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
        path = row["file"].removeprefix("tests/")
        if not os.path.exists(os.path.join(folder, "kmc", path)):
            continue
        key = (path, row["property"])
        if key in CORRECTED and CORRECTED[key] is None:
            if kmc(path, "--check-kmc=1"):
                wrong.append("%s is a system of peers now" % path)
            continue
        name, wanted = CORRECTED.get(key, (row["property"], row["verdict"]))
        compare(path, name, wanted)
for path, name, wanted in BY_NAME:
    compare(path, name, wanted)

# Every file is read, and each system of peers gets an answer.
read, answered = 0, 0
for base, _, names in sorted(os.walk(os.path.join(folder, "kmc"))):
    for name in sorted(names):
        if not name.endswith(".txt"):
            continue
        path = os.path.relpath(os.path.join(base, name), os.path.join(folder, "kmc"))
        run = subprocess.run(["cifc", "-o", os.devnull, os.path.join(base, name)],
                             capture_output=True, text=True)
        if run.returncode:
            wrong.append("%s is not read: %s" % (path, run.stderr))
            continue
        read += 1
        facts = kmc(path, "--check-kmc=1", "--max=2")
        if not facts:
            if "with itself" not in run.stderr:
                wrong.append("%s has no verdict" % path)
            continue
        answered += 1
        one, always = facts
        if always["verdict"] == "holds" and one["verdict"] != "holds":
            wrong.append("%s is safe and not k-MC" % path)
print("\n".join(wrong))
print("%d verdicts compared, %d files read, %d answered, %d differ"
      % (compared, read, answered, len(wrong)))
sys.exit(1 if wrong else 0)
