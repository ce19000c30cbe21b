// What is meant is said, once for each flaw and on its line.
// RUN: cifc --verify-diagnostics %s -o /dev/null
// RUN: %exit2 cifc %s 2>&1 | FileCheck %s

protocol A {
  // expected-error@+2 {{expected 'initial', 'final', a transition or '}', found 'inital'}}
  // expected-note@+1 {{did you mean 'initial'?}}
  inital s0
  // expected-error@+2 {{expected '->', found '→'}}
  // CHECK: note: write '->' for '→'
  s0 → s1 : a -> b : m
  // expected-error@+2 {{expected '->', found '=>'}}
  // CHECK: note: write '->' for '=>'
  s1 -> s2 : a => b : m
  // expected-error@+2 {{expected '->' after the state, found 's3'}}
  // CHECK: note: a transition is 's -> t : p -> q : message'
  s2 s3 : a -> b : m
  // expected-error@+1 {{expected ':' and the message, found the end of the line}}
  s3 -> s4 : a -> b
  // expected-error@+1 {{expected '->' and the receiver, found the end of the line}}
  s4 -> s5 : a
  // expected-error@+1 {{expected a state, found the end of the line}}
  s5 ->
}

protocol B {
  initial s0
  // expected-error@+2 {{expected 'initial', 'final', a transition or '}', found ';'}}
  // CHECK: note: no ';' is needed between these
  s0 -> s1 : a -> b : m;
  s1 -> s2 : a -> b : m;
  s2 -> s0 : a -> b : m;
}

// expected-warning@+2 {{no transition mentions state 'reday'}}
// CHECK: note: did you mean 'ready'?
protocol C { initial ready final reday  ready -> ready : a -> b : m }
