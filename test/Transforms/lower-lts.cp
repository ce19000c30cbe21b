// RUN: cif-opt --passes='lower-lts{network=sync}' %s --emit=cift | FileCheck %s --check-prefix=SYNC
// RUN: cif-opt --passes='lower-lts{bound=1,name=one}' %s --emit=cift | FileCheck %s --check-prefix=ONE
// RUN: %exit3 cif-opt --lower-lts %s --verdicts=%t.json -o /dev/null
// RUN: FileCheck %s --check-prefix=GROWS < %t.json
// RUN: %exit2 cif-opt --passes='lower-lts{only=dv}' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAME

// VerChor, Fig. 10: requests may pile up in the application's inbox.
// SYNC: composition composition
// SYNC: cl->appli:req
// ONE: composition one
// GROWS: "verdict":"inconclusive"
// GROWS-SAME: "kind":"lasso"
// NAME: there is no peer named 'dv' [E0802]
peer cl {
  initial 0
  0 -> 0 : appli!req
}
peer appli {
  initial 0
  0 -> 1 : cl?req
  1 -> 2 : db!store
  2 -> 0 : db?ack
}
peer db {
  initial 0
  0 -> 1 : appli?store
  1 -> 0 : appli!ack
}
