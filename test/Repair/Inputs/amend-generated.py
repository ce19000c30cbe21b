"""Amends generated choreographies, applies the diffs, and checks the results.

amend-generated.py CIFC DIR NUMBER [FIRST]

For each of NUMBER texts, an IOC term or a conversation protocol, and for each
goal: what `patch` makes of the printed diff must satisfy the check that the
amendment promises. Prints how many were patched; exit status 1 if one is wrong.
"""

import os
import random
import subprocess
import sys

ROLES = "abc"
NAMES = "uvwxyz"
SEMANTICS = ["sync", "sender", "receiver", "sender-receiver", "disjoint"]


def exchange(rng):
    sender, receiver = rng.sample(ROLES, 2)
    return "%s -> %s : %s" % (sender, receiver, rng.choice(NAMES))


def term(rng, size, calls):
    """A term of about that many interactions, and how tightly it binds."""
    if size <= 1:
        if rng.random() < 0.08:
            return "tau " + rng.choice(ROLES), 3
        return exchange(rng), 3
    kind = rng.choice(["seq", "seq", "seq", "par", "choice", "loop", "rec"])
    if kind == "loop":
        return "loop { %s }" % term(rng, size - 1, calls)[0], 3
    if kind == "rec" and not calls:
        body = part(rng, size - 1, 2)
        return "rec X { %s ; X + %s }" % (body, exchange(rng)), 3
    binds, sign = {"par": (1, " || "), "choice": (0, " + ")}.get(kind, (2, " ; "))
    first = rng.randint(1, size - 1)
    sizes = [first, size - first]
    if size > 2 and rng.random() < 0.3:
        first = rng.randint(1, size - 2)
        sizes = [first, 1, size - first - 1]
    return sign.join(part(rng, s, binds + 1) for s in sizes), binds


def part(rng, size, least):
    text, binds = term(rng, size, True)
    if binds < least or rng.random() < 0.1:
        text = "( %s )" % text
    if rng.random() < 0.04:
        text = text + " /* + || ( */"
    return text


def choreography(rng):
    text = term(rng, rng.randint(2, 5), False)[0]
    if rng.random() < 0.3:
        text = text.replace(" ; ", " ;\n  ")
    return "choreography C { %s }\n" % text


def protocol(rng):
    """Every state can be reached, and leads to the final one."""
    states = rng.randint(2, 5)
    lines = ["protocol C {", "  initial s0", "  final s%d" % states]
    for s in range(states):
        lines.append("  s%d -> s%d : %s" % (s, s + 1, exchange(rng)))
    for _ in range(rng.randint(0, 2)):
        lines.append("  s%d -> s%d : %s" % (rng.randrange(states),
                                            rng.randrange(states + 1),
                                            exchange(rng)))
    return "\n".join(lines + ["}"]) + "\n"


def say(*what):
    print(*what, flush=True)


def run(*command):
    return subprocess.run(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)


def main():
    cifc, folder, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    os.makedirs(folder, exist_ok=True)
    count = {"patched": 0, "shown otherwise": 0, "wrong": 0}
    for seed in range(first, first + number):
        rng = random.Random(seed)
        is_protocol = seed % 4 == 0
        text = protocol(rng) if is_protocol else choreography(rng)
        path = os.path.join(folder, "%d.%s" % (seed, "cp" if is_protocol else "ioc"))
        for goal in ["realizable"] + SEMANTICS:
            if is_protocol and goal != "realizable":
                continue
            with open(path, "w") as out:
                out.write(text)
            amended = run(cifc, "--amend=" + goal, "--max-states=400", path,
                          "-o", os.devnull)
            if amended.returncode < 0:
                say("crash", goal, path)
                count["wrong"] += 1
            if amended.returncode or "added" not in amended.stderr or \
                    "nothing " in amended.stderr:
                continue
            if not amended.stderr.startswith("--- " + path + "\n"):
                count["shown otherwise"] += 1
                if "not a patch" not in amended.stderr:
                    say("no note", goal, path)
                    count["wrong"] += 1
                elif len(sys.argv) > 5:
                    say("otherwise", goal, text, amended.stderr)
                continue
            patch = subprocess.run(["patch", "-s", path], input=amended.stderr,
                                   text=True)
            check = "--check-realizable" if goal == "realizable" else \
                "--check-connected=" + goal
            again = run(cifc, check, path, "-o", os.devnull)
            count["patched"] += 1
            if patch.returncode or again.returncode:
                say("wrong", goal, path, text, amended.stderr, again.stderr)
                count["wrong"] += 1
    for what, n in count.items():
        print("%d %s" % (n, what))
    return 1 if count["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
