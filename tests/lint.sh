#!/usr/bin/env bash
# Everything a command can check about the sources. Prints a line a check, and the faults found.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}"
failed=0

check() { # name, command...
  local name=$1 out
  shift
  if out=$("$@" 2>&1); then
    echo "ok lint: $name"
  else
    echo "not ok lint: $name"
    sed 's/^/#   /' <<< "$out" | head -40
    failed=$((failed + 1))
  fi
}

sources() { git ls-files --cached --others --exclude-standard -- "$@"; }

formatted() {
  local tool=clang-format-14
  command -v $tool > /dev/null || { echo "$tool is missing"; return 1; }
  sources 'src/*.[ch]' 'cli/*.[ch]' 'tests/*.[ch]' | xargs $tool --dry-run -Werror
}

# Both compilers, all warnings, as errors; nothing is written.
warning_free() {
  local flags
  flags="-std=c11 -D_GNU_SOURCE -ffp-contract=off -O2 -fsyntax-only -Werror -Wall -Wextra -Wpedantic
    -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wformat=2 -Wconversion
    -I$BUILD $(pkg-config --cflags vips libcjson nettle libexif libjpeg libdeflate | sed 's/-I/-isystem /g')"
  # shellcheck disable=SC2086 # the flags are words
  sources 'src/*.c' 'cli/*.c' 'tests/unit/*.c' 'tests/bench/*.c' 'tests/samples/*.c' 'tests/fuzz/*.c' |
    xargs -P 2 -n 8 "$1" $flags
}

shell_scripts() { sources '*.sh' '*.bats' '*.bash' '.ci/run' | xargs shellcheck -x -S warning; }

blanks() {
  ! sources | grep -vE '^(samples/|tests/golden/|tests/bad/|tests/fuzz/corpus/)' |
    xargs grep -nE -I '[[:blank:]]+$' | grep .
}

# snprintf is there; these never return.
banned() {
  ! grep -nE '\b(strcat|sprintf|vsprintf|gets|atof|atol|sscanf|alloca)\(' src/*.[ch] src/*/*.[ch] cli/*.[ch]
}

first_lines() {
  local file bad=0
  for file in $(sources 'src/*.[ch]' 'cli/*.[ch]' 'tests/*.[ch]'); do
    head -1 "$file" | grep -q '^/\* ' || { echo "$file: its first line does not say what it is"; bad=1; }
  done
  return $bad
}

# Every header stands alone.
headers() {
  local header bad=0
  for header in src/*.h src/*/*.h cli/*.h; do
    echo "#include \"$PWD/$header\"" |
      cc -std=c11 -D_GNU_SOURCE -fsyntax-only -x c -I"$BUILD" - || { echo "$header"; bad=1; }
  done
  return $bad
}

# The repository speaks of lockstep alone.
words() { ! sources | xargs grep -nIE '/work/|/root/' -- | grep -v '^tests/lint.sh:' | grep .; }

man_page() { mandoc -Tlint -W warning man/lockstep.1; }

check "layers" tests/layers.sh
check "format" formatted
check "gcc has no warnings" warning_free gcc
check "clang has no warnings" warning_free clang
check "shell scripts" shell_scripts
check "no trailing blanks" blanks
check "no banned functions" banned
check "first lines" first_lines
check "headers stand alone" headers
check "no paths of a machine" words
check "man page" man_page
exit $((failed > 0))
