// Graphs that are no terms: a protocol with conditions, loops with two ways out, and
// states that several ways lead to.
// RUN: cifc --check-conforms=%s --relation=symbolic %S/Inputs/bids.ioc -o /dev/null 2>&1 | FileCheck %s --check-prefix=HOLDS
// RUN: %exit1 cifc --check-conforms=%s --relation=symbolic %S/Inputs/bids-late.ioc -o /dev/null 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: cifc --lower-stg=- %s -o /dev/null | FileCheck %s --check-prefix=STG
// HOLDS: holds (exact;
// LATE: error: the implementation does not conform to choreography 'Bids'
// LATE: s -> b : sold {{.*}}<- allowed by the implementation, not by the choreography
// STG: stg Bids {
// STG: [price >= 100] s -> b : sold
// STG: : done
protocol Bids {
  initial ask  final over
  ask -> bid : s -> b : ask(price: int)
  bid -> ask : [price < 100] => b -> s : less
  bid -> over : [price < 100] => b -> s : leave
  bid -> over : [price >= 100] => s -> b : sold
}
