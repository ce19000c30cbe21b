"""Files as C++ data, for embed-page and embed-studio."""
import os


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def literal(text):
    """As C string literals, of a length that every compiler takes."""
    data = text.encode("utf-8")
    pieces = []
    for at in range(0, len(data), 2000) or [0]:
        piece = "".join(
            chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else "\\%03o" % b
            for b in data[at : at + 2000])
        pieces.append('    "%s"' % piece)
    return "\n".join(pieces)
