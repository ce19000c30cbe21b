// Without a bound the messages of a pile up before b: that search ends at the limit,
// and what bound 1 found stands.
// RUN: cifc --synthesize-controllers --max-states=200 %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: f_controller -> a_controller : sync1: a -> b : x waits for f -> g : q
// CHECK: f_controller -> b_controller : sync2: b -> c : y waits for f -> g : q
// CHECK: choreography 'P': controlled: holds (not exact; {{.*}} 1-bounded
protocol P {
  initial i
  final s
  i -> s : f -> g : q
  s -> s : a -> b : x
  s -> s : b -> c : y
}
