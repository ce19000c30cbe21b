// VerChor, Fig. 11: synchronizable, and yet nobody tells bs that cl has paid.
// RUN: cifc --check-synchronizable %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %exit1 cifc --check-realizable %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REAL
// RUN: cifc --check-health %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=HEALTH

protocol Pay {
  initial s0  final s2
  s0 -> s1 : cl -> bk : pay
  s1 -> s2 : bs -> db : store
}

// CHECK: choreography 'Pay': synchronizable: holds (exact; 1-bounded, tree topology)

// REAL: fig11-pay-store.cp:[[#@LINE-5]]:{{.*}}error: the peers do what the choreography does not allow [check-realizable]
// REAL: 1 bs -> db : store ({{.*}}fig11-pay-store.cp:[[#@LINE-6]]{{.*}} <- not allowed by the choreography
// REAL: note: bs -> db : store can happen before cl -> bk : pay: 'bs' is not told of it
// REAL: choreography 'Pay': realizable: violated (exact;

// HEALTH: choreography 'Pay': health: no deadlock: holds (exact;
// HEALTH: choreography 'Pay': health: no unspecified reception: holds (exact;
// HEALTH: choreography 'Pay': health: no orphan message: holds (exact;
// HEALTH: choreography 'Pay': health: no unbounded queue: holds (exact;
