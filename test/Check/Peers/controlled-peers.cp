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
// PASS: controlled of choreography 'P': holds (exact;
// SYNC: synchronizable of the peers: holds (exact;
// CONFORMS: conforms of the peers to choreography 'P': holds (exact;
// HEALTH: health of the peers: deadlock: holds (exact;
// HEALTH: health of the peers: unspecified reception: holds (exact;
// HEALTH: health of the peers: orphan message: holds (exact;
// RSC: rsc of the peers: holds (exact;
// RSC: rsc of the peers: deadlock: holds (exact;
// RSC: rsc of the peers: orphan message: holds (exact;
// KMC: nothing can be said: {{.*}} by handshake, of which k-MC does not speak
// PROPERTY: on the peers: holds (exact
// LTS-DAG: "a->b:x"
// LTS-DAG: "c->d:y"
// LTS-NOT: controller
