// A message of a protocol gets what its receiver has to know.
// RUN: cp %s %t.cp
// RUN: cifc --amend %t.cp -o /dev/null > %t.diff 2>&1
// RUN: FileCheck %s < %t.diff
// RUN: patch -s %t.cp < %t.diff && cifc --check-realizable %t.cp -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN
// CHECK: +{{ *}}s1 -> s2 : s -> t : Go(x)
// CHECK: note: 1 field added; no smaller set
// CHECK: amended choreography 'Blind': realizable: holds (exact;
// AGAIN: holds (exact;
protocol Blind {
  initial s0  final s3
  s0 -> s1 : c -> s : Request(x: int)
  s1 -> s2 : s -> t : Go
  s2 -> s3 : [x < 5] => t -> c : Free
  s2 -> s3 : [x >= 5] => t -> c : Pay
}
