#!/usr/bin/env python3
"""Find cycles of units by the symbols of object files.

    units.py ROOT OBJECTS    prints each cycle with the symbols that close it; the exit code is 1 if there is one

A unit is a header with the .c files that implement it. A .c file belongs to the header of its name, in its folder or in
the one above, where a library has its public headers; or else to the header in its folder that declares most of its
symbols. Without such a header it is a unit of its own.
"""
import collections
import glob
import os
import re
import subprocess
import sys

COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
DECLARED = re.compile(r"\b([A-Za-z_]\w*)\s*(?=[(\[;,])")
MAX_PRINTED = 12  # uses of one cycle


def find_sources(root, ending):
    paths = [path for top in ("src", "cli")
             for path in glob.glob("%s/%s/**/*%s" % (root, top, ending), recursive=True)]
    return sorted(os.path.relpath(path, root) for path in paths)


def read_declared(root, header):
    """Returns the names that could be declared in a header."""
    with open(os.path.join(root, header), encoding="utf-8", errors="replace") as f:
        return set(DECLARED.findall(COMMENTS.sub(" ", f.read())))


def read_symbols(objects, sources):
    """Returns the defined and the used global symbols of each source."""
    defined, used = collections.defaultdict(set), collections.defaultdict(set)
    found = {source[:-2] + ".o": source for source in sources if os.path.exists(os.path.join(objects, source[:-2] + ".o"))}
    if found:
        listing = subprocess.run(["nm", "-A", "-g", *found], cwd=objects, check=True, capture_output=True, text=True).stdout
        for row in listing.splitlines():
            path, _, rest = row.partition(":")
            words = rest.split()
            (used if words[-2] == "U" else defined)[found[path]].add(words[-1])
    return defined, used


def find_unit(source, symbols, declared):
    """Returns the unit's name: the path of its header or, without one, of its source, without the ending."""
    folder, stem = os.path.split(source[:-2])
    for place in folder, os.path.dirname(folder):
        if os.path.join(place, stem + ".h") in declared:
            return os.path.join(place, stem)
    counts = {header: len(names & symbols) for header, names in sorted(declared.items()) if os.path.dirname(header) == folder}
    best = max(counts, key=counts.get, default=None)
    return best[:-2] if best and counts[best] else source[:-2]


def find_cycles(uses):
    """Returns the strongly connected parts of more than one unit (Tarjan's algorithm)."""
    index, low, stack, cycles = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in sorted(uses.get(unit, ())):
            if other not in index:
                visit(other)
                low[unit] = min(low[unit], low[other])
            elif other in stack:
                low[unit] = min(low[unit], index[other])
        if low[unit] == index[unit]:
            cycle = stack[stack.index(unit):]
            del stack[-len(cycle):]
            if len(cycle) > 1:
                cycles.append(sorted(cycle))

    for unit in sorted(uses):
        if unit not in index:
            visit(unit)
    return cycles


def main(root, objects):
    sources = find_sources(root, ".c")
    declared = {header: read_declared(root, header) for header in find_sources(root, ".h")}
    defined, used = read_symbols(objects, sources)
    units = {source: find_unit(source, defined[source], declared) for source in sources}
    homes = {symbol: source for source, symbols in defined.items() for symbol in symbols}
    uses = collections.defaultdict(lambda: collections.defaultdict(list))
    for source, symbols in sorted(used.items()):
        for symbol in sorted(symbols & homes.keys()):
            if units[source] != units[homes[symbol]]:
                uses[units[source]][units[homes[symbol]]].append("%s uses %s of %s" % (source, symbol, homes[symbol]))
    cycles = find_cycles(uses)
    for cycle in cycles:
        print("cycle of %d units: %s" % (len(cycle), " ".join(cycle)))
        rows = [row for unit in cycle for other in cycle for row in uses[unit].get(other, ())]
        for row in rows[:MAX_PRINTED]:
            print("  " + row)
        if len(rows) > MAX_PRINTED:
            print("  and %d more" % (len(rows) - MAX_PRINTED))
    return 1 if cycles else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.setrecursionlimit(10000)
    sys.exit(main(sys.argv[1], sys.argv[2]))
