"""install.py FOLDER: puts LTSmin's programs, which ltsmin.py takes the place of,
into FOLDER."""
import os
import sys

script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ltsmin.py")
for name in ("pins2lts-mc", "pins2lts-sym", "pins2lts-dist", "mpirun",
             "ltsmin-printtrace", "ltsmin-convert"):
    path = os.path.join(sys.argv[1], name)
    with open(path, "w") as file:
        print("#!/bin/sh\nFAKE_NAME=%s exec '%s' '%s' \"$@\""
              % (name, sys.executable, script), file=file)
    os.chmod(path, 0o755)
