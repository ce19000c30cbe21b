// Loops in which a participant has no part: its own part of them takes no step. In `Aside`
// it waits, in `Early` it cannot know when to send, in `Endless` nobody asks it again.
// RUN: split-file %s %t
// RUN: cifc --check-realizable --relation=symbolic %t/aside.cp -o /dev/null 2>&1 | FileCheck %s --check-prefix=HOLDS
// RUN: %exit1 cifc --check-realizable --relation=symbolic %t/early.cp -o /dev/null 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: cifc --check-realizable --relation=symbolic %t/endless.cp -o /dev/null 2>&1 | FileCheck %s --check-prefix=HOLDS
// HOLDS: realizable: holds (exact;
// EARLY: 1  c -> b : ship {{.*}}<- allowed by the projection, not by the choreography
//--- aside.cp
protocol Aside {
  initial ask  final over
  ask -> bid : a -> b : offer(x: int)
  bid -> ask : [x < 5] => b -> a : more
  bid -> deal : [x >= 5 && x < 9] => b -> a : enough
  bid -> rich : [x >= 9] => b -> a : plenty
  deal -> over : b -> c : ship
  rich -> deal : b -> c : gift
  rich -> ask : b -> a : again
}
//--- early.cp
protocol Early {
  initial ask  final over
  ask -> bid : a -> b : offer(x: int)
  bid -> ask : [x < 5] => b -> a : more
  bid -> deal : [x >= 5 && x < 9] => b -> a : enough
  bid -> rich : [x >= 9] => b -> a : plenty
  deal -> over : c -> b : ship
  rich -> deal : b -> c : gift
}
//--- endless.cp
protocol Endless {
  initial start
  start -> ping : c -> a : go(x: int)
  ping -> pong : a -> b : ping(x)
  pong -> ping : b -> a : pong
}
