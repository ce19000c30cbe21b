// Protocols and peers have enumerations like those of IOC. They are read, written, and read again, also where nothing but
// what follows them says which format it is.
// RUN: cifc --emit=cp %s -o %t.cp && cifc --emit=cp - < %t.cp | diff %t.cp - && FileCheck %s --check-prefix=BACK < %t.cp
// RUN: cifc --select=Paint %s -o %t.cif && cif-opt --emit=ioc %t.cif -o %t.ioc && FileCheck %s --check-prefix=IOC < %t.ioc
// RUN: cifc --emit=cp - < %t.ioc | cifc --emit=ioc - | diff %t.ioc -
// RUN: cifc --select=Paint --check-realizable %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=HOLDS
// HOLDS: realizable: holds (exact; {{.*}}guards decide

// BACK: enum Colour { red, green }
// IOC: enum Colour { red, green }
// IOC-NEXT: choreography Paint {
// IOC-NEXT: a -> b : ask(c: Colour) ; ( [c == red] => b -> a : done(green) + [c != red] => b -> a : done(c) )
enum Colour { red, green }
// BACK: a -> b : ask(c: Colour)
// BACK-NEXT: [c == red] => b -> a : done(green)
// BACK-NEXT: [c != red] => b -> a : done(c)
protocol Paint {
  initial s0  final s2
  s0 -> s1 : a -> b : ask(c: Colour)
  s1 -> s2 : [c == red] => b -> a : done(green)
  s1 -> s2 : [c != red] => b -> a : done(c)
}

// A condition that is written otherwise, and one peer that decides otherwise.
// RUN: sed 's/== green/== red/; s/!= green/!= red/' %s > %t.other.cp
// RUN: cifc --check-conforms=%t.cif --relation=symbolic %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not cifc --check-conforms=%t.cif --relation=symbolic %t.other.cp -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// REQUIRES: z3
// SAME: holds (exact;
// OTHER: a -> b : ask(c = {{red|green}})
// OTHER: b -> a : done({{.*}} <- allowed by the
// OTHER: violated (exact;
// BACK: peer a {
peer a {
  initial 0  final 2
  0 -> 1 : b!ask(c: Colour)
  1 -> 2 : b?done(d: Colour)
}
// BACK: 1 -> 2 : [x != green] => a!done(green)
peer b {
  initial 0  final 2
  0 -> 1 : a?ask(x: Colour)
  1 -> 2 : [x != green] => a!done(green)
  1 -> 2 : [x == green] => a!done(x)
}
