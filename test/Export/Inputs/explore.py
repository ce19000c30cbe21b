"""Reads what --emit=mcrl2, tla, lnt or fsm wrote, strictly by the lines that these
writers make, explores it, and prints how many states and transitions it has."""
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
WORD = r"[a-z]\d+(?:_\w+)?"


def fail(line):
    sys.exit("not understood: " + line)


def explore(start, commands):
    """Commands are pairs of Python code: a condition, and what comes."""
    compiled = [(compile(c, c, "eval"), compile(n, n, "eval")) for c, n in commands]
    seen, work, steps = {start}, [start], 0
    while work:
        state = work.pop()
        names = dict(bind(state), If=lambda a, b, c: b if a else c)
        for condition, after in compiled:
            if eval(condition, {}, names):
                steps += 1
                to = eval(after, {}, names)
                if to not in seen:
                    seen.add(to)
                    work.append(to)
    print(len(seen), "states,", steps, "transitions")


def truth(code):
    return re.sub(r"\b(true|false)\b", lambda m: m[1].title(), code)


def logic(code):
    return code.replace("&&", " and ").replace("||", " or ")


if sys.argv[1].endswith(".mcrl2"):
    lines = [l.split(" % ")[0].rstrip() for l in text.splitlines()]
    lines = [l for l in lines if l and not l.startswith("%")]
    params, commands, start = [], [], None
    for line in lines:
        if m := re.fullmatch(r"act (%s);" % WORD, line):
            continue
        if m := re.fullmatch(r"    (%s): (Int|List\(Pos\))(,|\) =)" % WORD, line):
            params.append(m[1])
        elif m := re.fullmatch(r"(?:    |  \+ )\((.*)\) -> (tau|%s) \. System\((.*)\)" % WORD, line):
            code = logic(m[1]).replace("#", "len ")
            code = re.sub(r"len (\w+)", r"len(\1)", code)
            code = re.sub(r"head\((\w+)\)", r"\1[0]", code).replace("[]", "()")
            code = truth(code)
            after = {}
            for part in re.split(r", (?=%s = )" % WORD, m[3]):
                if part:
                    name, value = part.split(" = ", 1)
                    value = re.sub(r"tail\((\w+)\)", r"\1[1:]", value)
                    value = re.sub(r"(\w+) <\| (\d+)", r"(*\1, \2)", value)
                    after[name] = value.replace("if(", "If(")
            commands.append((code, after))
        elif m := re.fullmatch(r"init System\((.*)\);", line):
            start = eval("(" + m[1].replace("[]", "()") + ",)")
        elif line not in ("proc System(", "  ;", "    delta"):
            fail(line)
    bind = lambda state: zip(params, state)
    explore(start, [(c, "(" + "".join(a.get(p, p) + "," for p in params) + ")")
                    for c, a in commands])
elif sys.argv[1].endswith(".tla"):
    body = text.split("\n====\n")
    if len(body) != 2 or not re.match(r"---- MODULE \w+ ----\n", body[0]):
        fail("the frame of the module")
    body = re.sub(r" *\\\*.*", "", body[0])
    indexes = dict(re.findall(r"^(%s) == (\d+)$" % WORD, body, re.M))
    start = re.search(r"Init == /\\ n = <<(.*)>>\n        /\\ q = <<(.*)>>\n", body)
    start = (eval("(" + start[1] + ("," if start[1] else "") + ")"),
             eval("(" + start[2].replace("<<>>", "()") + ("," if start[2] else "") + ")"))
    commands = []

    def index(m):
        return "%s[%d]" % (m[1], int(indexes[m[2]]) - 1)

    for number, guard, ns, qs in re.findall(
            r"^Step(\d+) == /\\ (.*)\n {10}/\\ (.*)\n {10}/\\ (.*)\n", body, re.M):
        code = guard.replace("/\\", " and ").replace("\\/", " or ")
        code = code.replace("TRUE", "True").replace("FALSE", "False")
        code = re.sub(r"\b([nq])\[(\w+)\]", index, code).replace("<<>>", "()")
        code = re.sub(r"Head\((q\[\d+\])\)", r"\1[0]", code).replace("Len(", "len(")
        code = re.sub(r"(?<![<>])=", "==", code).replace("#", "!=")
        code = re.sub(r"\b[m]\d+\w*", lambda m: indexes[m[0]], code)
        after = []
        for part, name in ((ns, "n"), (qs, "q")):
            change = {}
            if part != "UNCHANGED " + name:
                m = re.fullmatch(r"%s' = \[%s EXCEPT (.*)\]" % (name, name), part)
                for at, value in re.findall(r"!\[(\w+)\] = (.*?)(?=, !\[|$)", m[1]):
                    i = int(indexes[at]) - 1
                    value = re.sub(r"IF (.*) THEN (.*) ELSE ([^)]*)", r"If(\1, \2, \3)", value)
                    value = re.sub(r"Tail\(@\)", "@[1:]", value)
                    value = re.sub(r"Append\(@, (\w+)\)", lambda m: "(*@, %s)" % indexes[m[1]], value)
                    change[i] = value.replace("@", "%s[%d]" % (name, i))
            size = len(start[0] if name == "n" else start[1])
            after.append("(" + "".join(change.get(i, "%s[%d]" % (name, i)) + ","
                                       for i in range(size)) + ")")
        commands.append((code, "(" + ", ".join(after) + ")"))
    if len(commands) != len(re.findall(r"^ {8}\\/ Step\d+$", body, re.M)):
        fail("the list of steps")
    bind = lambda state: (("n", state[0]), ("q", state[1]))
    explore(start, commands)
elif sys.argv[1].endswith(".lnt"):
    # The grammar of what is written, line by line, in this order.
    lines = [re.sub(r"(^| )-- .*", "", l).rstrip() for l in text.splitlines()]
    lines = iter([l for l in lines if l] + [None])
    line = next(lines)

    def take(pattern, code=None):
        global line
        m = line is not None and re.fullmatch(pattern, line)
        line = next(lines) if m else line
        return m

    def need(pattern):
        return take(pattern) or fail(str(line))

    name = need(r"module ([A-Za-z]\w*) is")[1]
    need("   !nat_bits 16")
    if take("type contents is"):
        need("   list of nat")
        need('   with "length", "head", "tail", "append"')
        need("end type")
    gates = set()
    if take(r"process MAIN \["):
        while m := take(r"   (%s): none,?" % WORD):
            gates.add(m[1])
        need(r"\] is")
    else:
        need("process MAIN is")
    params, start, commands = [], [], []
    if not take("   stop"):
        need("   var")
        while m := take(r"      (%s): (nat|contents),?" % WORD):
            params.append(m[1])
        need("   in")
        while m := take(r"      (%s) := (\d+|\{\});" % WORD):
            if m[1] != params[len(start)]:
                fail(m[0])
            start.append(() if m[2] == "{}" else int(m[2]))
        need("      loop")
        need("         select")
        while True:
            m = need(r"            only if (.*) then")
            code = m[1].replace("and then", "and").replace("length (", "len(")
            code = re.sub(r"head \((\w+)\)", r"\1[0]", code)
            code = truth(code)
            m = need(r"               (\w+)(;?)")
            if m[1] != "i" and m[1] not in gates:
                fail(m[1])
            after = {}
            while m[2]:
                m = need(r"               (.*?)(;?)")
                part, guard = m[1], None
                if g := re.fullmatch(r"if (.*) then (.*) end if", part):
                    guard, part = g[1], g[2]
                var, value = part.split(" := ")
                value = re.sub(r"tail \((\w+)\)", r"\1[1:]", value)
                value = re.sub(r"append \((\d+), (\w+)\)", r"(*\2, \1)", value)
                before = after.get(var, var)
                value = re.sub(r"\b%s\b" % var, "(%s)" % before, value)
                if guard:
                    value = "If(%s, %s, %s)" % (guard, value, before)
                after[var] = value
            need("            end if")
            commands.append((code, after))
            if not take(r"         \[\]"):
                break
        for end in ("         end select", "      end loop", "   end var"):
            need(end)
    need("end process")
    need("end module")
    if line is not None or len(start) != len(params):
        fail(str(line))
    bind = lambda state: zip(params, state)
    explore(tuple(start), [
        (c, "(" + "".join(a.get(p, p) + "," for p in params) + ")")
        for c, a in commands])
    # The script names what is generated of the module.
    script = sys.argv[1][:-4] + ".svl"
    if not re.search(r'"%s.bcg" = generation of "%s.lnt";' % (name, name),
                     open(script).read()):
        fail(script)
else:
    parts = re.split(r"^---\n", text, flags=re.M)
    states = parts[1].count("\n")
    for line in parts[2].splitlines():
        m = re.fullmatch(r'(\d+) (\d+) "[^"]*"', line)
        if not m or not (1 <= int(m[1]) <= states and 1 <= int(m[2]) <= states):
            fail(line)
    print(states, "states,", parts[2].count("\n"), "transitions")
