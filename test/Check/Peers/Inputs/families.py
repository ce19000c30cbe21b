"""Checks both families of family.py for n = 1 to 6: nothing is found, and nothing is
proved, at bound n - 1; the trace is found at bound n.

Usage: families.py FOLDER, where the peers are put. Prints a line for each n.
"""
import json
import os
import subprocess
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
family = os.path.join(os.path.dirname(os.path.abspath(__file__)), "family.py")


def check(path, network, bound):
    run = subprocess.run(
        ["cifc", "--check-synchronizable", "--network=" + network,
         "--bound=%d" % bound, "--verdicts=-", path, "-o", os.devnull],
        capture_output=True, text=True)
    fact = json.loads(run.stdout)
    assert run.returncode == {"holds": 0, "violated": 1}[fact["verdict"]]
    return fact


for network, rest in [("fifo-pair", ["p1 -> p3 : b", "p3 -> p2 : c", "p2 -> p1 : d"]),
                      ("inbox", ["p1 -> p3 : b", "p2 -> p3 : c", "p3 -> p2 : d",
                                 "p2 -> p1 : e"])]:
    for n in range(1, 7):
        path = os.path.join(folder, "%s%d.cp" % (network, n))
        with open(path, "w", encoding="utf-8") as peers:
            subprocess.run([sys.executable, family, network, str(n)],
                           stdout=peers, check=True)
        found = check(path, network, n)
        trace = [step["label"] for step in found["witness"]["steps"]]
        right = (found["verdict"] == "violated" and found["exact"]
                 and trace == ["p1 -> p2 : a"] * n + rest)
        if n > 1:
            below = check(path, network, n - 1)
            right &= below["verdict"] == "holds" and not below["exact"]
            right &= below["method"] == ("1-bounded (VerChor Def. 5)" if n == 2 else
                                         "no difference up to bound %d" % (n - 1))
        print(network, n, "as expected" if right else "wrong: %s" % found)
