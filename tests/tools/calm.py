"""calm.py FILE...: messages must be UTF-8 without characters that a terminal acts upon. Prints the others."""
import sys
import unicodedata

TURNS = set(range(0x2028, 0x202F)) | set(range(0x2066, 0x206A)) | {0x61C, 0x200E, 0x200F}
bad = 0
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        print(f"{name}: no UTF-8 at {error.start}: {data[max(0, error.start - 60):error.start + 4]!r}")
        bad = 1
        continue
    for line in text.split("\n"):
        found = [c for c in line if unicodedata.category(c) == "Cc" or ord(c) in TURNS]
        if found:
            print(f"{name}: {found} in {line!r}")
            bad = 1
sys.exit(bad)
