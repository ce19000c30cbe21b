"""Writes a binary module with a root that is not one.

Usage: damage.py MODULE zero|odd|far|lost"""
import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = bytearray(file.read())
root, = struct.unpack_from("<I", data)
struct.pack_into("<I", data, *{
    "zero": (0, 0),            # no offset
    "odd": (0, root + 1),      # not where a table can be
    "far": (0, len(data)),     # behind the end
    "lost": (root, 0x7fffff),  # the table of its fields is outside
}[sys.argv[2]])
sys.stdout.buffer.write(data)
