"""mcrl2.py FOLDER MODEL[:NETWORK[:BOUND]]...: the LTS that mCRL2's tools make of an
exported specification has the size of ours, and is strongly bisimilar to it once its
actions have our labels, as cif-lts says and as ltscompare does. A choreography is
projected first, unless no network is given."""
import os
import re
import subprocess
import sys

folder, *cases = sys.argv[1:]
os.makedirs(folder, exist_ok=True)


def run(*command, mayFail=False):
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode and not mayFail:
        sys.exit("%s: %s" % (" ".join(command), done.stdout + done.stderr))
    return done.stderr if done.returncode else done.stdout


def comment(label):
    """A label as comments of the specification have it."""
    text = ""
    for code in label.encode(errors="surrogateescape")[:200]:
        c = chr(code)
        ends = text[-1:] + c in ("*/", "*)", "/*", "(*", "--")
        text += "?" if ends or not 32 <= code < 127 or c in "\\%" else c
    return text


def rewrite(source, target, name):
    """Renames the labels of an AUT file, and gives its first line."""
    with open(os.path.join(folder, source), encoding="utf-8",
              errors="surrogateescape") as file, \
            open(os.path.join(folder, target), "w") as out:
        first = file.readline()
        out.write(first)
        for line in file:
            start, label, end = re.fullmatch(r'\((\d+), *"?(.*?)"?, *(\d+)\)\n',
                                             line).groups()
            label = name(label).replace('"', "'")
            out.write('(%s,"%s",%s)\n' % (start, label, end))
    return re.findall(r"\d+", first)


networks = set()
for case in cases:
    model, *way = case.split(":")
    networks.update(way[:1])
    if way and model.endswith((".cp", ".ioc")) and "E0931" not in run(
            "cifc", "-q", "--project", model, "-o", "peers.cif", mayFail=True):
        model = "peers.cif"  # E0931: it has peers, and nothing to project
    options = [o + w for o, w in zip(["--network=", "--bound="], way)] + [model]
    run("cifc", "-q", "--emit=mcrl2", *options, "-o", "x.mcrl2")
    run("cif-lts", "explore", "-q", *options, "-o", "explored.aut")
    run("mcrl22lps", "-q", "--no-cluster", "x.mcrl2", "x.lps")
    run("lps2lts", "-q", "x.lps", "x.aut")
    with open(os.path.join(folder, "x.mcrl2")) as file:
        labels = dict(re.findall(r"^act (\w+); % (.*)$", file.read(), re.M))
    labels["tau"] = "tau"
    theirs = rewrite("x.aut", "theirs.aut", labels.get)
    ours = rewrite("explored.aut", "ours.aut", comment)
    if ours != theirs:
        sys.exit("%s: we explore %s, mCRL2 %s" % (case, ours, theirs))
    run("cif-lts", "compare", "--relation=strong", "ours.aut", "theirs.aut")
    if run("ltscompare", "-q", "-ebisim", "ours.aut", "theirs.aut").strip() != "true":
        sys.exit(case + ": ltscompare tells them apart")
    print(case, *ours[1:], flush=True)
print("bisimilar:", len(cases), "systems,", len(networks), "networks")
