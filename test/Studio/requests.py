"""Asks a studio for what it must give and for what it must not.

    requests.py CIFC FOLDER

Prints a line for each question: what it was, the status, and a word of the answer."""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

cifc, folder = sys.argv[1:3]
server = subprocess.Popen([cifc, "-q", "--serve", folder, "--timeout=2"],
                          stdout=subprocess.PIPE, text=True)
address = server.stdout.readline().strip()
host = address.split("/")[2]
token = address.split("/")[3]


def ask(method, path, body=None, headers=None, raw=False):
    connection = http.client.HTTPConnection(host, timeout=30)
    data = body if raw or body is None else json.dumps(body)
    connection.request(method, path, data, {"Connection": "close", **(headers or {})})
    response = connection.getresponse()
    text = response.read().decode("utf-8", "replace")
    connection.close()
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    return response.status, value, response


def show(what, answer):
    status, value, _ = answer
    word = ""
    if isinstance(value, dict):
        word = value.get("error") or value.get("kind") or ""
    print("%s: %d %s" % (what, status, word.replace(token, "TOKEN")))
    sys.stdout.flush()


def own(path):
    return "/%s/%s" % (token, path)


def run(**request):
    return ask("POST", own("api/run"), {"slot": "s", "revision": 1, **request})


def save(path, text="protocol P { }", expected=""):
    return ask("POST", own("api/save"), {"path": path, "text": text, "expected": expected})


def read(path):
    return ask("GET", own("api/file?path=" + path))


try:
    # Who may ask.
    show("page", ask("GET", own("")))
    policy = ask("GET", own(""))[2].getheader("Content-Security-Policy")
    print("scripts: " + [p for p in policy.split("; ") if p.startswith("script-src")][0])
    refused = subprocess.run([cifc, "--check-health", "--network=?", os.path.join(folder, "store.cp")],
                             stderr=subprocess.PIPE, text=True).stderr
    known = re.search(r"one of (.*) \[", refused).group(1)
    offered = re.search(r"const NETWORKS = \[(.*)\]", ask("GET", own("studio.js"))[1]).group(1)
    print("networks:", "all" if offered.replace('"', "") == known else offered)
    show("no token", ask("GET", "/"))
    show("no token, models", ask("GET", "/api/models"))
    show("another token", ask("GET", "/" + "0" * len(token) + "/api/models"))
    show("part of the token", ask("GET", "/" + token[:-1] + "/api/models"))
    show("another origin", ask("GET", own("api/models"), headers={"Origin": "http://example.org"}))
    show("no origin", ask("GET", own("api/models"), headers={"Origin": "null"}))
    show("another port", ask("POST", own("api/save"), {}, {"Origin": "http://127.0.0.1:1"}))
    show("another site", ask("GET", own("api/models"), headers={"Sec-Fetch-Site": "cross-site"}))
    show("another host", ask("GET", own("api/models"), headers={"Host": "example.org:" + host.split(":")[1]}))
    show("own origin", ask("GET", own("api/models"), headers={"Origin": "http://" + host}))
    show("packed", ask("POST", own("api/save"), {}, {"Content-Encoding": "gzip"}))
    connection = socket.create_connection((host.split(":")[0], int(host.split(":")[1])))
    connection.sendall(("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: 999999999\r\n\r\n"
                        % (own("api/save"), host)).encode())
    print("too large: " + connection.recv(4000).decode().split(" ")[1])
    connection.close()
    try:
        outside = socket.create_connection((socket.gethostbyname(socket.gethostname()),
                                            int(host.split(":")[1])), timeout=2)
        print("from outside: " + ("loopback" if outside.getpeername()[0].startswith("127.")
                                  else "answered"))
    except OSError:
        print("from outside: loopback")

    # Paths stay in the folder.
    models = ask("GET", own("api/models"))[1]
    print("models: " + " ".join(m["path"] for m in models["models"]))
    for path in ["../secret.cp", "/etc/passwd", "link.cp", "out/secret.cp", "sub/../store.cp",
                 ".hidden.cp", "store.txt", "sub", "missing.cp", "pipe.cp", "latin.cp"]:
        show("read " + path, read(path))
    for path in ["../new.cp", "link.cp", "out/new.cp", "new.txt", "none/new.cp"]:
        show("save " + path, save(path))

    # Saving.
    show("new", save("new.cp"))
    show("new again", save("new.cp", "other"))
    version = read("new.cp")[1]["version"]
    show("over a version", save("new.cp", "changed", version))
    show("over an old version", save("new.cp", "again", version))
    print("has: " + open(os.path.join(folder, "new.cp")).read())
    show("no JSON", ask("POST", own("api/save"), "{", raw=True))

    # Runs.
    show("check", run(action="check", file="store.cp"))
    show("unknown action", run(action="--help", file="store.cp"))
    show("check outside", run(action="check", file="../secret.cp"))
    show("an option as a file", run(action="check", file="--help.cp", edited={"--help.cp": "protocol"}))
    answer = run(action="check", file="--help.cp", edited={"--help.cp": "protocol"})[1]
    print("  " + answer["report"]["diagnostics"][0]["text"])
    show("an option as a word", run(action="conforms", choreography="store.cp", relation="bbc --x",
                                    network="bag", processes=[{"role": "a", "file": "store.cp"}]))
    show("a role that is two", run(action="compose", processes=[{"role": "a,b", "file": "store.cp"}]))
    answer = run(action="check", file="store.cp")[1]
    status, page, response = ask("GET", own("run/" + answer["page"]))
    print("page of a run: %d %s" % (status, response.getheader("Content-Security-Policy")))
    show("page of no run", ask("GET", own("run/999")))

    # A newer one ends the one before; a late one does not count.
    slow = {"action": "check", "file": "slow.ioc"}
    answers = []
    thread = threading.Thread(target=lambda: answers.append(run(revision=5, **slow)))
    thread.start()
    time.sleep(0.5)
    show("late", run(revision=4, action="check", file="store.cp"))
    show("newer", run(revision=6, action="check", file="store.cp"))
    thread.join()
    show("before", answers[0])

    # Its own limit is kept, and one that cannot be is kept for it.
    begin = time.time()
    status, answer, _ = run(**slow)
    print("limit: %s, %s" % (answer["kind"], "soon" if time.time() - begin < 20 else "late"))
finally:
    server.send_signal(signal.SIGINT)
    print("ends with %d" % server.wait(timeout=30))
