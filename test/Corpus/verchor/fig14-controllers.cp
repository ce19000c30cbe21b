// VerChor, Fig. 14: the controller of bs waits until that of cl has passed
// pay on; then the choreography of Fig. 11 is realizable.
// RUN: cifc --synthesize-controllers %s -o %t.cif 2>&1 | FileCheck %s
// RUN: cif-dis %t.cif | FileCheck %s --check-prefix=TEXT
// RUN: cif-opt --emit=cp %t.cif | FileCheck %s --check-prefix=CP
// RUN: cif-opt --emit=dot %t.cif | FileCheck %s --check-prefix=DOT
// RUN: cif-opt --emit=bpmn %t.cif | FileCheck %s --check-prefix=BPMN

protocol Pay {
  initial s0  final s2
  s0 -> s1 : cl -> bk : pay
  s1 -> s2 : bs -> db : store
}

// CHECK: fig14-controllers.cp:[[#@LINE-3]]:{{.*}}note: cl_controller -> bs_controller : sync1: bs -> db : store waits for cl -> bk : pay; without it this is possible: bs -> db : store
// CHECK: note: 1 synchronisation; none can be left out
// CHECK: choreography 'Pay': controlled: holds (exact; VerChor Def. 10; {{.*}}complete exploration
// CHECK: controlled choreography 'Pay': synchronizable: holds (exact;
// CHECK: controlled choreography 'Pay': realizable: holds (exact;

// TEXT: controller bs_controller
// TEXT: receive bs -> bs_controller : store
// TEXT: receive cl_controller -> bs_controller : sync1
// TEXT-NEXT: . enforces = "bs -> db : store waits for cl -> bk : pay"
// TEXT-NEXT: . otherwise = "bs -> db : store"
// TEXT-NEXT: send bs_controller -> db : store
// TEXT: system controller bs_controller
// TEXT: 0: cl_controller?sync1 -> 1
// TEXT-NEXT: 1: bs?store -> 2
// TEXT-NEXT: 2: db!store -> 3

// CP: peer bs {
// CP: bs_controller!store
// CP: peer cl_controller {
// CP: cl?pay
// CP: bk!pay
// CP: bs_controller!sync1

// DOT: bs_controller
// BPMN: <bpmn:participant {{.*}}name="bs_controller"
