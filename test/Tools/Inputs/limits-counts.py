"""Every check that explores, under small limits on states: a verdict that names
the limit names the one that was given, and counts the states of the search that
met it.

Usage: limits-counts.py FOLDER. Prints what is wrong, and the checks that stopped."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), os.pardir, os.pardir,
                                "Metamorphic", "Inputs"))
from models import MODELS
from offered import Question, passes

os.makedirs(sys.argv[1], exist_ok=True)
os.chdir(sys.argv[1])


def ring(size, messages):
    """Peers that send to the next and receive from the one before, in any
    order: more states than the searches that look at a part see."""
    text = ""
    for me in range(size):
        text += "peer a%d { initial 0  final 0\n" % me
        for x in range(messages + 1):
            for y in range(messages + 1):
                at = x * (messages + 1) + y
                if x < messages:
                    text += "  %d -> %d : a%d!m%d_%d\n" % (
                        at, at + messages + 1, (me + 1) % size, me, x)
                if y < messages:
                    text += "  %d -> %d : a%d?m%d_%d\n" % (
                        at, at + 1, (me - 1) % size, (me - 1) % size, y)
        text += "}\n"
    return text


specs = {name: spec for name, _, _, (spec, _) in MODELS}
for file in [(name, text) for name, text, *_ in MODELS] + [spec for *_, spec in MODELS]:
    with open(file[0], "w") as out:
        out.write(file[1])
with open("large.cp", "w") as file:
    file.write(ring(5, 5))
runs = [(name, limit, check) for check in passes("Check")
        for name, *_ in MODELS for limit in (1, 5, 20)]
runs += [("large.cp", limit, check) for limit in (2000, 8000)
         for check in ("check-health", "check-kmc", "check-property",
                       "check-rsc", "check-synchronizable")]
stopped = set()
for name, limit, check in runs:
    command = ["cifc", "--passes=" + Question(check).braced(specs.get(name)),
               "--max-states=%d" % limit, "-q", "--verdicts=-", "-o",
               "/dev/null", name]
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    for fact in map(json.loads, done.stdout.splitlines()):
        message = fact.get("message", "")
        named = re.findall(r"--max-states=(\d+)", message)
        if any(int(number) != limit for number in named) or (
                named and fact["states"] > limit + 1):
            print(" ".join(command), "\n  %d states: %s" % (fact["states"],
                                                           message))
        elif named:
            stopped.add(check)
print("stopped:", *sorted(stopped))
