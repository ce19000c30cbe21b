"""Applies the first fix of a SARIF file to the file that it is for."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    results = json.load(file)["runs"][0]["results"]
fix = next(result["fixes"][0] for result in results if "fixes" in result)
for change in fix["artifactChanges"]:
    path = change["artifactLocation"]["uri"]
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    # From the end, so that the lines before keep their numbers.
    for each in reversed(change["replacements"]):
        region = each["deletedRegion"]
        lines[region["startLine"] - 1 : region["endLine"] - 1] = [
            each["insertedContent"]["text"]]
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(lines))
