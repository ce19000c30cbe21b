"""Guarded models against the same models with their values written out: of
`m(x: int)`, one message for each value, and no guards. A choreography, and the
processes of its participants, some of which forget a guard or a branch.

    unfolded.py CIFC DIR COUNT [FIRST]
"""
import json
import os
import random
import re
import subprocess
import sys

ROLES = "abc"
# One below and one above what guards compare with.
VALUES = {"int": range(-1, 4), "bool": (False, True), "string": ("gold", "tin", "else")}
NAMES = {"int": "xyz", "bool": "pq", "string": "st"}
DONE = ("1",)
COPIED = {"no-dead-activity", "well-composed"}  # about elements, which are copied
NETWORKS = ["bag", "fifo-pair", "causal", "inbox", "outbox", "fifo-all", "rsc"]
SOUNDNESS = [f"--check-{c}" for c in """deadlock-free livelock-free option-to-complete proper-completion
    no-undelivered-message sound message-relaxed-sound safe bounded health synchronizable""".split()]


class TooLarge(Exception):
    pass


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.messages = [
            (*self.random.sample(ROLES, 2), f"m{i}", self.random.choice(["", "int", "int", "bool", "string"]))
            for i in range(6)
        ]

    def condition(self, scope, depth=0):
        r = self.random
        if depth < 2 and r.random() < 0.25:
            return ("op", r.choice(["&&", "||"]), self.condition(scope, depth + 1), self.condition(scope, depth + 1))
        if r.random() < 0.15:
            return ("not", self.condition(scope, depth + 1))
        name = r.choice(sorted(scope))
        if scope[name] == "bool":
            return ("is", name, "==", True)
        if scope[name] == "string":
            return ("is", name, r.choice(["==", "!="]), r.choice(["gold", "tin"]))
        return ("is", name, r.choice(["<", "<=", ">", ">=", "==", "!="]), r.randint(0, 2))

    def exchange(self, scope):
        sender, receiver, name, sort = self.random.choice(self.messages)
        if not sort:
            return ("act", sender, receiver, name, "", None), {}
        known = [v for v, s in scope.items() if s == sort]
        if known and self.random.random() < 0.3:  # passed on
            return ("act", sender, receiver, name, "send", self.random.choice(known)), {}
        variable = self.random.choice(NAMES[sort])
        return ("act", sender, receiver, name, sort, variable), {variable: sort}

    def term(self, size, scope):
        """A term, and what it binds whichever branch is taken."""
        r = self.random
        if size <= 1:
            return self.exchange(scope)
        left = r.randint(1, size - 1)
        if r.random() < 0.5 or not scope:
            a, bound = self.term(left, scope)
            b, more = self.term(size - left, {**scope, **bound})
            return (";", a, b), {**bound, **more}
        guard = self.condition(scope)
        other = ("not", guard) if r.random() < 0.6 else self.condition(scope)
        a, bound = self.term(left, scope)
        b, more = self.term(size - left, scope)
        return ("+", ("[]", guard, a), ("[]", other, b)), {v: s for v, s in bound.items() if more.get(v) == s}


def holds(c, values):
    if c[0] == "op":
        l, r = holds(c[2], values), holds(c[3], values)
        return l and r if c[1] == "&&" else l or r
    if c[0] == "not":
        return not holds(c[1], values)
    l, r = values[c[1]], c[3]
    return {"<": lambda: l < r, "<=": lambda: l <= r, ">": lambda: l > r, ">=": lambda: l >= r,
            "==": lambda: l == r, "!=": lambda: l != r}[c[2]]()


def condition_text(c):
    if c[0] == "op":
        return f"({condition_text(c[2])} {c[1]} {condition_text(c[3])})"
    if c[0] == "not":
        return f"!({condition_text(c[1])})"
    if c[3] is True:
        return c[1]
    return f"{c[1]} {c[2]} " + (f'"{c[3]}"' if isinstance(c[3], str) else str(c[3]))


def text(t):
    if t[0] in (";", "+"):
        return "( " + f" {t[0]} ".join(text(x) for x in t[1:]) + " )"
    if t[0] == "[]":
        return f"( [{condition_text(t[1])}] => {text(t[2])} )"
    if t[0] not in ("act", "!", "?"):
        return t[0]
    head = f"{t[1]} -> {t[2]} : {t[3]}" if t[0] == "act" else f"{t[2]}{t[0]}{t[3]}"
    return head + ("" if not t[4] else f"({t[5]})" if t[4] == "send" else f"({t[5]}: {t[4]})")


def unfold(t, values, rest, budget):
    """The term with these values, and what \\p rest makes of them behind it."""
    budget[0] -= 1
    if budget[0] < 0:
        raise TooLarge
    if t[0] == "1":
        return rest(values)
    if t[0] == ";":
        return unfold(t[1], values, lambda now: unfold(t[2], now, rest, budget), budget)
    if t[0] == "+":
        return ("+",) + tuple(unfold(x, values, rest, budget) for x in t[1:])
    if t[0] == "[]":
        return unfold(t[2], values, rest, budget) if holds(t[1], values) else ("0",)
    carried = [None] if not t[4] else [values[t[5]]] if t[4] == "send" else VALUES[t[4]]
    branches = []
    for value in carried:
        name = t[3] if value is None else f"{t[3]}_{value}".replace("-", "n")
        behind = rest({**values, t[5]: value} if t[4] else values)
        branches.append((";", t[:3] + (name, "", None), behind))
    return ("+",) + tuple(branches) if len(branches) > 1 else branches[0]


def process(t, role, knows, forgets):
    """The part of a participant, and what it knows behind it."""
    if t[0] == ";":
        a, known = process(t[1], role, knows, forgets)
        b, known = process(t[2], role, known, forgets)
        return (b if a == DONE else a if b == DONE else (";", a, b)), known
    if t[0] == "+":
        parts = [process(x, role, knows, forgets) for x in t[1:]]
        known = parts[0][1] & parts[1][1]
        if all(p == DONE for p, _ in parts):
            return DONE, known
        return (parts[0][0] if forgets() else ("+", parts[0][0], parts[1][0])), known
    if t[0] == "[]":
        inner, known = process(t[2], role, knows, forgets)
        if inner == DONE or not variables(t[1]) <= knows or forgets():
            return inner, known
        return ("[]", t[1], inner), known
    if role not in t[1:3]:
        return DONE, knows
    kind, partner = ("!", t[2]) if role == t[1] else ("?", t[1])
    sort, variable = t[4], t[5]
    if sort == "send" and (kind == "?" or variable not in knows):
        sort = next(s for s in NAMES if variable in NAMES[s])
        variable = f"{variable}_{t[3]}"
    elif sort and sort != "send":
        knows = knows | {variable}
    return (kind, role, partner, t[3], sort, variable), knows


def variables(c):
    return {c[1]} if c[0] == "is" else set().union(*[variables(x) for x in c[1:] if isinstance(x, tuple)])


def ask(cifc, folder, arguments, model):
    file, verdicts = os.path.join(folder, "model.ioc"), os.path.join(folder, "verdicts.json")
    with open(file, "w") as out:
        out.write(model)
    p = subprocess.run([cifc, *arguments, "--timeout=20", "--max-states=20000", f"--verdicts={verdicts}", file,
                        "-o", "/dev/null"], capture_output=True, text=True)
    if p.returncode not in (0, 1, 3):
        sys.exit(f"{model}\n{p.stderr}")
    answers = {}
    for line in open(verdicts):
        fact = json.loads(line)
        about = (fact["property"], fact["subject"].split("'")[0], fact.get("parameters", {}).get("network", ""))
        if answers.get(about, ("holds",))[0] == "holds":
            answers[about] = (fact["verdict"], fact["method"])
    return answers, p.stdout + p.stderr


def compare(cifc, folder, guarded, plain, questions, stats):
    for question, written in questions:
        mine, said = ask(cifc, folder, question, guarded)
        theirs, _ = ask(cifc, folder, written, plain)
        for about in mine.keys() & theirs.keys():
            verdict, method = mine[about]
            if about[0] in COPIED or "inconclusive" in (verdict, theirs[about][0]):
                continue
            stats["verdicts"] += 1
            stats["silent"] += "=>" in guarded and "as read" not in said and "guards decide" not in method
            if verdict == "holds" and "values that no guard depends on are not compared" in said:
                continue  # written out, they are told apart
            if verdict != theirs[about][0]:
                stats["different"] += 1
                print(f"{question} {about}: {verdict}, written out {theirs[about][0]}:\n{guarded}\n{plain[:2000]}")


def properties(term_messages, plain, r):
    a, b = r.choice(term_messages), r.choice(term_messages)
    for pattern in ("never {0}", "eventually {0}", "{0} only after {1}", "every {0} is answered by {1}"):
        written = [" or ".join(sorted(set(re.findall(rf"\b{m}(?:_\w+)?\b", plain)))) or "nothing" for m in (a, b)]
        yield [f"--check-property={pattern.format(a, b)}"], [f"--check-property={pattern.format(*written)}"]


def conformance(folder, term, plain, roles):
    """The same processes against the choreography, of which both sides show names alone."""
    files = [os.path.join(folder, f"{n}.ioc") for n in ("guarded", "plain")]
    for file, model in zip(files, (text(term), re.sub(r"\b(m\d)_\w+", r"\1", plain))):
        with open(file, "w") as out:
            out.write(f"choreography C {{ {model} }}\n")
    written = sorted(set(re.findall(r"\bm\d_\w+", roles)))
    names = [f"--map={','.join(f'{n}={n[:2]}' for n in written)}"] if written else []
    return ([f"--check-conforms={files[0]}", "--relation=tbc"],
            [f"--check-conforms={files[1]}", "--relation=tbc", *names])


def main():
    cifc, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    stats = {"models": 0, "verdicts": 0, "different": 0, "silent": 0}
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    while stats["models"] < count:
        seed += 1
        g = Generator(seed)
        first, scope = g.exchange({})
        body, _ = g.term(g.random.randint(2, 6), scope)
        term = (";", first, body)
        forgets = lambda: seed % 2 and g.random.random() < 0.1
        roles = [(p, process(term, p, frozenset(), forgets)[0]) for p in ROLES]
        roles = [(p, t) for p, t in roles if t != DONE]
        try:
            global_plain = text(unfold(term, {}, lambda _: DONE, [3000]))
            bodies = [(p, unfold(t, {}, lambda _: DONE, [3000])) for p, t in roles]
        except TooLarge:
            continue
        if "=>" not in text(term) or len(global_plain) > 8000:
            continue
        plain = f"choreography C {{ {global_plain} }}\n"
        stats["models"] += 1
        both = lambda *arguments: (list(arguments), list(arguments))
        names = sorted(set(re.findall(r"\bm\d\b", text(term))))
        questions = [both(f"--check-{p}") for p in ("realizable", "synchronizable", "implementable", "health")]
        questions += [both("--check-realizable", "--network=fifo-pair"), both("--check-implementable", "--network=bag")]
        compare(cifc, folder, f"choreography C {{ {text(term)} }}\n", plain,
                questions + list(properties(names, plain, g.random)), stats)
        system = lambda parts: "system S {\n" + "".join(f"  role {p} {{ {text(t)} }}\n" for p, t in parts) + "}\n"
        plain = system(bodies)
        partners = set(re.findall(r"\b([abc])[!?]", "".join(text(t) for _, t in roles)))
        if not partners <= {p for p, _ in roles}:
            continue  # somebody forgot all that it does
        networks = (g.random.choice(NETWORKS), "sync")[:1 + seed % 2]
        questions = [both(*SOUNDNESS, f"--network={n}") for n in networks]
        mentioned = [set(re.findall(r"\bm\d", t)) for t in (text(term), global_plain)]
        if mentioned[0] == mentioned[1]:  # or other exchanges would be hidden
            questions.append(conformance(folder, term, global_plain, plain))
        if not seed % 8:  # the same, and searches for repairs
            questions.append(both("--check"))
        compare(cifc, folder, system(roles), plain, questions + list(properties(names, plain, g.random)), stats)
    print("{models} models, {verdicts} verdicts, {different} different, {silent} without a word of guards".format(**stats))


if __name__ == "__main__":
    main()
