"""Prints a choreography whose check takes longer than its limit: many messages in
parallel."""
branches = ["(a%d -> b%d : x%d ; b%d -> c : y%d ; c -> a%d : z%d)" % ((i,) * 7) for i in range(40)]
print("choreography Slow { ( " + " || ".join(branches) + " ) ; d -> e : end }")
