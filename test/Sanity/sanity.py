"""Rules over the source tree that nobody has to remember.

Usage: sanity.py RULE SOURCE_DIR. Prints what breaks the rule, a line each, and
exits with 1 when there is anything.
"""
import os
import re
import sys

rule, root = sys.argv[1:3]
problems = []


def read(path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def files(folder, *extensions):
    for base, folders, names in os.walk(os.path.join(root, folder)):
        folders[:] = sorted(f for f in folders if f != "node_modules")
        for name in sorted(names):
            if not extensions or name.endswith(extensions):
                yield os.path.relpath(os.path.join(base, name), root)


def passes():
    """(name, group, reference) of each pass that users see."""
    text = read("include/cif/Pass/Passes.def")
    return [
        (name, group, reference)
        for name, group, reference in re.findall(
            r'^CIF_PASS\(\w+, "([^"]+)", (\w+), "(?:[^"\\]|\\.)*", "([^"]*)"\)',
            text, re.M)
        if group != "Test"
    ]


def bib_keys():
    return set(re.findall(r"^@\w+\{(\w+),", read("docs/references.bib"), re.M))


def test_texts():
    """Every test file's path and text."""
    return [(path, read(path)) for path in files("test")
            if "/Sanity/" not in path and "/Browser/" not in path]


def check_arrows(picture, expected):
    """The picture's arrows lead from each library to what it includes."""
    boxes = [([float(n) for n in place], name) for *place, name in re.findall(
        r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)".*\n<text[^>]*>(\w+)<',
        picture)]

    def box(x, y):
        return next((name for (left, top, width, height), name in boxes
                     if -4 <= x - left <= width + 4 and -4 <= y - top <= height + 4),
                    "?")

    arrows = set()
    for path in re.findall(r'<path d="M([^"]*)" fill="none"', picture):
        n = [float(number) for number in re.findall(r"[\d.]+", path)]
        end = (n[4], n[3]) if "H" in path else (n[-2], n[-1])
        arrows.add((box(n[0], n[1]), box(*end)))
    for library, other in sorted(arrows ^ expected):
        problems.append("docs/images/architecture.svg and docs/architecture.md "
                        "disagree on %s -> %s" % (library, other))


def check_includes():
    """Includes and linking follow the table of docs/architecture.md, and so do
    the arrows of its picture."""
    allowed = {}
    for line in read("docs/architecture.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and re.fullmatch(r"[A-Z]\w+", cells[0]):
            allowed[cells[0]] = set(re.findall(r"\w+", cells[2]))
    picture = read("docs/images/architecture.svg")
    check_arrows(picture, {(library, other) for library in allowed
                           for other in allowed[library]})
    for library, linked in re.findall(r"^cif_add_library\((\w+) LINK ([^)]*)",
                                      read("lib/CMakeLists.txt"), re.M):
        # The studio is loaded, not linked.
        if allowed.get(library, set()) - {"Studio"} != set(
                re.findall(r"\bCIF(\w+)", linked.split("SOURCES")[0])):
            problems.append("lib/CMakeLists.txt links %s otherwise than "
                            "docs/architecture.md says" % library)
    for _ in allowed:  # the transitive closure
        for library, others in allowed.items():
            for other in list(others):
                others |= allowed.get(other, set())
    libraries = set(os.listdir(os.path.join(root, "lib"))) - {"CMakeLists.txt"}
    for library in libraries:
        if ">%s<" % library not in picture:
            problems.append("docs/images/architecture.svg does not show %s" % library)
    for library in libraries - set(allowed):
        problems.append("docs/architecture.md does not list library %s" % library)
    for library in allowed:
        for folder in ["lib/" + library, "include/cif/" + library]:
            for path in files(folder, ".h", ".cpp", ".def"):
                for other in re.findall(r'#include "cif/(\w+)/', read(path)):
                    if other != library and other not in allowed[library]:
                        problems.append("%s includes %s, which %s may not use"
                                        % (path, other, library))


# Public headers that have no source of their own: all inline, or implemented
# by the sources of a whole folder.
WITHOUT_SOURCE = {
    "Check/Conformance/ConformanceOptions", "Check/Peers/QueueOptions",
    "Explore/GrowingArray", "Explore/WrappedSystem", "Frontend/BpmnText",
    "Graph/Components", "Graph/Reach", "Graph/Search", "IR/Commands", "IR/SharedArray",
    "Pass/FactBuilder", "Report/RunReport",
    "Support/AddedDiagnostics", "Support/ArrayPool", "Support/DiagnosticCode", "Support/DiagnosticKinds",
    "Support/DiagramLayout", "Support/ExitCodes", "Support/Ids", "Support/LLVM", "Support/Outcome",
    "Temporal/FairSearch", "Tools/Drivers", "Tools/Explain", "Transforms/SemanticsOptions",
}
# Folders of test that are not named after a library.
OTHER_TESTS = {"Browser", "Corpus", "Docs", "Editors", "Fuzz", "Install",
               "Metamorphic", "Sanity", "Unit"}


def check_rooms():
    """Folders of include and test are folders of lib, too; a header and its
    source have one name, or the source's name begins with it (Aut.h,
    AutReader.cpp)."""
    sources = {path[len("lib/"):-len(".cpp")] for path in files("lib", ".cpp")}
    rooms = {os.path.dirname(source) for source in sources}
    without = set(WITHOUT_SOURCE)
    for path in files("include/cif", ".h"):
        header = path[len("include/cif/"):-len(".h")]
        room, stem = os.path.split(header)
        names = [os.path.basename(source) for source in sources
                 if os.path.dirname(source) == room]
        if header in without:
            without.discard(header)
        elif room not in rooms:
            problems.append("%s has no folder lib/%s" % (path, room))
        elif not any(name.startswith(stem) or name == "Check" + stem
                     for name in names):
            problems.append("%s has no source lib/%s.cpp" % (path, header))
    for header in without:
        problems.append("include/cif/%s.h is listed, and not there" % header)
    libraries = {room.split("/")[0] for room in rooms}
    for library in set(os.listdir(os.path.join(root, "test"))) - OTHER_TESTS:
        folder = os.path.join(root, "test", library)
        if os.path.isdir(folder) and library not in libraries:
            problems.append("test/%s has no library lib/%s" % (library, library))
        for room in os.listdir(folder) if os.path.isdir(folder) else []:
            if (os.path.isdir(os.path.join(folder, room)) and room != "Inputs"
                    and not os.path.isdir(os.path.join(root, "lib", library, room))):
                problems.append("test/%s/%s has no folder lib/%s/%s"
                                % (library, room, library, room))
    for question in os.listdir(os.path.join(root, "lib/Check")):
        if (os.path.isdir(os.path.join(root, "lib/Check", question))
                and not os.path.isdir(os.path.join(root, "test/Check", question))):
            problems.append("lib/Check/%s has no folder test/Check/%s"
                            % (question, question))


def check_passes():
    """Every pass has a page with its options, and tests; every check one that
    fails."""
    texts = test_texts()
    values = set(re.findall(r'^CIF_PASS\(\w+, "([^"]+)"[^\n]*\n(?:CIF_PASS_\w+\(\)\n)*'
                            r'CIF_PASS_VALUE\("([^"]+)"',
                            read("include/cif/Pass/Passes.def"), re.M))
    for name, options in re.findall(r"^\| \[`([\w-]+)`\][^|]*\|[^|]*\| ([^|]*) \|",
                                    read("docs/passes.md"), re.M):
        page = read("docs/passes/%s.md" % name)
        for option in re.findall(r"`([\w-]+)`", options):
            # What --PASS= sets need not be called by its name.
            if ((name, option) not in values
                    and not re.search(r"\b%s\b" % option, page)):
                problems.append("docs/passes/%s.md does not have the option %s"
                                % (name, option))
    for name, group, reference in passes():
        if not os.path.exists(os.path.join(root, "docs/passes", name + ".md")):
            problems.append("pass %s has no page docs/passes/%s.md" % (name, name))
        word = re.compile(r"(?:^|--|[^\w-])%s(?![\w-])" % re.escape(name))
        mine = [text for _, text in texts if name in text and word.search(text)]
        if not mine:
            problems.append("pass %s has no test" % name)
        if group == "Check" and name != "verify":
            lines = [line for text in mine for line in text.splitlines()
                     if "RUN:" in line and word.search(line)]
            if not any("%exit1" in line for line in lines):
                problems.append("check %s has no test that fails" % name)
            if not any("%exit" not in line for line in lines):
                problems.append("check %s has no test that holds" % name)
        if reference and reference.split(":")[0] not in bib_keys():
            problems.append("pass %s cites %s, which is not in docs/references.bib"
                            % (name, reference))


def check_networks():
    """Every network is in both tables of docs/semantics.md and has a test."""
    page = read("docs/semantics.md")
    options = re.search(r"^\| `network=` \|.*", page, re.M).group(0)
    texts = "\n".join(text for _, text in test_texts())
    for word in re.findall(r'^CIF_NETWORK\(\w+, "([^"]+)"',
                           read("include/cif/Semantics/Networks.def"), re.M):
        if "`%s`" % word not in options:
            problems.append("docs/semantics.md: network= has no `%s`" % word)
        if "\n| `%s` |" % word not in page:
            problems.append("docs/semantics.md has no row for the network %s" % word)
        if not re.search(r"network=(?:[\w-]+,)*%s(?![\w-])" % word, texts):
            problems.append("the network %s has no test" % word)


def check_diagnostics():
    """Every code has a page and a test; no page is left over."""
    # Texts are searched once, for all codes: many of them are long.
    found = {word for _, text in test_texts()
             for word in re.findall(r"\b[A-Z]\d{4}\b|diag::\w+", text)}
    codes = re.findall(r'^CIF_DIAG\("(\w+)", \w+, (\w+),',
                       read("include/cif/Support/Diagnostics.def"), re.M)
    seen = set()
    for code, name in codes:
        if code in seen:
            problems.append("code %s is declared twice" % code)
        seen.add(code)
        if not os.path.exists(os.path.join(root, "docs/diagnostics", code + ".md")):
            problems.append("%s has no page docs/diagnostics/%s.md" % (code, code))
        if not {code, "diag::" + name} & found:
            problems.append("%s (%s) is triggered by no test" % (code, name))
    for path in files("docs/diagnostics", ".md"):
        if os.path.basename(path)[:-3] not in seen:
            problems.append("%s explains a code that is not declared" % path)


def check_citations():
    """[key, ...] and Implements: [key] resolve in docs/references.bib."""
    keys = bib_keys()
    for folder in ["lib", "include", "tools"]:
        for path in files(folder, ".h", ".cpp", ".def"):
            for key in re.findall(r"Implements:[^\n]*?\[(\w+)[,\]]", read(path)):
                if key not in keys:
                    problems.append("%s cites [%s], which is not in "
                                    "docs/references.bib" % (path, key))


def check_style():
    """Banners, guards, line lengths, no leftovers."""
    for folder in ["lib", "include", "tools"]:
        for path in files(folder, ".h", ".cpp"):
            text = read(path)
            if os.path.basename(path) == "Anchor.cpp":
                continue
            if not text.startswith("//===- " + os.path.basename(path)):
                problems.append("%s does not begin with its banner" % path)
            if re.search(r"\b(TODO|FIXME|XXX)\b", text):
                problems.append("%s has a TODO" % path)
            if path.startswith("include/"):
                guard = re.sub(r"[/.]", "_", path[len("include/"):]).upper()
                if "#ifndef %s\n#define %s\n" % (guard, guard) not in text:
                    problems.append("%s has no guard %s" % (path, guard))
            # Scripts for shells and the like stand in raw strings.
            text = re.sub(r'R"\((.*?)\)"', lambda m: "\n" * m[0].count("\n"),
                          text, flags=re.S)
            for number, line in enumerate(text.splitlines(), 1):
                if len(line) > 80 and "http" not in line:
                    problems.append("%s:%d: %d columns" % (path, number, len(line)))
            if (path.startswith("lib/") and not path.startswith("lib/Tools/")
                    and re.search(r"llvm::(outs|errs)\(\)|std::(cout|cerr)|\bexit\(", text)):
                problems.append("%s prints or exits" % path)
    for folder in ["lib", "include", "tools", "docs", "utils", "schema", "test"]:
        for path in files(folder):
            if (path.startswith("test/Sanity") or "__pycache__" in path
                    or path.endswith((".gz", ".png", ".json"))):
                continue
            if re.search(r"(?<![\w.])/(work|root|home)/(?![$%])", read(path)):
                problems.append("%s names a path of one machine" % path)


def check_environment():
    """Every environment variable that the code reads is documented."""
    documented = read("docs/environment.md")
    for folder in ["lib", "tools"]:
        for path in files(folder, ".cpp", ".h"):
            for name in re.findall(r'getenv\("(\w+)"\)', read(path)):
                if name not in documented:
                    problems.append("%s reads %s, which docs/environment.md "
                                    "does not have" % (path, name))


# What docs/extending.md has a reader make up.
MADE_UP = ("FewExchanges", "few-exchanges", "Stack.cpp", "stack.test")


def check_extending():
    """docs/extending.md names files that are there, and every file with a
    switch over all kinds of nodes."""
    page = read("docs/extending.md")
    for path in re.findall(r"^\| `([\w./-]+)` \|", page, re.M):
        if (not any(word in path for word in MADE_UP)
                and not os.path.exists(os.path.join(root, path))):
            problems.append("docs/extending.md names %s" % path)
    kinds = re.findall(r"^CIF_NODE_KIND\((\w+)",
                       read("include/cif/IR/NodeKinds.def"), re.M)
    emitters = read("docs/emitters.md")
    for text in re.findall(r'^CIF_NODE_KIND\(\w+, "([^"]+)"',
                           read("include/cif/IR/NodeKinds.def"), re.M):
        if not re.search(r"(?<![\w-])%s(?![\w-])" % text, emitters):
            problems.append("docs/emitters.md does not say what %s is in BPMN" % text)
    for path in files("lib", ".cpp"):
        text = read(path)
        handles = all("case NodeKind::%s:" % kind in text for kind in kinds)
        if handles != ("| `%s` |" % path in page.split("## A new node kind")[1]):
            problems.append("docs/extending.md, a new node kind: %s" % path)


globals()["check_" + rule]()
for problem in sorted(set(problems)):
    print(problem)
sys.exit(1 if problems else 0)
