"""Compares the processor time of two commands, which does not depend on the load of the machine.

Usage: cpu-time.py FACTOR COMMAND REFERENCE: fails if COMMAND takes more than FACTOR times as long as REFERENCE.
"""
import resource
import shlex
import subprocess
import sys


def seconds(command):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    subprocess.run(shlex.split(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return used() - before


factor, command, reference = sys.argv[1:]
took, allowed = seconds(command), float(factor) * seconds(reference)
print(f"{command}: {took:.2f} s, allowed {allowed:.2f} s")
sys.exit(took > allowed)
