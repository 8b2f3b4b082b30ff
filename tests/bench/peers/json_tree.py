"""json_tree.py FILE PRINTED: measures Python's json reading FILE and writing it again. Then checks that PRINTED, which
lockstep made of FILE, has the same content.
"""
import json
import os
import sys
import time


def used(title, work):
    """Prints a row for work in a separate process: title, seconds, processor seconds, peak resident MB."""
    sys.stdout.flush()
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f'{title}: failed')
    print(f'{title:<44} {time.monotonic() - start:8.2f} {usage.ru_utime + usage.ru_stime:8.2f} '
          f'{usage.ru_maxrss / 1024:8.0f}')


def read(path):
    with open(path, 'rb') as file:
        return json.load(file)


def main():
    path, printed = sys.argv[1:]
    used('Python: json.load', lambda: read(path))
    used('Python: json.load, json.dumps', lambda: json.dumps(read(path)))
    if read(path) != read(printed):
        sys.exit('lockstep has written something else than it read')


main()
