"""Reads global protocols of Scribble back as terms of IOC. Usage: scribble.py FILE"""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
name = r"[A-Za-z_]\w*"
tokens = re.findall(r"%s|[(){};,]" % name, text)
assert "".join(tokens) == re.sub(r"\s", "", text), "a character that is no token"
tokens.append("")
at = 0


def take(*expected):
    global at
    token = tokens[at]
    ok = token in expected if expected else re.fullmatch(name, token)
    if not ok:
        sys.exit("token %d: %r instead of %s" % (at, token, expected or "a name"))
    at += 1
    return token


def block():
    take("{")
    parts = []
    while tokens[at] != "}":
        parts.append(interaction())
    take("}")
    return "( %s )" % " ; ".join(parts) if parts else "1"


def blocks(word, operator):
    branches = [block()]
    while tokens[at] == word:
        take(word)
        branches.append(block())
    return "( %s )" % operator.join(branches)


def interaction():
    if tokens[at] == "choice":
        take("choice"), take("at")
        assert take() in roles
        return blocks("or", " + ")
    if tokens[at] == "par":
        take("par")
        return blocks("and", " || ")
    if tokens[at] == "rec":
        take("rec")
        return "rec %s { %s }" % (take(), block())
    if tokens[at] == "continue":
        take("continue")
        label = take()
        take(";")
        assert tokens[at] == "}", "something follows a continue"
        return label
    message = take()
    take("(")
    while take(")", ",", "int", "bool", "string", tokens[at]) != ")":
        pass
    take("from")
    sender = take()
    take("to")
    receiver = take()
    take(";")
    assert sender in roles and receiver in roles
    return '"%s" -> "%s" : "%s"' % (sender, receiver, message)


take("module"), take(), take(";")
while tokens[at]:
    take("global"), take("protocol")
    protocol = take()
    take("(")
    roles = set()
    while tokens[at] == "role":
        take("role")
        roles.add(take())
        if take(",", ")") == ")":
            break
    print("choreography %s { %s }" % (protocol, block()))
