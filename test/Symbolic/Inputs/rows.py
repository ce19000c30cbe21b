"""Loops in a row, each over a number of its own: rows.py COUNT"""
import sys

print("choreography Rows {\n  a -> b : start(x0: int)")
for i in range(int(sys.argv[1])):
    print(f"  ; while [x{i} > 0] {{ a -> b : m{i}(x{i}: int) ; b -> a : k{i} }}")
    print(f"  ; b -> a : n{i}(x{i + 1}: int)")
print("}")
