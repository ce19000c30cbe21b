// What a bound keeps from being sent may be what the receiver waits for: a message
// that is left where all are done is no orphan for sure, and it is not none either.
// RUN: %exit3 cifc --check-health --bound=1 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: %exit1 cifc --check-health --bound=2 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: %exit1 cifc --check-health %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LONG
peer a {
  initial 0
  final 0, 1, 2
  0 -> 1 : b!m
  1 -> 2 : b!n
}
peer b {
  initial 0
  final 0
  0 -> 0 : tau
}
// SHORT: orphan message: all peers are done, and a message is left that could be received only with longer queues: a -> b : m
// SHORT: orphan message: inconclusive (not exact;
// LONG: error: orphan message: all peers are done, but a message is left: a -> b : m
// LONG: orphan message: violated (exact;
