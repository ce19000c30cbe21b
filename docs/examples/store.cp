// A client stores something through an application. Drawn like this it looks
// right; but nobody tells the client when it may ask again.
protocol Store {
  initial s0  final s0
  s0 -> s1 : cl -> appli : req
  s1 -> s2 : appli -> db : store
  s2 -> s0 : db -> appli : ack
}
