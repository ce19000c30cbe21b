// Controllers and their handshakes are part of the module: every check sees the
// peers that the pass saw.
// RUN: cifc --synthesize-controllers %s -o %t.cif 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: cif-opt --check-synchronizable %t.cif -o /dev/null 2>&1 | FileCheck %s --check-prefix=SYNC
// RUN: cif-opt --check-synchronizable --network=bag %t.cif -o /dev/null 2>&1 | FileCheck %s --check-prefix=SYNC
// RUN: cif-opt --check-conforms=%s %t.cif -o /dev/null 2>&1 | FileCheck %s --check-prefix=CONFORMS
// RUN: cif-opt --check-health %t.cif -o /dev/null 2>&1 | FileCheck %s --check-prefix=HEALTH
// RUN: cif-opt --check-rsc %t.cif -o /dev/null 2>&1 | FileCheck %s --check-prefix=RSC
// RUN: %exit3 cif-opt --check-kmc %t.cif -o /dev/null 2>&1 | FileCheck %s --check-prefix=KMC
// RUN: cif-opt --check-property='y only after x' %t.cif -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROPERTY
// RUN: cif-lts explore %t.cif -o - | FileCheck %s --check-prefix=LTS

protocol P {
  initial s0
  final s2
  s0 -> s1 : a -> b : x
  s1 -> s2 : c -> d : y
}
// PASS: choreography 'P': controlled: holds (exact;
// SYNC: the peers: synchronizable: holds (exact;
// CONFORMS: the peers: conforms to choreography 'P': holds (exact;
// HEALTH: the peers: health: no deadlock: holds (exact;
// HEALTH: the peers: health: no unspecified reception: holds (exact;
// HEALTH: the peers: health: no orphan message: holds (exact;
// RSC: the peers: rsc: holds (exact;
// RSC: the peers: rsc: no deadlock: holds (exact;
// RSC: the peers: rsc: no orphan message: holds (exact;
// KMC: no verdict: {{.*}} by handshake, which k-MC does not cover
// PROPERTY: on the peers: property: holds (exact
// LTS-DAG: "a->b:x"
// LTS-DAG: "c->d:y"
// LTS-NOT: controller
