// VerChor, Fig. 3 and 10: the client may ask again before the store is done.
// RUN: %exit1 cifc --check-synchronizable %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %exit1 cifc --check-realizable %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REAL
// RUN: cifc --check-repairable=strict %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPAIR

protocol Store {
  initial s0  final s0
  s0 -> s1 : cl -> appli : req
  s1 -> s2 : appli -> db : store
  s2 -> s0 : db -> appli : ack
}

// CHECK: fig3-store.cp:[[#@LINE-5]]:{{.*}}error: the peers send in an order that handshakes do not allow [check-synchronizable]
// CHECK: 1 cl -> appli : req ({{.*}}fig3-store.cp:[[#@LINE-6]]
// CHECK-SAME: inbox of appli: [req]
// CHECK-NEXT: 2 cl -> appli : req
// CHECK-SAME: <- not possible by handshakes
// CHECK-NOT: {{^ *}}3
// CHECK: note: 'cl' sends 'req' without having been told of appli -> db : store
// CHECK: note: by handshakes only this can happen here: appli -> db : store
// CHECK: choreography 'Store': synchronizable: violated (exact; 1-bounded)

// REAL: error: the peers are not synchronizable
// REAL: choreography 'Store': realizable: violated (exact; weak-trace of the synchronous composition; synchronizability: 1-bounded)

// REPAIR: choreography 'Store': repairable: holds (exact;
