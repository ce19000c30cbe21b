"""Plays an editor: talks to cif-lsp as a script says, and prints what it says.

Usage: lsp.py SCRIPT [NAME=VALUE...]. In the script $NAME stands for VALUE. Lines of the script that begin with "> " are

    open NAME FILE             opens FILE of the source tree as file:///NAME
    text NAME "TEXT"           opens a text, as JSON
    change NAME L:C-L:C "TEXT" replaces a range (lines and columns from 0)
    replace NAME "TEXT"        replaces the whole text
    close NAME | save NAME
    rename NAME NAME           the file has another name
    hover|definition|references|highlight|complete|prepare NAME L:C
    name NAME L:C "NEW"        renames
    outline|format|lens|tokens NAME
    action NAME L:C-L:C        code actions
    apply NAME N               makes the change of code action N of the last answer
    command NAME [NAME...]     workspace/executeCommand
    request METHOD JSON        any request; notify METHOD JSON any notification
    raw "BYTES"                bytes as they are, as JSON
    start METHOD NAME L:C      a request that is not waited for; cancel: its end
    cancel                     cancels it, and waits for its answer
    checked NAME               waits for the end of the check of this text
    published NAME             waits for the next diagnostics
    show NAME                  prints the text of the document
    sleep SECONDS
    shutdown | exit | end      end: closes the pipe; prints the exit status

Diagnostics are printed where they are waited for.
"""
import json
import os
import queue
import re
import subprocess
import sys
import threading

server = subprocess.Popen(["cif-lsp", "--debounce=20"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE)
messages = queue.Queue()
texts, versions = {}, {}
published, done = {}, {}  # what came and was not waited for yet, by address
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)
number = 0
last = None
wait = 60


def read():
    while True:
        length = None
        while True:
            line = server.stdout.readline()
            if not line:
                return messages.put(None)
            if not line.strip():
                break
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        messages.put(json.loads(server.stdout.read(length)))


threading.Thread(target=read, daemon=True).start()


def send(**message):
    body = json.dumps(dict(jsonrpc="2.0", **message)).encode()
    write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))


def write(data):
    try:
        server.stdin.write(data)
        server.stdin.flush()
    except BrokenPipeError:
        print("the server has gone")


def offset(text, position):
    lines = text.split("\n")
    line = lines[position["line"]].encode("utf-16-le")
    return (sum(len(each) + 1 for each in lines[:position["line"]])
            + len(line[:2 * position["character"]].decode("utf-16-le")))


def apply(text, edits):
    for edit in sorted(edits, key=lambda e: offset(text, e["range"]["start"]), reverse=True):
        text = (text[:offset(text, edit["range"]["start"])] + edit["newText"]
                + text[offset(text, edit["range"]["end"]):])
    return text


def place(range):
    start, end = range["start"], range["end"]
    text = "%d:%d" % (start["line"], start["character"])
    if start["line"] == end["line"]:
        return text + "-%d" % end["character"]
    return text + "-%d:%d" % (end["line"], end["character"])


def show_diagnostics(params):
    print("%s: %d diagnostics" % (params["uri"][8:], len(params["diagnostics"])))
    for d in params["diagnostics"]:
        kind = ["error", "warning", "information"][d["severity"] - 1]
        print("  %s %s %s: %s" % (place(d["range"]), kind, d["code"],
                                  d["message"].replace("\n", " | ")))
        for each in d.get("relatedInformation", []):
            print("    %s %s" % (place(each["location"]["range"]), each["message"]))


def receive():
    message = messages.get(timeout=wait)
    if message and message.get("method") == "workspace/applyEdit":
        edit = message["params"]["edit"]
        for uri, edits in changes(edit):
            texts[uri] = apply(texts[uri], edits)
            print("edited", uri[8:])
    params = message and message.get("params")
    if message and message.get("method") == "window/showMessage":
        print("message:", params["message"])
    if message and message.get("method") == "textDocument/publishDiagnostics":
        published[params["uri"]] = params
    elif message and message.get("method") == "cif/status":
        if params["state"] != "checking":
            done[params["uri"]] = params["version"]
    return message


def wait_for(test):
    while True:
        message = receive()
        if message is None:
            print("the server has gone")
            return None
        if test(message):
            return message


def request(method, params):
    global number, last
    number += 1
    send(id=number, method=method, params=params)
    return answer(number)


def answer(id):
    global last
    message = wait_for(lambda m: "method" not in m and m.get("id") == id)
    if message is None:
        return None
    if "error" in message:
        print("error %d: %s" % (message["error"]["code"], message["error"]["message"]))
        return None
    last = message["result"]
    return last


def changes(edit):
    """(uri, edits) of a WorkspaceEdit."""
    if "documentChanges" in edit:
        return [(each["textDocument"]["uri"], each["edits"]) for each in edit["documentChanges"]]
    return list(edit["changes"].items())


def position(text):
    line, character = text.split(":")
    return {"line": int(line), "character": int(character)}


def span(text):
    start, end = text.split("-")
    return {"start": position(start), "end": position(end)}


def at(name, where):
    return {"textDocument": {"uri": "file:///" + name}, "position": position(where)}


def open_text(name, text):
    uri = "file:///" + name
    texts[uri], versions[uri] = text, 1
    send(method="textDocument/didOpen",
         params={"textDocument": {"uri": uri, "languageId": "", "version": 1, "text": text}})


def change(name, changes):
    uri = "file:///" + name
    versions[uri] += 1
    send(method="textDocument/didChange", params={
        "textDocument": {"uri": uri, "version": versions[uri]}, "contentChanges": changes})


def show_outline(symbols, depth):
    for s in symbols:
        print("%s%s (%s) %s" % ("  " * depth, s["name"], s["detail"], place(s["selectionRange"])))
        show_outline(s["children"], depth + 1)


def show_actions(actions):
    for i, action in enumerate(actions or []):
        print("%d. %s" % (i, action["title"]))


def run(word, words):
    global last
    if word == "open":
        with open(os.path.join(root, words[1]), encoding="utf-8", newline="") as f:
            open_text(words[0], f.read())
    elif word == "text":
        open_text(words[0], json.loads(words[1]))
    elif word == "change":
        uri, range, text = "file:///" + words[0], span(words[1]), json.loads(words[2])
        texts[uri] = apply(texts[uri], [{"range": range, "newText": text}])
        change(words[0], [{"range": range, "text": text}])
    elif word == "replace":
        texts["file:///" + words[0]] = json.loads(words[1])
        change(words[0], [{"text": json.loads(words[1])}])
    elif word in ("close", "save"):
        send(method="textDocument/did" + word.capitalize(),
             params={"textDocument": {"uri": "file:///" + words[0]}})
    elif word == "rename":
        before, after = ("file:///" + each for each in words)
        send(method="workspace/didRenameFiles",
             params={"files": [{"oldUri": before, "newUri": after}]})
        for table in (texts, versions):
            for uri in [u for u in table if u == before or u.startswith(before + "/")]:
                table[after + uri[len(before):]] = table.pop(uri)
    elif word == "hover":
        result = request("textDocument/hover", at(*words))
        print(result["contents"]["value"] if result else "no hover")
    elif word in ("definition", "references"):
        params = at(*words)
        params["context"] = {"includeDeclaration": True}
        for each in request("textDocument/" + word, params) or ["none"]:
            print(each if each == "none" else place(each["range"]))
    elif word == "highlight":
        for each in request("textDocument/documentHighlight", at(*words)) or []:
            print(place(each["range"]), ["read", "write"][each["kind"] - 2])
    elif word == "complete":
        result = request("textDocument/completion", at(*words))
        print("items:", *["%s (%s)" % (i.get("insertText", i["label"]), i["detail"])
                          for i in result["items"]], sep="\n  ")
    elif word == "prepare":
        result = request("textDocument/prepareRename", at(*words))
        print(result and "%s %s" % (place(result["range"]), result["placeholder"]))
    elif word == "name":
        params = at(words[0], words[1])
        params["newName"] = json.loads(words[2])
        result = request("textDocument/rename", params)
        for i, (uri, edits) in enumerate(changes(result) if result else []):
            asks = all("annotationId" in edit for edit in edits)
            print(len(edits), "edits" + (" in " + os.path.basename(uri) if i else "")
                  + (", if agreed" if asks and edits else ""))
            if uri in texts:
                texts[uri] = apply(texts[uri], edits)
                change(uri[8:], [{"text": texts[uri]}])
    elif word in ("outline", "format", "lens", "tokens"):
        method = {"outline": "documentSymbol", "format": "formatting", "lens": "codeLens",
                  "tokens": "semanticTokens/full"}[word]
        uri = "file:///" + words[0]
        result = request("textDocument/" + method,
                         {"textDocument": {"uri": uri},
                          "options": {"tabSize": 2, "insertSpaces": True}})
        if word == "outline":
            show_outline(result, 0)
        elif word == "lens":
            for lens in result or []:
                print(place(lens["range"]), lens["command"]["title"])
        elif word == "tokens":
            print(*result["data"])
        else:
            print("%d edits" % len(result or []))
            texts[uri] = apply(texts[uri], result or [])
            change(words[0], [{"text": texts[uri]}])
    elif word == "action":
        result = request("textDocument/codeAction", {
            "textDocument": {"uri": "file:///" + words[0]}, "range": span(words[1]),
            "context": {"diagnostics": []}})
        show_actions(result)
        if not result:
            print("no actions")
    elif word == "apply":
        action = last[int(words[1])]
        if "command" in action:
            request("workspace/executeCommand", action["command"])
        else:
            for uri, edits in changes(action["edit"]):
                texts[uri] = apply(texts[uri], edits)
                change(uri[8:], [{"text": texts[uri]}])
    elif word == "command":
        result = request("workspace/executeCommand",
                         {"command": words[0], "arguments": ["file:///" + w for w in words[1:]]})
        if result:
            print("html:", re.search(r"<title>.*?</title>", result["html"])[0])
    elif word == "request":
        print(json.dumps(request(words[0], json.loads(" ".join(words[1:])))))
    elif word == "notify":
        send(method=words[0], params=json.loads(" ".join(words[1:])))
    elif word == "raw":
        write(json.loads(" ".join(words)).encode("latin-1"))
        message = messages.get(timeout=wait)
        print(message and message.get("error"))
    elif word == "start":
        global number
        number += 1
        send(id=number, method=words[0], params=at(words[1], words[2]))
    elif word == "cancel":
        send(method="$/cancelRequest", params={"id": number})
        answer(number)
    elif word == "checked":
        uri = "file:///" + words[0]
        while done.get(uri) != versions[uri]:
            if receive() is None:
                return print("the server has gone")
        show_diagnostics(published.pop(uri))
        done.pop(uri)
    elif word == "published":
        uri = "file:///" + words[0]
        while uri not in published:
            if receive() is None:
                return print("the server has gone")
        show_diagnostics(published.pop(uri))
    elif word == "show":
        print(texts["file:///" + words[0]], end="")
    elif word == "sleep":
        import time
        time.sleep(float(words[0]))
    elif word == "shutdown":
        print("shutdown:", request("shutdown", None))
    elif word in ("exit", "end"):
        if word == "exit":
            send(method="exit")
        server.stdin.close()
        print("exit status", server.wait(timeout=wait))
    else:
        sys.exit("there is no command '%s'" % word)


with open(sys.argv[1], encoding="utf-8") as f:
    script = f.read()
for word in sys.argv[2:]:
    script = script.replace("$" + word.split("=")[0], word.split("=")[1])
script = [re.match(r"> (\S+) *(.*)$", line) for line in script.split("\n")]
if not any(m and m[1] == "request" and m[2].startswith("initialize") for m in script):
    request("initialize", {"processId": None, "rootUri": None,
                           "initializationOptions": {"status": True},
                           "capabilities": {"workspace": {
                               "workspaceEdit": {"documentChanges": True}}}})
    send(method="initialized", params={})
for match in script:
    if not match:
        continue
    print(match[0].strip())
    sys.stdout.flush()
    word, rest = match[1], match[2]
    parts = re.findall(r'"(?:[^"\\]|\\.)*"|\S+', rest)
    run(word, [rest] if word == "raw" else parts if word != "request" and word != "notify"
        else rest.split(" "))
    sys.stdout.flush()
if server.poll() is None:
    request("shutdown", None)
    send(method="exit")
    server.stdin.close()
    status = server.wait(timeout=wait)
    if status:
        print("exit status", status)
