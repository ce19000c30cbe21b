// VerChor, Fig. 3 / 10 and the other way to mend it: the choreography tells the
// client itself when it may ask again. The diff is one that patch applies.
// RUN: cifc --amend %s -o %t.cif > %t.log 2>&1
// RUN: FileCheck %s < %t.log
// RUN: cif-opt --check-realizable %t.cif -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: cp %s %t.cp && patch -s %t.cp < %t.log
// RUN: cifc --check-realizable %t.cp -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: cifc --amend %t.cp -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOTHING

protocol Store {
  initial s0  final s0
  s0 -> s1 : cl -> appli : req
  s1 -> s2 : appli -> db : store
  s2 -> s0 : db -> appli : ack
}

// CHECK: --- {{.*}}amend.cp
// CHECK-NEXT: +++ {{.*}}amend.cp
// CHECK: s1 -> s2 : appli -> db : store
// CHECK-NEXT: {{^}}-  s2 -> s0 : db -> appli : ack
// CHECK-NEXT: {{^}}+  s2 -> s0_{{sync1}} : db -> appli : ack
// CHECK-NEXT: {{^}}+  s0_{{sync1}} -> s0 : db -> cl : sync1
// CHECK: note: db -> cl : sync1 is added: cl -> appli : req waits for db -> appli : ack; without it this is possible: cl -> appli : req, cl -> appli : req
// CHECK: note: 1 interaction added; no smaller set of the {{[0-9]+}} candidates is sufficient
// CHECK: amended choreography 'Store': realizable: holds (exact;
// AGAIN: choreography 'Store': realizable: holds (exact;
// NOTHING: note: choreography 'Store' is already realizable: nothing is added [N1301]
