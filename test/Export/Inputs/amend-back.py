"""Amends every choreography of a folder that can be amended and writes it as BPMN:
the change has to be made in the file itself. Counts elements and attributes by
their kinds, before and after: none may be lost but the points of flows that lead
elsewhere now, and each new node has to be drawn."""
import collections
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree


def count(path):
    kinds = collections.Counter()
    drawn, nodes, ids = set(), set(), collections.Counter()
    for element in tree.parse(path).iter():
        if not isinstance(element.tag, str):
            continue
        name = element.tag.split("}")[-1]
        ids[element.get("id")] += element.get("id") is not None
        if name != "waypoint":
            kinds[element.tag] += 1
            for attribute in element.attrib:
                kinds[element.tag, attribute] += 1
        if name in ("BPMNShape", "BPMNEdge"):
            drawn.add(element.get("bpmnElement", "").split(":")[-1])
        if name == "choreographyTask" or name == "sequenceFlow":
            nodes.add(element.get("id"))
    return kinds, len(nodes - drawn), sum(n > 1 for n in ids.values())


amended, bad = 0, 0
for base, folders, names in os.walk(sys.argv[1]):
    folders.sort()
    for name in sorted(names):
        if not name.endswith((".bpmn", ".bpmn2")):
            continue
        path = os.path.join(base, name)
        with tempfile.NamedTemporaryFile(suffix=".bpmn") as out:
            run = subprocess.run(
                ["cifc", "--amend", "--timeout=20", "--emit=bpmn", path, "-o",
                 out.name, "-f"], stderr=subprocess.PIPE, text=True,
                errors="replace")
            if run.returncode or not os.path.getsize(out.name):
                continue
            with open(path, "rb") as before, open(out.name, "rb") as after:
                if before.read() == after.read():
                    continue
            amended += 1
            if "cannot be made in the file" in run.stderr:
                print("written anew:", name)
                bad += 1
                continue
            before, hidden, twice = count(path)
            after, stillHidden, stillTwice = count(out.name)
            lost = {k: (n, after[k]) for k, n in before.items() if after[k] < n}
            print("%s: %d more, %d kinds lost" % (
                name, sum((after - before).values()), len(lost)))
            if lost or stillHidden > hidden or stillTwice > twice:
                bad += 1
                print("  lost:", lost, "not drawn:", stillHidden - hidden,
                      "ids twice:", stillTwice - twice)
print("%d amended, %d of them not in their file" % (amended, bad))
sys.exit(bad != 0 or amended < 5)
