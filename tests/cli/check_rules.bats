#!/usr/bin/env bats
# Each rule of `check` on a file that has its fault, and on one that nearly has it.
# RULE=B009 in the environment restricts the tests to this rule, RULE='B*,S02*' to the rules with such ids.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup_file() {
  mkdir "$BATS_FILE_TMPDIR/cases"
  python3 "$BATS_TEST_DIRNAME/../check/planted.py" "$BATS_FILE_TMPDIR/cases" "${RULE:-*}" \
    > "$BATS_FILE_TMPDIR/table.txt"
}

setup() {
  begin
  rules=$here/tools/check_rules.py
  cases=$BATS_FILE_TMPDIR/cases
}

@test "every rule finds its fault, and not what is nearly one; each file has just the findings it should" {
  python3 "$rules" findings "$lockstep" "$cases" "$BATS_FILE_TMPDIR/table.txt"
}

@test "every rule is explained" {
  python3 "$rules" explained "$lockstep"
}

@test "of every planted file --fix leaves nothing that has a safe fix, and changes nothing the second time" {
  python3 "$rules" fixes "$lockstep" "$cases"
}
