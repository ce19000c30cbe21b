"""Guarded processes with loops, exclusive and event-based choices, against the
same processes with their values written out: one message for each value, one
copy of a state for each valuation, and no guards. Processes are parts of a
choreography; some forget a guard or a branch.

    looped.py CIFC DIR COUNT [FIRST]
"""
import json
import os
import random
import subprocess
import sys

INTS = (-1, 0, 1, 2, 3)
VALUES = {"int": INTS, "bool": (False, True), "string": ("gold", "tin", "else")}
JOINS = {"and": "&&", "or": "||", "imp": "=>"}
NAMES = {"int": "xy", "bool": "pq", "string": "st"}


class TooLarge(Exception):
    pass


def holds(c, env):
    k = c[0]
    if k == "and":
        return holds(c[1], env) and holds(c[2], env)
    if k == "or":
        return holds(c[1], env) or holds(c[2], env)
    if k == "imp":
        return not holds(c[1], env) or holds(c[2], env)
    if k == "not":
        return not holds(c[1], env)
    if k == "var":
        return env[c[1]]
    if k == "true":
        return True
    l, r = value(c[2], env), value(c[3], env)
    return {"<": lambda: l < r, "<=": lambda: l <= r, ">": lambda: l > r, ">=": lambda: l >= r,
            "==": lambda: l == r, "!=": lambda: l != r}[c[1]]()


def value(e, env):
    if isinstance(e, tuple):
        if e[0] == "v":
            return env[e[1]]
        if e[0] == "*":
            return e[1] * value(e[2], env)
        if e[0] == "+":
            return value(e[1], env) + value(e[2], env)
        if e[0] == "neg":
            return -value(e[1], env)
    return e


def evars(e):
    if isinstance(e, tuple):
        if e[0] in ("v", "var"):
            return {e[1]}
        return set().union(*[evars(x) for x in e[1:]]) if len(e) > 1 else set()
    return set()


def sort_of(v):
    return next(s for s in NAMES if v[0] in NAMES[s])


def ctext(c):
    k = c[0]
    if k in JOINS:
        return f"({ctext(c[1])} {JOINS[k]} {ctext(c[2])})"
    if k == "not":
        return f"!({ctext(c[1])})"
    if k == "var":
        return f"{c[1]}:bool"
    if k == "true":
        return "true"
    return f"{etext(c[2])} {c[1]} {etext(c[3])}"


def etext(e):
    if isinstance(e, tuple):
        if e[0] == "v":
            return f"{e[1]}:{sort_of(e[1])}"
        if e[0] == "*":
            return f"({e[1]} * {etext(e[2])})"
        if e[0] == "+":
            return f"({etext(e[1])} + {etext(e[2])})"
        if e[0] == "neg":
            return f"(-{etext(e[1])})"
    if isinstance(e, str):
        return f"'{e}'"
    return str(e) if e >= 0 else f"(-{-e})"


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.roles = "abc"[: self.r.choice([2, 2, 3])]
        sorts = ["", "", "int", "int", "bool", "string"]
        self.messages = [(*self.r.sample(self.roles, 2), f"m{i}", self.r.choice(sorts)) for i in range(5)]

    def condition(self, known, depth=0):
        r = self.r
        if depth < 2 and r.random() < 0.2:
            return (r.choice(["and", "or", "imp"]), self.condition(known, depth + 1), self.condition(known, depth + 1))
        if r.random() < 0.12:
            return ("not", self.condition(known, depth + 1))
        if not known or r.random() < 0.03:
            return ("true",) if r.random() < 0.5 else ("cmp", "<", 1, 0)
        v = r.choice(sorted(known))
        s = sort_of(v)
        if s == "bool":
            return ("var", v)
        if s == "string":
            return ("cmp", r.choice(["==", "!="]), ("v", v), r.choice(["gold", "tin"]))
        e, k = ("v", v), r.randint(0, 2)
        op = r.choice(["<", "<=", ">", ">=", "==", "!="])
        if r.random() < 0.15:
            e, k = ("*", 2, e), r.randint(-1, 5)
        elif r.random() < 0.1:
            e, k = ("neg", e), -k
        elif r.random() < 0.1:
            e, k = ("+", e, 1), k + 1
        return ("cmp", op, e, k) if r.random() < 0.8 else ("cmp", op, k, e)

    def choreography(self):
        """States of one sequential graph."""
        r = self.r
        n = r.randint(3, 6)
        states = [{"kind": r.choice(["event", "event", "choice"]), "out": []} for _ in range(n)]
        states.append({"kind": "final", "out": []})
        if r.random() < 0.1:
            states.append({"kind": "stuck", "out": []})
        for i, s in enumerate(states[:n]):
            for _ in range(r.choice([1, 1, 2, 2, 3])):
                t = i + 1 if not s["out"] else r.randint(max(0, i - 2), len(states) - 1)
                m = r.choice(self.messages)
                s["out"].append({"guard": None, "default": False, "to": t, "act": ("act", m)})
        known = self.must(states)
        for i, s in enumerate(states[:n]):
            for o in s["out"]:
                m = o["act"][1]
                if not m[3]:
                    o["pay"] = None
                    continue
                same = [v for v in known[i] if sort_of(v) == m[3]]
                if same and r.random() < 0.25:
                    o["pay"] = ("send", ("v", r.choice(sorted(same))))
                elif m[3] != "bool" and r.random() < 0.08:
                    o["pay"] = ("send", r.choice(VALUES[m[3]]))
                else:
                    o["pay"] = ("bind", r.choice(NAMES[m[3]]))
        known = self.must(states)
        for i, s in enumerate(states[:n]):
            for o in s["out"]:
                if o["pay"] and o["pay"][0] == "send" and not evars(o["pay"][1]) <= known[i]:
                    o["pay"] = ("bind", r.choice(NAMES[o["act"][1][3]]))
        known = self.must(states)
        for i, s in enumerate(states[:n]):
            if len(s["out"]) < 2 and r.random() < 0.7:
                continue
            if r.random() < 0.15:
                continue
            last = None
            for o in s["out"]:
                u = r.random()
                if known[i] and u < 0.8:
                    o["guard"] = ("not", last) if last and r.random() < 0.6 else self.condition(known[i])
                    last = o["guard"]
            if s["kind"] == "choice" and len(s["out"]) > 1 and any(o["guard"] for o in s["out"]) and r.random() < 0.4:
                s["out"][-1]["guard"] = None
                s["out"][-1]["default"] = True
        return states

    @staticmethod
    def must(states):
        every = set().union(*NAMES.values())
        known = [set(every) for _ in states]
        known[0] = set()
        changed = True
        while changed:
            changed = False
            for i, s in enumerate(states):
                for o in s["out"]:
                    b = {o["pay"][1]} if o.get("pay") and o["pay"][0] == "bind" else set()
                    new = known[o["to"]] & (known[i] | b)
                    if new != known[o["to"]]:
                        known[o["to"]] = new
                        changed = True
        return known

    def role(self, states, p, forgets):
        """The part of a participant."""
        r = self.r
        mine = []
        for s in states:
            t = {"kind": s["kind"], "out": []}
            for o in s["out"]:
                m, pay = o["act"][1], o["pay"]
                if p not in m[:2]:
                    t["out"].append({**o, "act": None, "pay": None})
                    continue
                d = "!" if p == m[0] else "?"
                if pay and pay[0] == "send" and d == "?":
                    pay = ("bind", r.choice(NAMES[m[3]]))
                t["out"].append({**o, "act": (d, m), "pay": pay})
            mine.append(t)
        known = self.must(mine)
        for i, s in enumerate(mine):
            for o in s["out"]:
                if o["pay"] and o["pay"][0] == "send" and not evars(o["pay"][1]) <= known[i]:
                    o["pay"] = ("bind", r.choice(NAMES[o["act"][1][3]]))
        known = self.must(mine)
        for i, s in enumerate(mine):
            for o in s["out"]:
                if o["guard"] and (not evars(o["guard"]) <= known[i] or forgets()):
                    o["guard"] = None
                if s["kind"] == "choice" and o["act"] and o["act"][0] == "?" and r.random() < 0.8:
                    s["kind"] = "event"
            if s["kind"] == "event":
                for o in s["out"]:
                    o["default"] = False
            elif sum(o["default"] for o in s["out"]) and not any(o["guard"] for o in s["out"]):
                for o in s["out"]:
                    o["default"] = False
            if len(s["out"]) > 1 and forgets():
                s["out"].pop()
            s["out"] = [o for k, o in enumerate(s["out"]) if o not in s["out"][:k]]
        return mine

    @staticmethod
    def silent_cycle(states):
        color = {}
        def go(i):
            color[i] = 1
            for o in states[i]["out"]:
                if o["act"] is None:
                    if color.get(o["to"]) == 1:
                        return True
                    if o["to"] not in color and go(o["to"]):
                        return True
            color[i] = 2
            return False
        return any(go(i) for i in range(len(states)) if i not in color)


def live(states):
    """Variables that matter at each state."""
    need = [set() for _ in states]
    changed = True
    while changed:
        changed = False
        for i, s in enumerate(states):
            n = set(need[i])
            for o in s["out"]:
                n |= evars(o["guard"]) if o["guard"] else set()
                after = set(need[o["to"]])
                if o["pay"] and o["pay"][0] == "bind":
                    after -= {o["pay"][1]}
                elif o["pay"]:
                    n |= evars(o["pay"][1])
                n |= after
            if n != need[i]:
                need[i] = n
                changed = True
    return need


KIND = {"act": "interaction", "!": "send", "?": "receive"}


class Writer:
    def __init__(self):
        self.nodes, self.flows = [], []

    def node(self, text):
        self.nodes.append(text)
        return f"n{len(self.nodes) - 1}"

    def flow(self, a, b, guard=None, default=False):
        self.flows.append(f"  {a} -> {b}" + (f" [{guard}]" if guard else "") + (" default" if default else ""))

    def body(self):
        return "".join(f"  n{i} {t}\n" for i, t in enumerate(self.nodes)) + "".join(f + "\n" for f in self.flows)


def guarded(states):
    w = Writer()
    start = w.node("initial")
    heads, cores = [], []
    for s in states:
        if s["kind"] in ("final", "stuck"):
            h, c = w.node("simple-join"), w.node(s["kind"])
        else:
            h, c = w.node("simple-join"), w.node("event-choice" if s["kind"] == "event" else "choice")
        w.flow(h, c)
        heads.append(h)
        cores.append(c)
    w.flow(start, heads[0])
    for s, c in zip(states, cores):
        for o in s["out"]:
            g = ctext(o["guard"]) if o["guard"] else None
            if o["act"] is None:
                w.flow(c, heads[o["to"]], g, o["default"])
                continue
            d, m = o["act"]
            pay = o["pay"]
            arg = "" if not pay else f"({pay[1]}:{m[3]}) binds" if pay[0] == "bind" else f"({etext(pay[1])})"
            n = w.node(f"{KIND[d]} {m[0]} -> {m[1]} : {m[2]}{arg}")
            w.flow(c, n, g, o["default"])
            w.flow(n, heads[o["to"]])
    return w.body()


def mname(name, v):
    return f"{name}_{v}".replace("-", "n").replace(".", "")


def written(states, used, budget=3000, values=VALUES):
    w = Writer()
    need = live(states)
    start = w.node("initial")
    where, work = {}, []

    def place(i, env):
        key = (i, tuple(sorted((k, v) for k, v in env.items() if k in need[i])))
        if key not in where:
            if len(where) > budget:
                raise TooLarge
            where[key] = w.node("simple-join")
            work.append((key, where[key]))
        return where[key]

    w.flow(start, place(0, {}))
    while work:
        (i, env), head = work.pop()
        env, s = dict(env), states[i]
        if s["kind"] in ("final", "stuck"):
            w.flow(head, w.node(s["kind"]))
            continue
        guards = [o for o in s["out"] if not o["default"] and (o["guard"] is None or holds(o["guard"], env))]
        if not guards:
            guards = [o for o in s["out"] if o["default"]]
        if not guards:
            w.flow(head, w.node("stuck"))
            continue
        c = w.node("event-choice" if s["kind"] == "event" else "choice")
        w.flow(head, c)
        for o in guards:
            if o["act"] is None:
                w.flow(c, place(o["to"], env))
                continue
            d, m = o["act"]
            pay = o["pay"]
            vs = [None] if not pay else values[m[3]] if pay[0] == "bind" else [value(pay[1], env)]
            vs = [v for v in vs if v is None or v in values[m[3]]]
            at = c
            if s["kind"] == "choice":
                at = w.node("event-choice") if vs else w.node("stuck")
                w.flow(c, at)
            for v in vs:
                n = m[2] if v is None else mname(m[2], v)
                used.add((m[0], m[1], n))
                x = w.node(f"{KIND[d]} {m[0]} -> {m[1]} : {n}")
                w.flow(at, x)
                w.flow(x, place(o["to"], {**env, pay[1]: v} if pay and pay[0] == "bind" else env))
    return w.body()


def module(bodies, messages, roles):
    text = "cif 1.2\n" + "".join(f"participant {p}\n" for p in roles)
    for m in messages:
        text += f"message {m[0]} -> {m[1]} : {m[2]}" + (f" (f: {m[3]})" if len(m) > 3 and m[3] else "") + "\n"
    for name, body in bodies:
        text += f"\nprocess {name} : {name} {{\n{body}}}\n"
    return text

CHECKS = """deadlock-free livelock-free option-to-complete proper-completion no-undelivered-message sound
    message-relaxed-sound safe bounded health synchronizable""".split()
NETWORKS = ["bag", "fifo-pair", "causal", "inbox", "outbox", "fifo-all"]


def ask(cifc, folder, network, model):
    file, verdicts = os.path.join(folder, "model.cift"), os.path.join(folder, "verdicts.json")
    with open(file, "w") as out:
        out.write(model)
    p = subprocess.run([cifc, *[f"--check-{c}" for c in CHECKS], f"--network={network}", "--max-states=3000",
                        "--timeout=3", f"--verdicts={verdicts}", file, "-o", "/dev/null"], capture_output=True, text=True)
    if p.returncode not in (0, 1, 3):
        sys.exit(f"{model}\n{p.stderr}")
    answers = {}
    for line in open(verdicts):
        fact = json.loads(line)
        about = (fact["property"], fact["subject"])
        if answers.get(about, "holds") == "holds":
            answers[about] = fact["verdict"]
    return answers


def main():
    cifc, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    os.makedirs(folder, exist_ok=True)
    stats = {"models": 0, "verdicts": 0, "different": 0, "open": 0}
    while stats["models"] < count:
        seed += 1
        g = Generator(seed)
        whole = g.choreography()
        forgets = (lambda: g.r.random() < 0.07) if seed % 2 else (lambda: False)
        parts = [(p, g.role(whole, p, forgets)) for p in g.roles]
        guards = [o["guard"] for _, s in parts for t in s for o in t["out"]]
        if any(g.silent_cycle(s) for _, s in parts) or not any(guards):
            continue
        used = set()
        try:
            plain = [(p, written(s, used)) for p, s in parts]
        except TooLarge:
            continue
        plain = module(plain, sorted(used), g.roles)
        network = g.r.choice(NETWORKS)
        if len(plain) > 60000:
            continue
        stats["models"] += 1
        guards = module([(p, guarded(s)) for p, s in parts], g.messages, g.roles)
        for n in (network, "rsc"):
            mine, theirs = ask(cifc, folder, n, guards), ask(cifc, folder, n, plain)
            for about in sorted(mine.keys() & theirs.keys()):
                if "inconclusive" in (mine[about], theirs[about]):
                    stats["open"] += 1
                    continue
                stats["verdicts"] += 1
                if mine[about] != theirs[about]:
                    stats["different"] += 1
                    print(f"seed {seed}, {n}, {about}: {mine[about]}, written out {theirs[about]}:\n{guards}")
    print("{models} models, {verdicts} verdicts, {different} different, {open} open".format(**stats))


main()
