"""Guarded terms whose parallel branches bind variables again: the explored LTS
has the traces of [symbolic, Fig. 2], computed here value by value.

    races.py CIFC DIR COUNT
"""
import os
import random
import re
import subprocess
import sys

DONE = ("1",)
VALUES = {"p": (False, True), "x": (0, 1, 2, 3)}  # guards compare x with 1 and 2


def text(t):
    kind = t[0]
    if kind == "act":
        sort = {"p": "p: bool", "x": "x: int", "": ""}[t[2]]
        return f"a -> b : {t[1]}" + (f"({sort})" if sort else "")
    if kind in (";", "||", "+", "[>"):
        return f"( {text(t[1])} {kind} {text(t[2])} )"
    if kind == "[]":
        return f"( [{t[1]}] => ( {text(t[2])} ) )"
    if kind == "while":
        return f"while [{t[1]}] {{ {text(t[2])} }}"
    return "1"


def holds(condition, values):
    python = condition.replace("!p", "not p")
    return eval(python, {}, dict(values))


def join(kind, a, b):
    if kind == ";":
        return b if a == DONE else (kind, a, b)
    return b if a == DONE else a if b == DONE else (kind, a, b)


def steps(t, values):
    """[(message, term, values)], and whether it may be done."""
    kind = t[0]
    if kind == "1":
        return [], True
    if kind == "act":
        if not t[2]:
            return [(t[1], DONE, values)], False
        return [(t[1], DONE, tuple(sorted({**dict(values), t[2]: v}.items())))
                for v in VALUES[t[2]]], False
    if kind == "[]":
        return steps(t[2], values) if holds(t[1], values) else ([], False)
    if kind == "while":
        if not holds(t[1], values):
            return [], True
        return [(m, join(";", u, t), v) for m, u, v in steps(t[2], values)[0]], False
    left, leftDone = steps(t[1], values)
    if kind == ";" and not leftDone:
        return [(m, join(";", u, t[2]), v) for m, u, v in left], False
    right, rightDone = steps(t[2], values)
    if kind == "+":
        return left + right, leftDone or rightDone
    if kind == ";":
        return [(m, join(";", u, t[2]), v) for m, u, v in left] + right, rightDone
    if kind == "[>":
        return [(m, ("[>", u, t[2]), v) for m, u, v in left] + right, leftDone or rightDone
    return ([(m, join("||", u, t[2]), v) for m, u, v in left]
            + [(m, join("||", t[1], u), v) for m, u, v in right]), leftDone and rightDone


def condition(r):
    return r.choice(["p", "!p", "x < 1", "x < 2", "x >= 1", "x >= 2"])


def action(r):
    return r.choice([("act", "k", ""), ("act", "l", ""), ("act", "bp", "p"), ("act", "bx", "x")])


def term(r, size):
    if size <= 1:
        return action(r) if r.random() < .95 else DONE
    part, kind = r.randint(1, size - 1), r.random()
    if kind < .25:
        return ("[]", condition(r), term(r, size - 1))
    if kind < .33:
        return ("while", condition(r), (";", action(r), term(r, size - 1)))
    operator = ";" if kind < .6 else "||" if kind < .85 else "[>" if kind < .93 else "+"
    return (operator, term(r, part), term(r, size - part))


def explored(cifc, path):
    run = subprocess.run([cifc, "--lower-lts", path, "--emit=cift", "-o", "-"],
                         capture_output=True, text=True, check=True)
    system = run.stdout[run.stdout.index("\nsystem "):]
    edges, final = {}, set()
    for line in re.finditer(r"^  (\d+)( final)?:(?: (\S+) -> (\d+).*)?$", system, re.M):
        state = int(line[1])
        edges.setdefault(state, [])
        if line[2]:
            final.add(state)
        if line[3]:
            edges[state].append((line[3].split(":")[-1], int(line[4])))
    return edges, final


def difference(lts, root):
    """A trace after which the two sides differ, or None."""
    edges, final = lts

    def silently(states):
        states, work = set(states), list(states)
        while work:
            for label, to in edges[work.pop()]:
                if label == "tau" and to not in states:
                    states.add(to)
                    work.append(to)
        return frozenset(states)

    first = (silently({0}), frozenset([(root, ())]))
    seen, work = {first}, [(first, [])]
    for (states, terms), trace in work:
        ours, theirs, done = {}, {}, False
        for s in states:
            for label, to in edges[s]:
                if label != "tau":
                    ours.setdefault(label, set()).add(to)
        for t, values in terms:
            after, mayEnd = steps(t, values)
            done |= mayEnd
            for m, u, v in after:
                theirs.setdefault(m, set()).add((u, v))
        if set(ours) != set(theirs) or bool(states & final) != done:
            return trace, sorted(ours), sorted(theirs), done
        for m in ours:
            pair = (silently(ours[m]), frozenset(theirs[m]))
            if pair not in seen:
                seen.add(pair)
                work.append((pair, trace + [m]))
    return None


def main():
    cifc, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    different = 0
    for seed in range(count):
        r = random.Random(seed)
        root = (";", ("act", "bp", "p"), (";", ("act", "bx", "x"), term(r, r.randint(3, 6))))
        path = os.path.join(folder, "race.ioc")
        with open(path, "w", encoding="utf-8") as out:
            out.write(f"choreography Race {{ {text(root)} }}\n")
        found = difference(explored(cifc, path), root)
        if found:
            different += 1
            print(seed, text(root), *found)
    print(count, "terms,", different, "different")


main()
