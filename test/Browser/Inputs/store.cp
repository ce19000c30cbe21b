protocol Store {
  initial s0  final s0
  s0 -> s1 : client -> shop : request
  s1 -> s2 : shop -> database : store
  s1 -> s0 : shop -> client : refusal
  s2 -> s0 : database -> shop : acknowledgement
  s2 -> s1 : database -> shop : retry
}
