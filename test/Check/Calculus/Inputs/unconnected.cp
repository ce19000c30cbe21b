// CHECK: unconnected.cp:2:10: error: choreography 'Store' is not connected for the sender semantics, in 3 places [check-connected]
protocol Store {
  initial s0  final s0
  s0 -> s1 : cl -> appli : req
  s1 -> s2 : appli -> db : store
  s2 -> s0 : db -> appli : ack
  // CHECK: unconnected.cp:4:{{.*}}'cl' takes part in a loop but in nothing that always follows it
  // CHECK: unconnected.cp:4:{{.*}}'cl -> appli : req' uses the operation of 'cl -> appli : req' again
  // CHECK: unconnected.cp:4:{{.*}}nothing makes 'cl -> appli : req' wait for 'db -> appli : ack'
  // CHECK: choreography 'Store': connected: violated (exact; sender semantics, on the graph)
}
