"""Runs commands with one option that has no effect there: each must exit with 2, name the option, and write nothing.

Usage: idle-options.py FOLDER < TABLE, where a row is `COMMAND | MESSAGE`.
"""
import os
import shlex
import subprocess
import sys

os.chdir(sys.argv[1])
before = sorted(os.listdir("."))
failed = 0
for row in sys.stdin:
    command, _, message = (part.strip() for part in row.partition("|"))
    if not command:
        continue
    run = subprocess.run(shlex.split(command), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if run.returncode != 2 or message not in run.stderr or sorted(os.listdir(".")) != before:
        print(f"{command}: exit status {run.returncode}, {sorted(os.listdir('.'))}\n{run.stderr}expected: {message}")
        failed = 1
sys.exit(failed)
