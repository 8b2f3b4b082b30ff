#!/usr/bin/env python3
"""Compare the tokens of two JSON files: numbers by their text, strings by their meaning, without white space. Prints
the differences.

Usage: same_tokens.py WANTED GOT
"""

import difflib
import json
import re
import sys

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]|[^][{}:,\s"]+')


def tokens(path):
    with open(path, encoding="utf-8") as file:
        return [json.dumps(json.loads(t)) if t[0] == '"' else t for t in TOKEN.findall(file.read())]


wanted, got = tokens(sys.argv[1]), tokens(sys.argv[2])
if wanted != got:
    print("\n".join(difflib.unified_diff(wanted, got, *sys.argv[1:], lineterm="")))
sys.exit(not wanted or wanted != got)
