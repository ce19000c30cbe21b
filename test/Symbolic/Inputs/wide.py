# An inclusive split of so many flows.
import sys

n = int(sys.argv[1])
print("cif 1.1\nparticipant a\nparticipant b")
for i in range(n):
    print(f"message a -> b : m{i}")
print("choreography Wide {\n  i initial\n  s subset-select\n  j subset-join\n  f final")
for i in range(n):
    print(f"  m{i} interaction a -> b : m{i}")
print("  i -> s\n  j -> f")
for i in range(n):
    print(f"  s -> m{i}\n  m{i} -> j")
print("}")
