#!/usr/bin/env bats
# Texts of the program about itself: help, list, describe, schema, completion and the man page. All are made from the
# same tables, so that they cannot contradict each other.
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
  man=$root/man
  unset COLUMNS
}

names() { # of transforms and ops
  "$lockstep" list --json | jq -r '.[] | select(.kind != "format").name'
}

commands() {
  "$lockstep" help | sed -n '/^COMMANDS/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# Prints all commands of the overview, those without a line of their own too.
all_commands() {
  "$lockstep" help | awk '/^COMMANDS/ { list = 1; next } /^TOPICS/ { exit } !list { next }
    /^  [a-z-]+  / { print $1; next } { gsub(/,|and /, ""); for (i = 1; i <= NF; i++) print $i }'
}

options() { # of a command
  "$lockstep" "$1" --help-all | sed -nE '/^OPTIONS/,$s/^  (    |-[A-Za-z], )(--[a-z-]+).*/\2/p'
}

# described CHECK [FILE]: the output of describe --all for every entry passes a check of described.py.
described() {
  "$lockstep" describe --all > all.txt
  "$lockstep" describe --all --json > all.json
  python3 "$here/tools/described.py" "$1" all.txt all.json "${@:2}"
}

# Prints each word of stdin for which no line of PAGE begins with BLANKS and the word.
lacking() { # page, regular expression of blanks
  grep -oE "^$2[^ ]+" "$1" | tr -d ' ' | LC_ALL=C sort -u > begun
  LC_ALL=C sort -u > sought
  [ -s begun ]
  LC_ALL=C comm -13 begun sought > lacking
  [ ! -s lacking ] || { echo "not in $1: $(xargs < lacking)"; return 1; }
}

code_of() { # name-unknown: is the code in what `run --separate-stderr` saw?
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"[$1]"* ]] || { echo "no [$1] in: $stderr"; return 1; }
}

@test "docs: paragraphs of a command's help are all indented" {
  local command n=0
  for command in $(all_commands); do
    "$lockstep" "$command" --help-all | sed -n '/^[A-Z :]*$/,$p' > text
    run ! grep -n '^[^ ]' <(grep -vE '^[A-Z :]+$' text)
    n=$((n + $(grep -c '^$' text)))
  done
  [ "$n" -gt 100 ]
}

@test "help: the overview fits a screen and names every command and topic" {
  run -0 "$lockstep" help
  [ "${#lines[@]}" -le 24 ]
  [ "$("$lockstep" help | wc -l)" -le 24 ]
  [ "$("$lockstep" --help)" = "$output" ]
  [ "$("$lockstep" -h)" = "$output" ]
  [ "$("$lockstep")" = "$output" ]
  for word in run preview list describe schema completion version coco exit-codes; do
    [[ $output == *"$word"* ]]
  done
  [[ $output != *manual* ]]
}

@test "help: every command has examples, usage and options, within 80 columns" {
  for command in $(commands); do
    "$lockstep" help "$command" > page
    [ "$("$lockstep" "$command" --help)" = "$(cat page)" ]
    [ "$("$lockstep" "$command" -h)" = "$(cat page)" ]
    "$lockstep" "$command" --help-all >> page
    grep -q '^EXAMPLES$' page
    grep -q "^  lockstep $command" page
    # Examples are for copying, so they may be longer.
    grep -v '^  lockstep' page > prose
    run -1 grep -nE '^.{81}' prose
  done
}

@test "help: a command has no option and no letter twice, though commands share a table" {
  for command in $(commands); do
    "$lockstep" "$command" --help-all | sed -nE 's/^ {2,6}(-[^ ,]+)(, (--[^ ]+))?.*/\1 \3/p' | tr ' ' '\n' | grep . | sort > "$command" || true
    [ "$(uniq -d "$command")" = '' ]
  done
  grep -qx -e --pipeline run
  grep -qx -e -p run
  grep -qx -e --repeat profile
  run -1 grep -x -e --repeat run
}

@test "help: every topic is a page of man/topics, and no part of a page is unknown" {
  local file
  for file in "$root"/man/topics/*.txt; do
    "$lockstep" help "$(basename "$file" .txt)" > page
    [ "$(wc -l < page)" -gt 4 ]
    run -1 grep '@' page
    [[ $(head -n 1 page) == *" - $(head -n 1 "$file")" ]]
  done
}

@test "help: a command with many options shows the common ones on a line each, and how many more there are" {
  local command hidden long=''
  for command in $(all_commands); do
    "$lockstep" "$command" --help | sed -n '/^OPTIONS/,$p' > page
    sed -nE 's/^  (    |-[A-Za-z], )(--[a-z-]+).*/\2/p' page | LC_ALL=C sort > shown
    options "$command" | LC_ALL=C sort > all
    [ "$(LC_ALL=C comm -23 shown all)" = '' ]
    hidden=$(LC_ALL=C comm -13 shown all | wc -l)
    if [ "$(wc -l < all)" -le 20 ]; then
      [ "$hidden" -eq 0 ] || { echo "$command hides $hidden options"; return 1; }
      [ "$(grep -c '^OPTIONS$' page)" -eq 1 ]
      run ! grep -q 'help-all' page
      continue
    fi
    long+=" $command"
    [ "$hidden" -gt 0 ]
    [ "$(tail -n 1 page)" = "  \`--help-all\` shows $hidden more" ] || { echo "$command: $hidden, not: $(tail -n 1 page)"; return 1; }
    [ "$(grep -c '^OPTIONS: [A-Z ]*$' page)" -ge 3 ]
    sed '$d' page | grep -vE '^(OPTIONS: [A-Z ]+|  (    |-[A-Za-z], )--[a-z-]+ .*)?$' > wrapped || true
    [ ! -s wrapped ] || { echo "$command: more than one line for an option:"; cat wrapped; return 1; }
  done
  [ "$long" = ' run preview explain profile check convert concat replay' ] || { echo "$long"; return 1; }
  [ "$("$lockstep" run --help | wc -l)" -le 60 ]
}

@test "help: --help-all has the full text, the values and the limits of each option of every command, and the overview for none" {
  "$lockstep" run --help-all > page
  grep -qE '^ +skip: images that fail' page
  grep -qF '(1..100000, default 10)' page
  [ "$("$lockstep" run --help-all -p nosuch.json)" = "$(cat page)" ]
  [ "$("$lockstep" --help-all)" = "$("$lockstep" help)" ]
  # After "--" it is an operand.
  run -4 "$lockstep" probe -- --help-all
  # The completion of a command offers the same options.
  local command
  for command in $(all_commands); do
    diff <(options "$command" | LC_ALL=C sort) \
      <(offered lockstep "$command" - | tr ' ' '\n' | grep -vxE -e '--help(-all)?' | LC_ALL=C sort)
  done
}

@test "help: topics, and names of steps" {
  for topic in coco compat exit-codes inputs manifest optimize questions reproducibility torchvision; do
    "$lockstep" help "$topic" > page
    run -1 grep -nE '^.{81}' page
    [ "$(wc -l < page)" -gt 5 ]
  done
  [ "$("$lockstep" help rotate)" = "$("$lockstep" describe rotate)" ]
  run -2 --separate-stderr "$lockstep" help reproducability
  code_of name-unknown
  [[ $stderr == *'did you mean "reproducibility"?'* ]]
}

@test "help: examples of commands are good command lines" {
  for command in $(commands); do
    for option in $("$lockstep" help "$command" | sed -n '/^EXAMPLES/,/^$/p' |
      sed 's/|.*//' | grep -oE ' -(-[a-z-]+|[a-z])' | sort -u); do
      [ "$option" = "-" ] || "$lockstep" "$command" --help-all | sed -n '/^OPTIONS/,$p' |
        grep -qE -- "(^|[ ,])$option\b" || { echo "$command: $option"; false; }
    done
  done
}

@test "list: in a pipe one line for each name; and JSON" {
  "$lockstep" list > page
  [ "$(wc -l < page)" -eq "$("$lockstep" list --json | jq length)" ]
  diff <(names) <(sed -nE 's/^([^ ]+) +[-MRHL*]{4}  (transform|op) +[a-z]+ +(torchvision|Albumentations|YOLO|MMDetection|lockstep)  .*/\1/p' page)
  diff <(names | LC_ALL=C sort) <(find "$root"/src/steps/{ops,transforms} -name '*.c' -printf '%f\n' | sed 's/\.c$//' | LC_ALL=C sort)
  [ "$("$lockstep" list ops --json | jq -r '.[].kind' | sort -u)" = op ]
  "$lockstep" list transforms > page
  run -1 grep -q '^rotate ' page
  "$lockstep" list ops blur > page
  grep -q '^box_blur ' page
  run -1 grep -qE '^(rotate|Blur) ' page
  run -2 --separate-stderr "$lockstep" list opss
  code_of name-unknown
}

@test "list: on a terminal in groups, bold unless NO_COLOR is set or the terminal is dumb" {
  TERM=xterm on_terminal "$lockstep" list > page
  for group in geometry crop colour blur noise weather dropout policies labels formats; do
    grep -qF $'\e[1m'"$group"$'\e[0m' page
  done
  TERM=xterm NO_COLOR=1 on_terminal "$lockstep" list blur > page
  run -1 grep -q $'\e' page
  TERM=dumb on_terminal "$lockstep" describe Blur > page
  run -1 grep -q $'\e' page
  "$lockstep" describe Blur > page
  run -1 grep -q $'\e' page
}

@test "describe: where a name comes from, and how it differs, for every step" {
  described origin
  "$lockstep" list --json | jq -e 'all(.[]; .kind == "format" or (.group and .origin))'
  # describe states where looks and strengths differ from the namesake's.
  for name in ThinPlateSpline PiecewiseAffine ISONoise RandomRain CLAHE PixelDropout MotionBlur ElasticTransform; do
    "$lockstep" describe "$name" | head -4 | grep -q 'It differs: '
    "$lockstep" list --differences | grep -q "^  $name "
  done
}

@test "describe: --all is what the single names give, in the order of list, then the sections" {
  local name
  "$lockstep" describe --all > all.txt
  "$lockstep" describe --all --json > all.json
  diff <(jq -r '.[].name' all.json) <("$lockstep" list --json | jq -r '.[].name'; printf '%s\n' pipeline annotations output)
  diff <(jq -r '.[] | select(.kind != "section").name' all.json) <("$lockstep" list | sed 's/ .*//')
  for name in AdditiveNoise RandomApply ZoomBlur adapt_distribution rotate zoom_blur coco yolo pipeline annotations output; do
    diff <(jq --arg name "$name" '.[] | select(.name == $name)' all.json) <("$lockstep" describe "$name" --json | jq .)
    "$lockstep" describe "$name" > page
    diff page <(awk -v title="$name - " -v lines="$(wc -l < page)" 'index($0, title) == 1 { left = lines } left-- > 0' all.txt)
  done
  [[ $(head -1 all.txt) == 'AdditiveNoise - '* ]]
  [ "$(tail -1 page)" = "$(tail -1 all.txt)" ]
  [ "$(wc -l < all.txt)" -gt 10000 ]
  needs_built plugins/swirl.so
  "$lockstep" describe --all --plugin "${tools%/tests}/plugins/swirl.so" --json | jq -e 'any(.[]; .origin == "a plugin")'
}

@test "describe: --all stops when its reader does, and takes no name" {
  local option
  for option in '' --json; do
    # shellcheck disable=SC2016 # the inner bash expands
    run -0 bash -c '"$0" describe --all $1 2> said.err | head -1 > first; echo "${PIPESTATUS[@]}"' "$lockstep" "$option"
    [ "$output" = '141 0' ] # SIGPIPE
    [ -s first ]
    [ ! -s said.err ]
    # shellcheck disable=SC2086
    run -2 --separate-stderr "$lockstep" describe --all rotate $option
    code_of operand-unexpected
    [[ $stderr == *'rotate: --all describes every name; leave out --all, or the name'* ]]
    [ -z "$output" ]
  done
}

@test "describe: every name, as text and as JSON" {
  described parameters
}

@test "describe: the shortcuts of mode fast that may concern an op, with their bounds" {
  of() { "$lockstep" describe "$1" --json | jq -r '[.shortcuts[].name] | join(" ")'; }
  [ "$(of resize)" = "one-resample decoder-scale planes" ]
  [ "$(of RandomRotation)" = "one-resample planes" ]
  [ "$(of adjust_hue)" = "linear-colours planes" ]
  [ "$(of adjust_contrast)" = "linear-colours sampled-mean planes" ]
  [ "$(of equalize)" = "" ]
  "$lockstep" help optimize > page
  described shortcuts page
}

@test "describe: COLUMNS sets the width" {
  COLUMNS=60 "$lockstep" describe RandomAffine > page
  run -1 grep -nE '^.{61}' page
  COLUMNS=200 "$lockstep" describe RandomAffine > page
  grep -qE '^.{100}' page
  COLUMNS=nonsense "$lockstep" describe RandomAffine > page
  run -1 grep -nE '^.{81}' page
}

@test "describe: what is not there" {
  run -2 --separate-stderr "$lockstep" describe RandomHorizontalFlop
  code_of name-unknown
  [[ $stderr == *'did you mean "RandomHorizontalFlip"?'* ]]
  [ -z "$output" ]
  run -2 --separate-stderr "$lockstep" describe
  code_of operand-missing
  run -2 --separate-stderr "$lockstep" describe rotate pad
  code_of operand-unexpected
}

@test "describe: the example is a pipeline that is good as it is printed" {
  described examples write.sh
  mkdir examples
  cd examples
  bash ../write.sh > ../said
  [ ! -s ../said ] || { cat ../said; return 1; }
  names | sed 's/$/.json/' > named
  # shellcheck disable=SC2046 # names are words
  "$lockstep" schema --check $(cat named) > good
  sed 's/$/: good/' named | diff - good
}

@test "schema: it agrees with the tool on good and broken pipelines" {
  local python
  for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import jsonschema' 2> /dev/null && break
  done
  [ "$python" != none ]
  mkdir pipelines
  run -0 "$python" "$here/tools/schema_agrees.py" "$lockstep" pipelines
  echo "# $output" >&3
}

@test "schema: --check says what is wrong, and where" {
  echo '{"version": 1, "transforms": [{"type": "rotate", "angle": "much"}, {"type": "pat"}]}' > bad.json
  echo '{"version": 1, "transforms": []}' > good.json
  run -3 --separate-stderr "$lockstep" schema --check bad.json good.json
  [ "$output" = "good.json: good" ]
  code_of param-type
  code_of step-unknown
  [[ $stderr == *"bad.json:1:"* ]]
  run -0 "$lockstep" schema --check - < good.json
  run -3 "$lockstep" schema --check absent.json
  run -2 --separate-stderr "$lockstep" schema --check
  code_of operand-missing
  run -2 --separate-stderr "$lockstep" schema good.json
  code_of operand-unexpected
}

@test "schema: the pipelines that come with lockstep are good" {
  run -0 "$lockstep" schema --check "$here"/../pipelines/*.json
}

# Prints the completions that bash offers for the last word.
offered() {
  # shellcheck disable=SC2016 # the inner bash expands
  bash -c 'source /dev/stdin <<< "$("$0" completion bash)"
           COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
           _lockstep
           echo "${COMPREPLY[*]}"' "$lockstep" "$@"
}

@test "completion: bash" {
  "$lockstep" completion bash > bash
  bash -n bash
  [ "$(offered lockstep ru)" = run ]
  [ "$(offered lockstep des)" = describe ]
  [ "$(offered lockstep run --on-error '')" = "fail skip" ]
  [ "$(offered lockstep run --on-error =)" = "fail skip" ]
  [ "$(offered lockstep run --on-error = s)" = skip ]
  [ "$(offered lockstep run -n '')" = "" ]
  [ "$(offered lockstep describe RandomHor)" = RandomHorizontalFlip ]
  [ "$(offered lockstep help exit)" = exit-codes ]
  [ "$(offered lockstep completion z)" = zsh ]
  [ "$(offered lockstep list form)" = formats ]
  mkdir folder "a folder"
  touch file.json
  [ "$(offered lockstep run -p file.j)" = file.json ]
  [ "$(offered lockstep run -o f)" = folder ]
  [ "$(offered lockstep run -o a)" = "a folder" ]
  [ "$(offered lockstep schema --check fil)" = file.json ]
  for command in $(commands); do
    found=" $(offered lockstep "$command" -) "
    for option in $(options "$command"); do
      [[ $found == *" $option "* ]] || { echo "$command: $option is not offered"; return 1; }
    done
  done
}

@test "completion: bash's is clean to shellcheck" {
  command -v shellcheck
  "$lockstep" completion bash > bash
  run -0 shellcheck bash
}

@test "completion: zsh" {
  command -v zsh
  "$lockstep" completion zsh > _lockstep
  zsh -n _lockstep
  zsh -fc 'autoload -U compinit; compinit -u -d dump; source ./_lockstep; (( $+functions[_lockstep] ))'
  [ "$(zsh -fc 'autoload -U compinit; compinit -u -d dump; source ./_lockstep
                echo $_comps[lockstep]')" = _lockstep ]
}

@test "completion: fish" {
  command -v fish
  "$lockstep" completion fish > lockstep.fish
  export HOME=$PWD
  offer() { fish -c "source lockstep.fish; complete -C '$1'" | cut -f 1 | xargs; }
  [ "$(offer 'lockstep des')" = describe ]
  [ "$(offer 'lockstep run --on-error ')" = "fail skip" ]
  [ "$(offer 'lockstep describe RandomHor')" = RandomHorizontalFlip ]
  [ "$(offer 'lockstep run --pipe')" = --pipeline ]
}

@test "completion: other shells" {
  run -2 --separate-stderr "$lockstep" completion tcsh
  code_of name-unknown
  run -2 "$lockstep" completion
}

@test "version: the first line is lockstep's, and JSON" {
  run -0 "$lockstep" version
  [[ ${lines[0]} =~ ^lockstep\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
  [ "$("$lockstep" --version)" = "$output" ]
  [ "$("$lockstep" -V)" = "$output" ]
  version=$("$lockstep" version --json | jq -r .lockstep)
  [ "${lines[0]}" = "lockstep $version" ]
  [ "$("$lockstep" version --json | jq '.libraries | length')" -eq $((${#lines[@]} - 2)) ]
  [ "${lines[-1]}" = "loops $("$lockstep" version --json | jq -r .loops)" ]
  for library in libvips libjpeg-turbo libdeflate cJSON nettle; do
    [[ $output == *"$library "[0-9]* ]]
  done
}

# The three manual pages.
pages='lockstep.1 lockstep-pipeline.5 lockstep-transforms.7'

@test "man pages: what is committed is what the program says" {
  for page in $pages; do
    "$man/make.sh" "$lockstep" < "$man/$page.in" > fresh
    diff "$man/$page" fresh || { echo "run: make docs"; false; }
  done
}

@test "man pages: mandoc has no complaints, each has examples and names the others" {
  command -v mandoc
  for page in $pages; do
    run -0 mandoc -Tlint -W warning "$man/$page"
    [ -z "$output" ]
    mandoc -Tascii "$man/$page" | sed 's/.\x08//g' > text
    grep -q '^EXAMPLES$' text
    sed -n '/^SEE ALSO/,$p' text > see
    for other in $pages; do
      [ "$other" = "$page" ] || grep -qF "${other%.*}(${other##*.})" see
    done
  done
}

# In any of the pages.
@test "man pages: every command, option, name, parameter and exit code is in them" {
  command -v mandoc
  for page in $pages; do
    mandoc -Tascii -O width=200 "$man/$page" | sed 's/.\x08//g'
  done > page
  for command in $(all_commands); do
    grep -qF "lockstep $command: " page
    for option in $(options "$command"); do
      grep -qE -- "^ +(-., )?$option( |$)" page || { echo "$command $option"; false; }
    done
  done
  # Options of a command that has many are in groups.
  sed -n '/^   lockstep run: /,/^   lockstep convert: /p' page > run
  for group in Input 'Choosing images' Labels Output 'Errors and limits' 'Speed and scale' 'Files for steps' Messages; do
    [ "$(grep -cx " *$group:" run)" -eq 1 ] || { echo "no $group:"; return 1; }
  done
  names | sed 's/$/:/' | lacking page ' +'
  "$lockstep" describe --all --json | jq -r '.[].parameters[].name' | lacking page ' +'
  for code in 0 1 2 3 4 5 6 7 8; do
    sed -n '/^EXIT STATUS/,/^ENVIRONMENT/p' page | grep -qE "^ +$code "
  done
}

@test "man page: parts that do not exist are refused" {
  run -2 --separate-stderr "$lockstep" manual nosuch
  code_of name-unknown
  # shellcheck disable=SC2016 # it is roff
  echo '.\" @@nosuch@@' > frame
  run ! "$man/make.sh" "$lockstep" < frame
}

@test "all of it: a full disk is no success" {
  [ -w /dev/full ] || skip "/dev/full is not there"
  for words in help list "describe rotate" schema "completion bash" version "manual ops"; do
    # shellcheck disable=SC2086 # words are words
    run -5 bash -c '"$0" "$@" > /dev/full' "$lockstep" $words
  done
}

@test "README names every transform once in its table, and only commands and topics there are" {
  diff <(sed -n '/^| group | transforms |/,/^$/s/^| [^|]* | \(.*\) |$/\1/p' "$root/README.md" | tail -n +2 | tr -d ' ' | tr , '\n' | LC_ALL=C sort) \
    <("$lockstep" list transforms --json | jq -r '.[].name' | LC_ALL=C sort)
  local word
  while read -r word; do
    "$lockstep" help "$word" > /dev/null || { echo "lockstep help $word"; return 1; }
  done < <(grep -oP '`lockstep (help )?\K[a-z-]+' "$root/README.md" | sort -u | grep -vx help)
  "$lockstep" run -h | grep -qF -e --on-error
  while read -r word; do
    [ -e "$root/$word" ] || { echo "$word is not there"; return 1; }
  done < <(grep -oP '\]\(\K[^)]+|^`?(samples|pipelines|tests)/[a-z]*' "$root/README.md" | tr -d '`')
}
