"""philosophers.py N FILE: writes N philosophers as a net in the style of the Model
Checking Contest: a page for each, references to what is on other pages, pictures
and data of tools everywhere. Prints its states, explored here."""
import itertools
import sys

count, path = int(sys.argv[1]), sys.argv[2]
GRAPHICS = '<graphics><position x="1" y="2"/><fill color="none"/></graphics>'
TOOL = '<toolspecific tool="t" version="1"><place id="p"><net/></place></toolspecific>'
marking, rules = {}, []
numbers = itertools.count()


def name(text):
    return ('<name><text>%s</text><graphics><offset x="0" y="-1"/></graphics></name>'
            % text)


def page(i):
    yield '<page id="page%d">%s%s' % (i, name(i), GRAPHICS)
    for kind, tokens in zip(("Think", "Fork", "Catch1", "Catch2", "Eat"), (1, 1, 0, 0, 0)):
        place = "%s_%d" % (kind, i)
        marking[place] = tokens
        yield '<place id="%s">%s%s%s%s</place>' % (
            place, name(place), GRAPHICS, TOOL,
            "<initialMarking><text> %d\n</text></initialMarking>" % tokens if tokens else "")
    think, left, eat = ["%s_%d" % (kind, i) for kind in ("Think", "Fork", "Eat")]
    right, first, second = "Fork_%d" % ((i + 1) % count), "Catch1_%d" % i, "Catch2_%d" % i
    for kind, takes, puts in (("FF1a", [think, left], [first]), ("FF1b", [think, right], [second]),
                              ("FF2a", [first, right], [eat]), ("FF2b", [second, left], [eat]),
                              ("End", [eat], [think, left, right])):
        step = "%s_%d" % (kind, i)
        rules.append((takes, puts))
        yield '<transition id="%s">%s%s</transition>' % (step, name(step), GRAPHICS)
        for place, isTaken in [(p, True) for p in takes] + [(p, False) for p in puts]:
            number = next(numbers)
            if not place.endswith("_%d" % i):
                yield '<referencePlace id="r%d" ref="%s">%s</referencePlace>' % (
                    number, place, GRAPHICS)
                place = "r%d" % number
            yield '<arc id="a%d" source="%s" target="%s">%s%s</arc>' % (
                (number,) + ((place, step) if isTaken else (step, place))
                + (TOOL, "<inscription><text>1</text></inscription>" * (number % 2)))
    yield "</page>"


with open(path, "w") as file:
    print('<?xml version="1.0"?>\n<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">'
          '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">', TOOL,
          name("Philosophers"), file=file)
    for i in range(count):
        print(*page(i), sep="\n", file=file)
    print("</net></pnml>", file=file)

start = frozenset(p for p, tokens in marking.items() if tokens)
seen, work, steps = {start}, [start], 0
while work:
    state = work.pop()
    for takes, puts in rules:
        if state.issuperset(takes):
            steps += 1
            to = state.difference(takes).union(puts)
            if to not in seen:
                seen.add(to)
                work.append(to)
print("des (0,%d,%d)" % (steps, len(seen)))
