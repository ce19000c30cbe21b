// Peers that are done can still take internal steps and receive: a message is
// an orphan when no continuation receives it.
// RUN: %exit1 cifc --check-health %s -o /dev/null 2>&1 | FileCheck %s
peer a {
  initial 0
  final 0, 1
  0 -> 1 : b!m
}
peer b {
  initial 0
  final 0
  0 -> 0 : tau
}
// CHECK: error: orphan message: all peers are done, but a message is left: a -> b : m
// CHECK: 1 a!b:m
// CHECK: the peers: health: no orphan message: violated (exact;
