"""Sends messages that are too large, too deep, cut off and scrambled, to cif-lsp."""
import json
import random
import subprocess
import threading

server = subprocess.Popen(["cif-lsp", "--debounce=0", "--timeout=2"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE)
answers = []


def read():
    while True:
        length = 0
        while True:
            line = server.stdout.readline()
            if not line:
                return
            if not line.strip():
                break
            length = int(line.split(b":")[1])
        answers.append(json.loads(server.stdout.read(length)))


reader = threading.Thread(target=read)
reader.start()
count = 0


def send(body):
    global count
    count += 1
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def message(method, params, **more):
    send(json.dumps(dict(jsonrpc="2.0", method=method, params=params, **more)).encode())


def document(name, text, language="ioc"):
    message("textDocument/didOpen", {"textDocument": {
        "uri": "file:///%s" % name, "languageId": language, "version": 1, "text": text}})


message("initialize", {"initializationOptions": {"checks": False}}, id="begin")
send(b"[" * 1000000)
send(b'{"a":' * 1000000)
server.stdin.write(b"Content-Length: 70000000\r\n\r\n")
for _ in range(70):
    server.stdin.write(b"x" * 1000000)
server.stdin.write(b"y" * 20000)
server.stdin.write(b"\r\n\r\n")

# Texts that are deep, long or without end, with every question about them.
deep = 50000
texts = {
    "deep.ioc": "choreography A { " + "( " * deep,
    "lines.ioc": "choreography A {\n" + "(\n" * deep,
    "rec.ioc": "choreography A { " + "rec X { " * deep,
    "open.ioc": 'choreography "A { /* ',
    "long.ioc": "choreography A { " + "a -> b : m ; " * deep + "1 }",
    "names.ioc": "choreography A { " + " ; ".join("p%d -> q%d : m%d" % (i, i, i)
                                               for i in range(20000)) + " }",
    "states.cp": "protocol A { initial 0 " + " ".join("%d -> %d : a -> b : m" % (i, i + 1)
                                                     for i in range(20000)) + " }",
    "open.cp": "protocol A { initial [ ( -> : !",
    "deep.bpmn": "<definitions>" + "<subProcess id='x'>" * deep,
    "attributes.bpmn": "<definitions" + " id='a'" * deep,
    "open.bpmn": "<definitions id='",
    "text.cift": "cif 1.2\n" + "choreography A {\n" * 1000 + "n0 -> \nn1 interaction a -> : \n. x",
    "control.ioc": "choreography A { \r a \r\n -> \u2028 b : \ud83d\ude00 }\r",
}
for name, text in texts.items():
    document(name, text)
    where = {"textDocument": {"uri": "file:///" + name}, "position": {"line": 0, "character": 13},
             "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}},
             "newName": "y", "options": {}}
    for method in ["hover", "definition", "references", "documentHighlight", "prepareRename",
                   "rename", "documentSymbol", "completion", "formatting", "codeAction",
                   "codeLens", "semanticTokens/full"]:
        message("textDocument/" + method, where, id=name + " " + method)
    message("textDocument/didClose", where)

# Edits anywhere, and requests with something of another kind in them.
random.seed(7)
document("a.ioc", "choreography A { a -> b : \u00e9\U0001d11e ; rec X { b -> a : n + X } }")
parts = ["{", "}", "\n", "\r", "a -> b : m", "[", "\"", "/*", "\u00e9", "\U0001d11e", ";", "\x00"]
for i in range(300):
    where = [{"line": random.choice([0, 0, 1, 2, 2**31 - 1]), "character": random.randrange(60)}
             for _ in range(2)]
    message("textDocument/didChange", {
        "textDocument": {"uri": "file:///a.ioc", "version": i + 2},
        "contentChanges": [{"range": {"start": where[0], "end": where[1]},
                            "text": random.choice(parts)}]})
    params = {"textDocument": {"uri": "file:///a.ioc"}, "position": where[0], "newName": "z",
              "range": {"start": where[0], "end": where[1]}}
    if i % 3 == 0:
        params[random.choice(list(params))] = random.choice([None, 1, [], {}, "x", -1, 1e300])
    message("textDocument/" + random.choice(["hover", "rename", "completion", "formatting",
                                             "codeAction", "documentSymbol"]), params, id=i)
message("shutdown", None, id="end")
message("exit", None)
server.stdin.close()
status = server.wait(timeout=300)
reader.join()
ids = [a["id"] for a in answers if "id" in a and "method" not in a]
wanted = {"begin", "end", *range(300)}
wanted |= {name + " " + method for name in texts for method in ["hover", "formatting"]}
missing = wanted - {i for i in ids if i is not None}
if status or missing:
    print("exit status", status, "without answers:", missing)
print("%d messages, alive to the end" % count if not status and not missing else "failed")
