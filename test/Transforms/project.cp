// A process and a peer for each participant; the choreography is left out.
// RUN: cifc --project %s -o %t.cif 2>&1 | count 0
// RUN: cif-dis %t.cif | FileCheck %s
// RUN: cifc --project=cl %s | cif-dis | FileCheck %s --check-prefix=ONE
// RUN: cifc --project --keep=true %s | cif-dis | FileCheck %s --check-prefix=KEEP
// RUN: %exit2 cifc --project=cll %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %exit2 cif-opt --project %t.cif -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: rm -f %t.not.cif
// RUN: %exit3 cifc --project --max-states=2 %s -o %t.not.cif 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not test -e %t.not.cif

protocol Store {
  initial s0  final s0
  s0 -> s1 : cl -> appli : req
  s1 -> s2 : appli -> db : store
  s2 -> s0 : db -> appli : ack
}

// CHECK-NOT: choreography
// CHECK: process
// CHECK: receive
// CHECK: send
// CHECK: receive
// CHECK: peer
// ONE: process cl
// ONE-NOT: process
// KEEP: choreography Store
// KEEP: process

// UNKNOWN: error: no choreography of the input has a participant 'cll' [E0930]
// UNKNOWN: note: did you mean 'cl'?
// NOTHING: error: nothing to project: the input has no choreography [E0931]
// LIMIT: project.cp:{{.*}}: warning: --project: nothing was written: {{.*}}--max-states=2
