"""gone.py FILE: the processes whose numbers are in FILE have ended. Somebody else
collects them, which may take a moment."""
import sys
import time


def runs(process):
    try:
        with open("/proc/%s/stat" % process) as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "XZ"
    except OSError:
        return False


with open(sys.argv[1]) as file:
    processes = file.read().split()
until = time.monotonic() + 5
while any(map(runs, processes)) and time.monotonic() < until:
    time.sleep(0.05)
left = list(filter(runs, processes))
if not processes or left:
    sys.exit("still there: %s of %s" % (left, processes))
