// The client pays, and the booking system stores that it did; nobody tells it.
protocol Pay {
  initial s0  final s2
  s0 -> s1 : cl -> bk : pay
  s1 -> s2 : bs -> db : store
}
