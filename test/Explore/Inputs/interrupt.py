"""Runs a command with a terminal as standard error, waits until it shows its
progress, interrupts it, and prints what it said and its exit status.

Usage: interrupt.py [TERM|HUP] [SECONDS] COMMAND...
With SECONDS it waits so long instead: for work that shows no progress. The
signal is SIGINT unless another one is named. A COMMAND that ends with - waits
for its standard input."""
import os
import pty
import re
import signal
import subprocess
import sys
import threading

command = sys.argv[1:]
which = signal.SIGINT
if command[0] in ("TERM", "HUP"):
    which = signal.Signals["SIG" + command.pop(0)]
seconds = float(command.pop(0)) if command[0][0].isdigit() else None
terminal, inside = pty.openpty()
# Whoever runs the tests in the background may ignore signals, and children inherit that.
child = subprocess.Popen(command, stderr=inside, stdin=subprocess.PIPE if command[-1] == "-"
                         else subprocess.DEVNULL,
                         preexec_fn=lambda: signal.signal(which, signal.SIG_DFL))
os.close(inside)
if seconds:
    threading.Timer(seconds, child.send_signal, [which]).start()
said = b""
sent = False
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:  # the other end is closed
        break
    if not part:
        break
    said += part
    if not seconds and not sent and b" states/s" in said:
        child.send_signal(which)
        sent = True
status = child.wait()
for line in re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;]*[mK]", "",
                                         said.decode())):
    print(line)
print("exit status", status)
