"""Unpacks a .vsix and checks what its manifests name: manifest.py VSIX FOLDER."""
import json
import os
import sys
import xml.etree.ElementTree as xml
import zipfile

vsix, folder = sys.argv[1:]
with zipfile.ZipFile(vsix) as archive:
    names = archive.namelist()
    archive.extractall(folder)
print("\n".join(names))
root = xml.parse(os.path.join(folder, "extension.vsixmanifest")).getroot()
space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
identity = root.find("v:Metadata/v:Identity", space)
engine = root.find("v:Metadata/v:Properties/v:Property", space)
print("%s %s, for VS Code %s" % (identity.get("Id"), identity.get("Version"), engine.get("Value")))
types = xml.parse(os.path.join(folder, "[Content_Types].xml")).getroot()
known = {each.get("Extension") for each in types}
with open(os.path.join(folder, "extension", "package.json"), encoding="utf-8") as f:
    package = json.load(f)
contributes = package["contributes"]
paths = ([package["main"]] + [g["path"] for g in contributes["grammars"]]
         + [l["configuration"] for l in contributes["languages"] if "configuration" in l])
missing = ["extension/" + os.path.normpath(p) for p in paths]
missing += [a.get("Path") for a in root.findall("v:Assets/v:Asset", space)]
missing += [root.find("v:Metadata/v:License", space).text]
missing = [p for p in missing if p not in names]
missing += ["a type for " + n for n in names
            if os.path.splitext(n)[1] not in known and n != "[Content_Types].xml"]
languages = {l["id"] for l in contributes["languages"]}
missing += ["language " + g["language"] for g in contributes["grammars"]
            if g["language"] not in languages]
print("missing: %s" % missing if missing else "every file that is named is there")
