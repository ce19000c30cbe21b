#!/usr/bin/env python3
"""Generated collaborations get the same verdicts with and without reduction:
reduction.py DRAW FOLDER NUMBER
"""
import json
import os
import random
import subprocess
import sys

draw, folder, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.makedirs(folder, exist_ok=True)


def model(rng):
    """Up to three pools; in every other model nodes may lead back."""
    loops = rng.random() < 0.5
    lines, sends, receives = [], [], []
    for pool in range(rng.randint(1, 3)):
        size = rng.randint(2, 6)
        names = ["p%d_%d" % (pool, i) for i in range(size)]
        lines.append("pool P%d" % pool)
        lines.append("start s%d -> %s" % (pool, names[0]))
        for i, name in enumerate(names):
            later = names[i + 1:] + ["e%d" % pool]
            kind = rng.choice(["task", "send", "receive", "xor", "and", "and"])
            if loops and kind == "xor":
                later += names[1:i]
            ways = 1 if kind not in ("xor", "and") else rng.randint(1, 3)
            targets = rng.sample(later, min(ways, len(later)))
            lines.append("%s %s -> %s" % (kind, name, " ".join(targets)))
            if kind == "send":
                sends.append((pool, name))
            if kind == "receive":
                receives.append((pool, name))
        lines.append("end e%d" % pool)
    for i, (pool, name) in enumerate(sends):
        others = [r for p, r in receives if p != pool]
        if others:
            lines.append("message %s -> %s : m%d"
                         % (name, rng.choice(others), rng.randint(0, i)))
    return "\n".join(lines) + "\n"


def verdicts(path, *options):
    run = subprocess.run(["cifc", "-q", "--check-collaboration", "--table=none",
                          "--network=bag,inbox,causal,rsc", "--max-states=5000", "--verdicts=-",
                          *options, path], capture_output=True, text=True)
    facts = [json.loads(line) for line in run.stdout.splitlines()]
    return {(fact["property"], fact["parameters"]["network"]): fact["verdict"]
            for fact in facts}, facts


reduced = violated = 0
for seed in range(number):
    text, path = os.path.join(folder, "m.txt"), os.path.join(folder, "m.bpmn")
    with open(text, "w", encoding="utf-8") as out:
        out.write(model(random.Random(seed)))
    with open(path, "w", encoding="utf-8") as out:
        subprocess.run([sys.executable, draw, text], stdout=out, check=True)
    with_, facts = verdicts(path)
    without, _ = verdicts(path, "--no-reduction")
    known = {p for p in with_ if "inconclusive" not in (with_[p], without.get(p))}
    if len(with_) != 40 or any(with_[p] != without[p] for p in known):
        print("seed %d:" % seed, with_, without)
        sys.exit(1)
    reduced += any("stubborn" in fact["method"] for fact in facts)
    violated += "violated" in with_.values()
print("same verdicts: %d, reduced: %d, violated: %d" % (number, reduced, violated))
