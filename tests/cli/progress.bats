#!/usr/bin/env bats
# How far a run is: a bar on a terminal, lines elsewhere. The clock runs fast in some, so that little time is much.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin_to_crash
  clock=$tools/clock.so
  needs_built tests/clock.so
  six_images
}

teardown() { end_run; }

can_hurry() {
  skip_when_sanitized "$lockstep"
  [ -e "$clock" ] || { echo "$clock is not built; make check builds it"; return 1; }
}

# in_terminal COLUMNS COMMAND...: all that it prints on a terminal of that width, in page.
in_terminal() {
  local columns=$1 code=0
  shift
  rm -rf out
  TERM=xterm script -qefc "stty cols $columns; $(printf '%q ' "$@")" page.all < /dev/null > none.txt || code=$?
  sed '1d; $d' page.all > page # lines of script's own
  return $code
}

# bars: the states of the bar in page, one a line.
bars() { tr '\r' '\n' < page | sed $'s/\x1b\\[K//' | grep -E '^\[|[0-9]/[0-9]' || true; }

# shown COLUMNS: prints the screen at the end.
shown() { python3 "$here/lib/screen.py" "$1" < page; }

# --- a bar ---

@test "progress: a bar is as wide as the terminal, counts to the end, and leaves nothing behind" {
  local columns=80 line
  can_hurry
  LD_PRELOAD=$clock CLOCK_TIMES=1000000 in_terminal $columns "$lockstep" run -p steps.json -i in -o out -j 1 --timeout 0
  bars > states
  [ "$(wc -l < states)" -eq 6 ]
  for n in 1 2 3 4 5 6; do
    line=$(sed -n "${n}p" states)
    [[ $line =~ ^\[(\#*)(\.*)\]\ $n/6\ \ [0-9]+\ images/s\ \ [0-9:]+\ left$ ]] || { echo "$line"; return 1; }
    [ ${#line} -eq $((columns - 2)) ]
    full=${#BASH_REMATCH[1]} all=$((${#BASH_REMATCH[1]} + ${#BASH_REMATCH[2]}))
    [ "$full" -eq $((all * n / 6)) ]
  done
  [[ $line == *' 0:00 left' ]]
  shown $columns > screen
  [ "$(grep -c . screen)" -eq 1 ]
  grep -q '^lockstep: 6 images from 6;' screen
  run ! grep -q '6/6' screen
}

@test "progress: the bar fits into any terminal, however narrow" {
  local columns
  can_hurry
  for columns in 1 10 20 21 30 40 44 50 131; do
    LD_PRELOAD=$clock CLOCK_TIMES=100 in_terminal $columns "$lockstep" run -p steps.json -i in -o out -j 1 --timeout 0 -q \
      --progress bar
    bars > states
    [ "$(wc -l < states)" -ge 1 ] || [ $columns -lt 5 ] || { cat -v page; return 1; }
    shown $columns > screen
    [ ! -s screen ] || [ -z "$(tr -d '\n' < screen)" ] || { echo "$columns columns:"; head -n 20 screen; return 1; }
    # A full line may wrap, so one column stays free, and one for the cursor.
    [ "$(awk '{ if (length($0) > most) most = length($0) } END { print most + 0 }' states)" -le $((columns > 2 ? columns - 2 : 0)) ]
  done
  # COLUMNS counts more.
  LD_PRELOAD=$clock CLOCK_TIMES=100 COLUMNS=60 in_terminal 100 "$lockstep" run -p steps.json -i in -o out -j 1 --timeout 0
  [ "$(bars | tail -n 1 | awk '{ print length($0) }')" -eq 58 ]
}

@test "progress: the bar says how long it takes, of many hours, too, and what failed" {
  can_hurry
  head -c 3000 in/a.jpg > in/c.jpg
  LD_PRELOAD=$clock CLOCK_TIMES=1000000 run -1 in_terminal 90 "$lockstep" run -p steps.json -i in -o out -j 1 --timeout 0 \
    --on-error skip
  bars > states
  head -n 1 states | grep -qE ' 1/6  0 images/s  [0-9]+:[0-5][0-9]:[0-5][0-9] left$' || { cat states; return 1; }
  [[ $(tail -n 1 states) == *' 0:00 left  1 failed' ]]
  # Failed images have a separate line.
  shown 300 > screen
  grep -q '^lockstep: error: c.jpg: ' screen
  grep -q '^lockstep: 5 images from 5; 1 skipped' screen
}

@test "progress: a line that SIGUSR1 asks for stands by itself, and the bar below it" {
  local pid
  can_crash
  can_hurry
  TERM=xterm script -qefc "stty cols 90; LD_PRELOAD='$crash $clock' CLOCK_TIMES=1000000 CRASH_ON=c.jpg CRASH_SIGNAL=19 \
    CRASH_ONCE=$PWD/once exec $lockstep run -p steps.json -i in -o out -j 1 --timeout 0" page.all < /dev/null > none.txt 3>&- &
  run_pid=$!
  await test -s once
  await has_text 2/6 page.all
  pid=$(pgrep -P "$run_pid")
  kill -s USR1 "$pid"
  await has_text '2 of 6' page.all
  pkill -CONT -P "$pid"
  wait "$run_pid"
  run_pid=
  sed '1d; $d' page.all > page
  shown 90 > screen
  grep -qE '^lockstep: 2 of 6 images, [0-9]+ images/s$' screen || { cat screen; return 1; }
  run ! grep -F '[#' screen
  grep -q '^lockstep: 6 images from 6;' screen
}

# --- lines ---

# numbers: of the lines of progress in lines.txt.
numbers() { sed -n 's/^lockstep: \([0-9]*\) of 20 images, [0-9]* images\/s$/\1/p' lines.txt; }

@test "progress: elsewhere it is a line a tenth, or when nothing was said for long" {
  local name
  can_hurry
  for name in {1..14}; do cp in/a.jpg in/"x$name.jpg"; done
  stderr_to lines.txt env LD_PRELOAD="$clock" CLOCK_TIMES=500 "$lockstep" run -p steps.json -i in -o out -j 1 --timeout 0
  numbers > tenths
  [ "$(wc -l < tenths)" -ge 3 ] || { cat lines.txt; return 1; }
  sort -nuc tenths
  stderr_to lines.txt env LD_PRELOAD="$clock" CLOCK_TIMES=100000000 \
    "$lockstep" run -p steps.json -i in -o slow -j 1 --timeout 0
  diff <(numbers) <(seq 20)
  # Fast runs, and runs of few images, only print their results.
  stderr_to lines.txt "$lockstep" run -p steps.json -i in -o fast
  rm in/x*
  LD_PRELOAD=$clock CLOCK_TIMES=1000000 "$lockstep" run -p steps.json -i in -o few -j 1 --timeout 0 2>> lines.txt
  [ "$(wc -l < lines.txt)" -eq 2 ]
}

@test "progress: --progress, --quiet and TERM choose" {
  can_hurry
  local go=("$lockstep" run -p steps.json -i in -o out -j 1 --timeout 0)
  export LD_PRELOAD=$clock CLOCK_TIMES=1000000
  for words in -q '--progress none' '--progress plain' '--message-format json'; do
    # shellcheck disable=SC2086 # words
    in_terminal 90 "${go[@]}" $words
    run ! grep -q $'\r\\[' page
  done
  in_terminal 90 env TERM=dumb "${go[@]}"
  run ! grep -q $'\r\\[' page
  rm -rf out
  stderr_to page "${go[@]}" --progress bar
  [ "$(bars | wc -l)" -eq 6 ]
  [[ $(bars | tail -n 1) =~ ^.{78}$ ]] # if the width is unknown
}
