"""Writes two peers with so many states and messages.

Usage: handshakes.py STATES MESSAGES"""
import sys

states, messages = map(int, sys.argv[1:])
for name, act in ("a", "b!"), ("b", "a?"):
    print("peer %s { initial 0  final 0" % name)
    for state in range(states):
        for message in range(messages):
            print("  %d -> %d : %sm%d" % (state, (state + 1) % states, act,
                                          message))
    print("}")
