// The same with an answer to the client, who now waits for it.
protocol Store {
  initial s0  final s0
  s0 -> s1 : cl -> appli : req
  s1 -> s2 : appli -> db : store
  s2 -> s3 : db -> appli : ack
  s3 -> s0 : appli -> cl : done
}
