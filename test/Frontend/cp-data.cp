// Conditions and payloads in protocols and peers: they are read, written, and
// read again; peers with data are processes.
// RUN: cifc --emit=cift %s | FileCheck %s
// RUN: cifc --emit=cp %s -o %t.cp && cifc --emit=cp %t.cp | diff %t.cp - && FileCheck %s --check-prefix=BACK < %t.cp
// RUN: cifc --select=Shipping %s -o %t.cif && cif-opt --emit=ioc %t.cif | FileCheck %s --check-prefix=IOC
// RUN: cifc --check-conforms=%t.cif --relation=symbolic %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=CONFORMS
// REQUIRES: z3

// CONFORMS: holds (exact;

// CHECK: choreography Shipping
// CHECK: event-choice "s1"
// CHECK: interaction c -> s : Request(x:int) binds
// CHECK: [x:int < 5]
// BACK:      protocol Shipping {
// BACK:        s0 -> s1 : c -> s : Request(x: int)
// BACK-NEXT:   s1 -> s2 : [x < 5] => s -> c : FreeShip
// BACK-NEXT:   s1 -> s2 : [x >= 5] => s -> c : PayShip(x + 1, "now")
// IOC:      choreography Shipping {
// IOC-NEXT:   c -> s : Request(x: int)
protocol Shipping {
  initial s0  final s2
  s0 -> s1 : c -> s : Request(x: int)
  s1 -> s2 : [x < 5] => s -> c : FreeShip
  s1 -> s2 : [x >= 5] => s -> c : PayShip(x + 1, "now")
}

// CHECK: process c : c
// CHECK: send c -> s : Request(y:int) binds
// CHECK: receive s -> c : PayShip(price:int, when:string) binds
// BACK:      peer c {
// BACK:        1 -> 2 : s?PayShip(price: int, when: string)
peer c {
  initial 0  final 2
  0 -> 1 : s!Request(y: int)
  1 -> 2 : s?FreeShip
  1 -> 2 : s?PayShip(price: int, when: string)
}
// CHECK: process s : s
// CHECK: [z:int < 5]
peer s {
  initial 0  final 2
  0 -> 1 : c?Request(z: int)
  1 -> 2 : [z < 5] => c!FreeShip
  1 -> 2 : [z >= 5] => c!PayShip(z + 1, "now")
}
