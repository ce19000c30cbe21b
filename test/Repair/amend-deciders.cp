// RUN: %exit1 cifc --amend=sync %s -o /dev/null 2>&1 | FileCheck %s

// The steps that two roles decide between are those of the text, although the
// search for an amendment numbers them anew.
protocol P {
  initial s0
  final s0
  s0 -> s1 : a -> b : m1
  s0 -> s1 : c -> d : m0
}
// CHECK: amend-deciders.cp:5:10: error: choreography 'P' has a choice that two roles decide, which more messages alone cannot repair
// CHECK: :8:14: note: 'a -> b : m1' begins one branch [no knowledge, no choice]
// CHECK: :9:14: note: 'c -> d : m0' begins another one
