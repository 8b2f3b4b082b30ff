#!/usr/bin/env bats
# The check of the language rules: each rule finds a line that breaks it and passes one that nearly does.
bats_require_minimum_version 1.5.0

# A repository whose only commit has a hit of each rule; each test gets a copy.
setup_file() {
  cd "$BATS_FILE_TMPDIR" || return 1
  export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
  export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@localhost GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@localhost
  mkdir -p tree/src/base tree/cli tree/tests tree/man
  cat > tree/src/base/kept.h << 'END'
/* kept: one hit of each rule. */
struct told {
    int a;
};
/* What is behind it. Those that follow. */
bool fits(int most_words);
static const char why[] = "others than these";
END
  git init -q -b main tree
  git -C tree add .
  git -C tree commit -q -m 'Old subject without an area'
}

setup() {
  unset LANGUAGE_BASE
  export ROOT=$BATS_TEST_TMPDIR/tree
  cp -r "$BATS_FILE_TMPDIR/tree" "$ROOT"
  cd "$ROOT" || return 1
}

language() { "$BATS_TEST_DIRNAME/../tools/language.py" "$@"; }

# hits RULE FILE[:LINE]...: `changed` fails and lists exactly these hits, in this order, all of this rule.
hits() {
  run -1 language changed HEAD
  [[ $output == "$1: "* ]] && [ "$(grep -c '^R' <<< "$output")" -eq 1 ] &&
    diff <(printf '%s\n' "${@:2}") <(sed -nE 's/^  ([^ ]+): .*/\1/p' <<< "$output") || { echo "$output"; return 1; }
}

@test "R1: file names that end with a participle or an adverb, and bare verbs" {
  mkdir -p src/batch src/transforms
  touch src/base/{mapped,written,apart,choose,weigh}.c cli/chosen.c src/batch/merge_apart.h
  touch src/base/{mapped_file,padding,weigh_labels,map_back}.c src/transforms/PadIfNeeded.c cli/{back,choose}.c tests/mapped.c
  hits R1 cli/chosen.c src/base/{apart,choose,mapped,weigh,written}.c src/batch/merge_apart.h
}

@test "R2: structs and enums named by participles and adverbs" {
  cat > src/a.h << 'END'
struct reading {
enum packed {
struct coco_hidden {
typedef struct open {
struct beside {
struct padding {
struct naming {
struct packing {
enum subsampling {
enum screen {
struct reading_state {
struct reading *next;
/* struct vouched { */
END
  hits R2 src/a.h:{1,2,3,4,5}
}

@test "R3: functions of type bool whose name has no object" {
  cat > src/a.c << 'END'
bool box_keeps(int);
static bool drifts(int a)
bool nothing_left(void);
static inline bool read_again(void);
bool *inside_at(int);
bool could_meet(int);
bool steps_allowed(int);
bool rle_is_empty(int);
bool is_allowed(int);
bool has_file(int);
bool read_names(int);
bool names_read(int);
bool pass(int);
bool starts_with(int);
bool file_write_at(int);
bool defers_occlusion(int);
int fits(int);
    bool good = fits(1);
END
  hits R3 src/a.c:{1,2,3,4,5,6,7}
}

@test "R4: names of limits where they are declared, not where they are used" {
  cat > src/a.c << 'END'
enum { MOST_ROWS = 3 };
#define LEAST_SIDE 4
void view_rest(int);
static int most;
enum {
    ALIKE_MOST = 1,
};
    view_rest(most_rows == MOST_ROWS);
    return most * MOST_ROWS;
char *rest;
int almost, nearest_rests;
/* enum { MOST_COLUMNS = 3 }; */ static const char why[] = "int most";
END
  hits R4 src/a.c:{1,2,3,4,6}
}

@test "R4: two lines of the interface of plugins are excepted, in their files only" {
  local file
  mkdir -p src/param src/steps/plugin
  for file in src/a.h src/{param/param,steps/plugin/lockstep_plugin}.h; do
    printf '%s\n' 'struct row {' '    int least, most; /* Lengths. */' '    size_t least;' '};' > $file
  done
  hits R4 src/a.h:{2,3} src/param/param.h:3 src/steps/plugin/lockstep_plugin.h:3
}

@test "R5: first words of comments in C, shell, Python and make, and of predicates in headers" {
  printf '%s\n' '/* What a row holds. */' 'int a; /* Of the image. */' '// So many.' \
    '/* Rows that remain. What else? */' '/* Ones. */' '/* One-hot rows. */' 'char *b = "/* What */";' > src/a.c
  printf '%s\n' '/* Is the box empty? */' 'bool box_is_empty(int);' '/* Null, or empty. */' 'bool text_is_blank(int);' \
    '/* True if x is 0. */' 'bool is_zero(int);' '/* Returns the size. */' 'int size(void);' > src/a.h
  printf '#!/bin/sh\n# %s\n# Of text.\nx=1 # %s\ny=2 # Lines.\n' 'Those lines.' 'As before.' > a.sh
  printf 'def f():\n    """%s"""\n    return 1  # %s\nx = """What"""\n# Is not first: as\n' 'What f does.' 'By name.' > a.py
  printf '# %s\nall:\n' 'Does nothing.' > Makefile
  hits R5 Makefile:1 a.py:{2,3,5} a.sh:{2,4} src/a.c:{1,2,3} src/a.h:{1,3}
}

@test "R6: sentences of more than 25 words, and phrases, in comments, pages and manuals" {
  local five='one two three four five' words
  words="$five $five $five $five $five"
  printf '/* A %s\n * %s. */\n/* %s. */\n/* %s; %s. */\n' "$five $five $five" "$five $five $five" "$words" "$words" \
    "$words" > src/a.c
  printf '/* Rows, of\n * which some remain. */\n/* The phrase "of which" is mentioned. */\nint nobody;\n' >> src/a.c
  printf '%s\n' "More $words." '' '```' "More $words." '```' "| a | more $words |" '' "- $words" "- $words" '' \
    "# $five" '' "\`$words\` is short." '' "    make $words all" '' '| none of them |' > a.md
  printf '.PP\nMore %s\n.B bold\n%s.\n.\\" More %s\n.nf\nMore %s\n.fi\n' "$five $five" "$five $five $five" "$words" \
    "$words" > man/a.1.in
  printf '.PP\n%s\n.B %s\n%s.\n' "$five $five" "$five" "$five $five" >> man/a.1.in
  printf '# More %s.\n' "$words" > man/a.1
  mkdir man/topics
  printf '%s\n' 'a summary' '' "More $words." '' "    lockstep $words all" '' "# $words" '' "- $five" "- $words" '' \
    "$five $five $five" '@rules' "$five $five $five" '' 'None of them.' > man/topics/a.txt
  cp man/topics/a.txt man/a.txt
  hits R6 a.md:{1,17} man/a.1.in:2 man/topics/a.txt:{3,16} src/a.c:{1,5}
}

@test "R7: behind, stands and lies, but not for depth and geometry" {
  printf '/* %s */\n' 'The byte behind the name.' 'Where the name stands.' 'The key lies in the file.' \
    'The point is behind the camera.' 'The point lies in the ring.' 'The word `behind` is mentioned.' > src/a.c
  printf 'int behind, stands; char *lies = "behind";\n' >> src/a.c
  hits R7 src/a.c:{1,2,3}
}

@test "R8: phrases in messages, also across two literals, and in titles of tests" {
  printf '%s\n' 'say("none of the rows");' 'say("a name that "' '    "of a row");' 'say("none is " OF " which");' \
    'int a; /* "none" "of" */' > src/a.c
  printf 'say("one thing\\" of\\n which");\n' >> src/a.c
  printf '%s "%s" {\n' @test 'those that fail' > a.bats
  printf 'fail("%s")\nlist = r"%s"\n' 'nobody knows' 'nobody knows' > a.py
  hits R8 a.bats:1 a.py:1 src/a.c:{1,2}
}

@test "R8: phrases that are forbidden in messages only" {
  printf 'say("%s");\n' 'it is of no use here' 'a run that is gone on with' 'it goes on with the next' \
    'the file that is called so' 'files that are called so' 'a is none of the rows' 'of use' 'it goes on without' \
    'a file is called' > src/a.c
  printf '/* The option is of no use: it goes on with what is called so. */\n' >> src/a.c
  hits R8 src/a.c:{1,2,3,4,5,6}
}

@test "R9: subjects of commits since the base" {
  local subject
  for subject in 'Say it' 'Tests: Say it' 'tests: say it' 'tests: What it says' \
    'tests: Say in a subject of seventy-three columns what it is that changed x'; do
    git commit -q --allow-empty -m "$subject"
  done
  run -1 language changed main~5
  [ "$(grep -c '^  ' <<< "$output")" -eq 5 ] && [[ $output == 'R9: '*'(5)'* ]] || { echo "$output"; return 1; }
  git commit -q --allow-empty -m 'tests: Say in a subject of seventy-two columns what it is that changed x'
  git commit -q --allow-empty -m 'src/base, cli: Say it'
  git merge -q --no-ff -m "Merge branch 'x'" "$(git commit-tree -p HEAD -m 'cli: Say it' 'HEAD^{tree}')"
  run -0 language changed main~3
}

@test "changed: only added lines count, not old or moved ones" {
  run -0 language changed HEAD
  # Another line of the file, a moved line, and a file that is renamed.
  { tail -n 1 src/base/kept.h && sed -e '$d' -e 's/int a;/int b;/' src/base/kept.h; } > moved
  mv moved src/base/kept.h
  run -0 language changed HEAD
  git mv src/base/kept.h src/base/told.h
  hits R1 src/base/told.h
  git mv src/base/told.h src/base/table.h
  run -0 language changed HEAD
  # A sentence or phrase is new if any of its lines is.
  sed -i 's/int b;/int b; \/* none\n * of them *\//' src/base/table.h
  git add . && git commit -q -m 'base: Add a comment'
  sed -i 's/of them/of those/' src/base/table.h
  hits R6 src/base/table.h:4
  # The last commit is the base by default, or the value of $LANGUAGE_BASE.
  echo "int a;" > src/apart.c
  git add src/apart.c
  git commit -q -a -m 'base: Change a comment'
  run -1 language changed
  [[ $output == 'R1: '*'  src/apart.c: '*'R6: '*'  src/base/table.h:4: '* ]] || { echo "$output"; return 1; }
  LANGUAGE_BASE=HEAD run -0 language changed
}

@test "changed: without a base or without git there is nothing to compare" {
  run -0 language changed
  [[ $output == *'nothing to compare'* ]]
  run -0 language changed 0123456
  [[ $output == *'nothing to compare'*0123456* ]]
  language lower
  rm -rf .git
  mkdir build
  cp src/base/kept.h build/b.h
  run -0 language changed
  [[ $output == *'nothing to compare'* ]]
  run -0 language check
  [ -z "$output" ]
}

@test "counts: a count may only fall" {
  export LANGUAGE_BASE=HEAD
  run -1 language check
  language lower
  [ "$(tr '\n' ' ' < tests/language.txt)" = 'R1 1 R2 1 R3 1 R4 1 R5 1 R6 1 R7 1 R8 1 ' ]
  run -0 language check
  # An additional hit is not stored; all hits of its rule are listed.
  printf '/* %s */\n' 'Of which it is.' > src/a.c
  run -1 language check
  [[ $output == *'R5: '*'2 hits'*'stores 1'*'  src/a.c:1: '*'  src/base/kept.h:5: '*'R6: '*'  src/a.c:1: '* ]] ||
    { echo "$output"; return 1; }
  run -1 language lower
  [[ $output == *'R5: 2 hits'*'may only fall'* ]] && grep -qx 'R5 1' tests/language.txt
  # A lower count is stored by the command that the message names.
  sed -i 's/What is behind/The row before/' src/base/kept.h
  rm src/a.c
  run -1 language check
  [[ $output == *'R5: '*'0 hits'*'stores 1'*'tests/tools/language.py lower'*'R7: '* ]] || { echo "$output"; return 1; }
  language lower
  grep -qx 'R5 0' tests/language.txt && run -0 language check
  run -0 language counts
  [[ $output == *'R5     0 '*'R6     1 '* ]]
}

@test "hits: all hits, in the whole tree or below prefixes" {
  local n
  for n in {01..20}; do echo '/* Of a row. */' > cli/a$n.c; done
  run -1 language hits
  [ "$(grep -c '^  ' <<< "$output")" -eq 28 ] && [ "$(grep -c '^R' <<< "$output")" -eq 8 ]
  run -1 language hits cli/a0 cli/a1
  [[ $output == 'R5: '*' (19)'*'  cli/a19.c:1: '* ]] && [ "$(wc -l <<< "$output")" -eq 20 ]
  run -0 language hits man tests
  [ -z "$output" ]
}

@test "counts: a file of counts that is damaged, and a command that does not exist" {
  echo '<<<<<<< HEAD' > tests/language.txt
  run -1 language check
  [[ $output == *tests/language.txt* ]]
  run -1 language lower
  grep -q HEAD tests/language.txt
  run -2 language raise
}

@test "changed: in a clean clone, which has no commits beyond its upstream branch, the last commit is compared" {
  printf '/* One line. */\nint a;\n' > src/base/added.c
  git add -A
  git commit -q -m 'base: Add a comment that breaks a rule'
  git clone -q . ../clone
  ROOT=$BATS_TEST_TMPDIR/clone run -1 language changed
  [[ $output == *'R5: '*src/base/added.c:1:* ]]
  [ "$(ROOT=$BATS_TEST_TMPDIR/clone language base)" = "$(git rev-parse HEAD~1)" ]
}
