protocol P {
  initial s0
  s0 -> s1 : a -> b : x
  s1 -> s0 : b -> a : y
  s2 -> s0 : c -> b : z
}
