"""Two peers that exchange a message and its answer N/2 times, and then both wait
for what the other never sends: a run of 2 N steps into a deadlock."""
import sys

rounds = int(sys.argv[1]) // 2
for me, other, first, second in [("a", "b", "!m", "?k"), ("b", "a", "?m", "!k")]:
    print("peer %s {\n  initial 0" % me)
    for i in range(rounds):
        number = str(i % 5) if "m" in first else ""
        print("  %d -> %d : %s%s%s" % (2 * i, 2 * i + 1, other, first, number))
        print("  %d -> %d : %s%s" % (2 * i + 1, 2 * i + 2, other, second))
    print("  %d -> %d : %s?never\n}" % (2 * rounds, 2 * rounds + 1, other))
