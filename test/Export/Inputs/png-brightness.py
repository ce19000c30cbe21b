"""Prints whether most pixels of a PNG (8 bits, RGB or RGBA) are bright."""
import struct
import sys
import zlib

with open(sys.argv[1], "rb") as f:
    data = f.read()
assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
at, packed, header = 8, b"", None
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + length]
    if kind == b"IHDR":
        header = struct.unpack(">IIBBBBB", body)
    elif kind == b"IDAT":
        packed += body
    at += 12 + length
width, height, depth, colour = header[:4]
assert depth == 8 and colour in (2, 6), header
size = 3 if colour == 2 else 4
raw, row = zlib.decompress(packed), bytearray(width * size)
bright = 0
for y in range(height):
    start = y * (width * size + 1)
    method = raw[start]
    line = bytearray(raw[start + 1:start + 1 + width * size])
    for i in range(len(line)):
        left = line[i - size] if i >= size else 0
        up = row[i]
        corner = row[i - size] if i >= size else 0
        if method == 1:
            line[i] = (line[i] + left) & 255
        elif method == 2:
            line[i] = (line[i] + up) & 255
        elif method == 3:
            line[i] = (line[i] + (left + up) // 2) & 255
        elif method == 4:
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up),
                       (abs(guess - corner), 2, corner))[2]
            line[i] = (line[i] + near) & 255
    row = line
    for x in range(0, len(line), size):
        opaque = size == 3 or line[x + 3] == 255
        bright += opaque and min(line[x:x + 3]) > 200
print("bright" if bright > 0.8 * width * height else
      "dark: %d of %d" % (bright, width * height))
