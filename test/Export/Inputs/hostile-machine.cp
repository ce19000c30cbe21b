protocol P {
  initial s0  final s1
  s0 -> s1 : "a<b" -> "c &\t d" : "m_.\"]]>"
  s1 -> s0 : "c &\t d" -> "a<b" : "receive.x"
}
