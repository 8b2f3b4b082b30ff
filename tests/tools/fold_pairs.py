"""Pairs of names that some file system in use may take for one, by Python's own tables of Unicode:
all characters beside their upper, lower, title and folded case, and all of these in all normal
forms. A line each: two names with a tab between."""
import sys
import unicodedata

out = sys.stdout.buffer
for code in range(0x80, 0x110000):
    c = chr(code)
    if unicodedata.category(c) in ("Cn", "Cs"):
        continue
    name = "x" + c + "y"
    cases = {name, "x" + c.upper() + "y", "x" + c.lower() + "y", "x" + c.title() + "y",
             "x" + c.casefold() + "y"}
    forms = {unicodedata.normalize(form, n) for n in cases for form in ("NFC", "NFD", "NFKC", "NFKD")}
    for other in sorted((cases | forms) - {name}):
        out.write(f"{name}\t{other}\n".encode())
