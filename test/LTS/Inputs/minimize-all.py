"""Minimises LTSs by every relation, compares each with what came of it, and has
cif-check look at the certificate.

Usage: minimize-all.py STEM FILE...
"""
import subprocess
import sys

stem, files = sys.argv[1], sys.argv[2:]
minimised = checked = 0
for path in files:
    for relation in ("strong", "branching", "dp-branching", "weak",
                     "weak-trace", "trace"):
        small, proof = stem + ".aut", stem + ".cert"
        by = "--relation=" + relation
        subprocess.check_call(["cif-lts", "minimize", by, path, "-o", small])
        subprocess.check_call(["cif-lts", "compare", "-q", by,
                               "--certificate=" + proof, path, small])
        minimised += 1
        said = subprocess.check_output(["cif-check", proof, path, small])
        checked += said == (relation + ": holds, the certificate is checked\n"
                            ).encode()
print("%d minimised, %d checked" % (minimised, checked))
