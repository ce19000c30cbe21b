// m2 comes first.
protocol Two {
  initial s0  final s2
  s0 -> s1 : A -> B : m2
  s1 -> s2 : A -> B : m1
}
