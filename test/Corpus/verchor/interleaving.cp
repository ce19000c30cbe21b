// A choice between senders that is only an interleaving: both orders lead to
// the same state. Def. 8 to the letter refuses it; the default does not.
// RUN: cifc --check-repairable %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %exit1 cifc --check-repairable=strict %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT

protocol Both {
  initial s0  final s3
  s0 -> s1 : a -> b : x
  s0 -> s2 : c -> d : y
  s1 -> s3 : c -> d : y
  s2 -> s3 : a -> b : x
}

// CHECK: choreography 'Both': repairable: holds (exact; {{.*}}diamonds closed)
// STRICT: choreography 'Both': repairable: violated (exact; {{.*}}VerChor Def. 8)
