"""qtscxml.py FILE...: Qt runs state machines that --emit=scxml wrote. In every state it
takes just the events of the transitions that stand there, and goes where they say.
PySide2.QtScxml is Debian's python3-pyside2.qtscxml."""
import sys
import xml.etree.ElementTree as xml

from PySide2.QtCore import QCoreApplication
from PySide2.QtScxml import QScxmlStateMachine

SPACE = "{http://www.w3.org/2005/07/scxml}"
app = QCoreApplication([])


def after(path, events):
    """The state of a new machine after these events."""
    machine = QScxmlStateMachine.fromFile(path)
    if machine.parseErrors():
        sys.exit("%s: %s" % (path, machine.parseErrors()[0].toString()))
    machine.start()
    app.processEvents()
    for event in events:
        machine.submitEvent(event)
        app.processEvents()
    state, = machine.activeStateNames()
    if machine.isRunning() == (state == "end"):
        sys.exit("%s: it runs on in '%s'" % (path, state))
    return state


taken = 0
for path in sys.argv[1:]:
    steps = {(state.get("id"), step.get("event")): step.get("target")
             for state in xml.parse(path).getroot().iter(SPACE + "state")
             for step in state.iter(SPACE + "transition")}
    events = sorted({event for _, event in steps} | {"receive", "receive.x"})
    ways = {after(path, []): []}
    work = list(ways)
    for state in work:
        for event in events:
            to = after(path, ways[state] + [event])
            if to != steps.get((state, event), state):
                sys.exit("%s: '%s' leads from %s to %s" % (path, event, state, to))
            taken += (state, event) in steps
            if to not in ways:
                ways[to] = ways[state] + [event]
                work.append(to)
    if taken == 0 or len(ways) < len({s for s, _ in steps}):
        sys.exit("%s: states were not reached" % path)
print(len(sys.argv) - 1, "machines,", taken, "transitions")
