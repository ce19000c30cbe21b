// The courier is to come with a van or a bike, and nobody tells it which.
protocol Delivery {
  initial s0  final s3
  s0 -> s1 : buyer -> shop : express
  s1 -> s3 : courier -> buyer : van
  s0 -> s2 : buyer -> shop : normal
  s2 -> s3 : courier -> buyer : bike
}
