"""Print the screen of a terminal after it has received a text: carriage returns, line feeds, wrapping, and erasing to a
line's end.

    screen.py COLUMNS < PRINTED    prints the lines; wrapped lines end with " <wrapped>". Colors are left out.
"""
import re
import sys


def show(printed, columns):
    lines, wrapped, y, x = [[]], set(), 0, 0
    for token in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|.", printed, re.S):
        if token == "\r":
            x = 0
        elif token == "\n":
            y, x = y + 1, 0
        elif token == "\x1b[K":
            del lines[y][x:]
        elif token[0] != "\x1b":
            if x == columns:
                wrapped.add(y)
                y, x = y + 1, 0
            while len(lines) <= y:
                lines.append([])
            lines[y].extend(" " * (x + 1 - len(lines[y])))
            lines[y][x] = token
            x += 1
        while len(lines) <= y:
            lines.append([])
    return ["".join(line).rstrip() + (" <wrapped>" if i in wrapped else "") for i, line in enumerate(lines)]


if __name__ == "__main__":
    print("\n".join(show(sys.stdin.read(), int(sys.argv[1]))))
