#!/usr/bin/env bats
# Small pipelines that could be costly before or while they run. Each is refused with a code, or done within bounds of
# time and memory, which the kernel enforces.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  skip_when_sanitized "$lockstep"
}

# bounded COMMAND...: with 2 s of CPU time and 600 MB of addresses (libraries have some).
bounded() {
  ulimit -c 0
  ulimit -t 2
  ulimit -v 600000
  exec "$@"
}

# refused CODE FILE: within bounds, by this code.
refused() {
  run -3 bounded "$lockstep" explain -p "$2"
  [[ $output == *"[$1]"* ]]
}

# nested TYPE DEPTH: two steps of the type in each, DEPTH times.
nested() {
  python3 -c '
import sys
kind, depth = sys.argv[1], int(sys.argv[2])
step = "{\"type\": \"horizontal_flip\"}"
for _ in range(depth):
    step = "{\"type\": \"%s\", \"transforms\": [%s, %s]}" % (kind, step, step)
print("{\"version\": 1, \"transforms\": [%s]}" % step)' "$@"
}

@test "bounds: half a million steps inside of each other are refused before they are read" {
  local type
  for type in Compose OneOf RandomChoice; do
    nested "$type" 14 > p.json
    refused step-many p.json
    nested "$type" 18 > p.json
    refused pipeline-large p.json
  done
}

@test "bounds: a pipeline has at most a million values and 32 MB" {
  python3 -c 'print("{\"version\": 1, \"transforms\": [%s]}" % ",".join(["{}"] * 2**21))' > p.json
  refused pipeline-large p.json
  python3 -c 'print("{\"version\": 1, \"name\": \"%s\", \"transforms\": []}" % ("[" * 2**25))' > p.json
  refused pipeline-large p.json
  python3 -c 'print("{\"version\": 1, \"name\": \"%s\", \"transforms\": []}" % ("[,\\\"" * 2**22))' > p.json
  run -0 bounded "$lockstep" explain -p p.json
}
