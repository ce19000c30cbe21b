"""Reads a state machine in SCXML or XState's JSON back as AUT.
Usage: machines.py FILE PEER"""
import json
import re
import sys
import xml.etree.ElementTree as xml

path, peer = sys.argv[1:]


def word(text):
    return bytes(re.sub(r"_([0-9a-f]{2})", lambda m: chr(int(m.group(1), 16)),
                        text), "latin-1").decode()


def label(event):
    parts = event.split(".")
    if parts[0] == "receive":
        return "%s?%s:%s" % (peer, word(parts[1]), word(parts[2]))
    if parts[0] == "send":
        return "%s!%s:%s" % (peer, word(parts[1]), word(parts[2]))
    return "tau"


if path.endswith(".scxml"):
    root = xml.parse(path).getroot()
    space = "{http://www.w3.org/2005/07/scxml}"
    initial = root.get("initial")
    edges = []
    for state in root.findall(space + "state"):
        for step in state.findall(space + "transition"):
            for sent in step.findall(space + "send"):
                # What is sent arrives as the event that its receiver takes.
                _, to, message = step.get("event").split(".")
                assert sent.get("event") == "receive.%s.%s" % (peer, message)
                assert sent.get("target") == "#_scxml_" + to
            edges.append((state.get("id"), step.get("event"), step.get("target")))
    edges = [(s, label(e) if e != "end" else e, t) for s, e, t in edges]
else:
    with open(path, encoding="utf-8") as file:
        machine = json.load(file)[peer]
    initial = machine["initial"]
    edges = [(state, re.sub(r"^(\w+)([!?])", peer + r"\2\1:", event), step["target"])
             for state, body in machine["states"].items()
             for event, step in body.get("on", {}).items()]
    for body in machine["states"].values():
        for event, step in body.get("on", {}).items():
            assert ("actions" in step) == ("!" in event)
edges = [edge for edge in edges if edge[1] != "end"]
number = {initial: 0}
for source, _, target in edges:
    for state in (source, target):
        number.setdefault(state, len(number))
print("des (0,%d,%d)" % (len(edges), len(number)))
for source, event, target in edges:
    print('(%d,"%s",%d)' % (number[source], event, number[target]))
