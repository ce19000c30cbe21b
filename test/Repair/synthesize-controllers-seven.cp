// Seven participants, eleven interactions, six synchronisations: the size of
// VerChor's Table I, example 5. Each of the six is needed.
// RUN: cifc --synthesize-controllers %s -o %t.cif 2>&1 | FileCheck %s
// RUN: cif-opt --verify %t.cif -o /dev/null

protocol Seven {
  initial s0
  s0 -> s1 : a -> b : x1
  s1 -> s2 : b -> c : x2
  s2 -> s3 : d -> e : x3
  s3 -> s4 : e -> f : x4
  s4 -> s5 : g -> a : x5
  s5 -> s6 : c -> d : x6
  s6 -> s7 : f -> d : x7
  s7 -> s8 : b -> g : x8
  s8 -> s9 : g -> e : x9
  s9 -> s10 : c -> f : x10
  s10 -> s0 : f -> a : x11
}

// CHECK: note: 6 synchronisations; none can be left out {{.*}}, and no smaller set of the {{[0-9]+}} candidates suffices
// CHECK: choreography 'Seven': controlled: holds
// CHECK: controlled choreography 'Seven': realizable: holds
