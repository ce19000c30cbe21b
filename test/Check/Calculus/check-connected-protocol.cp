// RUN: cifc --check-connected=all %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %exit1 cifc --check-connected=sender %S/Inputs/unconnected.cp -o /dev/null 2>&1 | FileCheck %S/Inputs/unconnected.cp

// The states of a protocol are its choices.
// CHECK: choreography 'Rounds': each one implies those below it
// CHECK-NEXT: disjoint: holds
// CHECK-NEXT: |
// CHECK-NEXT: sender-receiver: holds
// CHECK-NEXT: / {{ *}}\
// CHECK-NEXT: sender: holds {{ *}}receiver: holds
// CHECK-NEXT: \ {{ *}}/
// CHECK-NEXT: sync: holds
protocol Rounds {
  initial s0  final s2
  s0 -> s1 : a -> b : more
  s1 -> s0 : b -> a : next
  s0 -> s2 : a -> b : end
}
