"""Reads a page of --report=html as a browser does, and says what is in it.

    page.py PAGE.html [--same-as=REPORT.json]"""
import base64
import hashlib
import html.parser
import json
import sys


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.scripts, self.data, self.policy, self.loads = [], "", "", []
        self.inside = None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        for name in ["src", "href", "srcset", "data"]:
            value = attributes.get(name, "#")
            if not value.startswith(("#", "data:")):
                self.loads.append(value)
        if tag == "script":
            self.inside = "data" if attributes.get("type") else "script"
            if self.inside == "script":
                self.scripts.append("")

    def handle_endtag(self, tag):
        if tag == "script":
            self.inside = None

    def handle_data(self, text):
        if self.inside == "data":
            self.data += text
        elif self.inside == "script":
            self.scripts[-1] += text


page = Page()
with open(sys.argv[1], encoding="utf-8") as file:
    page.feed(file.read())
data = json.loads(page.data)
print("policy:", page.policy)
digests = ["'sha256-%s'" % base64.b64encode(
    hashlib.sha256(script.encode()).digest()).decode() for script in page.scripts]
allowed = page.policy.split("script-src ")[1].split()
print("scripts allowed:", "all" if sorted(digests) == sorted(allowed) else digests)
print("loads:", page.loads or "none")
if len(sys.argv) > 2:
    with open(sys.argv[2].split("=")[1], encoding="utf-8") as file:
        report = json.load(file)
    same = {key: value for key, value in data.items() if key != "page"}
    report["seconds"] = same["seconds"]
    assert same == report, "the page says something else than the report"
shown = data["page"]
print("diagnostics:", " ".join(d["code"] for d in data["diagnostics"]))
print("models:", len(shown["models"]))
print("drawings:", sum(len(m["drawings"]) for m in shown["models"]))
print("graphs:", sum(len(m["graphs"]) for m in shown["models"]))
print("runs:", len(shown["runs"]))
if shown["runs"]:
    run = shown["runs"][0]
    print("verdicts of the first:", ", ".join(
        data["verdicts"][v]["property"] for v in run["verdicts"]))
    print("frames:", len(run["frames"]), "with states" if run["hasStates"] else "")
    tokens, queues = {}, {}
    for frame in run["frames"]:
        tokens.update(frame.get("tokens", {}))
        for name, (at, removed, *added) in frame.get("queues", {}).items():
            queues.setdefault(name, [])[at:at + removed] = added
    print("last tokens:", ", ".join(
        "%s %s" % item for item in sorted(tokens.items()) if any(item[1])))
    print("last queues:", ", ".join(
        "%s->%s:%s" % tuple(m) for q in queues.values() for m in q))
