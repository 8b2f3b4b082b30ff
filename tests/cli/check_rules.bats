#!/usr/bin/env bats
# Each rule of `check` on a file that has its fault, and on one that nearly has it.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir cases
  python3 "$here/check/planted.py" cases > table.txt
}

# rules FILE [OPTION...]: the ids that check finds in it, sorted, separated by commas; - for none.
rules() {
  "$lockstep" check "$@" > found.txt 2> said.err || [ $? -le 1 ] || { cat said.err; return 1; }
  sed -n 's/^[^ ]*: [a-z]*\[\([A-Z][0-9]*\)\]: .*/\1/p' found.txt | sort -u | paste -sd, | grep . || echo -
}

@test "every rule finds its fault, and not what is nearly one; each file has just the findings it should" {
  local rule kind file wanted options got bad=0
  while IFS=$'\t' read -r rule kind file wanted options; do
    [ "$options" != - ] || options=
    # shellcheck disable=SC2086 # options are words
    got=$(cd cases && rules "$file" $options)
    [ "$got" = "$wanted" ] || { echo "$file ($kind of $rule): $got, not $wanted"; bad=1; }
  done < table.txt
  return $bad
}

@test "every rule has a file with its fault, and one without" {
  local rule bad=0
  while read -r rule _; do
    grep -q "^$rule	fault" table.txt || { echo "no file has the fault of $rule"; bad=1; }
    grep -q "^$rule	near" table.txt || { echo "no file nearly has the fault of $rule"; bad=1; }
  done < <("$lockstep" check --list)
  return $bad
}

@test "every rule is explained" {
  local rule
  while read -r rule _; do
    run -0 "$lockstep" check --explain "$rule"
    [[ $output == "$rule "* ]] && [[ $output == *"To mend it:"* ]]
  done < <("$lockstep" check --list)
}

@test "of every planted file --fix leaves nothing that has a safe fix, and changes nothing the second time" {
  local file safe left bad=0
  safe=$("$lockstep" check --list | awk '$3 == "safe" { print $1 }')
  for file in cases/*.json; do
    "$lockstep" check "$file" --no-images --fix -o once.json > found.txt 2> said.err || [ $? -le 1 ] ||
      { cat said.err; return 1; }
    "$lockstep" check once.json --fix -o twice.json --fail-on never > found.txt 2> said.err
    left=$(sed -n 's/^[^ ]*: [a-z]*\[\([A-Z][0-9]*\)\]: .*/\1/p' found.txt | grep -Fx "$safe" | sort -u | xargs) || true
    [ -z "$left" ] || { echo "$file: $left is left"; bad=1; }
    cmp once.json twice.json || bad=1
    rm once.json twice.json
  done
  return $bad
}
