"""Every unit test is run by a test file.

Usage: unit.py CIF_UNIT_TESTS SOURCE_DIR. Prints those that no file under test runs,
a line each, and exits with 1 when there are any.
"""
import glob
import re
import subprocess
import sys

binary, root = sys.argv[1:3]


def selected(by):
    listing = subprocess.run([binary, "--gtest_list_tests", "--gtest_filter=" + by],
                             check=True, capture_output=True, text=True).stdout
    suite, tests = "", set()
    for line in listing.splitlines():
        if not line.startswith(" "):
            suite = line.split()[0]
        else:
            tests.add(suite + line.split()[0])
    return tests


run = set()
for path in glob.glob(root + "/test/**/*.test", recursive=True):
    with open(path, encoding="utf-8") as file:
        for by in set(re.findall(r"%unit.* --gtest_filter='?([^\s']+)", file.read())):
            run |= selected(by)
left = selected("*") - run
for test in sorted(left):
    print("no test file runs", test)
sys.exit(1 if left else 0)
