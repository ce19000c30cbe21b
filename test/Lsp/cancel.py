"""Edits a model whose check takes minutes: cancel.py FILE."""
import os
import sys
import time

from server import Server

server = Server("--debounce=20", "--timeout=600")
send, receive, answer = server.send, server.receive, server.answer
uri = "file:///slow.ioc"
texts = []


def seen(message):
    if message.get("method") == "textDocument/publishDiagnostics":
        texts.append(len(message["params"]["diagnostics"]))


server.seen = seen


def status(state):
    return receive(lambda m: m.get("method") == "cif/status" and m["params"]["state"] == state)


def runs():
    """Processes that the server has started and that are not over."""
    count = 0
    for name in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % name) as f:
                fields = f.read().rpartition(")")[2].split()
            count += name.isdigit() and int(fields[1]) == server.process.pid and fields[0] != "Z"
        except (OSError, IndexError, ValueError):
            pass
    return count


def settle(wanted):
    """The number of runs, once it is as wanted; a process does not end at once."""
    for _ in range(200):
        if runs() == wanted:
            break
        time.sleep(0.05)
    return runs()


def edit(version, text):
    send(method="textDocument/didChange",
         params={"textDocument": {"uri": uri, "version": version},
                 "contentChanges": [{"text": text}]})


with open(sys.argv[1], encoding="utf-8") as f:
    slow = f.read()
server.start(status=True)
server.open(uri, slow)
print("checking version", status("checking")["params"]["version"])
send(id=2, method="textDocument/documentSymbol", params={"textDocument": {"uri": uri}})
print("an answer while it is checked: outline of", len(answer(2)["result"]))
print("runs:", settle(1))
line = next(i for i, each in enumerate(slow.split("\n")) if "->" in each)
column = slow.split("\n")[line].index("->") - 2
send(id=3, method="textDocument/hover", params={
    "textDocument": {"uri": uri}, "position": {"line": line, "character": column}})
send(method="$/cancelRequest", params={"id": 3})
print("hover cancelled:", answer(3)["error"]["code"])
for version in range(2, 21):
    edit(version, slow + "// %d\n" % version)
edit(21, "choreography A { a -> b : m }")
last = status("checked")["params"]
print("after 20 edits: checked version %d with %d diagnostics" % (last["version"], texts[-1]))
print("runs:", settle(0))
edit(22, slow)
status("checking")
settle(1)
send(id=5, method="textDocument/hover", params={
    "textDocument": {"uri": uri}, "position": {"line": line, "character": column}})
send(id=4, method="shutdown")
print("hover at the end:", answer(5)["error"]["code"])
answer(4)
send(method="exit")
print("exit status %d, runs: %d" % (server.process.wait(timeout=60), settle(0)))
