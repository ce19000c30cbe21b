"""Edits texts at random places and compares the places of names with its own."""
import random

from server import Server

server = Server("--debounce=10000")
uri = "file:///sync.ioc"


def units(text):
    return len(text.encode("utf-16-le")) // 2


random.seed(11)
filler = "ab é ✓ 𝄞 \U0001f600 ."
ends = ["\n", "\r\n", "\r", " ", " ", " ", " ", " ", " "]
# Comments that are edited, and names that are not.
comments = ["".join(random.choice(filler) for _ in range(random.randrange(40)))
            for _ in range(600)]
gaps = [random.choice(ends) for _ in comments]


def text():
    return "choreography A {" + "".join(
        "/*%s*/ p%d -> \"𝄞\" : m%s;" % (comment, i % 7, gap)
        for i, (comment, gap) in enumerate(zip(comments, gaps))) + " 1 }"


def lines(whole):
    return whole.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def position(before):
    """Of the place behind a text."""
    rows = lines(before)
    return {"line": len(rows) - 1, "character": units(rows[-1])}


server.start(checks=False)
server.open(uri, text())
edits = 400
for version in range(2, edits + 2):
    i = random.randrange(len(comments))
    whole, comment = text(), comments[i]
    begin = random.randrange(len(comment) + 1)
    end = random.randrange(begin, len(comment) + 1)
    start = len("choreography A {") + sum(
        len("/*%s*/ p%d -> \"𝄞\" : m%s;" % (c, k % 7, g))
        for k, (c, g) in enumerate(zip(comments[:i], gaps))) + 2
    new = "".join(random.choice(filler + "\n") for _ in range(random.randrange(6)))
    server.send(method="textDocument/didChange", params={
        "textDocument": {"uri": uri, "version": version},
        "contentChanges": [{"range": {"start": position(whole[:start + begin]),
                                      "end": position(whole[:start + end])}, "text": new}]})
    comments[i] = comment[:begin] + new + comment[end:]
server.send(id=2, method="textDocument/semanticTokens/full",
            params={"textDocument": {"uri": uri}})
data = server.answer(2)["result"]["data"]
rows = [row.encode("utf-16-le") for row in lines(text())]
found, line, column = [], 0, 0
for i in range(0, len(data), 5):
    column = data[i + 1] + (0 if data[i] else column)
    line += data[i]
    found.append(rows[line][2 * column:2 * (column + data[i + 2])].decode("utf-16-le"))
wanted = ["A"] + [name for i in range(len(comments)) for name in ("p%d" % (i % 7), '"𝄞"', "m")]
if found != wanted:
    print("first difference:", next((i, a, b) for i, (a, b) in enumerate(zip(found, wanted))
                                    if a != b))
else:
    print("%d edits, %d names in their places" % (edits, len(found)))
server.end()
