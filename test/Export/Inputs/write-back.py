"""Writes every BPMN file of a folder that can be read as BPMN again, and counts
those that come back byte for byte."""
import os
import subprocess
import sys

same, read = 0, 0
for base, folders, names in os.walk(sys.argv[1]):
    folders.sort()
    for name in sorted(names):
        if not name.endswith((".bpmn", ".bpmn2")):
            continue
        path = os.path.join(base, name)
        run = subprocess.run(["cifc", "-q", "--emit=bpmn", path],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if run.returncode:
            continue
        read += 1
        with open(path, "rb") as f:
            if f.read() == run.stdout:
                same += 1
            else:
                print("changed:", path)
print("%d read, %d came back" % (read, same))
sys.exit(read != same or not read)
