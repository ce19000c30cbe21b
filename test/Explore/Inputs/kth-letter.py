"""Prints an LTS in AUT form that is nondeterministic in a bad way.

Usage: kth-letter.py LABEL
Words of a and b; after an a, 40 letters later, LABEL is possible. Whoever follows
sets of states meets 2^40 of them before that.
"""
import sys

steps = [(0, "a", 0), (0, "b", 0), (0, "a", 1)]
steps += [(s, x, s + 1) for s in range(1, 41) for x in "ab"]
steps += [(41, sys.argv[1], 42)]
print("des (0,%d,43)" % len(steps))
for source, label, target in steps:
    print('(%d,"%s",%d)' % (source, label, target))
