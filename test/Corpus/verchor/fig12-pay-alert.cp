// VerChor, Fig. 12: two peers decide, each for itself; no controller helps.
// RUN: %exit1 cifc --check-repairable %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %exit1 cifc --check-repairable=strict %s -o /dev/null
// RUN: %exit1 cifc --check-synchronizable %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SYNC
// RUN: %exit1 cifc --check-health %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=HEALTH
// RUN: %exit1 cifc --synthesize-controllers %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,MADE
// RUN: %exit1 cifc --amend %s -o /dev/null 2>&1 | FileCheck %s

protocol Booking {
  initial s0  final s2, s3
  s0 -> s1 : cl -> bs : pay
  s1 -> s2 : bs -> cl : ticket
  s0 -> s3 : bs -> cl : alert
}

// CHECK: fig12-pay-alert.cp:[[#@LINE-5]]:{{.*}}error: a choice between exchanges of different senders: 'cl' and 'bs' may decide differently [check-repairable]
// CHECK: 1 cl -> bs : pay{{.*}}:[[#@LINE-6]]:{{[0-9]+}}) <- either
// CHECK: 2 bs -> cl : alert{{.*}}:[[#@LINE-5]]:{{[0-9]+}}) <- or
// CHECK: note: 'cl' and 'bs' would have to agree; let one of them decide
// MADE: note: deadlock after bs!cl:alert, cl!bs:pay: nothing can happen, but some peers are not done: cl
// CHECK: choreography 'Booking': repairable: violated (exact;

// SYNC: 1 bs -> cl : alert
// SYNC: 2 cl -> bs : pay
// SYNC: note: 'cl' sends 'pay' before it has read 'alert', which waits in its queue

// Both have sent, and each waits for what the other will not send any more.
// HEALTH: fig12-pay-alert.cp:11:14: error: deadlock: nothing can happen, but some peers are not done: cl [check-health]
// HEALTH: 1 bs!cl:alert{{.*}}fig12-pay-alert.cp:13:14)
// HEALTH: 2 cl!bs:pay{{.*}}fig12-pay-alert.cp:11:14)
// HEALTH: choreography 'Booking': health: no deadlock: violated
