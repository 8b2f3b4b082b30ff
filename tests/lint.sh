#!/usr/bin/env bash
# Checks of the sources, as TAP: one test per check, with the faults found.
# Usage: lint.sh [--list | CHECK...]
set -u
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}"

# The checks: name, tier (tests/run.sh) and the condition. The function of a check has its name after check_.
checks='
tools        quick    the programs that the tests need are there
layers       quick    a file includes and calls only lower layers
format       quick    C is formatted
blanks       quick    no trailing blanks
banned       quick    no banned functions
messages     quick    messages are written by one function
first_lines  quick    first lines of C files say what they are
lengths      quick    a C file of src/ and cli/ of more than 600 lines states the reason
words        quick    no paths of a machine
top_level    quick    the top level has only the folders and files of its list
user_files   quick    files that users name are opened and renamed in base/output_file.c alone
codes        quick    an error code is a row of base/codes.c, and a row is used
plain_words  quick    code, help and manual use the words of the field
planted      quick    each planted fault changes one place, and its test exists
language     quick    changed lines follow the language rules
counts       quick    counts of hits of the language rules only fall
man_page     full     mandoc has no warnings
shell        full     shellcheck has no warnings about changed scripts
clang        full     clang has no warnings about changed files
headers      full     changed headers compile alone
shell_all    release  shellcheck has no warnings about all scripts
clang_all    release  clang has no warnings about all files
gcc_all      release  gcc has no warnings about all files
headers_all  release  all headers compile alone
'

# --- the files ---

without_git() { # pattern...
  local file pattern
  while IFS= read -r -d '' file; do
    for pattern in "${@:-*}"; do
      # shellcheck disable=SC2053 # it is a pattern
      if [[ $file == $pattern ]]; then printf '%s\0' "$file"; fi
    done
  done < <(find . \( -path './build*' -o -name .git \) -prune -o -type f -printf '%P\0')
}

# Fills `files` with the matching files that git has or would add; without git, with all outside of build folders. No
# such file is a fault, because the check would look at nothing.
sources() { # pattern...
  local file
  files=()
  while IFS= read -r -d '' file; do
    [ ! -f "$file" ] || files+=("$file")
  done < <(git ls-files -z --cached --others --exclude-standard -- "$@" 2> /dev/null || without_git "$@")
  [ ${#files[@]} -gt 0 ] || { echo "no files match: $*"; return 1; }
}

# Fills `files` with the matching files that differ from the base of the language rules (language.py base). Without
# such a commit, all files count as changed.
changed_sources() { # pattern...
  local base file
  local -A changed=()
  sources "$@" || return
  base=$(tests/tools/language.py base) && [ -n "$base" ] || return 0
  while IFS= read -r -d '' file; do
    changed[$file]=1
  done < <(git diff -z --name-only "$base" -- && git ls-files -z --others --exclude-standard)
  for file in "${!files[@]}"; do
    [ -n "${changed[${files[$file]}]-}" ] || unset "files[$file]"
  done
}

# nowhere PATTERN FILE...: no line of the files matches.
nowhere() {
  grep -nIHE "$@"
  [ $? -eq 1 ]
}

# --- the checks ---

check_tools() {
  local tool bad=0
  for tool in awk bats cc clang clang-format-14 fish gcc git grep jq localedef make mandoc nm pkg-config prove ps \
    python3 readelf sed setpriv shellcheck strace zsh; do
    command -v "$tool" > /dev/null || { echo "$tool is missing"; bad=1; }
  done
  python3 -c 'import jsonschema, yaml' 2> /dev/null || /usr/bin/python3 -c 'import jsonschema, yaml' || bad=1
  return $bad
}

check_layers() { tests/layers.sh; }

check_format() {
  sources 'src/*.[ch]' 'cli/*.[ch]' 'tests/*.[ch]' && clang-format-14 --dry-run -Werror "${files[@]}"
}

# All warnings of a compiler about `files`, as errors; nothing is written.
warning_free() { # compiler
  local flags
  flags="-std=c11 -D_GNU_SOURCE -ffp-contract=off -O2 -fsyntax-only -Werror -Wall -Wextra -Wpedantic
    -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wformat=2 -Wconversion
    -Isrc -Icli -Isrc/steps/plugin -I$BUILD $(pkg-config --cflags vips expat yaml-0.1 libarchive libcjson nettle libjpeg libdeflate | sed 's/-I/-isystem /g')"
  # shellcheck disable=SC2086 # the flags are words
  [ ${#files[@]} -eq 0 ] || printf '%s\0' "${files[@]}" | xargs -0 -n 8 "$1" $flags
}

compiled=('src/*.c' 'cli/*.c' 'tests/unit/*.c' 'tests/bench/*.c' 'tests/samples/*.c' 'tests/fuzz/*.c')
check_clang() { changed_sources "${compiled[@]}" && warning_free clang; }
check_clang_all() { sources "${compiled[@]}" && warning_free clang; }
check_gcc_all() { sources "${compiled[@]}" && warning_free gcc; }

shell_scripts=('*.sh' '*.bash' '.ci/run' 'samples/recipes/pre-commit' '*.bats')
check_shell() { changed_sources "${shell_scripts[@]}" && scripts_without_warnings; }
check_shell_all() { sources "${shell_scripts[@]}" && scripts_without_warnings; }

scripts_without_warnings() {
  local file bad=0 scripts=() bats=()
  for file in "${files[@]}"; do
    if [[ $file == *.bats ]]; then bats+=("$file"); else scripts+=("$file"); fi
  done
  [ ${#scripts[@]} -eq 0 ] || shellcheck -x -S warning "${scripts[@]}" || bad=1
  # The variables that begin of tests/lib/helpers.bash sets are not seen: load is not source.
  [ ${#bats[@]} -eq 0 ] || shellcheck -x -S warning -e SC2154 "${bats[@]}" || bad=1
  return $bad
}

check_blanks() {
  sources || return
  mapfile -d '' files < <(printf '%s\0' "${files[@]}" |
    grep -zvE '^(samples/|tests/golden/|tests/bad/|tests/fuzz/corpus/)')
  nowhere '[[:blank:]]+$' "${files[@]}"
}

# snprintf is there; these never return. environment_get has the variables as they were before some were taken away.
check_banned() {
  sources 'src/*.[ch]' 'cli/*.[ch]' &&
    nowhere '\b(strcat|sprintf|vsprintf|gets|atof|atol|sscanf|alloca|(secure_)?getenv) ?\(' "${files[@]}"
}

# Messages go through stderr_line.c, which escapes characters that a terminal acts upon.
check_messages() {
  sources 'src/*.[ch]' 'cli/*.[ch]' || return
  mapfile -d '' files < <(printf '%s\0' "${files[@]}" |
    grep -zvE '^src/(base/(base|stderr_line)|batch/(run/progress|process/filter/make_filter))\.c$')
  nowhere '\(stderr|, stderr|\bperror\(|psignal\(' "${files[@]}"
}

check_first_lines() {
  sources 'src/*.[ch]' 'cli/*.[ch]' 'tests/*.[ch]' || return
  awk 'FNR == 1 && !/^\/\* / { print FILENAME ": its first line does not say what it is"; bad = 1 } { nextfile }
    END { exit bad }' "${files[@]}"
}

all_headers=('src/*.h' 'cli/*.h')
check_headers() { changed_sources "${all_headers[@]}" && headers_compile; }
check_headers_all() { sources "${all_headers[@]}" && headers_compile; }

headers_compile() {
  local header bad=0 flags
  read -ra flags < <(pkg-config --cflags vips)
  for header in "${files[@]}"; do
    echo "#include \"$PWD/$header\"" |
      cc -std=c11 -D_GNU_SOURCE "${flags[@]}" -fsyntax-only -x c -Isrc -Icli -I"$BUILD" - || { echo "$header"; bad=1; }
  done
  return $bad
}

# The repository speaks of lockstep alone.
check_words() {
  sources || return
  mapfile -d '' files < <(printf '%s\0' "${files[@]}" | grep -zvx 'tests/lint.sh')
  nowhere '/work/|/root/' "${files[@]}"
}

# A program that is run by hand there may leave files, which a commit then takes along.
check_top_level() {
  sources || return
  printf '%s\n' "${files[@]%%/*}" | sort -u |
    grep -vxE '\.(ci|clang-format|editorconfig|github|gitignore)|(CHANGELOG|README)\.md|LICENSE|Makefile|cli|man|packaging|pipelines|samples|src|tests'
  [ $? -eq 1 ]
}

# Idiosyncratic words and their common replacements, in src/, cli/, the READMEs and the manual.
plain_words='
heeded:applied, followed
foretold:predicted
anew:again
likewise:the same
begun:started
hollow:empty_mask
twins?:flip_pair
all alike:with equal probability
(text|word|name) in quotes:string
run lengths?:RLE
whole numbers?:integer
one a band:one per channel
colour bands?:colour channel
pixels between pixels:interpolation method
by chance:with probability p
is needed:is required
through the whole house:end to end
stands for:means
'

check_plain_words() {
  local word instead bad=0
  sources 'src/*.[ch]' 'src/*.inc' 'cli/*.[ch]' README.md src/README.md 'man/lockstep*' 'man/topics/*' || return
  while IFS=: read -r word instead; do
    [ -n "$word" ] || continue
    nowhere -iw "${word}" "${files[@]}" || { echo "instead: $instead"; bad=1; }
  done <<< "$plain_words"
  return $bad
}

# A long file is a question, not a fault: one line of it says "longer than 600 lines because ...".
check_lengths() {
  local lines file bad=0
  sources 'src/*.[ch]' 'cli/*.[ch]' || return
  while read -r lines file; do
    grep -qi 'longer than 600 lines because [[:alnum:]]' "$file" ||
      { echo "$file has $lines lines: say why in its first comment (longer than 600 lines because ...), or divide it"; bad=1; }
  done < <(wc -l "${files[@]}" | awk '$2 != "total" && $1 > 600')
  return $bad
}

# Calls that make, replace or rename a file by its path, or in an open folder. The check reads statements, not lines.
by_path='(?<![\w.>])(?:rename|link|symlink|truncate|unlink|remove|creat|mknod|mkfifo|mkostemp|mkstemp|chmod|chown|freopen)\('
by_mode='(?<![\w.>])(?:fopen|fdopen)\([^;]*"[rwabe]*[wa+][^"]*"|(?<![\w.>])open(?:at)?\([^;]*O_(?:CREAT|TRUNC|WRONLY|RDWR)'
in_folder='(?<![\w.>])(?:renameat2?|linkat|file_create_at|file_write_at|rename_new|unlinkat)\('

check_user_files() {
  local bad=0
  sources 'src/*.c' 'cli/*.c' || return
  mapfile -t files < <(printf '%s\n' "${files[@]}" | grep -vxE 'src/base/(files|output_file)\.c|src/batch/process/filter/.*')
  [ ${#files[@]} -eq 0 ] || perl -0777 -e '
    my ($bad, $path, $mode, $folder) = (0, shift, shift, shift);
    # Files of the output folder of a run, below a folder that it has opened and locked.
    my $own = qr{^src/batch/(?:output/\w+|shards/merge(?:_other_dirs)?|results/shard_result|io/(?:temp_dir|walk))\.c$};
    # The command opens a closed standard stream, and a test of replay writes to its own pipes.
    my $streams = qr{^(?:cli/main|src/batch/finished/replay_verify)\.c$};
    for my $file (@ARGV) {
      open(my $in, "<", $file) or die "$file: $!\n";
      my $text = <$in>;
      $text =~ s{(/\*.*?\*/)}{ $1 =~ s/[^\n]//gr }ges;
      my $wanted = $file =~ $own ? $path : $file =~ $streams ? "$path|$folder" : "$path|$mode|$folder";
      while ($text =~ /($wanted)/g) {
        my $line = 1 + (substr($text, 0, $-[1]) =~ tr/\n//);
        my $call = $1 =~ s/\s+/ /gr;
        print "$file:$line: $call: use output_open and output_finish (base/output_file.h)\n";
        $bad = 1;
      }
    }
    exit $bad;' "$by_path" "$by_mode" "$in_folder" "${files[@]}" || bad=1
  return $bad
}

# Strings that look like error codes but are not: attributes of SVG, words of parameters, shortcuts, topics.
no_codes='
font-size
stroke-width
nearest-exact
one-resample
linear-colours
sampled-mean
decoder-scale
deviations-kept
deviations-repaired
keypoint-layouts
optimize-modes
exit-codes
common-options
yolo-segment
yolo-pose
lockstep-labels
libyaml-0-2
'

# Every string of words joined by dashes, and every word in brackets at the end of one, has to be in the table.
check_codes() {
  local bad
  sources 'src/*.[ch]' 'cli/*.[ch]' || return
  mapfile -t files < <(printf '%s\n' "${files[@]}" | grep -vE '^src/(base/codes\.c|manual/topics\.c|check/rules/.*)$')
  bad=$(awk -v no_codes="$no_codes" '
    function look(word) {
      if (word in rows) { used[word] = 1 }
      else if (!(word in others)) { printf "%s:%d: %s is not in base/codes.c\n", FILENAME, FNR, word }
    }
    BEGIN { n = split(no_codes, list); for (i = 1; i <= n; i++) others[list[i]] = 1 }
    FILENAME == "src/base/codes.c" {
      if (!match($0, /^    \{ "[a-z0-9-]+"/)) next
      word = substr($0, 8, RLENGTH - 8)
      if (word <= last) printf "%s:%d: %s is not in order\n", FILENAME, FNR, word
      rows[last = word] = FNR
      next
    }
    /^ *(\/\*|\*)/ { next }
    FILENAME ~ /^cli\/commands\// && /^    \.name = "/ { next }
    {
      for (rest = $0; match(rest, /"[a-z]+(-[a-z0-9]+)+"/); rest = substr(rest, RSTART + RLENGTH))
        look(substr(rest, RSTART + 1, RLENGTH - 2))
      for (rest = $0; match(rest, /\[[a-z]+(-[a-z0-9]+)*\](\\n)?"/); rest = substr(rest, RSTART + RLENGTH)) {
        word = substr(rest, RSTART + 1, RLENGTH - 2)
        sub(/\].*/, "", word)
        if (word != "options") look(word)
      }
    }
    END { for (word in rows) if (!(word in used)) printf "src/base/codes.c:%d: nothing uses %s\n", rows[word], word }
  ' src/base/codes.c "${files[@]}") || return
  echo "$bad" | grep . && return 1
  return 0
}

check_man_page() { mandoc -Tlint -W warning man/lockstep*.[157]; }

check_planted() { tests/tools/planted.py check; }

check_language() { tests/tools/language.py changed; }
check_counts() { tests/tools/language.py check; }

# --- running them ---

names() { awk 'NF { print $1 }' <<< "$checks"; }
says() { awk -v name="$1" '$1 == name { $1 = $2 = ""; print substr($0, 3) }' <<< "$checks"; }

if [ "${1-}" = --list ]; then
  awk 'NF { print $1, $2 }' <<< "$checks"
  exit
fi
if [ $# -eq 0 ]; then
  mapfile -t all < <(names)
  set -- "${all[@]}"
fi
echo "1..$#"
n=0 failed=0
for name in "$@"; do
  n=$((n + 1))
  out="no check has this name; lint.sh --list prints all"
  if [ -n "$(says "$name")" ] && out=$("check_$name" 2>&1); then
    echo "ok $n - $(says "$name")"
  else
    echo "not ok $n - $name: $(says "$name")"
    sed 's/^/# /' <<< "$out" | head -100
    failed=$((failed + 1))
  fi
done
exit $((failed > 0))
