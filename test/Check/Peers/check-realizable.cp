// The store of Fig. 3 with an answer to the client, who now waits for it.
// RUN: cifc --check-synchronizable --check-realizable --check-health %s -o /dev/null 2>&1 | FileCheck %s
// RUN: cifc --project %s -o %t.cif
// RUN: cif-opt --check-conforms=%s %t.cif -o /dev/null 2>&1 | FileCheck %s --check-prefix=CONFORMS
// RUN: cif-opt --check-conforms=%s --relation=weak %t.cif -o /dev/null
// RUN: %exit1 cif-opt --check-conforms=%src/docs/examples/store.cp %t.cif -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: cif-opt --check-synchronizable %t.cif -o /dev/null

protocol Store {
  initial s0  final s0
  s0 -> s1 : cl -> appli : req
  s1 -> s2 : appli -> db : store
  s2 -> s3 : db -> appli : ack
  s3 -> s0 : appli -> cl : done
}

// CHECK: choreography 'Store': synchronizable: holds (exact; sender-connected)
// CHECK: choreography 'Store': realizable: holds (exact;
// CHECK: choreography 'Store': health: no deadlock: holds (exact;
// CONFORMS: the peers: conforms to choreography 'Store': holds (exact;

// OTHER: error: the peers do what the choreography does not allow [check-conforms]
// OTHER: 4 appli -> cl : done
// OTHER-SAME: <- not allowed by the choreography
// OTHER: note: the choreography allows only this here: cl -> appli : req
