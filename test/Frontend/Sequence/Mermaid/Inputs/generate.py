"""Choreographies of random terms, with names that need care. Usage: COUNT"""
import random
import sys

rng = random.Random(7)
names = ["a", "b", '"two words"', '"end"', '"x;y#z"', "Zoë", '"<b>"']
messages = ["m", "n", '"loop"', '"a : b"', '"#35;"', '"\\" & %% \\\\n"', '" x "', '"wrap: x"']


def action():
    one, other = rng.sample(names, 2)
    if rng.random() < 0.1:
        return "tau " + one
    return "%s -> %s : %s" % (one, other, rng.choice(messages))


def term(depth):
    kind = rng.randrange(8) if depth else 0
    if kind <= 1:
        return action()
    parts = [term(depth - 1) for _ in range(rng.randrange(2, 4))]
    if kind <= 3:
        return "(" + " ; ".join(parts) + ")"
    if kind == 4:
        return "(" + " || ".join(parts) + ")"
    if kind == 5:
        return "(" + " + ".join(parts) + ")"
    if kind == 6:
        return "(" + parts[0] + " + 1)"
    return "loop {" + parts[0] + "}"


count = int(sys.argv[1])
for number in range(count):
    print("choreography C%d { %s }" % (number, term(4 if count > 1 else 8)))
