"""Validates JSON against a JSON Schema, as far as the schemas here use it.

    validate.py SCHEMA FILE           one document
    validate.py --lines SCHEMA FILE   one document a line
"""
import json
import os
import re
import sys

documents = {}


def load(path):
    return documents.setdefault(path, json.load(open(path, encoding="utf-8")))


def resolve(reference, base):
    name, _, pointer = reference.partition("#")
    base = os.path.join(os.path.dirname(base), name) if name else base
    schema = load(base)
    for part in filter(None, pointer.split("/")):
        schema = schema[part]
    return schema, base


types = {"object": dict, "array": list, "string": str, "boolean": bool}
known = {"$schema", "$id", "$ref", "title", "description", "definitions", "type", "const", "enum",
         "pattern", "minimum", "minItems", "required", "properties", "additionalProperties", "items"}


def has_type(value, name):
    if name in ("integer", "number"):
        return (isinstance(value, int) or name == "number" and isinstance(value, float)) \
            and not isinstance(value, bool)
    return isinstance(value, types[name])


def check(value, schema, base, at):
    if not set(schema) <= known:
        sys.exit("%s: schema words that this validator does not know: %s" % (at, set(schema) - known))
    if "$ref" in schema:
        check(value, *resolve(schema["$ref"], base), at)
    if "type" in schema and not has_type(value, schema["type"]):
        sys.exit("%s: %r is no %s" % (at, value, schema["type"]))
    if "const" in schema and value != schema["const"]:
        sys.exit("%s: %r is not %r" % (at, value, schema["const"]))
    if "enum" in schema and value not in schema["enum"]:
        sys.exit("%s: %r is none of %r" % (at, value, schema["enum"]))
    if "pattern" in schema and not re.search(schema["pattern"], value):
        sys.exit("%s: %r does not match %s" % (at, value, schema["pattern"]))
    if "minimum" in schema and value < schema["minimum"]:
        sys.exit("%s: %r is below %r" % (at, value, schema["minimum"]))
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            sys.exit("%s: too few items" % at)
        for i, item in enumerate(value):
            check(item, schema.get("items", {}), base, "%s[%d]" % (at, i))
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                sys.exit("%s: %s is missing" % (at, name))
        for name, item in value.items():
            rest = schema.get("additionalProperties", {})
            sub = schema.get("properties", {}).get(name, rest)
            if sub is False:
                sys.exit("%s: %s is not in the schema" % (at, name))
            check(item, sub if isinstance(sub, dict) else {}, base, at + "." + name)


lines = sys.argv[1] == "--lines"
schema, path = sys.argv[-2:]
text = open(path, encoding="utf-8").read()
parts = text.splitlines() if lines else [text]
for number, part in enumerate(parts, 1):
    check(json.loads(part), load(schema), schema, "%s:%d" % (path, number))
print("%d valid" % len(parts))
