#!/usr/bin/env bash
# Validate SARIF reports against the 2.1.0 schema, as npm has it: of a clean dataset, of one with faults of many rules,
# and of hostile names. Needs npm and the network. Usage: tests/tools/sarif_schema.sh LOCKSTEP
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lockstep=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 > package.txt
tar xzf "$(tail -n 1 package.txt)" package/lib/schemas/sarif-2.1.0-rtm.5.json

cp "$here/../../samples/annotations.json" good.json
python3 - << 'PY'
import json
data = json.load(open("good.json"))
for k, a in enumerate(data["annotations"]):
    if k % 3 == 0:
        a["bbox"][2] *= -1
    elif k % 3 == 1:
        a["category_id"] = 999
data["categories"][0]["name"] = "\x1b[31m{0} [a](http://b) \u202e\ufffe\\"
data["images"][0]["file_name"] = "../\n<b>"
json.dump(data, open("bad \x1b[1m%41{.json", "w"), indent=1)
PY
for file in *.json; do
  "$lockstep" check "$file" --output sarif=report --fail-on never
  PYTHONDONTWRITEBYTECODE=1 python3 "$here/reports.py" sarif report package/lib/schemas/sarif-2.1.0-rtm.5.json
  printf 'valid: %q\n' "$file"
done
