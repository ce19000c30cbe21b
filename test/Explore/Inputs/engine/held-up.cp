peer a { initial 0 final 2 0 -> 1 : b!x 1 -> 2 : b!y }
peer b { initial 0 final 2 0 -> 1 : a?y 1 -> 2 : a?x }
