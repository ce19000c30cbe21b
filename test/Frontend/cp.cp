// Conversation protocols: a state is a place where flows meet and part.
// RUN: cifc --emit=cift %s | FileCheck %s
// RUN: cifc --project %s | cif-opt --emit=cp | FileCheck %s --check-prefix=PEERS
// RUN: cifc --project %s --emit=cp -o %t.cp && cifc %t.cp --emit=cp | FileCheck %s --check-prefix=PEERS
// RUN: cifc --emit=cp %s -o %t.cp && cifc --emit=cp %t.cp | diff %t.cp - && FileCheck %s --check-prefix=BACK < %t.cp
// RUN: cifc --project %s --emit=cfsm | FileCheck %s --check-prefix=CFSM

// CHECK: choreography Store
// CHECK: n1 event-choice "s0"
// CHECK: n3 simple-join "in between"
// CHECK: interaction cl -> appli : req
// CHECK: final
protocol Store {
  initial s0  final s0
  s0 -> s1 : cl -> appli : req
  s1 -> "in between" : appli -> db : store
  "in between" -> s0 : db -> appli : ack
}

// The peers, in the same style:
// PEERS:      peer appli {
// PEERS-NEXT:   initial 0
// PEERS-NEXT:   final 0
// PEERS-NEXT:   0 -> 1 : cl?req
// PEERS-NEXT:   1 -> 2 : db!store
// PEERS-NEXT:   2 -> 0 : db?ack
// PEERS-NEXT: }
// PEERS-NEXT: peer cl {
// PEERS:        0 -> 0 : appli!req
// PEERS:      peer db {

// and as other tools of communicating automata write them:
// CFSM:      .outputs appli
// CFSM-NEXT: .state graph
// CFSM-NEXT: q0 1 ? req q1
// CFSM-NEXT: q1 2 ! store q2
// CFSM-NEXT: q2 2 ? ack q0
// CFSM-NEXT: .marking q0
// CFSM:      .end

// A protocol is written back with the names of its states.
// BACK:      protocol Store {
// BACK-NEXT:   initial s0
// BACK-NEXT:   final s0
// BACK-NEXT:   s0 -> s1 : cl -> appli : req
// BACK-NEXT:   s1 -> "in between" : appli -> db : store
// BACK-NEXT:   "in between" -> s0 : db -> appli : ack
// BACK-NEXT: }
