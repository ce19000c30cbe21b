# How many of the published choreographies check-implementable decides, under
# each network.
#   implementable.py CIFC CORPUS
import collections
import glob
import json
import os
import subprocess
import sys

tool, corpus = sys.argv[1:]
for network in "sync rsc fifo-pair inbox outbox causal fifo-all bag".split():
    verdicts = collections.Counter()
    for path in glob.glob(os.path.join(corpus, "choreo-bpmn", "main", "*")):
        run = subprocess.run([tool, "--check-implementable", "--network=" + network, "--verdicts=-", path],
                             capture_output=True, text=True)
        verdicts.update(json.loads(line)["verdict"] for line in run.stdout.splitlines())
    print(network, *("%d %s" % (verdicts[v], v) for v in ("holds", "violated", "inconclusive")))
