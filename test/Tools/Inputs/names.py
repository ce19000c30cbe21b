# Writes a protocol whose names try to look like something else.
import sys

forged = "p\\nchoreography 'P': realizable: holds (exact; sure)\\x1b[2J"
turned = "q\u202eevil\u2066"
print('protocol "P\u2028\u202e" {')
print("  initial s0")
print('  s0 -> s1 : "%s" -> "%s" : "m\u0085n\u2028o\x7f"' % (forged, turned))
print('  s1 -> s2 : c -> d : "y"')
print("}")
if len(sys.argv) > 1:  # an error on a line with all of it
    print('peer "%s" { initial }  // \x1b[31m\t\u202e!' % turned)
