// One participant sends without end, and nobody has to receive: queues grow, and
// bounds are not raised one after the other. A few thousand states decide all that
// can be decided.
//
// RUN: cifc --check-synchronizable --check-realizable --network=fifo-pair --max-states=10000 %s -o %t.cif 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: choreography 'P': synchronizable: holds (exact; sender-connected)
// PROOF: choreography 'P': realizable: holds (exact; sender-connected)
//
// RUN: %exit3 cifc --check-synchronizable --no-proof --bound=inf --network=fifo-pair --max-states=10000 --stats %s -o %t.cif 2>&1 | FileCheck %s --check-prefix=SEARCH
// SEARCH: choreography 'P': synchronizable: inconclusive (not exact; unbounded queues)
//
// RUN: %exit1 cifc --check-health --network=fifo-pair --max-states=10000 %s -o %t.cif 2>&1 | FileCheck %s --check-prefix=HEALTH
// HEALTH: orphan message: violated (exact
// HEALTH: queue a->c gains m0
// HEALTH: unbounded queue: violated (exact
protocol P {
  initial s0  final s0, s1, s2
  s0 -> s1 : a -> b : m0
  s0 -> s0 : a -> c : m0
  s1 -> s2 : b -> c : m0
}
