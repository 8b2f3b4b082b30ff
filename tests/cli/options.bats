#!/usr/bin/env bats
# Options of all commands, by the tables that `lockstep help` prints.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

# Prints each command: a line of the list, or a word of the sentence after it.
commands() {
  "$lockstep" help | awk '/^COMMANDS/ { list = 1; next } /^TOPICS/ { exit } !list { next }
    /^  [a-z-]+  / { print $1; next } { gsub(/,|and /, ""); for (i = 1; i <= NF; i++) print $i }'
}

# Prints --name, METAVAR or "", and "repeatable" or "once" of each option of a command, separated by "|".
options() { # command
  "$lockstep" "$1" --help-all | sed -n '/^OPTIONS/,$p' | awk '
    function flush() {
      if (name != "") print name "|" metavar "|" (text ~ /\(repeatable[,)]|repeatable\)/ ? "repeatable" : "once")
      name = ""
    }
    match($0, /^  (    |-[A-Za-z], )--[a-z-]+/) {
      flush()
      name = substr($0, RSTART, RLENGTH)
      sub(/.*--/, "--", name)
      metavar = substr($0, RSTART + RLENGTH)
      metavar = metavar ~ /^ [A-Z0-9]/ ? "X" : ""
      text = ""
    }
    { line = $0; sub(/^ */, "", line); text = text " " line }
    END { flush() }'
}

# refused COMMAND WORDS...: prints the options that it refuses as given twice.
refused() {
  run -2 --separate-stderr "$lockstep" "$@" --message-format json < /dev/null
  sed -n 's/.*"option-twice", "message": "\(--[a-z-]*\): .*/\1/p' <<< "$stderr"
}

@test "options: one that takes a single value is refused when it is given twice, in every command" {
  local command name metavar words n=0
  for command in $(commands); do
    options "$command" > table
    [ -s table ] || { echo "$command: no options"; return 1; }
    words=()
    while IFS='|' read -r name metavar _; do
      words+=("$name" ${metavar:+"1"} "$name" ${metavar:+"1"})
      # A command prints at most 20 faults, and an option has up to three here.
      if [ "${#words[@]}" -ge 20 ]; then
        refused "$command" "${words[@]}"
        words=()
      fi
    done < table > refused
    [ "${#words[@]}" -eq 0 ] || refused "$command" "${words[@]}" >> refused
    diff <(sed -n 's/|.*|once$//p' table | sort) <(sort -u refused) ||
      { echo "$command: < is documented as given once, > is refused"; return 1; }
    n=$((n + $(wc -l < table)))
  done
  [ "$n" -gt 200 ]
}

@test "options: the message names both the option and the second value" {
  run -2 --separate-stderr "$lockstep" run -p p.json -i images -a one.json --annotations=two.json -o out
  [[ $stderr == *'--annotations: '*'two.json'*'[option-twice]'* ]]
  run -2 --separate-stderr "$lockstep" run -qq -p p.json -i images -o out
  [[ $stderr == *'--quiet: '*'[option-twice]'* ]]
  [ ! -e out ]
}

@test "options: diff takes a folder of images for each side, and refuses one that it would not read" {
  mkdir -p a/images a/labels b/images b/labels
  cp "$samples/images/street/0001.jpg" a/images/1.jpg
  cp "$samples/images/street/0001.jpg" b/images/1.jpg
  for side in a b; do
    echo '0 0.5 0.5 0.25 0.25' > $side/labels/1.txt
    echo 'names: [cat]' > $side/data.yaml
  done
  "$lockstep" diff a/labels b/labels --classes a/data.yaml -i a/images -i b/images
  rm b/images/1.jpg
  run -4 --separate-stderr "$lockstep" diff a/labels b/labels --classes a/data.yaml -i a/images -i b/images
  run -4 --separate-stderr "$lockstep" diff a/labels b/labels --classes a/data.yaml -i absent -i b/images
  refuses option-unused 2 "$lockstep" diff a/labels b/labels -i a -i b -i c
  refuses option-unused 2 "$lockstep" diff "$samples/annotations.json" "$samples/annotations.json" -i a/images
  refuses option-unused 2 "$lockstep" stats "$samples/annotations.json" -i a/images
  "$lockstep" diff a/labels "$samples/annotations.json" -i a/images --classes a/data.yaml > differences.txt || [ $? -eq 1 ]
}
