#!/usr/bin/env bash
# What lockstep says to another library's name: "NAME own" where it has a step of that name, "NAME
# none" where it says that there is nothing, else "NAME" and the step it proposes, which must read.
# Usage: names.sh LOCKSTEP < names
set -u
lockstep=$1
answer() { # name
  local said step
  said=$(printf '{"version": 1, "transforms": [{"type": "%s"}]}' "$1" | "$lockstep" schema --check - 2>&1)
  if [[ $said != *'[step-unknown]'* ]]; then
    echo own
  elif [[ $said == *'nothing here is its equal'* ]]; then
    echo none
  else
    step=$(sed -nE 's/.*; write (\{.*\}).*/\1/p' <<< "$said" | head -1)
    step=${step//\[...\]/[{\"type\": \"invert\"\}]}
    printf '{"version": 1, "transforms": [%s]}' "$step" | "$lockstep" schema --check - > /dev/null 2>&1 ||
      echo "does not read:"
    jq -r .type <<< "$step" 2> /dev/null || echo "?"
  fi
}
while read -r library name _; do
  echo "$library $name $(answer "$name" | paste -sd ' ')"
done
