#!/usr/bin/env python3
"""Checks small legal models, one for each line of a file, with `cifc --check`.

    NAME : VERDICT : POOL [; POOL ...] [; A > B ...]

VERDICT is `holds`, or the properties that are violated. A POOL is `P = NODES`,
without nodes a black box, and `P = Q` has the process of Q; `call P = NODES` is
a process without a pool. Nodes are ID:KIND[.TRIGGER[=REF]...][@HOST][{ATTR,...}]
[(NODES)], flows `a>b>c`, with `/d` for a default and `/c` for a condition,
associations `a~b`; what stands after the pools are message flows.
Usage: legal.py CIFC FILE FOLDER [rewritten]
With `-` for CIFC the models are only written; with `rewritten`, each is written
as BPMN from the model and read again.
"""
import os
import re
import subprocess
import sys

KINDS = {
    "start": "startEvent", "end": "endEvent", "throw": "intermediateThrowEvent",
    "catch": "intermediateCatchEvent", "bnd": "boundaryEvent",
    "bndn": "boundaryEvent", "task": "task", "user": "userTask",
    "send": "sendTask", "recv": "receiveTask", "service": "serviceTask",
    "xor": "exclusiveGateway", "and": "parallelGateway",
    "or": "inclusiveGateway", "evt": "eventBasedGateway",
    "call": "callActivity", "sub": "subProcess", "esub": "subProcess",
    "tx": "transaction", "adhoc": "adHocSubProcess"}
TRIGGERS = {
    "msg": "message", "timer": "timer", "sig": "signal", "err": "error",
    "esc": "escalation", "cond": "conditional", "link": "link",
    "comp": "compensate", "cancel": "cancel", "term": "terminate"}
REFS = {"err": "errorRef", "esc": "escalationRef", "sig": "signalRef",
        "link": "name", "comp": "activityRef"}
LOOPS = {
    "mip": "<multiInstanceLoopCharacteristics/>",
    "mis": '<multiInstanceLoopCharacteristics isSequential="true">'
           "<loopCardinality>3</loopCardinality>"
           "</multiInstanceLoopCharacteristics>",
    "loop": "<standardLoopCharacteristics/>"}


def tokens(text):
    depth, word = 0, ""
    for c in text + " ":
        depth += (c == "(") - (c == ")")
        if c == " " and not depth:
            if word:
                yield word
            word = ""
        else:
            word += c


class Model:
    def __init__(self):
        self.flows = 0

    def node(self, word):
        m = re.match(r"^(\w+):(\w+)((?:\.\w+(?:=\w+)?)*)(?:@(\w+))?"
                     r"(?:\{([^}]*)\})?(?:\((.*)\))?$", word)
        if not m:
            sys.exit("not a node: " + word)
        id, kind, triggers, host, more, inside = m.groups()
        attributes, content = ' id="%s" name="%s"' % (id, id), ""
        if host:
            attributes += ' attachedToRef="%s"' % host
        if kind == "bndn":
            attributes += ' cancelActivity="false"'
        if kind == "esub":
            attributes += ' triggeredByEvent="true"'
        for item in filter(None, (more or "").split(",")):
            if item in LOOPS:
                content += LOOPS[item]
            else:
                attributes += ' %s="%s"' % tuple(item.split("="))
        for trigger in filter(None, triggers.split(".")):
            name, _, ref = trigger.partition("=")
            nowait, name = name == "compnowait", name.replace("nowait", "")
            content += "<%sEventDefinition%s%s/>" % (
                TRIGGERS[name], ' %s="%s"' % (REFS[name], ref) if ref else "",
                ' waitForCompletion="false"' if nowait else "")
        if inside:
            content += self.body(inside)
        return "<%s%s>%s</%s>\n" % (KINDS[kind], attributes, content,
                                    KINDS[kind])

    def body(self, text):
        nodes, flows = "", ""
        for word in tokens(text):
            if ":" in word.split("(")[0]:
                nodes += self.node(word)
                continue
            if "~" in word:
                flows += ('<association id="as_%s_%s" sourceRef="%s" '
                          'targetRef="%s"/>\n' % (2 * tuple(word.split("~"))))
                continue
            ends = word.split(">")
            for source, target in zip(ends, ends[1:]):
                target, _, mark = target.partition("/")
                source = source.split("/")[0]
                self.flows += 1
                if mark == "d":
                    nodes = nodes.replace(
                        ' id="%s"' % source,
                        ' id="%s" default="f%d"' % (source, self.flows))
                flows += ('<sequenceFlow id="f%d" sourceRef="%s" '
                          'targetRef="%s">%s</sequenceFlow>\n' % (
                              self.flows, source, target,
                              "<conditionExpression>c</conditionExpression>"
                              if mark == "c" else ""))
        return nodes + flows

    def text(self, parts):
        pools, processes, names = "", "", []
        for i, part in enumerate(parts):
            if "=" not in part.split(":")[0]:
                ends = part.replace(" ", "").split(">")
                pools += ('<messageFlow id="m%d" name="m%d" sourceRef="%s" '
                          'targetRef="%s"/>\n' % (i, i, ends[0], ends[1]))
                continue
            name, _, body = (x.strip() for x in part.partition("="))
            called = name.startswith("call ")
            name = name.split()[-1]
            shares = body in names
            if not called:
                pools += '<participant id="%s" name="%s"%s/>\n' % (
                    name, name, ' processRef="p_%s"' % (
                        body if shares else name) if body else "")
            names.append(name)
            if body and not shares:
                processes += '<process id="p_%s">\n%s</process>\n' % (
                    name, self.body(body))
        return ('<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/'
                'MODEL" id="d" targetNamespace="t">\n<collaboration id="all">\n'
                + pools + "</collaboration>\n" + processes + "</definitions>\n")


cifc, listing, folder, *rewritten = sys.argv[1:]
count, wrong = 0, 0
for line in open(listing, encoding="utf-8"):
    if not line.strip() or line.startswith("#"):
        continue
    name, verdict, model = (x.strip() for x in line.split(" : ", 2))
    path = os.path.join(folder, name + ".bpmn")
    with open(path, "w", encoding="utf-8") as out:
        out.write(Model().text([p.strip() for p in model.split(";")]))
    if cifc == "-":
        continue  # the models are for another test
    if rewritten:  # what is written from the model is the model
        if re.search("^black-box", name):
            continue  # nothing to write
        source, path = path, path + ".rewritten.bpmn"
        subprocess.check_call([cifc, source, "--rewrite", "-o", path],
                              stderr=subprocess.DEVNULL)
    run = subprocess.run([cifc, "--check", path, "-o", os.devnull],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True)
    rows = re.findall(r"^  (\S+) +(holds|violated|inconclusive)", run.stdout,
                      re.M)
    found = " ".join(p for p, v in rows if v != "holds") or "holds"
    count += 1
    if run.returncode > 1 or len(rows) < 10 or found != verdict:
        wrong += 1
        print("%s: expected %s, found %s (%d rows, exit %d)\n%s" % (
            name, verdict, found, len(rows), run.returncode, run.stdout))
print("%d models, %d not as expected" % (count, wrong))
sys.exit(bool(wrong))
