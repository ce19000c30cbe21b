"""Modules of CIF in Python: read them, change them, write them, check them.

A thin layer on the schema, whose classes `flatc` generates (package `cif.fb`), and
on the tools, which are looked for on PATH or in the folder that CIF_BIN names.

    import cif
    module = cif.load("shop.bpmn")              # anything that the tools read
    for behaviour in module.behaviours:
        print(behaviour.name, [node.kind for node in behaviour.nodes])
    for verdict in cif.check("shop.bpmn", "--check-realizable"):
        print(verdict["property"], verdict["verdict"])
"""
import json
import os
import subprocess
from collections import namedtuple

import flatbuffers

from cif.fb import (BehaviourKind, ExprOp, FlowFlags, LoopKind, NodeFlags,
                    NodeKind, SystemRole, Trigger, Verdict)
from cif.fb.Module import Module as _Root, ModuleT

_NONE = 0xFFFFFFFF  # as an index; None here
_KINDS = {
    ("nodes", "kind"): NodeKind.NodeKind, ("nodes", "trigger"): Trigger.Trigger,
    ("nodes", "loop"): LoopKind.LoopKind, ("nodes", "flags"): NodeFlags.NodeFlags,
    ("flows", "flags"): FlowFlags.FlowFlags, ("exprs", "op"): ExprOp.ExprOp}
_STRINGS = {"name", "path", "language", "sha256", "fieldName", "literals"}
# The column that every row has, and columns with several entries for a row: these
# end where another column says.
_REQUIRED = {"sources": "path", "participants": "name", "messages": "name",
             "enumerations": "name", "exprs": "op", "nodes": "kind",
             "flows": "source", "messageFlows": "message"}
_SEVERAL = {"fieldName": "fieldsEnd", "fieldSort": "fieldsEnd",
            "arguments": "argumentsEnd", "literals": "literalsEnd"}
# What an absent column stands for, where it is not None.
_ABSENT = {"minimum": 1, "maximum": 1, "trigger": "None", "loop": "None", "flags": (),
           "name": "", "language": "", "sha256": "", "value": 0, "sort": 0,
           "loopMinimum": 0, "loopMaximum": 0}


class Error(Exception):
    """A tool refused its input: `status` 2, with its words."""

    def __init__(self, status, text):
        super().__init__(text.strip())
        self.status = status


def _names(enumeration):
    # flatc writes None as None_.
    return {value: name.rstrip("_") for name, value in vars(enumeration).items()
            if isinstance(value, int)}


class Module:
    """A module. `raw` has every column as the schema says; the properties show
    the tables as rows, with names for strings and enumerators."""

    def __init__(self, content):
        content = bytearray(content)
        if content[4:8] != b"CIF1":
            raise Error(2, "not a module of CIF")
        self.raw = ModuleT.InitFromObj(_Root.GetRootAs(content, 0))
        ends = [0, *_column(self.raw, "stringEnds")]
        pool = bytes(_column(self.raw, "stringBytes"))
        self._strings = [""] + [pool[begin:end].decode()
                                for begin, end in zip(ends, ends[1:])]
        self._index = {text: i for i, text in enumerate(self._strings)}

    def string(self, index):
        """The string with this index."""
        return self._strings[index]

    def intern(self, text):
        """The index of a string, which is added where it is new."""
        if text not in self._index:
            self._index[text] = len(self._strings)
            self._strings.append(text)
        return self._index[text]

    def to_bytes(self):
        """The binary form."""
        encoded = [text.encode() for text in self._strings[1:]]
        self.raw.stringBytes = list(b"".join(encoded))
        self.raw.stringEnds, end = [], 0
        for text in encoded:
            end += len(text)
            self.raw.stringEnds.append(end)
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.raw.Pack(builder), file_identifier=b"CIF1")
        return bytes(builder.Output())

    def save(self, path):
        """Writes the binary form. The tools verify what they read."""
        with open(path, "wb") as file:
            file.write(self.to_bytes())

    @property
    def name(self):
        return self.string(self.raw.name)

    @property
    def sources(self):
        return self._rows("sources", self.raw.sources)

    @property
    def participants(self):
        return self._rows("participants", self.raw.participants)

    @property
    def enumerations(self):
        return self._rows("enumerations", self.raw.enumerations)

    @property
    def messages(self):
        return self._rows("messages", self.raw.messages)

    @property
    def expressions(self):
        return self._rows("exprs", self.raw.exprs)

    @property
    def message_flows(self):
        return self._rows("messageFlows", self.raw.messageFlows)

    @property
    def behaviours(self):
        kind = _names(BehaviourKind.BehaviourKind)
        row = namedtuple("Behaviour", "name kind owner nodes flows raw")
        return [row(self.string(b.name), kind[b.kind], _index(b.owner),
                    self._rows("nodes", b.nodes), self._rows("flows", b.flows), b)
                for b in self.raw.behaviours or ()]

    @property
    def systems(self):
        role = _names(SystemRole.SystemRole)
        row = namedtuple("System", "name role owner states transitions raw")
        return [row(self.string(s.name), role[s.role], _index(s.owner),
                    max(len(_column(s, "rowBegin")) - 1, 0),
                    len(_column(s, "label")), s)
                for s in self.raw.systems or ()]

    @property
    def facts(self):
        verdict = _names(Verdict.Verdict)
        row = namedtuple("Fact", "property subject verdict exact method message raw")
        return [row(self.string(f.property), self.string(f.subject),
                    verdict[f.verdict].lower(), bool(f.exact),
                    self.string(f.method), self.string(f.message), f)
                for f in self.raw.facts or ()]

    def _rows(self, which, table):
        """A table of columns as a list of rows."""
        if table is None:
            return []
        count = len(_column(table, _REQUIRED[which]))
        columns = {}
        for name in vars(table):
            if name == "locations" or name.endswith("End"):
                continue
            values = [self._cell(which, name, v) for v in _column(table, name)]
            if name in _SEVERAL:
                ends = [0, *_column(table, _SEVERAL[name])]
                ends += [0] * (count + 1 - len(ends))
                values = [values[ends[i]:ends[i + 1]] for i in range(count)]
            columns[name] = values or [_ABSENT.get(name)] * count
        row = namedtuple(which[:1].upper() + which[1:-1], columns)
        return [row(*values) for values in zip(*columns.values())]

    def _cell(self, which, name, value):
        enumeration = _KINDS.get((which, name))
        if name == "flags":
            return tuple(n for bit, n in sorted(_names(enumeration).items())
                         if value & bit)
        if enumeration:
            return _names(enumeration)[value]
        if name in _STRINGS:
            return self.string(value)
        return _index(value)


def _index(value):
    return None if value == _NONE else value


def _column(table, name):
    values = getattr(table, name)
    return [] if values is None else list(values)


def run(tool, *arguments, content=None):
    """Runs a tool of CIF; `content` becomes its standard input. Returns its exit
    status, its standard output and its standard error, and raises `Error` where
    the status is 2."""
    folder = os.environ.get("CIF_BIN")
    program = os.path.join(folder, tool) if folder else tool
    done = subprocess.run([program, *map(str, arguments)], input=content,
                          stdin=None if content is not None else subprocess.DEVNULL,
                          capture_output=True)
    errors = done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1, 3):
        raise Error(done.returncode, errors or "%s ended with %d" % (tool, done.returncode))
    return done.returncode, done.stdout, errors


def load(path):
    """The module that is in, or is compiled from, the file `path`."""
    return Module(run("cifc", "--emit=cif", "-q", path, "-o", "-")[1])


def check(model, *options):
    """Checks a file or a `Module` and returns its verdicts: dictionaries, as
    schema/verdict.schema.json has them. Without options all checks are made."""
    content = model.to_bytes() if isinstance(model, Module) else None
    _, output, _ = run("cifc", *(options or ("--check",)), "-q", "--verdicts=-",
                       "-o", os.devnull, "-" if content is not None else model,
                       content=content)
    return [json.loads(line) for line in output.decode().splitlines()]
