#!/usr/bin/env python3
"""cifc --check on the processes and collaborations of the corpus: tally.py CORPUS

Every file that can be read gets a verdict in every row within 5 s of CPU.
Prints how many hold, are violated, are inconclusive and why.
"""
import collections
import json
import os
import resource
import subprocess
import sys

PROPERTIES = ["safe", "bounded", "deadlock-free", "livelock-free",
              "option-to-complete", "proper-completion", "no-dead-activity",
              "no-undelivered-message", "sound", "message-relaxed-sound"]

folder = os.path.join(sys.argv[1], "collab-bpmn")
verdicts, reasons, problems = collections.Counter(), collections.Counter(), []
unread = []
slowest = (0, "")
for path, _, names in sorted(os.walk(folder)):
    for name in sorted(names):
        if not name.endswith((".bpmn", ".xml", ".bpmn2", ".bpmn20.xml")):
            continue
        file = os.path.join(path, name)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run(["cifc", "--check", "--verdicts=-", file],
                             capture_output=True, text=True, errors="replace")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = (after.ru_utime + after.ru_stime
               - before.ru_utime - before.ru_stime)
        short = os.path.relpath(file, folder)
        slowest = max(slowest, (cpu, short))
        if cpu > 5:
            problems.append("%s takes %.1f s" % (short, cpu))
        if run.returncode == 2:
            errors = [l for l in run.stderr.splitlines() if "error:" in l]
            unread.append("%s: %s" % (short, errors[0] if errors else "?"))
            continue
        if run.returncode not in (0, 1, 3):
            problems.append("%s ends with %d" % (short, run.returncode))
            continue
        facts = [json.loads(line) for line in run.stdout.splitlines()]
        found = {fact["property"]: fact for fact in facts}
        # Files with a choreography are checked as such.
        if "realizable" in found:
            continue
        for property in PROPERTIES:
            if property not in found:
                problems.append("%s: no verdict on %s" % (short, property))
                continue
            fact = found[property]
            verdicts[fact["verdict"]] += 1
            if fact["verdict"] == "inconclusive":
                reasons[fact["message"].split(": ", 1)[-1][:60]] += 1
                if "-v" in sys.argv:
                    print("inconclusive:", short, property, fact["message"])
for line in unread:
    print("not read:", line)
for problem in problems:
    print("problem:", problem)
total = sum(verdicts.values())
print("rows: %d" % total, *("%s: %d" % item for item in sorted(verdicts.items())))
for reason, count in reasons.most_common():
    print("inconclusive %d: %s" % (count, reason))
print("slowest: %.2f s, %s" % slowest, file=sys.stderr)
share = verdicts["inconclusive"] / max(1, total)
print("inconclusive under 5%" if share < 0.05 else
      "inconclusive: %.1f%%" % (100 * share))
sys.exit(bool(problems) or share >= 0.05)
