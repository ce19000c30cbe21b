"""Prints what a module holds, read with the classes that flatc generates.

Usage: read-module.py GENERATED MODULE
"""
import sys

sys.path.insert(0, sys.argv[1])
from cif.fb import BehaviourKind, LabelKind, NodeFlags, NodeKind, Verdict  # noqa
from cif.fb.Module import Module  # noqa: E402


def names(enumeration):
    """Of a class of enumerators: the name of each value."""
    return {value: name for name, value in vars(enumeration).items()
            if isinstance(value, int)}


with open(sys.argv[2], "rb") as file:
    module = Module.GetRootAs(file.read(), 0)
ends = [0] + [module.StringEnds(i) for i in range(module.StringEndsLength())]
content = bytes(
    module.StringBytes(i) for i in range(module.StringBytesLength()))


def string(index):
    return "" if index == 0 else content[ends[index - 1]:ends[index]].decode()


kinds, flags = names(NodeKind.NodeKind), names(NodeFlags.NodeFlags)
for i in range(module.BehavioursLength()):
    behaviour = module.Behaviours(i)
    print("behaviour", string(behaviour.Name()),
          names(BehaviourKind.BehaviourKind)[behaviour.Kind()])
    nodes = behaviour.Nodes()
    for n in range(nodes.KindLength()):
        bits = nodes.Flags(n) if nodes.FlagsLength() else 0
        print("  node", kinds[nodes.Kind(n)],
              *(name for bit, name in sorted(flags.items()) if bits & bit))
for i in range(module.SystemsLength()):
    system = module.Systems(i)
    print("system", string(system.Name()))
    for label in range(system.LabelKindLength()):
        print("  label", names(LabelKind.LabelKind)[system.LabelKind(label)],
              string(system.LabelMessage(label)))
for i in range(module.FactsLength()):
    fact = module.Facts(i)
    print("fact", string(fact.Property()), names(Verdict.Verdict)[fact.Verdict()])
