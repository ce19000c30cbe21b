"""Uses the package cif. Usage: bindings.py SOURCES OUTPUT"""
import os
import sys

import cif

root, output = sys.argv[1:]
examples = os.path.join(root, "docs", "examples")
store = os.path.join(examples, "store.cp")

module = cif.load(store)
for behaviour in module.behaviours:
    print(behaviour.name, behaviour.kind, *(node.kind for node in behaviour.nodes))
print(*(participant.name for participant in module.participants))
request = cif.load(os.path.join(examples, "shipping.ioc")).messages[0]
print(request.fieldName[0], request.fieldSort[0])
flags = cif.load(os.path.join(root, "test", "Serialization", "Inputs", "flags.cift"))
print(*(flag for behaviour in flags.behaviours for node in behaviour.nodes
        if node.kind == "Boundary" for flag in node.flags))
for verdict in cif.check(store, "--check-realizable"):
    print(verdict["property"], verdict["verdict"], verdict["witness"]["steps"][0]["label"])

module.raw.participants.name[0] = module.intern("Client")
module.save(output)
print(cif.check(module, "--check-realizable")[0]["witness"]["steps"][0]["label"])

for attempt in [lambda: cif.load("missing.cp"), lambda: cif.Module(b"no module at all")]:
    try:
        attempt()
    except cif.Error as error:
        print("refused %d: %s" % (error.status, error))

text = cif.run("cif-dis", store)[1]
same = cif.run("cif-dis", "-", content=cif.load(store).to_bytes())[1]
print("unchanged" if text == same else "changed")
