// RUN: cifc --verify-diagnostics %s -o /dev/null

// expected-note@below {{the first one is here}}
protocol P {
  initial s0
  s0 -> s1 : a -> b : m
  // expected-error@below {{expected a state, found ':'}}
  s1 -> : a -> b : n
  // expected-error@below {{expected '->' and the receiver, found ':'}}
  s1 -> s2 : a : n
}
// expected-error@below {{protocol 'Q' has no initial state}}
protocol Q { s0 -> s1 : a -> b : m }
// expected-error@+2 {{initial state of 'R' is already defined}}
// expected-note@+1 {{the first one is here}}
protocol R { initial s0 initial s1 s0 -> s1 : a -> b : m }
// expected-error@+2 {{protocol 'P' is already defined}}
// expected-error@+1 {{participant 'a' cannot send 'm' to itself}}
protocol P { initial s0 final s9 s0 -> s1 : a -> a : m }
// expected-error@+3 {{unexpected '#'}}
// expected-error@+2 {{expected '!' or '?', found 'm'}}
// expected-note@+1 {{the first one is here}}
peer x { initial 0 0 -> 1 : y!m 0 -> 1 : y#m }
// expected-error@+2 {{peer 'x' is already defined}}
// expected-error@+1 {{participant 'x' cannot send 'm' to itself}}
peer x { initial 0 0 -> 1 : x!m }
