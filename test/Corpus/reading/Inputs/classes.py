#!/usr/bin/env python3
"""Counts what of the published BPMN is read, and by class of damage: in how many
files it is met (each of them --strict refuses), and in how many that are refused
all the same. Usage: classes.py CIFC CORPUS
"""
import glob
import os
import re
import subprocess
import sys

CLASSES = [
    ("attribute without a value", r"the attribute '.*' has no value"),
    ("message flow with a missing end", r"message flow with a missing end"),
    ("message flow inside one pool", r"message flow inside one pool"),
    ("message flow at an element that cannot have one",
     r"message flow at an element that cannot have one"),
    ("message flow at a sub-process", r"message flow at the border of a sub-p"),
    ("sequence flow with a missing end", r"sequence flow with a missing end"),
    ("sequence flow in another process", r"sequence flow in a different proc"),
    ("sequence flow across a border", r"sequence flow across the border"),
    ("boundary event in another process", r"boundary event in a different pr"),
    ("dangling reference", r"dangling reference among others"),
    ("flow that a node does not have", r"of a sequence flow that the node do"),
    ("cancel beside terminate", r"cancel and terminate together"),
]

cifc, corpus = sys.argv[1:]
met = {name: [0, 0] for name, _ in CLASSES}
total = refused = 0
for path in sorted(glob.glob(os.path.join(corpus, "**", "*.bpmn*"),
                             recursive=True)):
    run = subprocess.run([cifc, "--emit=cif", path, "-o", os.devnull],
                         capture_output=True)
    text = run.stderr.decode("utf-8", "replace")
    # Files that are no XML are not BPMN that somebody spoiled.
    if "malformed XML" in text and "has no value" not in text:
        continue
    total += 1
    refused += run.returncode == 2
    for name, pattern in CLASSES:
        if re.search(pattern, text):
            met[name][0] += 1
            met[name][1] += run.returncode == 2
for name, (before, after) in met.items():
    print("%s: %d files, %d refused" % (name, before, after))
print("%d of %d files are read" % (total - refused, total))
if total and (total - refused) / total >= 0.97:
    print("that is at least 97%")
