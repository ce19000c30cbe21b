"""Sends a signal to a command as soon as it has begun to write: when a file
other than those of before is in the folder. Prints how the command ended, what
it said, and what is in the folder.

Usage: stop-writing.py SIGNAL FOLDER COMMAND..."""
import os
import signal
import subprocess
import sys
import time

which = signal.Signals["SIG" + sys.argv[1]]
folder = sys.argv[2]
before = set(os.listdir(folder))
# Whoever runs the tests in the background may ignore signals, and children inherit that.
child = subprocess.Popen(sys.argv[3:], stderr=subprocess.PIPE,
                         preexec_fn=lambda: signal.signal(which, signal.SIG_DFL))
while child.poll() is None and not set(os.listdir(folder)) - before:
    time.sleep(0.001)
seen = bool(set(os.listdir(folder)) - before)
child.send_signal(which)
said = child.communicate()[1].decode()
ended = signal.Signals(-child.returncode).name if child.returncode < 0 else (
    "status %d" % child.returncode)
print("seen writing:", seen)
print("ended by:", ended)
print("said:", said)
print("left:", sorted(os.listdir(folder)))
