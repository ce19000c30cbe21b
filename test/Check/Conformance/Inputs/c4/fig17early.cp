// A sends m1, then m2 to B, and may end between the two.
protocol Two {
  initial s0  final s1, s2
  s0 -> s1 : A -> B : m1
  s1 -> s2 : A -> B : m2
}
