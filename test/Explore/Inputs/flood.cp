// Every word of x and y that fits into the inbox of b is a state.
peer a {
  initial 0
  0 -> 0 : b!x
  0 -> 0 : b!y
}
peer b {
  initial 0
  0 -> 0 : a?x
  0 -> 0 : a?y
}
