"""`--amend` for data against all smaller changes: choreographies in which somebody
decides by data that it may not know. What comes out is realizable for the solver
and with the values 0 to 3 written out, and no single added field or message is
enough where it needs more.

    amend-data.py CIFC DIR COUNT [FIRST]
"""
import itertools
import os
import random
import re
import subprocess
import sys

ROLES = "abc"


class Model:
    """Exchanges `(sender, receiver, message, binds, carries)`, and a choice by data after them."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names = (f"m{i}" for i in itertools.count())
        self.before = [self.exchange(v) for v in "xy"[: self.r.choice([1, 1, 2])]]
        self.before += [self.exchange(None) for _ in range(self.r.randint(0, 2))]
        bound = [e[3] for e in self.before if e[3]]
        variable, decider = self.r.choice(bound), self.r.choice(ROLES)
        number = self.r.randint(1, 3)
        compared = f"{variable} < {number}"
        if len(bound) > 1 and self.r.random() < 0.3:
            compared = "x < y"
        self.guards = [compared, f"!({compared})"]
        self.branches = []
        for _ in range(2):
            first = (decider, self.r.choice([p for p in ROLES if p != decider]), next(self.names), None, ())
            self.branches.append([first] + [self.exchange(None) for _ in range(self.r.randint(0, 1))])

    def exchange(self, binds):
        sender, receiver = self.r.sample(ROLES, 2)
        return (sender, receiver, next(self.names), binds, ())

    def parts(self):
        return [self.before, *self.branches]

    def text(self):
        before, *branches = [" ; ".join(map(exchange_text, part)) for part in self.parts()]
        choice = " + ".join(f"[{g}] => {b}" for g, b in zip(self.guards, branches))
        return f"choreography C {{\n  {before} ;\n  ( {choice} )\n}}\n"

    def smaller(self, messages):
        """With one field or (with `messages`) one message more, whoever knows the data and wherever it is."""
        for p, part in enumerate(self.parts()):
            for i in range(len(part) + 1):
                scope = [e[3] for e in (self.before if p else part[:i]) if e[3]]
                if i < len(part) and not part[i][3]:
                    for v in scope:
                        yield self.with_part(p, part[:i] + [part[i][:4] + ((v,),)] + part[i + 1:])
                for sender, receiver in itertools.permutations(ROLES, 2) if messages else ():
                    for count in range(len(scope) + 1):
                        for carries in itertools.combinations(scope, count):
                            new = (sender, receiver, "new", None, carries)
                            yield self.with_part(p, part[:i] + [new] + part[i:])

    def with_part(self, p, part):
        saved, parts = (self.before, self.branches), self.parts()
        parts[p] = part
        self.before, *self.branches = parts
        text = self.text()
        self.before, self.branches = saved
        return text


def exchange_text(e):
    payload = f"({e[3]}: int)" if e[3] else f"({', '.join(e[4])})" if e[4] else ""
    return f"{e[0]} -> {e[1]} : {e[2]}{payload}"


def written_out(text):
    """The same with 0 to 3 for each number; what the tool wrote has exchanges, sequences, choices and guards."""
    body = text[text.index("{") + 1: text.rindex("}")]
    tokens = re.findall(r"\[[^\]]*\] =>|\w+ -> \w+ : \w+(?:\([^)]*\))?|[;+()]", body)
    tokens.append("end")

    def choice():
        branches = [sequence()]
        while tokens[0] == "+":
            tokens.pop(0)
            branches.append(sequence())
        return ("+", branches) if len(branches) > 1 else branches[0]

    def sequence():
        items = []
        while True:
            token = tokens.pop(0)
            if token == "(":
                items.append(choice())
                assert tokens.pop(0) == ")"
            elif token[0] == "[":
                items.append(("guard", condition(token[1:token.rindex("]")]), sequence()))
                return ("seq", items)
            else:
                items.append(("act", token))
            if tokens[0] != ";":
                return ("seq", items)
            tokens.pop(0)

    def condition(c):
        return re.sub(r"!(?!=)", " not ", c.replace("&&", " and ").replace("||", " or "))

    def unfold(t, env, rest):
        if t[0] == "seq":
            if not t[1]:
                return rest(env)
            return unfold(t[1][0], env, lambda now: unfold(("seq", t[1][1:]), now, rest))
        if t[0] == "+":
            return "( " + " + ".join(unfold(b, env, rest) for b in t[1]) + " )"
        if t[0] == "guard":
            return unfold(t[2], env, rest) if eval(t[1], {}, env) else "0"
        head, _, payload = t[1].partition("(")
        payload = payload.rstrip(")")
        if ":" in payload:
            v = payload.split(":")[0]
            return "( " + " + ".join(f"{head}_{n} ; {rest({**env, v: n})}" for n in range(4)) + " )"
        values = "".join(f"_{env[v.strip()]}" for v in payload.split(",") if v)
        return f"{head}{values} ; {rest(env)}"

    return "choreography C { " + unfold(choice(), {}, lambda _: "1") + " }\n"


def run(cifc, folder, text, *arguments):
    file = os.path.join(folder, "model.ioc")
    with open(file, "w") as out:
        out.write(text)
    return subprocess.run([cifc, *arguments, "--timeout=20", file], capture_output=True, text=True)


def main():
    cifc, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    os.makedirs(folder, exist_ok=True)
    amended = os.path.join(folder, "amended.ioc")
    realizable = lambda text, *more: run(cifc, folder, text, "--check-realizable", *more, "-o", "/dev/null").returncode
    stats = {"models": 0, "amended": 0, "several": 0, "tried": 0, "wrong": 0, "open": 0}
    while stats["models"] < count:
        seed += 1
        model = Model(seed)
        text = model.text()
        if realizable(text) != 1:
            continue
        stats["models"] += 1
        p = run(cifc, folder, text, "--amend", "--emit=ioc", "-o", amended)
        if p.returncode != 0:  # messages alone do not help, or a limit
            stats["open"] += 1
            if p.returncode not in (1, 3):
                sys.exit(f"{text}{p.stderr}")
            continue
        stats["amended"] += 1
        said = p.stdout + p.stderr
        cost = sum(int(n) for n in re.findall(r"(\d+) (?:field|interaction)s? added", said.replace(" and ", " added ")))
        result = open(amended).read()
        checks = [realizable(result, "--relation=symbolic"), realizable(written_out(result))]
        if checks != [0, 0]:
            stats["wrong"] += 1
            print(f"seed {seed}: {checks} of what came out:\n{text}{result}{written_out(result)[:400]}")
        if cost > 1:
            stats["several"] += 1
            # Fields of messages that there are come before new messages.
            for less in model.smaller(messages="interaction" in said):
                stats["tried"] += 1
                if realizable(less) == 0:
                    stats["wrong"] += 1
                    print(f"seed {seed}: {cost} added, one is enough:\n{text}{result}{less}")
                    break
        elif cost < 1:
            stats["wrong"] += 1
            print(f"seed {seed}: not told what was added:\n{said}")
    print("{models} models, {amended} amended, {several} by several changes, {tried} smaller ones tried, {wrong} wrong, "
          "{open} not amended".format(**stats))


main()
