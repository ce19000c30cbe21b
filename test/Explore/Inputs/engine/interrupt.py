"""interrupt.py [--twice] FILE COMMAND...: runs the command, interrupts it as Ctrl-C
does once FILE is there, and expects the status of what was interrupted. With --twice
it does so again at once, and expects that the signal ends the command."""
import os
import signal
import subprocess
import sys
import time

twice = sys.argv[1] == "--twice"
waiting, *command = sys.argv[1 + twice:]
if os.path.exists(waiting):
    os.remove(waiting)
# Whoever runs the tests in the background may ignore signals, and children
# inherit that.
run = subprocess.Popen(
    command, start_new_session=True,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
until = time.monotonic() + 60
while not os.path.exists(waiting) and run.poll() is None:
    if time.monotonic() > until:
        os.killpg(run.pid, signal.SIGKILL)
        sys.exit("the engine was not started")
    time.sleep(0.05)
os.killpg(run.pid, signal.SIGINT)
if twice:
    time.sleep(0.2)  # two signals of a kind that wait are one
    os.killpg(run.pid, signal.SIGINT)
status = run.wait(60)
print("ended with", status)
sys.exit(status != (-signal.SIGINT if twice else 3))
