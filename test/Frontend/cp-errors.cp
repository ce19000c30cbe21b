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
// Data are those of IOC.
protocol Arrow {
  initial s0
  // expected-error@+2 {{expected '=>', found 'a'}}
  // expected-note@+1 {{after the guard}}
  s0 -> s1 : [true] a -> b : n
}
protocol Sorts {
  initial s0
  // expected-error@below {{unknown sort 'number'}}
  s0 -> s1 : a -> b : k(x: number)
  // expected-error@below {{expected an operand of sort int, found string}}
  s1 -> s1 : [2 < "a"] => a -> b : n
}
protocol Bound {
  initial s0
  // expected-note@below {{declared here, but not on every path to its use}}
  s0 -> s1 : a -> b : m(x: int)
  // expected-error@below {{there is no variable or literal 'x' in scope}}
  s0 -> s1 : [x < 5] => a -> b : n
  // expected-error@below {{there is no variable or literal 'y' in scope}}
  s1 -> s0 : a -> b : m(y)
}
