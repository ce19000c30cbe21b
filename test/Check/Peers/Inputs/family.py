"""Prints peers that differ from their handshakes only from bound N on.

Usage: family.py fifo-pair|inbox N. The first family is that of Finkel and Lozes,
the second does the same for one queue per receiver.
"""
import sys

network, n = sys.argv[1], int(sys.argv[2])


def peer(name, transitions):
    print("peer %s {\n  initial 0" % name)
    for source, target, label in transitions:
        print("  %s -> %s : %s" % (source, target, label))
    print("}")


sends = [(i, i + 1, "p2!a") for i in range(n)]
reads = [(i, i + 1, "p1?a") for i in range(n)]
peer("p1", sends + [(n, n + 1, "p3!b")])
if network == "fifo-pair":
    peer("p2", reads + [(n, n + 1, "p3?c"), (0, "x", "p3?c"), ("x", "y", "p1!d")])
    peer("p3", [(0, 1, "p1?b"), (1, 2, "p2!c")])
else:
    # c0 remembers that c was sent before any a was read; ci does not.
    for i in range(n + 1):
        reads.append((i, "c%d" % i if i < n else "read", "p3!c"))
    for i in range(n):
        chain = ["c%d" % i] + ["c%d_%d" % (i, j) for j in range(i + 1, n)]
        chain.append("first" if i == 0 else "read")
        reads += [(s, t, "p1?a") for s, t in zip(chain, chain[1:])]
    reads += [("first", "told", "p3?d"), ("told", "end", "p1!e"),
              ("read", "done", "p3?d")]
    peer("p2", reads)
    peer("p3", [(0, 1, "p1?b"), (1, 2, "p2?c"), (2, 3, "p2!d"),
                (0, 4, "p2?c"), (4, 5, "p1?b")])
