"""A process that waits for y, or for x behind N parallel choices of two ways
each, and one that sends x. Usage: many-ways.py N"""
import sys
n = int(sys.argv[1])
nodes, flows = [], []


def node(text):
    nodes.append(text)
    return len(nodes) - 1


start, wait, split, join, x, y, end = map(node, [
    "initial", "event-choice", "all-select", "all-join", "receive a -> b : x",
    "receive a -> b : y", "final"])
flows += [(start, wait), (wait, split), (wait, y), (y, end)]
for _ in range(n):
    choice, merge = node("choice"), node("simple-join")
    flows += [(split, choice), (merge, join)]
    for _ in range(2):
        way = node("simple-join")
        flows += [(choice, way), (way, merge)]
flows += [(join, x), (x, node("final"))]
print("""cif 1.2
participant a
participant b
message a -> b : x
message a -> b : y
process a : a {
  n0 initial
  n1 send a -> b : x
  n2 final
  n0 -> n1
  n1 -> n2
}
process b : b {""")
for i, text in enumerate(nodes):
    print("  n%d %s" % (i, text))
for source, target in flows:
    print("  n%d -> n%d" % (source, target))
print("}")
