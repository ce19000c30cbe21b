"""Collaborations whose gateways have conditions, in the notations of BPMN tools,
against an interpreter that knows nothing but values: a sender picks one of a few,
and every state holds what each process knows.

    guarded.py CIFC DIR COUNT [FIRST]
"""
import itertools
import json
import os
import random
import subprocess
import sys
from xml.sax.saxutils import escape

VALUES = {"int": (0, 1, 2, 3), "string": ("a", "b", "other"), "bool": (False, True),
          "red|green|blue": ("red", "green", "blue")}
COMPARE = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
           ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b}
MIRROR = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
CHECKS = ["deadlock-free", "option-to-complete", "livelock-free", "no-undelivered-message", "sound"]


class TooLarge(Exception):
    pass


class Model:
    """What both processes do together: `("exchange", m)`, `(gateway, branches, conditions, default)`,
    `("loop", body, condition)`."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.notation = self.random.choice(["feel", "juel", "java"])
        self.naming = self.random.choice(["own", "own", "message.field", "shared"])
        self.messages = {}  # name: field, sort, sender
        self.loops = self.random.random() < 0.4
        self.body = self.block(self.random.choice([2, 3]), frozenset(), 2)

    def message(self):
        name = f"m{len(self.messages) + 1}"
        carrying = sum(bool(sort) for _, sort, _ in self.messages.values())
        sort = self.random.choice(["", "int", *VALUES]) if carrying < 3 else ""
        field = {"own": f"v{len(self.messages)}", "message.field": "x",
                 "shared": f"x{list(VALUES).index(sort or 'int')}"}
        self.messages[name] = (field[self.naming], sort, self.random.choice("pq"))
        return name

    def variable(self, message):
        field = self.messages[message][0]
        return f"{message}.{field}" if self.naming == "message.field" else field

    def block(self, length, known, depth):
        r, items = self.random, []
        for _ in range(length):
            if not known or not depth or r.random() < 0.5:
                m = self.message()
                items.append(("exchange", m))
                known |= {m} if self.messages[m][1] else set()
            elif self.loops and r.random() < 0.4:
                items.append(("loop", self.block(1, known, depth - 1), self.condition(known)))
            else:
                gateway = r.choice(["exclusive", "exclusive", "inclusive"])
                branches = [self.block(r.choice([0, 1, 2]), known, depth - 1) for _ in range(r.choice([2, 2, 3]))]
                conditions = [self.condition(known) for _ in branches]
                default = r.choice([None, len(branches) - 1])
                if default is not None:
                    conditions[default] = None
                elif len(branches) == 2 and r.random() < 0.7:
                    conditions[1] = ("not", conditions[0])
                items.append((gateway, branches, conditions, default))
        return items

    def condition(self, known, depth=1):
        r = self.random
        if depth and r.random() < 0.25:
            return (r.choice(["and", "or"]), self.condition(known, 0), self.condition(known, 0))
        m = r.choice(sorted(known))
        sort = self.messages[m][1]
        if sort == "bool":
            return ("is", m)
        if sort == "int":
            return ("in", m) if r.random() < 0.15 else (r.choice(list(COMPARE)), m, r.choice([1, 2]))
        return (r.choice(["==", "!="]), m, r.choice(VALUES[sort][:2]))

    def changed(self, c):
        if c[0] in ("and", "or"):
            return (c[0], self.changed(c[1]), c[2])
        return ("not", c)

    def text(self, c):
        r, feel = self.random, self.notation == "feel"
        if c[0] in ("and", "or"):
            sign = c[0] if feel else {"and": "&&", "or": "||"}[c[0]]
            return f"({self.text(c[1])}) {sign} ({self.text(c[2])})"
        if c[0] == "not":
            return f"not({self.text(c[1])})" if feel else f"!({self.text(c[1])})"
        v, equal = self.variable(c[1]), "=" if feel else "=="
        if c[0] == "is":
            return r.choice([v, f"{v} {equal} true"])
        if c[0] == "in":
            if feel:
                return v + r.choice([" in [1..2]", " between 1 and 2", " in (1, 2)", " in (0..3)", " in ]0..2]"])
            return f"{v} >= 1 && 2 >= {v}"
        sign, value = c[0], c[2]
        if isinstance(value, int):
            if sign in MIRROR and r.random() < 0.3:
                return f"{value} {MIRROR[sign]} {v}"
        elif self.notation == "java" and r.random() < 0.5:
            return ("" if sign == "==" else "!") + f'{v}.equals("{value}")'
        elif self.messages[c[1]][1] == "string" or r.random() < 0.6:
            value = f'"{value}"' if feel else f"'{value}'"
        return f"{v} {equal if sign == '==' else sign} {value}"

    def holds(self, c, known):
        if c[0] in ("and", "or"):
            return (all if c[0] == "and" else any)(self.holds(each, known) for each in c[1:])
        if c[0] == "not":
            return not self.holds(c[1], known)
        value = known[self.variable(c[1])]
        return value if c[0] == "is" else value in (1, 2) if c[0] == "in" else COMPARE[c[0]](value, c[2])


class Process:
    """The part of one pool as a graph: nodes `(kind, detail)`, flows `(source, target, condition, is default)`."""

    def __init__(self, model, name):
        self.model, self.name = model, name
        self.random = random.Random(f"{model.random.random()} {name}")
        self.nodes, self.flows = [("startEvent", None)], []
        self.flow(self.block(model.body, 0), self.node("endEvent"))
        self.outgoing = [[f for f, flow in enumerate(self.flows) if flow[0] == n] for n in range(len(self.nodes))]
        self.incoming = [[f for f, flow in enumerate(self.flows) if flow[1] == n] for n in range(len(self.nodes))]
        self.read = set()
        work = [flow[2] for flow in self.flows if flow[2]]
        while work:
            c = work.pop()
            if c[0] in ("and", "or", "not"):
                work += c[1:]
            else:
                self.read.add(c[1])
        self.read = {model.variable(m): model.messages[m][1] for m in self.read}

    def node(self, kind, detail=None):
        self.nodes.append((kind, detail))
        return len(self.nodes) - 1

    def flow(self, source, target, condition=None, is_default=False):
        self.flows.append((source, target, condition, is_default))

    def block(self, items, at):
        for item in items:
            at = self.item(item, at)
        return at

    def item(self, item, at):
        messages = self.model.messages
        if item[0] == "exchange":
            node = self.node("sendTask" if messages[item[1]][2] == self.name else "receiveTask", item[1])
            self.flow(at, node)
            return node
        if item[0] == "loop":
            join, split, after = self.node("exclusiveGateway"), self.node("exclusiveGateway"), self.node("task")
            self.flow(at, join)
            self.flow(self.block(item[1], join), split)
            self.flow(split, join, item[2])
            self.flow(split, after, None, True)
            return after
        gateway, branches, conditions, default = item
        waits = gateway == "exclusive" and all(
            b and b[0][0] == "exchange" and messages[b[0][1]][2] != self.name for b in branches)
        if waits and self.random.random() < 0.7:
            split, join = self.node("eventBasedGateway"), self.node("exclusiveGateway")
            for b in branches:
                self.flow(self.block(b, split), join)
        else:
            split, join = self.node(gateway + "Gateway"), self.node(gateway + "Gateway")
            if self.name == "q" and conditions[0] and self.random.random() < 0.3:
                conditions = [self.model.changed(conditions[0]), *conditions[1:]]
            first = len(self.nodes)
            for i, b in enumerate(branches):
                task = self.node("task")
                self.flow(split, task, conditions[i], i == default)
                self.flow(self.block(b, task), join)
            if gateway == "inclusive":  # it waits for what is between
                self.nodes[join] = (self.nodes[join][0], range(first, len(self.nodes)))
        self.flow(at, split)
        return join

    def open_ways(self, node, known):
        ways = [f for f in self.outgoing[node] if self.flows[f][2] and self.model.holds(self.flows[f][2], known)]
        return ways or [f for f in self.outgoing[node] if self.flows[f][3]]

    def steps(self, tokens, known):
        """`(tokens, what is sent, what is received)`, each message or None."""
        for flow in set(tokens):
            node = self.flows[flow][1]
            kind, detail = self.nodes[node]
            rest = list(tokens)
            rest.remove(flow)
            out = self.outgoing[node]
            if kind == "sendTask":
                yield rest + out, detail, None
            elif kind == "receiveTask":
                yield rest + out, None, detail
            elif kind == "eventBasedGateway":
                for f in out:
                    event = self.flows[f][1]
                    yield rest + self.outgoing[event], None, self.nodes[event][1]
            elif len(out) > 1:
                ways = self.open_ways(node, known)
                for taken in [[w] for w in ways] if kind == "exclusiveGateway" else [ways] if ways else []:
                    yield rest + taken, None, None
            elif kind == "inclusiveGateway":
                if not any(self.flows[t][1] in detail for t in tokens):
                    yield [t for t in tokens if self.flows[t][1] != node] + out, None, None
            else:
                yield rest + out, None, None


def explore(model, processes):
    """States, `(tokens of each process or None before it starts, what each knows, messages in transit)`, and what
    follows them."""
    unknown = [[tuple(zip(p.read, values)) for values in itertools.product(*(VALUES[s] for s in p.read.values()))]
               for p in processes]
    states = {((None, None), known, ()): None for known in itertools.product(*unknown)}
    work = list(states)
    while work:
        state = work.pop()
        states[state] = list(successors(model, processes, *state))
        for to in states[state]:
            if to not in states:
                states[to] = None
                work.append(to)
        if len(states) > 20000:
            raise TooLarge
    return states


def successors(model, processes, tokens, known, transit):
    for i, process in enumerate(processes):
        def state(now, knows, travels):
            both, all_known = list(tokens), list(known)
            both[i], all_known[i] = tuple(sorted(now)), tuple(knows.items())
            return tuple(both), tuple(all_known), travels

        if tokens[i] is None:
            yield state(process.outgoing[0], dict(known[i]), transit)
            continue
        for now, sent, received in process.steps(tokens[i], dict(known[i])):
            message = sent or received
            variable = message and model.messages[message][1] and model.variable(message)
            told = lambda v: {**dict(known[i]), variable: v} if variable in process.read else dict(known[i])
            if sent:
                if len(transit) > 3:
                    raise TooLarge
                for v in VALUES[model.messages[sent][1]] if variable else [None]:
                    yield state(now, told(v), tuple(sorted((*transit, (sent, v)), key=str)))
            elif received:
                for each in {each for each in transit if each[0] == received}:
                    left = list(transit)
                    left.remove(each)
                    yield state(now, told(each[1]), tuple(left))
            else:
                yield state(now, dict(known[i]), transit)


def properties(states):
    before = {s: [] for s in states}
    for s, next_ones in states.items():
        for to in next_ones:
            before[to].append(s)

    def can_reach(goals):
        seen, work = set(goals), list(goals)
        while work:
            for s in before[work.pop()]:
                if s not in seen:
                    seen.add(s)
                    work.append(s)
        return seen

    complete = {s for s in states if not any(s[0])}
    ends = {s for s in states if not states[s]}
    left = {s for s in complete & ends if s[2]}
    return {
        "deadlock-free": ends <= complete,
        "option-to-complete": len(can_reach(complete)) == len(states),
        "livelock-free": len(can_reach(complete | ends)) == len(states),
        # What a process that has not started will do is not asked: it depends on values that are open until then.
        "no-undelivered-message": None if not left and not ends <= complete else not left,
        "sound": len(can_reach((complete & ends) - left)) == len(states),
    }


def xml(model, processes):
    out = ['<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:cif="urn:cif:bpmn">']
    ends = {}
    for p in processes:
        for n, (kind, detail) in enumerate(p.nodes):
            if kind in ("sendTask", "receiveTask"):
                ends[detail, kind] = f"{p.name}{n}"
    for m, (field, sort, _) in model.messages.items():
        field = f'<extensionElements><cif:field name="{field}" sort="{sort}"/></extensionElements>' if sort else ""
        out.append(f'<message id="{m}" name="{m}">{field}</message>')
    out.append('<collaboration id="c">')
    out += [f'<participant id="pool{p.name}" name="{p.name}" processRef="process{p.name}"/>' for p in processes]
    out += [f'<messageFlow id="f{m}" sourceRef="{ends[m, "sendTask"]}" targetRef="{ends[m, "receiveTask"]}" '
            f'messageRef="{m}"/>' for m in model.messages]
    out.append("</collaboration>")
    frame = {"feel": "={}", "juel": "${{{}}}", "java": "{}"}[model.notation]
    for p in processes:
        out.append(f'<process id="process{p.name}">')
        for n, (kind, _) in enumerate(p.nodes):
            default = "".join(f' default="{p.name}f{f}"' for f in p.outgoing[n] if p.flows[f][3])
            out.append(f'<{kind} id="{p.name}{n}"{default}/>')
        for f, (source, target, condition, _) in enumerate(p.flows):
            condition = condition and escape(frame.format(model.text(condition)))
            body = f"<conditionExpression>{condition}</conditionExpression>" if condition else ""
            out.append(f'<sequenceFlow id="{p.name}f{f}" sourceRef="{p.name}{source}" '
                       f'targetRef="{p.name}{target}">{body}</sequenceFlow>')
        out.append("</process>")
    return "\n".join(out + ["</definitions>\n"])


def main():
    cifc, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    os.makedirs(folder, exist_ok=True)
    file, verdicts = os.path.join(folder, "model.bpmn"), os.path.join(folder, "verdicts")
    models = holds = violated = different = 0
    while models < count:
        seed += 1
        model = Model(seed)
        processes = [Process(model, name) for name in "pq"]
        try:
            expected = properties(explore(model, processes))
        except TooLarge:
            continue
        if not any(p.read for p in processes):
            continue
        models += 1
        with open(file, "w") as out:
            out.write(xml(model, processes))
        p = subprocess.run([cifc, *[f"--check-{c}" for c in CHECKS], f"--verdicts={verdicts}", file, "-o", "/dev/null"],
                           capture_output=True, text=True)
        got = {v["property"]: v for v in map(json.loads, open(verdicts))} if p.returncode in (0, 1) else {}
        for check in CHECKS:
            v = got.get(check, {"verdict": p.stderr, "abstractions": []})
            if expected[check] is None:
                continue
            good = v["verdict"] == ("holds" if expected[check] else "violated") and not v.get("abstractions")
            holds += good and expected[check]
            violated += good and not expected[check]
            if not good:
                different += 1
                print(f"seed {seed}: {check} is {v['verdict']}, not {expected[check]} {v.get('abstractions')}")
    print(f"{models} models: {holds} hold, {violated} are violated, {different} different")


main()
