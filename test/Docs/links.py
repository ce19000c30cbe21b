"""Follows the links of README.md: reports those that lead nowhere, and pages
under docs that no link leads to. A link to a folder reaches all pages in it.
Usage: links.py ROOT"""
import os
import re
import sys

root = os.path.abspath(sys.argv[1])
todo, seen, wrong = [os.path.join(root, "README.md")], set(), []
while todo:
    page = todo.pop()
    if page in seen:
        continue
    seen.add(page)
    with open(page, encoding="utf-8") as f:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", f.read(), flags=re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:|#", link):
            continue
        target = os.path.normpath(
            os.path.join(os.path.dirname(page), link.split("#")[0]))
        if not os.path.exists(target):
            wrong.append("%s: %s" % (os.path.relpath(page, root), link))
        elif os.path.isdir(target):
            todo += [os.path.join(target, name) for name in os.listdir(target)
                     if name.endswith(".md")]
        elif target.endswith(".md"):
            todo.append(target)
for folder, _, names in os.walk(os.path.join(root, "docs")):
    wrong += ["not reached: " + os.path.relpath(os.path.join(folder, name), root)
              for name in names
              if name.endswith(".md") and os.path.join(folder, name) not in seen]
print("%d pages" % len(seen))
sys.exit("\n".join(sorted(wrong)) if wrong or len(seen) < 50 else 0)
