#!/usr/bin/env bats
# The harness itself: in a small tree of tests, each way to pass without having run, or to fail unnoticed, is planted.
# It must be reported as failed, by name.
bats_require_minimum_version 1.5.0

setup() {
  root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  cd "$BATS_TEST_TMPDIR" || exit 1
  mkdir -p tree/tests/{tools,unit,fuzz/corpus/fuzz_a} tree/build/unit tree/bin
  as=()
  cp -r "$root"/tests/{run.sh,harness} tree/tests
  cd tree || exit 1
  program tests/lint.sh 'if [ "$1" = --list ]; then echo style quick; else printf "1..1\nok 1 - style\n"; fi'
  touch tests/unit/test_a.c tests/unit/test_b.c tests/fuzz/fuzz_a.c tests/fuzz/corpus/fuzz_a/{one,two}
  program build/unit/test_a 'printf "1..2\nok 1 - here\nok 2 - there\n"'
  program build/unit/test_b 'printf "1..1\nok 1 - here\n"'
  program build/unit/fuzz_a 'printf "1..2\nok 1 - one\nok 2 - two\n"'
  bats_file tests/good.bats 'true' 'skip "not today"'
}

program() { # path, script
  printf '#!/bin/bash\n%s\n' "$2" > "$1"
  chmod +x "$1"
}

bats_file() { # path, body of a test...
  local body
  for body in "${@:2}"; do
    printf '@test "%s" {\n%s\n}\n' "$body" "$body"
  done > "$1"
}

# Runs the tree's tests as a user would; the tree's own programs come first, and bats' inner ones not at all.
harness() {
  local path
  path=$(tr : '\n' <<< "$PATH" | grep -v libexec/bats | paste -sd :)
  run env -i PATH="$PWD/bin:$path" HOME=/tmp JOBS=2 HARNESS_IGNORE_EXIT=1 "${as[@]}" tests/run.sh "$@"
  [[ ${lines[-1]} =~ ^[0-9]+\ passed,\ [0-9]+\ failed,\ [0-9]+\ skipped$ ]]
}

# red COUNT PART: so many failed, the part is named in the report, and the exit status says it.
red() {
  echo "$output"
  [ "$status" -ne 0 ]
  [[ ${lines[-1]} == *" $1 failed, "* ]]
  sed -n '/^Test Summary Report/,$p' <<< "$output" | grep -qF "$2 "
}

@test "all parts run, and every test of them is counted" {
  harness
  [ "$status" -eq 0 ]
  [ "${lines[-1]}" = "7 passed, 0 failed, 1 skipped" ]
  for part in lint/style unit/test_a unit/test_b corpus/fuzz_a tests/good.bats; do
    grep -q "\] $part \." <<< "$output"
  done
}

@test "a failed test is red, with what it printed" {
  program build/unit/test_a 'printf "1..2\nok 1 - here\n"; echo "a.c:7: not so: x" >&2; echo "not ok 2 - there"; exit 1'
  bats_file tests/bad.bats 'echo because; false' 'true'
  harness
  red 2 unit/test_a
  red 2 tests/bad.bats
  [ "${lines[-1]}" = "7 passed, 2 failed, 1 skipped" ]
  grep -F 'a.c:7: not so: x' <<< "$output"
  grep -F 'because' <<< "$output"
}

@test "bats that does nothing and says it went well" {
  ln -s /bin/true bin/bats
  harness
  red 1 tests/good.bats
}

@test "bats that does nothing and fails" {
  ln -s /bin/false bin/bats
  harness
  red 1 tests/good.bats
}

@test "bats that leaves a test of the file out" {
  program bin/bats 'printf "1..1\nok 1 there\n"'
  harness
  red 1 tests/good.bats
  grep -F 'tests/good.bats has 2 tests and planned 1' <<< "$output"
}

@test "bats that is missing" {
  program bin/bats 'exec nothing-of-this-name'
  harness
  red 1 tests/good.bats
}

@test "a bats file that cannot be read" {
  ln -s nowhere tests/dangling.bats
  mkdir tests/folder.bats
  harness
  red 2 tests/dangling.bats
  grep -x 'tests/folder.bats was not run' <<< "$output"
}

@test "a bats file that only others may read" {
  bats_file tests/closed.bats 'true'
  chmod 000 tests/closed.bats
  if [ "$(id -u)" -eq 0 ]; then
    # Root may read all: another user runs them.
    chmod o+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/test" "$BATS_TEST_TMPDIR"
    chmod -R o+rwX build .
    chmod 000 tests/closed.bats
    as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  fi
  harness bats
  red 1 tests/closed.bats
}

@test "a bats file that is no script, and one without tests" {
  printf '@test "one" {\n  if true\n}\n' > tests/wrong.bats
  echo 'setup() { true; }' > tests/empty.bats
  harness
  [ "$status" -ne 0 ]
  red "$(sed -n 's/.* \([0-9]*\) failed,.*/\1/p' <<< "${lines[-1]}")" tests/wrong.bats
  red "$(sed -n 's/.* \([0-9]*\) failed,.*/\1/p' <<< "${lines[-1]}")" tests/empty.bats
}

@test "a program that prints a short plan, a plan of none, or none" {
  program build/unit/test_a 'printf "1..3\nok 1 - here\nok 2 - there\n"'
  harness unit
  red 1 unit/test_a
  program build/unit/test_a 'printf "1..1\nok 1 - here\nok 2 - there\n"'
  harness unit
  red 1 unit/test_a
  program build/unit/test_a 'echo 1..0'
  harness unit
  red 1 unit/test_a
  program build/unit/test_a 'echo "ok 1 - here"'
  harness unit
  red 1 unit/test_a
  program build/unit/test_a 'true'
  harness unit
  red 1 unit/test_a
}

@test "a program that ends badly though its tests passed" {
  program build/unit/test_a 'printf "1..2\nok 1 - here\nok 2 - there\n"; exit 1'
  program build/unit/test_b 'printf "1..1\nok 1 - here\n"; kill -SEGV $$'
  harness unit
  red 2 unit/test_a
  red 2 unit/test_b
}

@test "a program that stops all" {
  program build/unit/test_a 'printf "1..2\nBail out! no more\n"'
  harness unit
  [ "$status" -ne 0 ]
  [[ ${lines[-1]} != *" 0 failed,"* ]]
}

@test "a unit program that is missing" {
  rm build/unit/test_a
  touch build/unit/test_b
  chmod -x build/unit/test_b
  harness unit
  red 2 unit/test_a
  red 2 unit/test_b
}

@test "a corpus that is missing, or was not tried to its end" {
  rm -r tests/fuzz/corpus/fuzz_a
  harness corpus
  red 1 corpus/fuzz_a
  mkdir tests/fuzz/corpus/fuzz_a
  harness corpus
  red 1 corpus/fuzz_a
  touch tests/fuzz/corpus/fuzz_a/{one,two,three}
  harness corpus
  red 1 corpus/fuzz_a
}

@test "a corpus: the input that ends the program is named" {
  program build/unit/fuzz_a 'printf "1..2\nok 1 - one\n"; kill -ABRT $$'
  harness corpus
  red 1 corpus/fuzz_a
  grep -F 'tests/fuzz/corpus/fuzz_a/two' <<< "$output"
}

@test "a corpus without a fuzz target, and a target that was not built" {
  mkdir tests/fuzz/corpus/fuzz_b
  touch tests/fuzz/corpus/fuzz_b/one
  rm build/unit/fuzz_a
  harness corpus
  red 2 corpus/fuzz_b
  red 2 corpus/fuzz_a
}

@test "a kind of tests without any tests" {
  rm -r tests/good.bats tests/unit tests/fuzz
  program tests/lint.sh 'exit 1'
  harness
  for kind in lint unit corpus tests; do
    red 4 $kind/none
  done
}

@test "lint that lists nothing" {
  program tests/lint.sh 'true'
  harness
  red 1 lint/none
}

@test "prove that does nothing" {
  for program in /bin/true /bin/false; do
    ln -sf $program bin/prove
    harness
    [ "$status" -ne 0 ]
    [ "${lines[-1]}" = "0 passed, 5 failed, 0 skipped" ]
    grep -x 'unit/test_a was not run' <<< "$output"
  done
}

@test "a pattern runs what matches, and fails when nothing does" {
  harness 'test_|good'
  [ "$status" -eq 0 ]
  [ "${lines[-1]}" = "4 passed, 0 failed, 1 skipped" ]
  harness '^lint/'
  [ "${lines[-1]}" = "1 passed, 0 failed, 0 skipped" ]
  harness nothing
  [ "$status" -ne 0 ]
  [ "${lines[-1]}" = "0 passed, 1 failed, 0 skipped" ]
  run -2 tests/run.sh '('
}

# Lines of a table of planted faults, in a tree of one source, a test of it, and a Makefile.
planted() { # from, to, test
  export BUILD=build
  cp "$root/tests/tools/planted.py" tests/tools
  mkdir -p tests/planted src/steps/ops cli man pipelines samples
  printf 'int a = 1;\nint b = 2, c = 2;\n' > src/a.c
  printf 'int a; int main(void) { return a != 1; }\n' > tests/unit/test_a.c
  cat > Makefile << 'END'
build/unit/test_a: src/a.c
	@mkdir -p build/unit
	@cc -c -o build/a.o src/a.c
	@echo '[ "$$(grep -c "a = 1" src/a.c)" = 1 ] && echo ok 1 || { echo not ok 1; exit 1; }' > $@
	@chmod +x $@
END
  printf '# Faults.\n\nfile  src/a.c\nfrom  %s\nto    %s\nwhat  another\ntest  %s\n' "$@" > tests/planted/one.txt
}

@test "planted faults: one that a test notices is well, one that none notices is red" {
  planted 'a = 1' 'a = 3' test_a
  run -0 tests/tools/planted.py check
  run -0 tests/tools/planted.py run
  [ "${lines[0]}" = 1..1 ]
  [[ ${lines[1]} == 'ok 1 - src/a.c: another '* ]]
  planted 'b = 2' 'b = 3' test_a
  run -0 tests/tools/planted.py check
  run -1 tests/tools/planted.py run
  [[ ${lines[1]} == 'not ok 1 - src/a.c: another '* ]]
  # Without anything to try it on, it ends, too.
  BUILD=absent run -1 timeout 60 tests/tools/planted.py run
  # A test that cannot run here notices nothing, and says so.
  planted 'a = 1' 'a = 3' test_a
  sed -i 's/echo ok 1 /echo "ok 1 # skip no room" /' Makefile
  run -0 tests/tools/planted.py run
  [[ ${lines[1]} == 'ok 1 - src/a.c: another '*'# skip '* ]]
  # A fault for a feature that this machine's processor lacks is not detected either.
  planted 'b = 2' 'b = 3' test_a
  echo 'cpu   no_such_feature' >> tests/planted/one.txt
  run -0 tests/tools/planted.py run
  [[ ${lines[1]} == 'ok 1 - src/a.c: another '*'# skip '* ]]
  sed -i "s/no_such_feature/$(awk '$1 == "flags" { print $3; exit }' /proc/cpuinfo)/" tests/planted/one.txt
  run -1 tests/tools/planted.py run
  # A fault that does not build detects nothing, and a test that fails without the fault shows nothing.
  planted 'b = 2' 'b = ;' test_a
  run -1 tests/tools/planted.py run
  grep 'does not build' <<< "$output"
  planted 'a = 1' 'a = 3' test_a
  sed -i s/1/7/ src/a.c
  sed -i 's/^from.*/from  a = 7/' tests/planted/one.txt
  run -1 tests/tools/planted.py run
  grep 'without the fault' <<< "$output"
}

@test "planted faults: lint reports rows that change nothing, several places, or name a missing test" {
  planted 'a = 4' 'a = 3' test_a
  run -1 tests/tools/planted.py check
  planted '= 2' '= 3' test_a
  run -1 tests/tools/planted.py check
  planted 'a = 1' 'a = 3' test_c
  run -1 tests/tools/planted.py check
  planted 'a = 1' 'a = 3' 'good.bats not so'
  run -1 tests/tools/planted.py check
  planted 'a = 1' 'a = 3' 'good.bats not today'
  run -0 tests/tools/planted.py check
  rm src/a.c
  run -1 tests/tools/planted.py check
}

@test "packages: a package that dpkg knows but that is not installed is installed" {
  for package in wished removed broken unpacked here; do
    echo "$package"
  done > packages
  # shellcheck disable=SC2016 # it is a script
  program bin/dpkg-query 'for package in "${@:4}"; do
    case "$package $(cat installed 2> /dev/null)" in
      here*) echo "here installed" ;; *now) echo "$package installed" ;;
      wished*) echo "wished not-installed" ;; removed*) echo "removed config-files" ;; broken*) echo "broken half-installed" ;;
      unpacked*) printf "unpacked unpacked\nunpacked half-configured\n" ;; *) bad=1 ;;
    esac
    done; exit ${bad:-0}'
  program bin/apt-get 'echo "$@" >> asked; echo now > installed'
  program bin/sudo 'exec "$@"'
  PATH="$PWD/bin:$PATH" run -0 "$root/tests/tools/deps.sh" here
  [ ! -e asked ]
  PATH="$PWD/bin:$PATH" run -0 "$root/tests/tools/deps.sh" wished removed broken unpacked unknown here
  grep -q 'install .* wished removed broken unpacked unknown$' asked
  # A package that apt-get did not install is named.
  program bin/apt-get 'true'
  rm installed
  PATH="$PWD/bin:$PATH" run -1 "$root/tests/tools/deps.sh" wished
  [[ $output == *'still missing: wished'* ]]
}

@test "tiers: quick parts run first, each test is in one tier, and release runs only what is left" {
  printf '# bats file_tags=quick\n@test "smoke" {\n true\n}\n' > tests/smoke.bats
  printf '@test "short" {\n true\n}\n# bats test_tags=release\n@test "long" {\n true\n}\n' > tests/mixed.bats
  printf '# bats file_tags=release\n@test "all night" {\n true\n}\n' > tests/night.bats
  harness --tier quick
  [ "${lines[-1]}" = "7 passed, 0 failed, 0 skipped" ]
  harness --tier full
  [ "${lines[-1]}" = "9 passed, 0 failed, 1 skipped" ]
  harness --tier release
  [ "${lines[-1]}" = "2 passed, 0 failed, 0 skipped" ]
  run -0 tests/run.sh --list
  [ "$(head -n 5 <<< "$output" | grep -c ' quick$')" -eq 5 ]
  [ "$(grep -c ' quick$' <<< "$output")" -eq 5 ]
  [[ $output == *$'\ntests/mixed.bats full'* ]] && [[ $output == *$'\nrelease/mixed.bats release'* ]]
  [[ $output != *tests/night.bats* ]] && [[ $output == *$'\nrelease/night.bats release' ]]
  # A tag that bats does not see, or a test that runs in no tier, is a wrong plan.
  program bin/bats 'printf "1..2\nok 1 a\nok 2 b\n"'
  harness --tier release
  red 2 release/mixed.bats
  run -2 tests/run.sh --tier slow
}

@test "ONLY runs the tests of bats files that match; without a match, or without a pattern, it is refused" {
  printf '@test "short" {\n true\n}\n@test "long" {\n false\n}\n' > tests/mixed.bats
  as=(ONLY='^sh')
  harness mixed
  [ "$status" -eq 0 ]
  [ "${lines[-1]}" = "1 passed, 0 failed, 0 skipped" ]
  as=(ONLY='^none')
  harness mixed
  [ "$status" -ne 0 ]
  grep -F 'No part of the tests matches "mixed" with a test that matches "^none"' <<< "$output"
  ONLY=a run -2 tests/run.sh
  OP=a run -2 tests/run.sh --tier full
}

@test "release: a part that fails is red in the table, and the next ones run" {
  cat > parts << 'END'
one   echo 12 damages of each: 0 faults
two   exit 3
three printf '1..2\nok 1 - a\nok 2 - b\n'
four  absent
END
  {
    sed -n '1,/^parts="$/p' "$root/tests/release.sh"
    cat parts
    sed '1,/^parts="$/d' "$root/tests/release.sh" | sed -n '/^"$/,$p'
  } > tests/release.sh
  chmod +x tests/release.sh
  unset BUILD
  run -1 tests/release.sh
  [ "$(grep -cE '^(one +12 |three +2 ).* passed$' build/release/table.txt)" -eq 2 ]
  [ "$(grep -cE '^(two +- .*exit status 3|four +- .*exit status 127)$' build/release/table.txt)" -eq 2 ]
  [ "${lines[-1]}" = '2 parts passed, 2 failed' ]
  run -0 tests/release.sh 'one|three'
  run -1 tests/release.sh five
  run -2 tests/release.sh '('
  # Each part is a script or a target of the Makefile.
  while read -r _ command target; do
    case $command in
      make) grep -qE "^$target( [a-z-]+)*:|^[a-z-]+( [a-z-]+)* $target:" "$root/Makefile" ;;
      *) [ -x "$root/$command" ] ;;
    esac || { echo "$command $target"; return 1; }
  done < <("$root/tests/release.sh" --list)
}

@test "lint: a tree without sources is red, and so is an unknown check" {
  mkdir -p empty/tests
  cp "$root/tests/lint.sh" empty/tests
  run -1 empty/tests/lint.sh format banned first_lines headers gcc clang
  [ "$(grep -c '^not ok' <<< "$output")" -eq 6 ]
  run -1 "$root/tests/lint.sh" no-such-check
}

# checked CHECK FILE TEXT: the check passes; and it fails, naming the file, once the text is in the file.
checked() {
  printf '%s\n' "$3" > "small/$2"
  run -1 small/tests/lint.sh "$1"
  [[ $output == *"not ok 1 - $1"*"$2"* ]] || { echo "$2: $3: $output"; return 1; }
  rm "small/$2"
  run -0 small/tests/lint.sh "$1"
}

@test "lint: words that the field does not have, and codes that no table has, are red" {
  mkdir -p small/{tests,src/base,cli,man}
  cp "$root/tests/lint.sh" small/tests
  printf '/* a: adds. */\nreport("a", "param-range");\n' > small/src/a.c
  printf '    { "param-range", 8, "a number is outside its limits" },\n' > small/src/base/codes.c
  checked plain_words README.md 'A value is needed here.'
  checked plain_words src/README.md 'All run lengths of a mask.'
  checked plain_words src/b.c '/* b: what is heeded. */'
  checked plain_words src/b.h '/* b: rotates by 90 degrees or not, all alike. */'
  checked plain_words cli/c.c '.help = "a whole number",'
  checked plain_words man/lockstep.1 'colour bands'
  checked codes src/b.c 'fault_add(faults, 0, 0, "", "param-rnage", "%s", why);'
  checked codes cli/c.c '"lockstep: error: %s [param-rnage]", path);'
  printf '    { "zone-lost", 8, "nothing has this code" },\n' >> small/src/base/codes.c
  run -1 small/tests/lint.sh codes
  [[ $output == *'nothing uses zone-lost'* ]]
}

@test "lint: a file at the top level that no list has is red" {
  mkdir -p small/tests
  cp "$root/tests/lint.sh" small/tests
  checked top_level coco.json '{}'
}

@test "lint: calls that no source may have, and the environment that libraries see, are red" {
  mkdir -p small/{tests,src,cli}
  cp "$root/tests/lint.sh" small/tests
  echo 'const char *term = environment_get("TERM");' > small/src/a.c
  checked banned src/b.c 'const char *term = getenv("TERM");'
  checked banned cli/b.c 'if (secure_getenv ("HOME"))'
  checked banned src/b.h 'sprintf(text, "%d", n);'
}

@test "lint: a call that makes or replaces a file of the user, outside of the function for them, is red" {
  mkdir -p small/{tests,src/base,src/batch/output,cli}
  cp "$root/tests/lint.sh" small/tests
  echo 'int at = rename(part, path);' > small/src/base/output_file.c
  echo 'int at = renameat(folder, a, folder, b);' > small/src/batch/output/out_dir.c
  checked user_files src/a.c 'good = rename(text_string(&part), path) == 0;'
  checked user_files src/a.c 'file = fopen(path, "w");'
  checked user_files src/batch/a.c 'file = fopen(text_string(&name),
      "wxe");'
  checked user_files cli/a.c 'file = fopen(path, "r+");'
  checked user_files cli/a.c 'fd = RETRY(open(path, O_WRONLY | O_CLOEXEC | O_CREAT, 0666));'
  checked user_files cli/a.c 'fd = RETRY(open(path,
      O_APPEND | O_WRONLY | O_CLOEXEC));'
  checked user_files src/batch/a.c 'good = renameat(folder, a, folder, b) == 0;'
  checked user_files src/batch/a.c 'fd = file_create_at(AT_FDCWD, path, O_WRONLY);'
  checked user_files cli/a.c 'good = unlink(path) == 0;'
  checked user_files cli/a.c 'good = chmod(path, 0644) == 0;'
  checked user_files src/batch/output/out_dir.c 'good = rename(part, path) == 0;'
  # calls for reading, and words in comments
  printf '/* a: rename(a, b) */\nfile = fopen(path, "re");\nfd = open(path, O_RDONLY | O_CLOEXEC);\ns->unlink(a);\n' > small/src/a.c
  run -0 small/tests/lint.sh user_files
}
