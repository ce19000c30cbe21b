peer a {
 initial 0
 final 4
 0 -> 1 : b!req
 1 -> 2 : b?quote
 2 -> 3 : b!pay
 2 -> 3 : b!cancel
 3 -> 4 : b?bye
 2 -> 2 : b!ping
}
peer b {
 initial 0
 final 4
 0 -> 1 : a?req
 1 -> 2 : a!quote
 2 -> 3 : a?pay
 3 -> 4 : a!bye
 2 -> 2 : a?ping
}
