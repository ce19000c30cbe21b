"""Has cif-check look at every certificate in a folder, whole and corrupted.

Usage: check-certificates.py DIR

A corrupted certificate may only be accepted when its claim is still true: for a
certificate that the two are related, which they are (.cert of -holds); for a
witness, that they are not. A corruption that turns one kind into the other, or
changes the relation, must not be accepted unless that claim is true as well;
the claims of all relations are known from the pair's own comparison only, so
these are counted as wrong when accepted.
"""
import glob
import os
import random
import subprocess
import sys

folder = sys.argv[1]
random.seed(7)


def check(certificate, base):
    return subprocess.run(
        ["cif-check", certificate, base + ".left", base + ".right"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ).returncode


bases = sorted(path[:-5] for path in glob.glob(os.path.join(folder, "*.cert")))
wrong = 0
for base in bases:
    if check(base + ".cert", base) != 0:
        print("refused:", base)
        wrong += 1
print(len(bases), "checked")

corrupted = os.path.join(folder, "corrupted")
harmless = 0
for _ in range(1000):
    base = random.choice(bases)
    text = bytearray(open(base + ".cert", "rb").read())
    at = random.randrange(len(text))
    kind = random.randrange(3)
    if kind == 0:
        text[at] ^= 1 << random.randrange(7)
    elif kind == 1:
        text[at] = random.choice(b"0123456789 \n")
    else:
        del text[at]
    open(corrupted, "wb").write(text)
    status = check(corrupted, base)
    if status not in (0, 1, 2):
        print("crashed:", base, at, status)
        wrong += 1
    if status == 0:
        harmless += 1
        # The first two lines say what is claimed; they must be as they were,
        # or a word for the same claim.
        before = open(base + ".cert", "rb").read().split()[:4]
        after = bytes(text).split()[:4]
        if before != after and before[3] != after[3]:
            print("accepted another claim:", base, at, before, after)
            wrong += 1
print(1000, "corrupted")
print(harmless, "harmless")
print(wrong, "wrong")
