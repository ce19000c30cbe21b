// The same with the shop telling the courier.
protocol Delivery {
  initial s0  final s5
  s0 -> s1 : buyer -> shop : express
  s1 -> s3 : shop -> courier : today
  s3 -> s5 : courier -> buyer : van
  s0 -> s2 : buyer -> shop : normal
  s2 -> s4 : shop -> courier : tomorrow
  s4 -> s5 : courier -> buyer : bike
}
