// A witness replays although what is handed to a controller is silent: k takes
// `go` before a and b send past each other.
// RUN: cifc %s --emit=cift -o %t.cift
// RUN: sed 's/system peer k/system controller k/' %t.cift > %t.k.cift
// RUN: %exit1 cif-opt --check-rsc %t.k.cift -o /dev/null 2>&1 | FileCheck %s
peer a {
  initial 0
  0 -> 1 : k!go
  1 -> 2 : b!x
  2 -> 3 : b?y
}
peer b {
  initial 0
  0 -> 1 : a!y
  1 -> 2 : a?x
}
peer k {
  initial 0
  0 -> 1 : a?go
}
// CHECK: error: an execution cannot be reordered into whole exchanges
// CHECK: tau {{.*}}hands over a -> k : go
// CHECK: the peers: rsc: violated (exact;
