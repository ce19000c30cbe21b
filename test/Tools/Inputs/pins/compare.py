"""compare.py HOST MODULE MODEL...: explores each model under each network with
cif-lts, and with cif-pins in a host: at once, by groups, and by groups that see
and change no more than their rows say. The counts have to be the same, and so
have the goals that are seen."""
import itertools
import re
import subprocess
import sys

host, module, *models = sys.argv[1:]
networks = ["sync", "bag", "fifo-pair", "inbox", "outbox", "fifo-all", "causal", "rsc"]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


goals = ["unsafe", "start", "cut", "unspecified-reception", "left-message",
         "left-within-bound"]
compared = refused = seen = 0
for model, network in itertools.product(models, networks):
    # Handshakes have no bound, choreographies no network.
    for options in (["--network=" + network, "--bound=2"],
                    ["--network=" + network], []):
        own = run("cif-lts", "explore", "--max-states=3000", *options, model,
                  "-o", "-")
        if own.returncode != 2 or "option '--" not in own.stderr:
            break
    expected = None
    if own.returncode == 0:
        counts = re.match(r"des *\(\d+, *(\d+), *(\d+)\)", own.stdout)
        expected = "%s states, %s transitions" % (counts[2], counts[1])
    elif own.returncode == 3:
        continue # too many states for a test
    for queues, by in (("slots", "short"), ("chunks", "short"),
                       ("chunks", "long"), ("slots", "all")):
        other = run(host, module, model, "--cif-network=" + network,
                    "--cif-bound=2", "--cif-queues=" + queues, "--by=" + by)
        where = "%s under %s, %s, %s" % (model, network, queues, by)
        if expected is None:
            if other.returncode != 2:
                sys.exit(where + ": cif-lts refuses it, the host does not: "
                         + other.stdout + other.stderr)
            refused += 1
            break
        if other.returncode or not other.stdout.startswith(expected + ","):
            sys.exit("%s: expected %s, got %s" % (where, expected,
                                                  other.stdout + other.stderr))
    else:
        compared += 1
        for goal in goals if network in ("sync", "bag", "inbox", "fifo-pair") else []:
            answers = set()
            for by in ("all", "long", "short"):
                limits = ["--cif-max-tokens=flow:1,message:1"] if goal == "cut" \
                    and model.endswith(".bpmn") else ["--cif-bound=1"]
                other = run(host, module, model, "--cif-network=" + network,
                            *limits, "--cif-goal=" + goal, "--by=" + by)
                if other.returncode == 2 and "has no meaning" in other.stderr:
                    break
                if other.returncode:
                    sys.exit("%s under %s, %s: %s" % (model, network, goal,
                                                      other.stderr))
                answers.add((re.search(r"^(goal.*)$", other.stdout, re.M) or [""])[0]
                            + re.search(r"\d+ states", other.stdout)[0])
            if len(answers) > 1:
                sys.exit("%s under %s, %s: %s" % (model, network, goal, answers))
            seen += any("goal" in a for a in answers)
print("compared", compared, "refused", refused, "goals seen", seen)
