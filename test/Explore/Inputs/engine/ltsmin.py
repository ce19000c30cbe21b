"""Takes the place of LTSmin's programs ($FAKE_NAME says of which): what it is
asked is answered by cif-pins in a host of our own ($FAKE_HOST), and said in the
words of LTSmin. $FAKE_LTSMIN makes it misbehave."""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

name, words = os.environ["FAKE_NAME"], sys.argv[1:]
mode = os.environ.get("FAKE_LTSMIN", "")


def option(prefix):
    return next((w[len(prefix):] for w in words if w.startswith(prefix)), None)


def hang(*further):
    """Says who waits, and waits."""
    print(os.getpid(), *further, file=open(os.environ["FAKE_PID"] + ".new", "w"))
    os.rename(os.environ["FAKE_PID"] + ".new", os.environ["FAKE_PID"])
    time.sleep(600)


if name == "ltsmin-printtrace":
    if mode == "hang-trace":
        hang()
    shutil.copy(words[0], words[1])
    sys.exit()
if name == "mpirun":
    print("mpirun", *(os.path.basename(w) for w in words[:words.index("--mpi")]))
    sys.stdout.flush()
    program = next(w for w in words if w.endswith("pins2lts-dist"))
    os.execv(program, words[words.index(program):])
if name == "ltsmin-convert":
    sys.exit("cannot convert")

if mode == "hang":
    hang()
if mode == "deaf":
    # Neither this nor what it starts ends when it is asked to.
    for word in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(word, signal.SIG_IGN)
    hang(subprocess.Popen(["sleep", "600"]).pid)
if mode == "crash":
    os.kill(os.getpid(), 11)
if mode == "killed":
    os.kill(os.getpid(), 9)
if mode == "memory":
    sys.exit(name + ", ** error **: out of memory trying to get 8589934592")
if mode == "full":
    sys.exit(name + ", ** error **: hash table full!")
if mode == "silent":
    sys.exit(0)
if mode == "garbage":
    print("no language module\n** error **: unknown module type")
    sys.exit(255)
trace = option("--trace=")
wanted = "deadlock" if "--deadlock" in words else option("--action=")
every = "--no-exit" in words
model = next(w for w in words if w.endswith(".cift"))
if name.endswith("sym") and trace:
    trace += ("deadlock" if "--deadlock" in words else wanted) + ".gcf"
host = subprocess.run(
    [os.environ["FAKE_HOST"], option("--loader="), model]
    + [w for w in words if w.startswith("--cif-")]
    + (["--find=" + wanted] if wanted and not every else [])
    + (["--trace=" + trace] if trace else []), capture_output=True, text=True)
if host.returncode:
    sys.stderr.write(host.stderr)
    sys.exit(255)
states, transitions = re.search(r"(\d+) states, (\d+) trans", host.stdout).groups()
found = "found " in host.stdout
if mode == "lie":
    found = True
    width = int(os.environ["FAKE_WIDTH"])
    with open(trace, "w") as out:
        print("," + ",".join("s%d:int" % i for i in range(width)), file=out)
        print("," + ",".join("7" for i in range(width)), file=out)
if every:
    for goal in re.findall(r"goal\d+", host.stdout):
        print("%s: found action: %s" % (name, goal))
elif found and name.endswith("mc"):
    print("%s( 0/ 2): %s at depth 3!" % (
        name, "Deadlock found in state" if wanted == "deadlock"
        else "Error action '%s' found" % wanted))
elif found and name.endswith("sym"):
    print(name + (": deadlock found" if wanted == "deadlock"
                  else ": found action: " + wanted))
    sys.exit(1)
elif found:
    print("%s( 1/ 2): %s" % (name, "deadlock: 1.8" if wanted == "deadlock"
                             else "Error action '%s'  found at 1.12" % wanted))
if name.endswith("mc"):
    print("%s( 0/ 2): Explored %s states %s transitions, fanout: 1.4"
          % (name, states, transitions))
    sys.exit(1 if found and wanted == "deadlock" else 0)
elif name.endswith("sym"):
    print("%s: state space has %s states, 160 nodes" % (name, states))
else:
    print("%s( 0/ 2): state space has 19 levels %s states %s transitions"
          % (name, states, transitions))
