"""Five guarded interactions for each of 20 variables; the last limit is the argument."""
import sys

parts = []
for v in range(20):
    limit = int(sys.argv[1]) if v == 19 else 5
    parts.append(f"c -> s : set{v}(x{v}: int)")
    parts.append(f"( [x{v} < {limit}] => s -> c : low{v} + [x{v} >= {limit}] => s -> c : high{v} )")
    other = f"x{v - 1}" if v else "0"
    parts.append(f"( [x{v} > {other}] => c -> s : more{v} + [x{v} == {other}] => c -> s : same{v}"
                 f" + [x{v} < {other}] => c -> s : less{v} )")
print("choreography Large {", " ;\n  ".join(parts), "}")
