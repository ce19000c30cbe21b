"""Gives each option of each pass, and each option of each command of cif-lts, from the tools' own lists: somewhere it
has to make a difference. What a command of cif-lts does not list has to be an error.

Usage: option-pairs.py MODELS FOLDER [z3]; MODELS is docs/examples, FOLDER is for files.
Prints the pairs that make no difference, and how many pairs there are."""
import os
import re
import shutil
import subprocess
import sys

examples, folder = map(os.path.abspath, sys.argv[1:3])
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
os.chdir(folder)
LIMIT = "--max-states=2000"

# What shows something, the most telling first.
WRITTEN = {
    "cross.ioc": "system S { role a { b!x ; b!v ; b?y }  role b { a?v ; a?x ; a!y } }",
    "roles.ioc": "choreography R { a -> b : x ; a -> b : v ; b -> a : y }\n"
                 "system S { role a { b!x ; b!v ; b?y }  role b { a?x ; a?v ; a!y } }",
    "spec.ioc": "choreography R { a -> b : x2 ; a -> b : v ; b -> a : y }",
    "two.ioc": "choreography One { a -> b : m ; c -> d : n }\nchoreography Two { a -> b : k }",
    "wide.ioc": "choreography W { a -> b : x || c -> d : y || e -> f : z ; f -> e : w }",
    "again.ioc": "system S { role a { loop { b!x } }  role b { loop { a?x } } }",
    "unread.ioc": "system U { role a { b!x } }",
    "round.ioc": "choreography R { a -> b : n(i: int) ; loop { a -> b : up(j: int) ; [j == i + 1] => a -> b : set(i: int) } ; "
                 "( [i > 10] => c -> d : p + [i <= 10] => c -> d : q ) }",
    "counted.ioc": "choreography C { a -> b : m(x: int) ; [x > 0] => rec X { a -> b : tick ; X } ; a -> b : end }\n"
                   "system C { role a { b!m(x: int) ; [x > 0] => rec X { b!tick ; b?k(x: int) ; b!l(x) ; "
                   "( [x != 0] => X + [x == 0] => b!end ) } }\n"
                   "role b { a?m(y: int) ; [y > 0] => rec Y { a?tick ; a!k(y + 1) ; a?l(y: int) ; ( Y + a?end ) } } }"}
MODELS = ["order.bpmn", "peers.cif", "store.cp", "roles.ioc", "cross.ioc", "wide.cif", "order.ioc", "shipping.ioc",
          "deciders.ioc", "intro.ioc", "two.ioc", "one.cif", "unread.ioc", "counted.ioc", "round.ioc"]
CONSTRAINT = "ConstraintNode <- TRUE\nConstraintEdge <- MaxEdgeMarking1\nConstraint <- ConstraintNodeEdge\n"
# For options whose values are open; {} is the model. All others say what they may be.
VALUES = {"network": ["fifo-pair", "inbox", "sync"], "max-tokens": ["message:1", "flow:1"], "constraint": ["limits"],
          "only": ["Buy", "client", "One", "Two"], "relation": ["weak", "tbc", "trace", "strong"],
          "bound": ["1", "2"], "map": ["x=x2"], "integers": ["0..4"], "max-rounds": ["3"], "equations": ["new"],
          "smt2": ["new"], "certificate": ["new"], "table": ["new"], "compare": ["fifo-pair"], "name": ["other"],
          "as": ["x,y"], "peer": ["client"], "pick": ["2"], "alphabet": ["shipping.ioc"], "max": ["3"]}
# What passes have to be told, and what makes further options mean something.
GIVEN = {"adapt": ["--adapt={}", "--adapt=spec.ioc"],
         "check-conforms": ["--check-conforms={}", "--check-conforms=spec.ioc", "--check-conforms=store.cp",
                            "--check-conforms={} --relation=symbolic"],
         "hide": ["--hide=order"], "check-property": ["--check-property=eventually done", "--check-property=G !active(a)"],
         "dot": ["--dot=graph"], "amend": ["--amend", "--amend=sender", "--amend=receiver"],
         "lower-stg": ["--lower-stg", "--lower-stg --product"],
         "check-collaboration": ["--check-collaboration", "--check-collaboration --network=bag"],
         "check-realizable": ["--check-realizable", "--check-realizable --relation=symbolic",
                              "--check-realizable --relation=symbolic --network=sync"],
         "check-matrix": ["--check-matrix --choreography=roles.ioc --role=a:roles.ioc --role=b:roles.ioc",
                          "--check-matrix --choreography=spec.ioc --role=a:roles.ioc --role=b:roles.ioc",
                          "--check-matrix --choreography=roles.ioc --role=a:roles.ioc --role=b:roles.ioc --network=inbox"]}
# Options that need what a test cannot have: time, or an engine that is not installed.
UNSEEN = {"solver-timeout", "engine", "engine-args", "hosts"}
# Those that are given above, or what is done anyway, and those that save work on larger models only.
LEFT_OUT = {("path", "to-deadlock"), ("hide", "tau"), ("check-realizable", "max-rounds"),
            ("check-matrix", "choreography"), ("check-matrix", "role"),
            *((name, "no-reduction") for name in ["adapt", "check-conforms", "check-kmc", "check-matrix", "check-property",
                                                  "check-synchronizable"])}


def run(command):
    for name in os.listdir("."):
        if name not in own:
            os.remove(name)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found = {}
    for name in set(os.listdir(".")) - own:
        with open(name, "rb") as file:
            found[name] = file.read()
    return done.returncode, done.stdout, found


def split(options, model):
    return [word.replace("{}", model) for word in re.split(" (?=--)", options)]


def makes_difference(name, option, kind):
    """Whether some run with the option differs from the one without it, and is none that was refused."""
    choices = kind.strip("[]").split("|")
    if len(choices) == 1 or option in VALUES and option != "relation":
        choices = VALUES.get(option, choices)
    for given in GIVEN.get(name, ["--" + name]):
        for model in MODELS:
            base = ["cifc", *split(given, model), LIMIT, "--verdicts=verdicts", "-o", "out.cif"]
            if name != "check-matrix":
                base.append(model)
            key = tuple(base)
            if key not in known:
                known[key] = run(base)
            for value in choices:
                word = f"--{option}={value}" if kind else "--" + option
                with_it = run(base + [word])
                if with_it[0] in (0, 1, 3) and with_it != known[key]:
                    return True
    return False


def passes():
    text = subprocess.run(["cif-opt", "--list-passes"], stdout=subprocess.PIPE, check=True).stdout.decode()
    name = ""
    for line in text.splitlines():
        if line.startswith("--"):
            name = re.match(r"--([\w-]+)", line)[1]
        elif "also --" not in line:
            yield (name, *re.match(r"  ([\w-]+)(?:=(\S+))?", line).groups(""))


def prepare():
    for name in ["order.bpmn", "store.cp", "shipping.ioc", "deciders.ioc", "intro.ioc", "order.ioc", "ring.aut"]:
        shutil.copy(os.path.join(examples, name), ".")
    for name, text in WRITTEN.items():
        with open(name, "w") as file:
            file.write(text)
    for name, text in [("limits", CONSTRAINT), ("early.aut", 'des (0,4,5)\n(0,"a",1)\n(0,"a",2)\n(1,"b",3)\n(2,"c",4)\n'),
                       ("late.aut", 'des (0,3,4)\n(0,"a",1)\n(1,"b",2)\n(1,"c",3)\n'),
                       ("inert.aut", 'des (0,2,3)\n(0,"tau",1)\n(1,"order",2)\n'),
                       ("silent.aut", 'des (0,3,3)\n(0,"tau",1)\n(0,"order",2)\n(1,"order",1)\n')]:
        with open(name, "w") as file:
            file.write(text)
    for name, command, source in [("peers.cif", "--project", "store.cp"), ("one.cif", "--lower-lts", "store.cp"),
                                  ("wide.cif", "--project", "wide.ioc")]:
        subprocess.run(["cifc", command, source, "-o", name], check=True)
    subprocess.run(["cif-lts", "compare", "inert.aut", "silent.aut", "--verdicts=found"], stderr=subprocess.DEVNULL)
    return set(os.listdir("."))


# What the commands of cif-lts are given.
FILES = [["inert.aut"], ["silent.aut"], ["peers.cif"], ["order.bpmn"], ["store.cp"],
         ["cross.ioc"], ["again.ioc"], ["--max-states=1", "order.bpmn"]]
TWO = [["inert.aut", "silent.aut"], ["peers.cif", "peers.cif"], ["--relation=trace", "late.aut", "early.aut"]]
GIVEN_TO = {"compare": TWO, "hide": [["--tau=order", "silent.aut"], ["--tau=tau", "peers.cif"], ["--tau=order", "store.cp"]],
            "minimize": [*FILES, ["--relation=weak-trace", "--max-states=1", "silent.aut"],
                         ["--relation=weak-trace", "silent.aut"]],
            "path": [*FILES, ["--to-livelock", "inert.aut"]],
            "determinize": [*FILES, ["--max-states=1", "silent.aut"]]}
OF_LTS = {"relation": "branching", "tau": "order", "system": "appli", "semantics": "fbpmn", "network": "sync", "bound": "1",
          "observe": "send", "only": "Buy", "max-tokens": "message:1", "constraint": "limits", "to-label": "order",
          "to-state": "1", "output": "new", "verdicts": "new", "certificate": "new", "max-states": "1",
          "expect": "violated", "baseline": "found"}
# What limits, shows or explains any run.
COMMON = set("max-memory timeout max-input load threads deps report quiet max-errors color completion help explain "
             "version".split())


def listed(*words):
    text = subprocess.run(["cif-lts", *words, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return set(re.findall(r"--([a-z][a-z-]+)", text.split("Exit status")[0])) - COMMON


def given(option):
    return f"--{option}=" + OF_LTS[option] if option in OF_LTS else "--" + option


def is_heeded(command, option):
    for words in GIVEN_TO.get(command, FILES):
        with_it = run(["cif-lts", command, *words, given(option)])
        if with_it[0] in (0, 1, 3) and with_it != run(["cif-lts", command, *words]):
            return True
    return False


def commands():
    """Every command with every option: True if it says that it heeds it."""
    every = listed()
    text = subprocess.run(["cif-lts", "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    for command in re.findall(r"[a-z]+", re.search(r"Commands: ([^.]*)", text)[1]):
        own_options = listed(command)
        for option in sorted(every - UNSEEN):
            if (command, option) not in LEFT_OUT:
                yield command, option, option in own_options


known = {}
own = prepare()
count = 0
for name, option, kind in passes():
    if option in UNSEEN or (name, option) in LEFT_OUT:
        continue
    count += 1
    if not makes_difference(name, option, kind):
        print(f"--{name} --{option}: no difference", flush=True)
for command, option, heeds in commands():
    count += 1
    if heeds:
        if not is_heeded(command, option):
            print(f"cif-lts {command} --{option}: no difference", flush=True)
        continue
    words = GIVEN_TO.get(command, FILES)[0]
    status, text, _ = run(["cif-lts", command, *words, given(option)])
    if status != 2 or f"'--{option}' has no effect for {command}".encode() not in text:
        print(f"cif-lts {command} --{option}: not refused", flush=True)
print(count, "pairs")
