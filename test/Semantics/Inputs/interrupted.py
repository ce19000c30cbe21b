"""Guarded terms with interruption, loops and variables that are bound again, and
guarded protocols, against the same with their values written out by the rules of
[symbolic, Fig. 2]: one message for each value, and no guards. With the solver,
each term also against one that is written otherwise or has another guard.

    interrupted.py CIFC DIR COUNT FIRST [symbolic]
"""
import json
import os
import random
import subprocess
import sys

SORTS = {"x": "int", "y": "int", "e": "Colour", "f": "bool", "s": "string"}
VALUES = {"int": (0, 1, 2, 3), "bool": (False, True), "Colour": ("red", "green", "blue"), "string": ("a", "b", "other")}
COMPARE = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
           ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b}
DONE = ("1",)
PATTERNS = ["never {0}", "eventually {0}", "{0} only after {1}", "every {0} is answered by {1}", "no {0} after {1}",
            "{0} at most once", "G !stuck"]


class TooLarge(Exception):
    pass


class Model:
    """Terms are tuples: `("act", sender, receiver, message, bound variable, sent variable)`, `("[]", condition, term)`,
    `("while", condition, term)`, and `;`, `+`, `||`, `[>` with two operands."""

    def __init__(self, seed, is_protocol):
        self.random = random.Random(seed)
        self.roles = "abc"[: self.random.choice([2, 3])]
        sorts = sorted(set(SORTS) - {"e"} if is_protocol else SORTS)  # a protocol has no enumerations
        self.variables = self.random.sample(sorts, self.random.choice([1, 1, 2]))
        self.count, self.binds = 0, 2
        self.term = self.protocol() if is_protocol else self.make(self.random.choice([2, 3]))
        for v in () if is_protocol else self.variables:
            self.term = (";", self.act(v), self.term)

    def protocol(self):
        """`("at", state, transitions, final states)`: all variables are bound first, then states have two ways."""
        r, bound = self.random, len(self.variables)
        last = bound + r.choice([2, 3])
        ways = [(i, i + 1, None, self.act(v)) for i, v in enumerate(self.variables)]
        for i in range(bound, last):
            c = self.condition()
            for guard in [c, r.choice([("!", c), ("!", c), None])]:
                to = r.randint(bound, i) if r.random() < 0.15 else r.randint(i + 1, last)
                ways.append((i, to, guard, self.make(0)))
        return ("at", 0, tuple(ways), (last, r.randint(bound, last)))

    def act(self, binds=None, sends=None):
        self.count += 1
        return ("act", *self.random.sample(self.roles, 2), f"m{self.count}", binds, sends)

    def make(self, depth):
        r = self.random
        kind = r.choice(["act", ";", ";", "choice", "choice", "+", "[]", "[>", "[>", "||", "while"]) if depth else "act"
        if kind == "act":
            self.binds -= 1
            return self.act(*r.choice([(None, None), (None, r.choice(self.variables)),
                                       (r.choice(self.variables) if self.binds > 0 else None, None)]))
        c = self.condition()
        if kind == "choice":
            return ("+", ("[]", c, self.make(depth - 1)), ("[]", ("!", c), self.make(depth - 1)))
        if kind == "[]":
            return ("[]", c, self.make(depth - 1))
        if kind == "while":
            v = r.choice(self.variables)
            return ("while", self.condition(v), self.act(v))
        right = self.make(depth - 1)
        return (kind, self.make(depth - 1), ("[]", c, right) if kind == "[>" and r.random() < 0.7 else right)

    def condition(self, v=None):
        r = self.random
        if not v and r.random() < 0.2:
            return (r.choice(["&&", "||"]), self.condition(), self.condition())
        v = v or r.choice(self.variables)
        if SORTS[v] == "bool":
            return ("is", v)
        if SORTS[v] == "int":
            return (r.choice(list(COMPARE)), v, r.choice([1, 2]))
        return (r.choice(["==", "!="]), v, r.choice(VALUES[SORTS[v]][:2]))

    def otherwise(self, term, changes):
        """The same in other words; with `changes`, one guard is another."""
        r, left = self.random, [self.random.randint(1, 2) if changes else 0]

        def condition(c):
            left[0] -= 1
            if left[0] == 0:
                return ("!", c)
            return ("<=", c[1], c[2] - 1) if c[0] == "<" else ("!", ("!=", *c[1:])) if c[0] == "==" else c

        def change(t):
            if t[0] in ("[]", "while"):
                t = (t[0], condition(t[1]), change(t[2]))
                if t[0] == "while" and r.random() < 0.4:  # a round written out
                    return ("+", ("[]", t[1], (";", t[2], t)), ("[]", ("!", t[1]), DONE))
                return t
            if t[0] in (";", "+", "||", "[>"):
                parts = change(t[1]), change(t[2])
                return (t[0], *(parts[::-1] if t[0] in ("+", "||") and r.random() < 0.5 else parts))
            return t

        return change(term)


def condition_text(c):
    if c[0] in ("&&", "||"):
        return f"({condition_text(c[1])}) {c[0]} ({condition_text(c[2])})"
    if c[0] == "!":
        return f"!({condition_text(c[1])})"
    if c[0] == "is":
        return c[1]
    return f"{c[1]} {c[0]} " + (f'"{c[2]}"' if SORTS[c[1]] == "string" else str(c[2]))


def term_text(t):
    if t == DONE:
        return "1"
    if t[0] == "act":
        payload = f"({t[4]}: {SORTS[t[4]]})" if t[4] else f"({t[5]})" if t[5] else ""
        return f"{t[1]} -> {t[2]} : {t[3]}{payload}"
    if t[0] == "[]":
        return f"( [{condition_text(t[1])}] => {term_text(t[2])} )"
    if t[0] == "while":
        return f"while [{condition_text(t[1])}] {{ {term_text(t[2])} }}"
    return f"( {term_text(t[1])} {t[0]} {term_text(t[2])} )"


def holds(c, env):
    if c[0] in ("&&", "||"):
        return (all if c[0] == "&&" else any)(holds(each, env) for each in c[1:])
    if c[0] == "!":
        return not holds(c[1], env)
    return env[c[1]] if c[0] == "is" else COMPARE[c[0]](env[c[1]], c[2])


def is_done(t, env):
    if t[0] in (";", "||"):
        return is_done(t[1], env) and is_done(t[2], env)
    if t[0] in ("+", "[>"):
        return is_done(t[1], env) or is_done(t[2], env)
    if t[0] == "[]":
        return holds(t[1], env) and is_done(t[2], env)
    if t[0] == "at":
        return t[1] in t[3]
    return t == DONE or (t[0] == "while" and not holds(t[1], env))


def then(operator, a, b):
    return b if a == DONE else a if b == DONE and operator == "||" else (operator, a, b)


def steps(t, env):
    """`(exchange with its value, what is left, values of variables)`."""
    if t[0] == "act":
        for v in VALUES[SORTS[t[4]]] if t[4] else [env[t[5]] if t[5] else None]:
            value = "" if v is None else f"_{v}"
            yield f"{t[1]} -> {t[2]} : {t[3]}{value}", DONE, {**env, t[4]: v} if t[4] else env
    elif t[0] == "[]" or t[0] == "while":
        if holds(t[1], env):
            for label, rest, now in steps(t[2], env):
                yield label, rest if t[0] == "[]" else then(";", rest, t), now
    elif t[0] == "at":
        for _, to, guard, act in (way for way in t[2] if way[0] == t[1]):
            for label, _, now in steps(act, env) if not guard or holds(guard, env) else ():
                yield label, ("at", to, *t[2:]), now
    elif t[0] == "+":
        yield from steps(t[1], env)
        yield from steps(t[2], env)
    elif t != DONE:
        for label, rest, now in steps(t[1], env):
            yield label, (t[0], rest, t[2]) if t[0] == "[>" else then(t[0], rest, t[2]), now
        for label, rest, now in steps(t[2], env) if t[0] != ";" or is_done(t[1], env) else ():
            yield label, then("||", t[1], rest) if t[0] == "||" else rest, now


class WrittenOut:
    def __init__(self, term):
        self.numbers = {(term, ()): 0}
        self.transitions, self.finals = [], set()
        work = [(term, ())]
        while work:
            state = work.pop()
            env = dict(state[1])
            if is_done(state[0], env):
                self.finals.add(self.numbers[state])
            for label, rest, now in steps(state[0], env):
                to = (rest, tuple(sorted(now.items())))
                if to not in self.numbers:
                    self.numbers[to] = len(self.numbers)
                    work.append(to)
                self.transitions.append((self.numbers[state], label, self.numbers[to]))
            if len(self.numbers) > 1500:
                raise TooLarge

    def text(self):
        final = "  final " + ", ".join(f"s{s}" for s in sorted(self.finals)) if self.finals else ""
        return "\n".join([f"protocol C {{\n  initial s0{final}"] +
                         [f"  s{a} -> s{b} : {label}" for a, label, b in sorted(set(self.transitions))] + ["}\n"])

    def names(self, message):
        """In a property: the message with each of its values."""
        labels = {label.split(" : ")[1] for _, label, _ in self.transitions}
        return " or ".join(sorted(name for name in labels if name.split("_")[0] == message)) or "none"

    def next(self, state):
        return {label: to for at, label, to in self.transitions if at == state}

    def does_as(self, other):
        """Messages differ, so that both sides are deterministic."""
        seen, work = {(0, 0)}, [(0, 0)]
        while work:
            a, b = work.pop()
            after, as_after = self.next(a), other.next(b)
            if (a in self.finals) != (b in other.finals) or after.keys() != as_after.keys():
                return False
            for pair in ((after[label], as_after[label]) for label in after):
                if pair not in seen:
                    seen.add(pair)
                    work.append(pair)
        return True


def main():
    cifc, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    symbolic = "symbolic" in sys.argv
    os.makedirs(folder, exist_ok=True)

    def status(text, extension, *arguments):
        file = os.path.join(folder, "model." + extension)
        with open(file, "w") as out:
            out.write(text)
        p = subprocess.run([cifc, *arguments, "--timeout=60", f"--verdicts={folder}/verdicts", file, "-o", "/dev/null"],
                           capture_output=True, text=True)
        if p.returncode == 2:
            sys.exit(f"seed {seed}: {text}{p.stderr}")
        if any("free" in a for line in open(f"{folder}/verdicts") for a in json.loads(line).get("abstractions", [])):
            sys.exit(f"seed {seed}: guards are free\n{text}")
        return p.returncode

    def choreography(term):
        if term[0] == "at":
            ways = [f"s{a} -> s{b} : " + (f"[{condition_text(c)}] => " if c else "") + term_text(act)
                    for a, b, c, act in term[2]]
            final = ", ".join(f"s{s}" for s in sorted(set(term[3])))
            return "\n  ".join([f"protocol C {{\n  initial s0  final {final}", *ways]) + "\n}\n"
        return f"enum Colour {{ red, green, blue }}\nchoreography C {{ {term_text(term)} }}\n"

    models, answers, different = 0, {0: 0, 1: 0, 3: 0}, 0
    while models < count:
        seed += 1
        model = Model(seed, is_protocol=not symbolic and seed % 2)
        try:
            plain = WrittenOut(model.term)
            other = model.otherwise(model.term, changes=model.random.random() < 0.6)
            plain_other = WrittenOut(other)
        except TooLarge:
            continue
        models += 1
        if symbolic:
            spec = os.path.join(folder, "spec.ioc")
            with open(spec, "w") as out:
                out.write(choreography(model.term))
            arguments = "--check-conforms=" + spec, "--relation=symbolic", "--integers=0..3"
            got = status(choreography(other), "ioc", *arguments)
            pairs = [(got, 0 if plain.does_as(plain_other) else 1)]
        else:
            messages = [f"m{model.random.randint(1, model.count)}" for _ in range(2)]
            pattern = model.random.choice(PATTERNS)
            asked = [("--check-realizable",) * 2, ("--check-implementable",) * 2,
                     ("--check-property=" + pattern.format(*messages),
                      "--check-property=" + pattern.format(*map(plain.names, messages)))]
            extension = "cp" if model.term[0] == "at" else "ioc"
            pairs = [(status(choreography(model.term), extension, a), status(plain.text(), "cp", b)) for a, b in asked]
        for got, expected in pairs:
            answers[got] += 1
            if got != expected:
                different += 1
                print(f"seed {seed}: {got}, not {expected}: {choreography(model.term)}{choreography(other)}")
    print(f"{models} models: {answers[0]} hold, {answers[1]} are violated, {answers[3]} are open, "
          f"{different} different")


main()
