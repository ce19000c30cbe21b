protocol P {
  initial s0
  s0 -> s1 : a -> b : x
  s1 -> s2 : c -> d : y
  s3 -> s4 : c -> d : y
  s4 -> s4 : c -> d : y
}
