"""What must not change an answer does not: each check on each model and network,
made twice, through files and pipes, after round trips, renaming, reordering and
parts that nobody reaches. Every run ends with a status of the contract, and its
verdicts say what its status says.

Usage: metamorphic.py FOLDER. Prints what is wrong, and last how much was done.
The usual questions are asked about each model; of all that the tool offers beyond
these a sample that is always the same, or the share of it that CIF_METAMORPHIC
says (1: all)."""
import json
import os
import random
import re
import subprocess
import sys

from models import MODELS
from offered import Question, passes, questions

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
problems = []
runs = 0

USUAL = [Question(name, **({"network": network} if network else {}))
         for name, networks in [
             ("check-structure", []), ("check-well-composed", []),
             ("check-connected", []), ("check-repairable", []),
             ("check-implementable", []), ("check-kmc", []),
             ("check-rsc", ["inbox", "fifo-pair"]),
             ("check-synchronizable", ["inbox", "fifo-pair"]),
             ("check-realizable", ["inbox", "fifo-pair"]),
             ("check-health", ["inbox", "fifo-pair", "bag"]),
             ("check-property", ["inbox", "bag"]), ("check-conforms", []),
             ("check-bisimilar", []), ("check-sound", [])]
         for network in [None] + networks]
LIMITS = ["--max-states=20000", "--timeout=20"]
SHARE = float(os.environ.get("CIF_METAMORPHIC", 0.03))
rng = random.Random(21)


def without_usual(found):
    known = {q.key() for q in USUAL}
    return [q for q in found if q.key() not in known]


REST = without_usual(questions("Check"))
TRANSFORMS = questions("Transform", "Lowering")


def sample(found):
    return [q for q in found if rng.random() < SHARE]


def path(name):
    return os.path.join(folder, name)


def complain(what, command, *details):
    problems.append("%s\n    %s%s" % (
        what, " ".join(command), "".join("\n    " + d for d in details)))


class Answer:
    """What a run said: its status and its verdicts."""

    def __init__(self, command, data=None):
        global runs
        runs += 1
        self.command = command
        done = subprocess.run(command, input=data, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        self.status = done.returncode
        self.said = done.stderr.decode(errors="replace")
        self.out = done.stdout
        self.facts = []
        if "--verdicts=-" in command and self.status != 2:
            self.facts = [json.loads(line) for line in
                          done.stdout.decode().splitlines()]
            for fact in self.facts: # another name is no other answer
                fact.pop("file", None)
            self.agree()
        if self.status not in (0, 1, 2, 3) or "defect" in self.said:
            complain("a crash or a defect (status %d)" % self.status, command,
                     self.said.strip()[:300])
        if self.status == 2 and "error:" not in self.said:
            complain("an error without a message", command)

    def agree(self):
        verdicts = [fact["verdict"] for fact in self.facts]
        expected = (1 if "violated" in verdicts else
                    3 if "inconclusive" in verdicts else 0)
        if self.status != expected:
            complain("status %d, verdicts say %d" % (self.status, expected),
                     self.command, self.said[:300])
        for fact in self.facts:
            if fact["verdict"] == "violated" and not fact.get("witness"):
                complain("violated without a witness", self.command)

    def verdicts(self):
        """Question and verdict, without names and numbers."""
        return sorted((f["property"], f["parameters"].get("problem", ""),
                       f["verdict"]) for f in self.facts)

    def lines(self):
        return self.facts


def check(tool, flags, source, data=None, output="/dev/null"):
    return Answer([tool, "-q", "--verdicts=-", "-o", output] + LIMITS + flags +
                  [source], data)


def make(command):
    """A file for the suite itself; false: the tool cannot."""
    global runs
    runs += 1
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode not in (0, 1, 2, 3):
        complain("a crash (status %d)" % done.returncode, command)
    return done.returncode == 0


def same(what, base, other, exactly):
    if base.status == 2:
        if other.status != 2:
            complain(what + ": an error before, none now", other.command)
        return
    left, right = ((base.lines(), other.lines()) if exactly else
                   (base.verdicts(), other.verdicts()))
    if base.status != other.status or left != right:
        complain(what + ": the answer changed", other.command,
                 "before: %d %s" % (base.status, base.verdicts()),
                 "now:    %d %s" % (other.status, other.verdicts()),
                 other.said.strip()[:300])


def renamed(text, words):
    """A bijection that also turns the order of the names around."""
    words = sorted(words)
    new = {word: "z%02d" % (len(words) - i) for i, word in enumerate(words)}
    return re.sub(r"[A-Za-z_]\w*", lambda m: new.get(m.group(), m.group()), text)


def turned(lines):
    return "\n".join(reversed(lines.rstrip("\n").split("\n"))) + "\n"


def reordered(name, text):
    """Transitions, operands or elements, and blocks, the other way round."""
    if name.endswith(".ioc"):
        return re.sub(r"\(([^()]*?)\s(\|\||\+)\s([^()]*)\)", r"( \3 \2 \1 )", text)
    if name.endswith(".cp"):
        start, end = r"(\w+ \w+ \{\n[^\n]*\n)", r"(\}\n)"
    else:
        start = r"(  <(?:process|collaboration) [^\n]*\n)"
        end = r"(  </(?:process|collaboration)>\n)"
    blocks = list(re.finditer("(?ms)^%s(.*?)^%s" % (start, end), text))
    return (text[:blocks[0].start()] +
            "".join(b[1] + turned(b[2]) + b[3] for b in reversed(blocks)) +
            text[blocks[-1].end():])


def with_unreachable(name, text):
    """A state, or tasks in a loop, that nobody reaches."""
    if name.endswith(".bpmn"):
        return text.replace("  </process>", """\
    <task id="u1"/>
    <task id="u2"/>
    <sequenceFlow id="uf1" sourceRef="u1" targetRef="u2"/>
    <sequenceFlow id="uf2" sourceRef="u2" targetRef="u1"/>
  </process>""", 1)
    if not name.endswith(".cp"):
        return None
    step = re.search(r"(?m)^\s*\w+ -> \w+ : (.*)$", text).group(1)
    first = text.index("\n}")
    state = "s" if "s0" in text else ""
    return (text[:first] + "\n  %s91 -> %s92 : %s\n  %s92 -> %s0 : %s" % (
        state, state, step, state, state, step) + text[first:])


def with_unused(name, text):
    """A participant that does nothing."""
    if name.endswith(".bpmn"):
        return text.replace("  </collaboration>", """\
    <participant id="idle" name="Idle"/>
  </collaboration>""")
    if "peer " not in text:
        return None
    return text + "peer idle {\n  initial 0  final 0\n}\n"


def variants(name, text, words):
    """Files that mean the same: what was done, file, whether even the places
    and witnesses are the same."""
    source = path(name)
    stem = path(name.replace(".", "-"))
    if make(["cifc", source, "-o", stem + ".cif"]):
        yield "binary", stem + ".cif", True
        if (make(["cif-dis", stem + ".cif", "-o", stem + ".cift"]) and
                make(["cif-as", stem + ".cift", "-o", stem + "-2.cif"])):
            yield "text", stem + ".cift", True
            yield "text and back", stem + "-2.cif", True
    if make(["cifc", "--normalize", source, "-o", stem + "-normal.cif"]):
        yield "normalize", stem + "-normal.cif", False
    if make(["cifc", source, "-o", stem + "-trip.bpmn"]):
        yield "BPMN", stem + "-trip.bpmn", False
    changed = [("renaming", words and renamed(text, words)),
               ("reordering", reordered(name, text)),
               ("an unreachable state", with_unreachable(name, text)),
               ("an unused participant", with_unused(name, text))]
    for what, other in changed:
        if other:
            file = stem + "-" + what.replace(" ", "-") + os.path.splitext(
                name)[1]
            with open(file, "w") as out:
                out.write(other)
            yield what, file, False


def may_change(question, what):
    """Structure speaks about the parts themselves: it may well change. What nobody
    reaches is a dead activity. Whoever does nothing is not in the choreography."""
    return (question.name == "check-structure" and what in (
        "normalize", "BPMN", "an unreachable state", "an unused participant")
            or question.name in ("check-no-dead-activity", "check-collaboration")
            and what == "an unreachable state"
            or question.name == "check-conforms" and
            what == "an unused participant")


def write(file, text):
    with open(path(file), "w") as out:
        out.write(text)
    return path(file)


def check_model(name, text, words, spec):
    """The answers to the usual questions by their keys."""
    answers = {}
    source = write(name, text)
    others = list(variants(name, text, words))
    specs = {"renaming": write("renamed-" + spec[0], renamed(spec[1], words))}
    spec = write(*spec)
    for question in USUAL + sample(REST):
        asked = question.braced(spec)
        flags = ["--passes=" + asked]
        base = check("cifc", flags, source)
        if base.status == 2:
            continue
        answers[question.key()] = base
        # Twice: through a file, through a pipe, in one run.
        twice = path("twice.cif")
        first = check("cifc", flags, source, output=twice)
        same("made once more", base, first, True)
        again = check("cif-opt", flags, twice, output=path("again.cif"))
        same("twice through a file", base, again, True)
        with open(twice, "rb") as a, open(path("again.cif"), "rb") as b:
            stored = a.read()
            if stored != b.read():
                complain("twice: the module changed", again.command)
        same("twice through a pipe", base,
             check("cif-opt", flags, "-", data=stored), True)
        same("twice in one run", base,
             check("cifc", ["--passes=%s,%s" % (asked, asked)], source), True)
        for what, file, exactly in others:
            if may_change(question, what):
                continue
            other = check("cif-opt", ["--passes=" + question.braced(
                specs.get(what, spec))], file)
            if other.status == 2 and what == "BPMN":
                continue  # the check does not speak about what BPMN says
            same(what, base, other, exactly)
    return answers


# What is asked of the projection, whoever makes it.
OF_PEERS = ("check-synchronizable", "check-health", "check-rsc", "check-kmc")
# What a transform that succeeds has achieved.
PROMISES = {"amend": "check-realizable", "repair": "check-sound",
            "adapt": "check-conforms",
            "synthesize-controllers": "check-synchronizable"}


# Their witnesses have no places: one of terms, one of an LTS.
UNPLACED = ("check-bisimilar", "lower-lts")


def check_places(answer, *files):
    """A witness speaks about what was written, after any transform."""
    for fact in answer.facts:
        for step in fact.get("witness", {}).get("steps", []):
            if step.get("at", {}).get("file") not in files:
                complain("a step without a place", answer.command, str(step))
                return


def check_transforms(name, spec, before_it):
    """Facts of before do not outlive a change, places do, what was promised holds,
    and nothing crashes. `before_it`: answers without a transform."""
    source = path(name)
    spec = path(spec[0])
    before = path("before.cif")
    plain = [t for t in TRANSFORMS if not t.given]
    for transform in plain + sample([t for t in TRANSFORMS if t.given]):
        made = Answer(["cifc", "-q"] + LIMITS +
                      ["--passes=" + transform.braced(spec), source])
        if made.status != 0:
            continue  # there is no module to go on with
        usual = USUAL if not transform.given else sample(USUAL)
        for question in usual + sample(REST):
            # The option of the check must not reach the transform.
            alone = check("cifc", ["--passes=%s,%s" % (
                transform.braced(spec), question.braced(spec))], source,
                output=before)
            if alone.status == 2:
                continue
            if not {question.name, transform.name} & set(UNPLACED):
                check_places(alone, source, spec)
            if question.key() == (PROMISES.get(transform.name), ()):
                if not transform.given and alone.status == 1:
                    complain("a promise that is not kept", alone.command)
            if (transform.key() == ("project", ()) and question.name in OF_PEERS
                    and question.key() in before_it):
                same("project", before_it[question.key()], alone, False)
            piped = check("cif-opt", ["--passes=" + question.braced(spec)],
                          "-", data=made.out)
            wanted = question.name[len("check-"):]
            # The transform may have reported on the same property.
            if any(f not in alone.facts for f in piped.facts
                   if f["property"] == wanted):
                complain("one run and a pipe differ", piped.command,
                         "run:  %s" % alone.verdicts(),
                         "pipe: %s" % piped.verdicts(),
                         "transform: " + transform.braced(spec))


def without_facts(module):
    """A binary module as text, but for what is known of it."""
    text = subprocess.run(["cif-dis"], input=module,
                          stdout=subprocess.PIPE).stdout.decode()
    return re.sub(r"(?ms)^fact .*?^\}\n", "", text).rstrip("\n")


def check_stale(name, spec):
    """A transform that changes the module drops what was known of it."""
    source = path(name)
    make(["cifc", "-q", source, "-o", path("plain.cif")])
    Answer(["cifc", "-q", "--check-synchronizable", source, "-o",
            path("known.cif")])
    for transform in passes("Transform"):
        flags = ["cif-opt", "-q"] + LIMITS + [
            "--passes=" + Question(transform).braced(path(spec[0]))]
        plain = Answer(flags + [path("plain.cif")])
        known = Answer(flags + [path("known.cif")])
        if plain.status != 0:
            continue  # there is no module to look at
        with open(path("plain.cif"), "rb") as file:
            changed = without_facts(file.read()) != without_facts(plain.out)
        if changed and plain.out != known.out:
            complain("a fact outlived " + transform, known.command)


for name, text, words, spec in MODELS:
    check_transforms(name, spec, check_model(name, text, words, spec))
    check_stale(name, spec)
for problem in problems:
    print("problem:", problem)
print("%d models, %d questions and %d transforms offered, %d runs, %d problems" % (
    len(MODELS), len(USUAL) + len(REST), len(TRANSFORMS), runs, len(problems)))
sys.exit(1 if problems else 0)
