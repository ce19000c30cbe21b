"""Runs passes under limits, on inputs that are long for them.

Usage: limits.py FOLDER MODE [z3]
  small    every search under limits that are met at its first look
  signals  Ctrl-C, or a request to end, while it works
  memory   too little memory
  harmless inputs that are long, and no reason to search for long
FOLDER is for files. Nothing is timed; what does not end is killed."""
import os
import resource
import signal
import subprocess
import sys
import time

KILL = 120  # seconds: only so that a test that hangs ends


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def limited(bytes):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (bytes, bytes))


def run(arguments, **more):
    return subprocess.run(arguments, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=KILL, text=True, **more)


failures = 0


def expect(good, arguments, status, text):
    global failures
    if not good:
        failures += 1
        print("FAILED:", " ".join(arguments), "-> status", status)
        print(text[:2000])


def models():
    """Small ones that make each pass search."""
    return {
        "choreography": write("shop.cp", """
protocol Shop {
  initial s0  final s3
  s0 -> s1 : a -> b : ask
  s1 -> s2 : b -> c : look
  s2 -> s1 : c -> b : again
  s2 -> s3 : c -> a : done
}
"""),
        "unconnected": write("steps.ioc",
                             "choreography S { a -> b : x ; c -> d : y }\n"),
        "loops": write("loops.ioc", "choreography L { loop { loop { a -> b : x "
                       "} ; b -> a : y } ; a -> b : z }\n"),
        "roles": write("roles.ioc", """
choreography R { a -> b : x ; b -> a : y }
system S { role a { b!x ; b?y }  role b { a?x ; a!y } }
"""),
        "peers": write("peers.cp", """
peer a { initial 0  final 2
  0 -> 1 : b!x
  1 -> 2 : b?y }
peer b { initial 0  final 2
  0 -> 1 : a?x
  1 -> 2 : a!y }
"""),
        "collaboration": os.path.join(
            os.path.dirname(__file__), "../../../docs/examples/order.bpmn"),
        "lts": write("plain.cift", """cif 1.0

system plain x {
  0: "a" -> 1
  0: "a" -> 2
  1: "b" -> 3
  2: "c" -> 3
  3:
}
"""),
        "spec": write("spec.cp", """
protocol Spec {
  initial s0  final s2
  s0 -> s1 : a -> b : x
  s1 -> s2 : b -> a : y
}
"""),
    }


def cases(m):
    """Options, model, and whether something is to be written."""
    spec = "--check-conforms=" + m["spec"]
    return [
        (["--check-synchronizable"], "choreography", False),
        (["--check-realizable"], "choreography", False),
        (["--check-implementable"], "choreography", False),
        (["--check-repairable"], "choreography", False),
        (["--check-health"], "choreography", False),
        (["--check-connected"], "loops", False),
        (["--check-property=F done"], "choreography", False),
        (["--check-bisimilar=ioc-sync"], "roles", False),
        (["--check-bisimilar=ioc-sender"], "roles", False),
        (["--check-bisimilar=ioc-disjoint"], "roles", False),
        (["--check-bisimilar=ioc-disjoint-trace"], "roles", False),
        (["--check-kmc=1"], "peers", False),
        (["--check-rsc"], "peers", False),
        ([spec], "peers", False),
        (["--lower-lts"], "choreography", True),
        (["--lower-lts", "--emit=aut"], "unconnected", True),
        (["--project"], "choreography", True),
        (["--minimize=weak-trace"], "lts", True),
        (["--minimize=strong"], "lts", True),
        (["--amend"], "unconnected", True),
        (["--amend=sync"], "unconnected", True),
        (["--amend=sync"], "roles", True),
        (["--adapt=" + m["spec"]], "roles", True),
        (["--repair"], "collaboration", True),
        (["--synthesize-controllers"], "unconnected", True),
        # An emitter that searches is no other than a pass that does.
        *[(["--emit=smt2"], "roles", True)] * ("z3" in sys.argv),
        *[(["--emit=" + form], "choreography", True)
          for form in ["lnt", "mcrl2", "pnml", "promela", "tla"]],
        # Drawing takes long where there is much to draw.
        *[(["--emit=" + form], model, True) for form in ["bpmn", "svg"]
          for model in ["choreography", "roles"]],
    ]


def small():
    m = models()
    for limit, all_stop in [("--timeout=0.000000001", True),
                            ("--timeout-each=0.000000001", True),
                            ("--max-states=1", False),
                            ("--max-memory=1", False)]:
        for options, model, writes in cases(m):
            output = os.path.join(folder, "output")
            if os.path.exists(output):
                os.remove(output)
            command = ["cifc", *options, limit, m[model], "-o", output]
            done = run(command)
            text = done.stdout
            good = done.returncode == 3 or (
                not all_stop and done.returncode in (0, 1))
            if done.returncode == 3:
                good = good and limit.split("=")[0] in text
                if writes:  # nothing that looks like an answer
                    good = good and not os.path.exists(output)
            expect(good, command, done.returncode, text)
    lts = write("plain.aut", 'des (0,4,4)\n(0,"a",1)\n(0,"a",2)\n(1,"b",3)\n'
                '(2,"c",3)\n')
    for command in [["minimize", "--relation=weak-trace", lts],
                    ["minimize", "--relation=strong", lts],
                    ["determinize", lts],
                    ["explore", m["choreography"]],
                    ["compare", "--relation=weak", lts, lts],
                    ["compare", "--relation=trace", lts, lts]]:
        output = os.path.join(folder, "output.aut")
        if os.path.exists(output):
            os.remove(output)
        command = ["cif-lts", *command, "--timeout=0.000000001"]
        if command[1] != "compare":
            command += ["-o", output]
        done = run(command)
        expect(done.returncode == 3 and "--timeout" in done.stdout and
               not os.path.exists(output), command, done.returncode,
               done.stdout)


    if "z3" not in sys.argv:
        return
    # A silent step is answered by any number of others, round and round.
    rounds = write("rounds.cp", "protocol P { initial s0  final s1\n%s}\n" %
                   "".join(" s%d -> s%d : tau a\n" % (i, (3 * i + k) % 300)
                           for i in range(300) for k in range(4)))
    command = ["cifc", "--emit=smt2", "--timeout=1", rounds, "-o", "/dev/null"]
    done = run(command)
    expect(done.returncode == 3 and "--timeout" in done.stdout, command,
           done.returncode, done.stdout)


def long_inputs():
    """Each is far more work than a test may take."""
    text = "a -> b : m0"
    for i in range(1, 40):
        text = "( %s [> a -> b : m%d )" % (text, i)
    interrupts = write("interrupts.ioc", "choreography D { %s }\n" % text)
    # Each step has a way to all that may interrupt it: too many to look at.
    levels = 3000
    deep = write("deep.ioc", "choreography D { %s a -> b : m %s }\n" % (
        "( " * levels,
        " ".join("[> a -> b : m%d )" % i for i in range(levels))))
    wide = write("wide.ioc", "choreography W { %s }\n" % " || ".join(
        "( a%d -> b%d : x%d ; c%d -> d%d : y%d )" % ((i,) * 6)
        for i in range(14)))
    flood = write("flood.cp", "\n".join(
        "peer p%d { initial 0\n %s }" % (i, "\n ".join(
            "0 -> 0 : p%d!m\n 0 -> 0 : p%d?m" % (j, j)
            for j in range(4) if j != i)) for i in range(4)))
    # A change that is tried makes the first steps of a branch endlessly many.
    cycle = write("cycle.cift", """cif 1.2
participant a
participant b
message a -> b : x
message a -> b : y
message b -> a : z
message b -> a : w

choreography C {
  n0 initial
  n1 interaction a -> b : x
  n2 interaction a -> b : y
  n3 interaction b -> a : z
  n4 interaction b -> a : w
  n5 choice
  n6 choice
  n7 simple-join
  n5 -> n1
  n3 -> n5
  n5 -> n2
  n5 -> n7
  n2 -> n6
  n6 -> n7
  n6 -> n4
  n7 -> n3
}
""")
    # What each loop may do first is all that is in it.
    nested = write("nested.ioc", "choreography L { %s a -> b : m %s }\n" %
                   ("loop { " * 100000, "}" * 100000))
    # Each inclusive join looks at all that comes before it.
    pairs, flows = 3000, ["<sequenceFlow id='f' sourceRef='s' targetRef='a0'/>"]
    for i in range(pairs):
        flows += ["<inclusiveGateway id='a%d'/><inclusiveGateway id='b%d'/>"
                  % (i, i)]
        flows += ["<sequenceFlow id='%s%d' sourceRef='a%d' targetRef='b%d'/>"
                  % (name, i, i, i) for name in "fg"]
        flows += ["<sequenceFlow id='h%d' sourceRef='b%d' targetRef='%s'/>"
                  % (i, i, "a%d" % (i + 1) if i + 1 < pairs else "e")]
    joins = write("joins.bpmn", """<definitions
  xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process id="p">
<startEvent id="s"/><endEvent id="e"/>
%s
</process></definitions>
""" % "\n".join(flows))
    return [
        ["cifc", "--check-sound", joins, "-o", "/dev/null"],
        ["cifc", "--check-sound", "--semantics=fbpmn", joins, "-o",
         "/dev/null"],
        ["cifc", "--project", nested, "-o", "/dev/null"],
        ["cifc", "--check-synchronizable", "--no-proof", nested, "-o",
         "/dev/null"],
        ["cifc", "--project", "--repair", "--network=all",
         "--semantics=collaboration", cycle, "-o", "/dev/null"],
        ["cifc", "--check-connected", interrupts, "-o", "/dev/null"],
        ["cifc", "--check-connected", deep, "-o", "/dev/null"],
        ["cifc", "--amend=sync", wide, "-o", "/dev/null"],
        ["cifc", "--project", "--max-states=0", "--max-memory=0", wide, "-o",
         "/dev/null"],
        ["cif-lts", "explore", "--bound=60", "--max-states=0",
         "--max-memory=0", flood],
    ]


def signals():
    both = [signal.SIGINT, signal.SIGTERM]
    for command, number in [(c, n) for c in long_inputs() for n in both]:
        kept = write("kept", "old")
        command = [kept if word == "/dev/null" else word for word in command]
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
        # Until it has used some time of the processor it may not listen yet.
        while child.poll() is None and cpu(child.pid) < 0.3:
            time.sleep(0.01)
        child.send_signal(number)
        text, _ = child.communicate(timeout=KILL)
        # A flaw that was found by then is an answer.
        flaw = child.returncode == 1 and "is not connected" in text
        with open(kept, "rb") as file:
            stays = file.read() == b"old"
        expect(flaw or child.returncode == 3 and "interrupted" in text and
               stays, command, child.returncode, text)


    # Input that does not come is not waited for.
    waiting = [["cifc", "--check", "-"], ["cif-opt", "--verify", "-"],
               ["cif-lts", "info", "-"]]
    for command, number in [(c, n) for c in waiting for n in both]:
        child = subprocess.Popen(command, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
        while child.poll() is None and not sleeps(child.pid):
            time.sleep(0.01)
        child.send_signal(number)
        status = child.wait(timeout=KILL)
        text, _ = child.communicate()
        expect(status == 3 and "interrupted" in text, command, status, text)


def sleeps(pid):
    """Whether the process has waited for something for a while."""
    for _ in range(20):
        with open("/proc/%d/stat" % pid) as file:
            if file.read().rsplit(")", 1)[1].split()[0] != "S":
                return False
        time.sleep(0.005)
    return True


def cpu(pid):
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def parallel(number):
    """So many parallel branches: as a term, a process and a choreography."""
    every = range(number)
    yield write("branches.ioc", "choreography P { %s }\n" % " ||\n".join(
        "a%d -> b%d : m%d" % (i, i, i) for i in every))
    frame = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">
%s<startEvent id="start"/><parallelGateway id="split"/>
<parallelGateway id="join"/><endEvent id="end"/>
<sequenceFlow id="first" sourceRef="start" targetRef="split"/>
<sequenceFlow id="last" sourceRef="join" targetRef="end"/>
%s</%s></definitions>
"""
    flows = "".join(
        '<sequenceFlow id="f%d" sourceRef="split" targetRef="t%d"/>\n'
        '<sequenceFlow id="g%d" sourceRef="t%d" targetRef="join"/>\n' %
        (i, i, i, i) for i in every)
    yield write("process.bpmn", frame % (
        '<process id="P">', flows + "".join(
            '<task id="t%d"/>\n' % i for i in every), "process"))
    yield write("choreography.bpmn", frame % (
        "".join('<message id="m%d" name="m%d"/>\n' % (i, i) for i in every) +
        '<choreography id="C">\n' + "".join(
            '<participant id="a%d" name="a%d"/><participant id="b%d" name="b%d"/>'
            '<messageFlow id="x%d" messageRef="m%d" sourceRef="a%d" '
            'targetRef="b%d"/>\n' % ((i,) * 8) for i in every),
        flows + "".join(
            '<choreographyTask id="t%d" initiatingParticipantRef="a%d">'
            "<participantRef>a%d</participantRef>"
            "<participantRef>b%d</participantRef>"
            "<messageFlowRef>x%d</messageFlowRef></choreographyTask>\n" %
            ((i,) * 5) for i in every), "choreography"))


def memory():
    # A search: inconclusive, and nobody aborts.
    command = long_inputs()[-1]
    done = run(command, preexec_fn=limited(300 << 20))
    expect(done.returncode == 3 and "memory" in done.stdout, command,
           done.returncode, done.stdout)
    # By default the limit is below what there is, and is met in good order.
    command = [word for word in command if word != "--max-memory=0"]
    done = run(command, preexec_fn=limited(600 << 20))
    expect(done.returncode == 3 and "--max-memory=471859200" in done.stdout,
           command, done.returncode, done.stdout)
    # Reading: an error.
    big = write("big.cp", "protocol P { initial s0\n" + "".join(
        "s%d -> s%d : a%d -> b%d : m%d\n" % ((i, i + 1) + (i,) * 3)
        for i in range(300000)) + "}\n")
    command = ["cifc", big, "-o", "/dev/null"]
    done = run(command, preexec_fn=limited(100 << 20))
    expect(done.returncode == 2 and "memory" in done.stdout.lower(), command,
           done.returncode, done.stdout)
    os.remove(big)
    # The solver does not fit: it is there, and need not be installed.
    if "z3" in sys.argv:
        command = ["cifc", "--check-realizable", "--relation=symbolic",
                   models()["choreography"], "-o", "/dev/null"]
        done = run(command, preexec_fn=limited(100 << 20))
        expect(done.returncode == 2 and "too little memory" in done.stdout and
               "install" not in done.stdout, command, done.returncode,
               done.stdout)
    # Threads that cannot be started are not waited for.
    ring = write("ring.cp", "\n".join(
        "peer p%d { initial 0  final 2\n 0 -> 1 : p%d!m\n 1 -> 2 : p%d?m\n"
        " 0 -> 2 : p%d?m }" % (i, (i + 1) % 20, (i - 1) % 20, (i - 1) % 20)
        for i in range(20)))
    for megabytes in range(90, 200, 10):
        command = ["cif-lts", "explore", "--threads=4", ring, "-o", "/dev/null"]
        done = run(command, preexec_fn=limited(megabytes << 20))
        expect(done.returncode == 3 and "memory" in done.stdout, command,
               done.returncode, done.stdout)
    # Many protocols in one file take as much as one large one.
    many = write("many.cp", "".join(
        "protocol P%d { initial s0  final s2\n s0 -> s1 : a%d -> b%d : m%d\n"
        " s1 -> s2 : b%d -> c%d : n%d }\n" % ((i,) * 7) for i in range(1500)))
    command = ["cifc", "--check-synchronizable", "-q", many, "-o", "/dev/null"]
    done = run(command, preexec_fn=limited(200 << 20))
    expect(done.returncode == 0, command, done.returncode, done.stdout)
    # So do many branches, which run in any order.
    for branches in parallel(1500):
        command = ["cifc", "--check", "-q", branches, "-o", "/dev/null"]
        done = run(command, preexec_fn=limited(200 << 20))
        expect(done.returncode == 0, command, done.returncode, done.stdout)


def harmless():
    steps = write("sequence.ioc", "choreography S { %s }\n" % " ;\n".join(
        "p%d -> q%d : m%d" % ((i,) * 3) for i in range(1500)))
    pairs = write("pairs.ioc", "choreography P { %s }\n" % " ||\n".join(
        "( a%d -> b%d : x%d ; c%d -> d%d : y%d )" % ((i,) * 6)
        for i in range(100)))
    loop = "a -> b : m"
    for _ in range(400):
        loop = "loop { %s }" % loop
    loops = write("nest.ioc", "choreography L { %s }\n" % loop)
    # Indentation does not make a short text long.
    deep = write("levels.ioc", "choreography D { %s a -> b : m %s }\n" %
                 ("loop { " * 3000, "}" * 3000))
    for form in ["scr", "mermaid", "plantuml", "ioc", "bpmn", "json"]:
        output = os.path.join(folder, "deep." + form)
        command = ["cifc", "-q", "--emit=" + form, deep, "-o", output]
        done = run(command)
        expect(done.returncode == 0 and os.path.getsize(output) < 8 << 20,
               command, done.returncode, done.stdout[-2000:])
    until = "a0"
    for i in range(1, 25):
        until = "(%s) U a%d" % (until, i)
    ring = write("ring.cp", "protocol P { initial s0\n s0 -> s0 : a -> b : a0\n"
                 " s0 -> s0 : b -> a : a1 }\n")
    # Whoever sends to c for ever is not the one with the fullest queues.
    grows = write("grows.cp", """protocol P { initial s0  final s0, s1, s2
  s0 -> s1 : a -> b : m0
  s0 -> s0 : a -> c : m0
  s1 -> s2 : b -> c : m0 }
""")
    number = 60000
    # Each reference leads to the one before it; all arcs to the last one.
    references = write("references.pnml", """<pnml>
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<place id="r0"/><transition id="t"/>
<arc id="b" source="r0" target="t"/>
%s
</net></pnml>
""" % "\n".join('<referencePlace id="r%d" ref="r%d"/><arc id="a%d" source="t" '
                'target="r%d"/>' % (i, i - 1, i, number - 1)
                for i in range(1, number)))
    # Neither the name of a lifeline nor its id is free.
    lifelines = write("lifelines.mmd", "\n".join(
        ["sequenceDiagram"] +
        ["participant B%d as A%d" % (i, i) for i in range(number)] +
        ["participant A%d as X" % i for i in range(number)] + ["A0->>B0: m\n"]))
    for command in [["cif-lts", "explore", references],
                    ["cifc", "-q", lifelines]]:
        done = run([*command, "-o", "/dev/null"])
        expect(done.returncode == 0, command, done.returncode, done.stdout)
    for statuses, text, command in [
            ([0], "1499 interactions added", ["--amend=sync", steps]),
            ([0], "1499 interactions added; no smaller set", ["--amend", steps]),
            ([0], "100 interactions added; no smaller set", ["--amend", pairs]),
            ([0], "", ["--lower-lts", loops]),
            ([1], "violated", ["--check-property=" + until, ring]),
            ([0], "holds", ["--check-synchronizable", "--network=fifo-pair",
                            grows])]:
        command = ["cifc", *command, "-o", "/dev/null"]
        done = run(command)
        expect(done.returncode in statuses and text in done.stdout, command,
               done.returncode, done.stdout[-2000:])


folder, mode = sys.argv[1:3]
os.makedirs(folder, exist_ok=True)
{"small": small, "signals": signals, "memory": memory,
 "harmless": harmless}[mode]()
print(failures, "failed")
sys.exit(1 if failures else 0)
