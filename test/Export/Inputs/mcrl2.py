"""mcrl2.py FOLDER MODEL OPTION...: the LTS that mCRL2's tools make of an exported
specification is strongly bisimilar to ours, once its actions have our labels."""
import os
import re
import subprocess
import sys

folder, model, *options = sys.argv[1:]
os.makedirs(folder, exist_ok=True)


def run(*command):
    subprocess.run(command, check=True, cwd=folder)


run("cifc", "-q", "--emit=mcrl2", *options, model, "-o", "x.mcrl2")
run("cif-lts", "explore", "-q", *options, model, "-o", "own.aut")
run("mcrl22lps", "-q", "--no-cluster", "x.mcrl2", "x.lps")
run("lps2lts", "-q", "x.lps", "x.aut")
with open(os.path.join(folder, "x.mcrl2")) as file:
    labels = dict(re.findall(r"^act (\w+); % (.*)$", file.read(), re.M))
with open(os.path.join(folder, "x.aut")) as file, \
        open(os.path.join(folder, "named.aut"), "w") as out:
    for line in file:
        out.write(re.sub(r'"(\w+)"', lambda m: '"%s"' % labels.get(m[1], m[1]),
                         line))
run("cif-lts", "compare", "--relation=strong", "own.aut", "named.aut")
