"""Fails where the second XML file has fewer elements or attributes of a kind."""
import collections
import sys
import xml.etree.ElementTree as tree


def count(path):
    kinds = collections.Counter()
    for element in tree.parse(path).iter():
        kinds[element.tag] += 1
        for name in element.attrib:
            kinds[element.tag, name] += 1
    return kinds


before, after = count(sys.argv[1]), count(sys.argv[2])
lost = {kind: (n, after[kind]) for kind, n in before.items() if after[kind] < n}
for kind, (n, left) in lost.items():
    print("%s: %d before, %d after" % (kind, n, left))
sys.exit(bool(lost))
