#!/usr/bin/env bash
# Writes one new file that builds: new.sh op|transform|format|rule|command NAME.
# Or a plugin, in a folder of its own anywhere: new.sh plugin NAME [FOLDER].
# Prints what is to be done next, and which tests fail until then.
set -eu
kind=$1
name=$2
root=${ROOT:-$(dirname "$0")/../..}
snake='^[a-z][a-z0-9_]*$'

case $kind in
  op) form=$snake wants='snake_case, like adjust_gamma' folder=src/steps/ops ;;
  transform) form='^[A-Z][A-Za-z0-9]*$' wants='PascalCase, like RandomInvert' folder=src/steps/transforms ;;
  format) form=$snake wants='snake_case, like coco_results' folder=src/labels/formats ;;
  rule) form=$snake wants='snake_case, like image_files' folder=src/check/rules ;;
  command) form=$snake wants='snake_case, like plugin_test' folder=cli/commands ;;
  plugin) form=$snake wants='snake_case, like fade_colours' folder= ;;
  *) echo "new.sh: op, transform, format, rule, command or plugin, not \"$kind\"" >&2; exit 2 ;;
esac
if ! [[ $name =~ $form ]]; then
  echo "NAME=\"$name\" cannot name a new $kind: it must be $wants" >&2
  exit 2
fi

# fade_colours: RandomFadeColours
pascal() {
  local word
  printf Random
  for word in ${1//_/ }; do printf '%s' "${word^}"; done
}

if [ "$kind" = plugin ]; then
  folder=${3:-$name}
  if [ -e "$folder" ]; then
    echo "$folder exists already" >&2
    exit 2
  fi
  mkdir -p "$folder"
  for file in "NAME.c" Makefile; do
    sed "s/PASCAL/$(pascal "$name")/g; s/NAME/$name/g" "$root/tests/templates/plugin/$file" \
      > "$folder/${file/NAME/$name}"
  done
  echo "$folder: make -C $folder test builds and tests it; see lockstep help plugins"
  exit
fi

# Prints the first id of rules with the letter Z that is not used yet.
free_id() {
  local id n=1
  while id=$(printf 'Z%03d' $n) && grep -qF "\"$id\"" "$root"/src/check/rules/*.c; do n=$((n + 1)); done
  echo "$id"
}

file=$folder/$name.c
if [ -e "$root/$file" ]; then
  echo "$file exists already" >&2
  exit 2
fi
id=$(free_id)
# In CATEGORY_NAME, NAME is not a placeholder.
sed "s/\bNAME/$name/g; s/HYPHENS/${name//_/-}/g; s/TITLE/${name//_/ }/g; s/RULE_ID/$id/g" \
  "$root/tests/templates/$kind.c" > "$root/$file"

echo "$file: a $kind that works. make builds it. Next:"
case $kind in
  op)
    cat << EOF
- Write what it does, and delete the comment that says how. Then: make, and build/lockstep describe $name
- Add the values that change nothing to tests/tools/identity.py. This test fails until then:
    make test T=cli/walk ONLY='change nothing'
EOF
    ;;
  transform)
    cat << EOF
- Write what it draws and emits. Then: make, and build/lockstep describe $name
- State what it draws in tests/tools/distributions_stated.py. This test fails until then:
    make test T='^tests/cli/distributions' OP=$name
- Add it to the table of transforms in README.md. This test fails until then:
    make test T=cli/docs ONLY='README names'
EOF
    ;;
  format)
    cat << EOF
- Write how it reads and prints a file. Its comment names the tables that --to and new error codes need.
- Give .suffix and .folder the values of the format's own files.
- Write tests/cli/$name.bats: a run, --resume, verify, check. No other test reads a file of this format.
EOF
    ;;
  rule)
    cat << EOF
- Write its rules. Give the family a letter and free numbers: the example has the id $id.
- For each rule, add a fault() and a near() to a file tests/check/*_cases.py. This test fails until then:
    make test T=cli/check_rules RULE=$id
- It must not report good data. If a warning about good data is right, add a row to tests/check/expected.txt:
    make test T=cli/check_clean
EOF
    ;;
  command)
    cat << EOF
- Write what it does. Then: make, and build/lockstep help ${name//_/-}
- Give it a place in COMMANDS of the Makefile, or leave it the last one of build/lockstep help.
- Write tests/cli/$name.bats. No other test runs the command.
EOF
    ;;
esac
cat << EOF
- Run make docs, which writes man/. This test fails until then:
    make test T=cli/docs ONLY='man pages'
- Add a line to CHANGELOG.md, and faults of the new code to a file of tests/planted/.
- At the end: make format, make quick, and the tests that make tests-of FILE=$file prints.
EOF
