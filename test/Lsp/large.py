"""Edits a long text and measures the processor time of the server."""
from server import Server

server = Server("--debounce=0")
send, receive = server.send, server.receive
uri = "file:///large.ioc"


def milliseconds():
    """User and system time of the server so far."""
    with open("/proc/%d/stat" % server.process.pid) as f:
        fields = f.read().rpartition(")")[2].split()
    return 10 * (int(fields[11]) + int(fields[12]))


def published(version):
    return receive(lambda m: m.get("method") == "textDocument/publishDiagnostics"
                   and m["params"]["version"] == version)["params"]["diagnostics"]


names = "abc"
lines = ["choreography Large {"]
lines += ["  %s -> %s : m%d%s" % (names[i % 3], names[(i + 1) % 3], i % 50, " ;" * (i < 4997))
          for i in range(4998)]
lines += ["}"]
server.start(checks=False)
server.open(uri, "\n".join(lines))
found = published(1)
before = milliseconds()
edits = 20
for i in range(edits):
    # The first participant of a line is another, so that it is not connected; and back.
    line, broken = 100 + i // 2 * 400, i % 2 == 0
    send(method="textDocument/didChange", params={
        "textDocument": {"uri": uri, "version": i + 2},
        "contentChanges": [{"range": {"start": {"line": line, "character": 2},
                                      "end": {"line": line, "character": 3}},
                            "text": "x" if broken else names[(line - 1) % 3]}]})
    diagnostics = published(i + 2)
    assert any(d["code"] == "check-connected" for d in diagnostics) == broken, diagnostics
spent = (milliseconds() - before) / edits
print("%d edits of %d lines, each found %s" % (
    edits, len(lines), "within 50 ms" if spent < 50 else "after %.1f ms" % spent))
before = milliseconds()
for id, method in enumerate(["documentSymbol", "semanticTokens/full", "rename"], 2):
    send(id=id, method="textDocument/" + method, params={
        "textDocument": {"uri": uri}, "position": {"line": 1, "character": 2}, "newName": "z"})
    server.answer(id)
spent = milliseconds() - before
print("the outline, colours and a rename %s" % (
    "within 500 ms" if spent < 500 else "after %d ms" % spent))
server.end()
