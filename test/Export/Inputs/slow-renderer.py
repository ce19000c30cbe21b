"""slow-renderer.py FOLDER SIGNAL|OPTION COMMAND...: runs a command with an
rsvg-convert that never ends. A signal is sent to the command when its renderer runs.
Tells how the command ended, whether the renderer still runs, and which files are
left."""
import os
import signal
import subprocess
import sys
import time

folder, how, *command = sys.argv[1:]
for name in ["bin", "tmp"]:
    os.makedirs(os.path.join(folder, name), exist_ok=True)
tool = os.path.join(folder, "bin", "rsvg-convert")
pid_file = os.path.join(folder, "pid")
with open(tool, "w") as out:
    out.write("#!/bin/sh\necho $$ > %s.new && mv %s.new %s\nexec sleep 1000\n"
              % ((pid_file,) * 3))
os.chmod(tool, 0o755)
if os.path.exists(pid_file):
    os.remove(pid_file)
is_signal = how.startswith("SIG")
child = subprocess.Popen(
    command + ([] if is_signal else [how]), stderr=subprocess.PIPE, text=True,
    env=dict(os.environ, TMPDIR=os.path.join(folder, "tmp"),
             PATH=os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"]))
while not os.path.exists(pid_file):
    time.sleep(0.01)
if is_signal:
    child.send_signal(getattr(signal, how))
said = child.stderr.read()
child.wait()
with open(pid_file) as file:
    renderer = int(file.read())


def runs():
    try:
        with open("/proc/%d/stat" % renderer) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


for _ in range(100):  # whoever was killed is gone in a moment
    if not runs():
        break
    time.sleep(0.05)
print("status:", child.returncode)
print("the renderer runs:", runs())
print("left:", os.listdir(os.path.join(folder, "tmp")))
print(said)
