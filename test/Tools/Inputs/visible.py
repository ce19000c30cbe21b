# Exits with an error when a file is not UTF-8, or has what must not reach a
# terminal. With --json: each line must be JSON too.
import json
import re
import sys

asJson = sys.argv[1] == "--json"
with open(sys.argv[-1], "rb") as file:
    text = file.read().decode("utf-8")
hidden = re.search(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]",
    text)
if hidden or not text:
    sys.exit("%s: %r" % (sys.argv[-1], text))
if asJson:
    names = "".join(json.dumps(json.loads(line)) for line in text.splitlines())
    assert "\\u202e" in names and "\\u2028" in names, names
