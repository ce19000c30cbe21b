"""compare.py EXAMPLES TESTS [ENGINE...]: asks each engine and our own search, and
compares their verdicts. An engine must answer what our own search answers
within the same limits, and both must never contradict each other."""
import json
import os
import subprocess
import sys
import tempfile

examples, tests, *engines = sys.argv[1:]
engines = engines or ["ltsmin-mc", "ltsmin-sym", "ltsmin-dist"]
folder = tempfile.mkdtemp()
processes = ["check-safe", "check-bounded", "check-deadlock-free",
             "check-no-dead-activity"]
limit = "--max-tokens=flow:2,message:2"


def verdicts(*command):
    path = os.path.join(folder, "verdicts")
    run = subprocess.run([*command, "--verdicts=" + path, "-o", "/dev/null"],
                         capture_output=True, text=True)
    if run.returncode == 2:
        sys.exit("%s: %s" % (" ".join(command), run.stderr))
    facts = [json.loads(line) for line in open(path)]
    os.remove(path)
    return {(f["property"], f["subject"]): f for f in facts}


def project(name):
    to = os.path.join(folder, os.path.basename(name) + ".cif")
    subprocess.run(["cifc", "-q", "--project", name, "-o", to], check=True)
    return to


cases = []
for number, (model, options) in enumerate([
        ("booking/collaboration-fig2.bpmn", ["--network=sync"]),
        ("booking/collaboration-fig2.bpmn", ["--network=bag"]),
        ("booking/collaboration-fig12.bpmn", ["--network=inbox"]),
        ("orders/fig18a.bpmn", ["--network=fifo-pair"]),
        ("order.bpmn", ["--network=causal", "--semantics=collaboration"]),
        ("order.bpmn", ["--network=rsc", "--semantics=fbpmn"])]):
    for check in processes:
        cases.append((["--" + check, limit, *options,
                       os.path.join(examples, model)], number))
here = os.path.dirname(os.path.abspath(__file__))
for number, model in enumerate(["unsafe.bpmn", "dead.bpmn"]):
    for i, check in enumerate(processes):
        cases.append((["--" + check, "--network=bag", limit,
                       os.path.join(here, model)], number + i))
for number, (model, options) in enumerate([
        (project(os.path.join(examples, "store.cp")), ["--network=inbox"]),
        (project(os.path.join(examples, "delivery.cp")), ["--network=fifo-pair"]),
        (os.path.join(tests, "Check/Peers/check-health-orphan.cp"), []),
        (os.path.join(here, "held-up.cp"), []),
        (project(os.path.join(examples, "store.cp")), ["--network=bag"])]):
    cases.append((["--check-health", "--bound=2", "--no-proof", *options, model],
                  number))

agreed = 0
for command, number in cases:
    own = verdicts("cifc", *command)
    # Each engine has a third of the cases, and all of them some of each check.
    for i, engine in enumerate(engines):
        if len(engines) > 1 and (number + i) % len(engines):
            continue
        other = verdicts("cifc", *command, "--engine=" + engine)
        for key, fact in own.items():
            where = "%s, %s: %s" % (" ".join(command), engine, key)
            theirs = other.get(key)
            if not theirs:
                sys.exit(where + ": no verdict")
            # check-health: with a bound our own search never claims exactness.
            if fact["verdict"] != theirs["verdict"]:
                sys.exit("%s: %s, not %s" % (where, theirs["verdict"],
                                             fact["verdict"]))
            if "LTSmin" not in theirs["method"]:
                sys.exit(where + ": the method is " + theirs["method"])
            agreed += 1
print("agree:", agreed, "verdicts")
