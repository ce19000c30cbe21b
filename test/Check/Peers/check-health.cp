// What goes wrong between peers, each with a shortest run.
// RUN: %exit1 cifc --check-health %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %exit1 cifc --check-health --bound=1 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOUND

// a may send for ever; b takes m once and then waits for n, which never comes.
peer a {
  initial 0
  0 -> 0 : b!m
}
peer b {
  initial 0
  0 -> 1 : a?m
  1 -> 2 : a?n
}

// CHECK: error: unspecified reception: 'b' cannot receive the message at the head of its queue
// CHECK: 1 a!b:m
// CHECK: the peers: health: no unspecified reception: violated
// CHECK: error: unbounded queue:
// CHECK: again and again:
// CHECK: the peers: health: no unbounded queue: violated

// BOUND: the peers: health: no deadlock: holds (not exact;
// BOUND: the peers: health: no unspecified reception: violated (exact;
// BOUND-NOT: unbounded queue
