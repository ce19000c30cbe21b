"""names.py FILE: writes a protocol, FILE.cp, and the same as a term, FILE.ioc, whose
participants and messages have names that mean ill to one language or another."""
import sys

NAMES = """MODULE end init active tau delta System act proc i stop choice role from
global true len Integers __proto__ constructor toString a_b a-b */ \\* (* *) -- %
]]> <x> &amp; x.* * #x .. 1 0x _ $x ` ''' ${1} %s a\\b a"b a'b é日本""".split() + [
    "new\nline", "tab\tx", "a b", "\x01", "\x7f", "\u2028", "\ufeff", "\u202e",
    "x" * 10000, "a" * 50 + "1", "a" * 50 + "2", "-", "é", "ü"]


def quoted(name):
    text = "".join("\\" + c if c in '"\\' else
                   "\\x%02x" % ord(c) if ord(c) < 32 or c == "\x7f" else c
                   for c in name)
    return '"%s"' % text


steps = ["%s -> %s : %s" % tuple(map(quoted, (a, b, a)))
         for a, b in zip(NAMES, NAMES[1:] + NAMES[:1])]
with open(sys.argv[1] + ".cp", "w", encoding="utf-8") as file:
    print("protocol Names { initial s0 final s%d" % len(steps), file=file)
    for number, step in enumerate(steps):
        print("s%d -> s%d : %s" % (number, number + 1, step), file=file)
    print("}", file=file)
with open(sys.argv[1] + ".ioc", "w", encoding="utf-8") as file:
    print("choreography Names { %s }" % " ; ".join(steps), file=file)
print(len(NAMES), "names")
