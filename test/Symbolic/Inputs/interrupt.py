"""Interrupts a command once its solver runs; prints what it says and ends as
it does."""
import signal
import subprocess
import sys
import time

run = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True)
children = "/proc/%d/task/%d/children" % (run.pid, run.pid)
while run.poll() is None:
    with open(children) as file:
        if file.read():
            break
    time.sleep(0.01)
run.send_signal(signal.SIGINT)
text, _ = run.communicate(timeout=100)
print(text)
sys.exit(run.returncode)
