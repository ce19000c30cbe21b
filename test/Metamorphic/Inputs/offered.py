"""What the tool offers: passes with their options, networks and relations, read
from the lists that the tool itself is made of and from its help. What is added
there is asked here."""
import os
import re
import subprocess

LISTS = os.path.join(os.path.dirname(__file__), *[os.pardir] * 3, "include", "cif")


def entries(file, pattern):
    with open(os.path.join(LISTS, file), encoding="utf-8") as text:
        return re.findall(pattern, text.read(), re.M)


NETWORKS = entries("Semantics/Networks.def", r'^CIF_NETWORK\(\w+, "([\w-]+)"')
WEAK = [name for name, flags in entries(
    "Equivalence/Relations.def",
    r'^CIF_RELATION\(\w+, "([\w-]+)", "[^"]*", ([^)]*)\)')
        if "RelationIsWeak" in flags]

# Passes that cannot be asked of a model: why.
LEFT_OUT = {"verify": "every run verifies", "check-matrix": "it reads no model",
            "dot": "it writes a file", "print-stats": "it only prints"}
# What a pass has to be told. SPEC is the choreography of a model.
GIVEN = {"check-property": ("property", "eventually done"),
         "check-conforms": ("spec", "SPEC"), "adapt": ("spec", "SPEC"),
         "hide": ("labels", "req"), "lower-stg": ("file", "/dev/null")}
# Options that choose no other answer: where something goes, what it looks like,
# who searches; and those whose values are names and numbers of a model.
NO_QUESTION = {"format", "table", "compare", "certificate", "equations", "smt2",
               "engine", "engine-args", "hosts", "constraint", "max-tokens",
               "only", "map", "bound", "max", "k", "integers", "max-rounds",
               "solver-timeout", "name", "as", "peer", "file", "alphabet",
               "pick", "spec", "property", "labels"}


def values(option, kind):
    """The values of an option that make questions of their own."""
    if option == "network":
        return NETWORKS + ["all"] * ("all" in kind)
    if option == "relation" and "RELATION" in kind:
        return ["bbc", "tbc", "all", "dp-weak", "symbolic"] + WEAK
    if not kind:
        return ["true"]
    return kind.strip("[]").split("|")


def options(name):
    """{option: its values} of a pass."""
    text = subprocess.run(["cifc", "--help=" + name], stdout=subprocess.PIPE,
                          check=True).stdout.decode()
    return {option: values(option, kind) for option, kind in
            re.findall(r"(?m)^  ([\w-]+)(?:=(\S+))?\s", text)
            if option not in NO_QUESTION}


class Question:
    """A pass with the options that it is given."""

    def __init__(self, name, **given):
        self.name = name
        self.given = {k.replace("_", "-"): v for k, v in given.items()}

    def braced(self, spec):
        """As an element of --passes; `spec` is the file with the choreography."""
        given = dict([GIVEN[self.name]] if self.name in GIVEN else [],
                     **self.given)
        texts = ['%s="%s"' % (k, spec if v == "SPEC" else v)
                 for k, v in given.items()]
        return self.name + ("{%s}" % ",".join(texts) if texts else "")

    def key(self):
        return (self.name, tuple(sorted(self.given.items())))


def passes(*groups):
    return [name for name, group in entries(
        "Pass/Passes.def", r'^CIF_PASS\(\w+, "([\w-]+)", (\w+)')
            if group in groups and name not in LEFT_OUT]


def questions(*groups):
    """Each pass of these groups as it is, and with each value of each option."""
    found = []
    for name in passes(*groups):
        found.append(Question(name))
        for option, all_values in options(name).items():
            found += [Question(name, **{option: value}) for value in all_values]
    return found
