#!/usr/bin/env bats
# --overwrite: a former result is as it was until the new one is complete, and then gone at once; a
# run that is stopped in between is ended by the next one.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  ulimit -c 0
  pipeline flip.json '{"type": "horizontal_flip"}'
  pipeline turn.json '{"type": "vertical_flip"}'
  mkdir -p in/deep/er
  cp "$samples/images/street/0001.jpg" in/a.jpg
  cp "$samples/images/street/0001.jpg" in/deep/b.jpg
  cp "$samples/images/street/0001.jpg" in/deep/er/c.jpg
}

# go PIPELINE OUT [options]
go() {
  local pipeline=$1 out=$2
  shift 2
  "$lockstep" run -q -p "$pipeline" -i in -o "$out" -j 1 "$@"
}

# killed CALL N [options]: out is the result of flip.json, over which a run of turn.json was killed.
killed() {
  local call=$1 n=$2
  shift 2
  rm -rf out && cp -a former out
  if (exec strace -qq -o /dev/null -e "trace=$call" -e "inject=$call:signal=KILL:when=$n" \
    "$lockstep" run -q -p turn.json -i in -o out -j 1 --overwrite "$@"); then
    echo "it was not killed at $call $n"
    return 1
  fi
}

# A user's own files, and one output more than the new run has.
formerly() {
  cp in/a.jpg in/z.jpg
  go flip.json former
  rm in/z.jpg
  mkdir -p former/images/deep/own
  printf 'mine\n' | tee former/notes.txt > former/images/deep/own/file
  go turn.json clean
  mkdir -p clean/images/deep/own
  printf 'mine\n' | tee clean/notes.txt > clean/images/deep/own/file
}

calls=mkdir,mkdirat,unlinkat,rmdir,renameat,renameat2,pwrite64,write,openat,ftruncate

@test "swap: killed at any step, the former result is whole or the new one is complete, and --resume ends it" {
  skip_when_sanitized "$lockstep"
  local name n kept=0 swapped=0 code
  formerly
  cp -a former out
  strace -qq -o calls.txt -e "trace=$calls" "$lockstep" run -q -j 1 -p turn.json -i in -o out --overwrite
  same_tree clean out
  while read -r name n; do
    killed "$name" "$n"
    rm -rf seen && cp -a out seen
    if [ -e out/.lockstep/swap.remove ] || [ -e out/.lockstep/swap.move ]; then
      swapped=$((swapped + 1))
    elif [ -e out/.lockstep/new ] || [ -e out/.lockstep/journal ] || diff -rq -x .lockstep former out > /dev/null; then
      kept=$((kept + 1))
      diff -r -x .lockstep former out || { echo "killed at $name $n"; return 1; }
    else # only the scratch was not gone yet
      diff -r -x .lockstep clean out || { echo "killed at $name $n"; return 1; }
    fi
    code=0
    go turn.json out --resume 2> err.txt || code=$?
    if [ "$code" -eq 6 ]; then # nothing was begun: the run there is the former one
      grep -q resume-key err.txt && [ ! -e out/.lockstep/journal ] || { echo "$name $n"; cat err.txt; return 1; }
      diff -r -x .lockstep former out
      go turn.json out --overwrite
    elif [ "$code" -ne 0 ]; then
      echo "killed at $name $n: $code"; cat err.txt; return 1
    fi
    same_tree clean out || { echo "killed at $name $n"; return 1; }
    rm -rf out && mv seen out
    go turn.json out --overwrite
    same_tree clean out || { echo "killed at $name $n, and overwritten"; return 1; }
  done < <(awk -F '(' '/^[a-z0-9]+\(/ { n[$1]++ }
    /^openat/ && !/O_CREAT/ { next }
    /^[a-z0-9]+\(/ { print $1, n[$1] }' calls.txt)
  echo "# $kept times the former one, $swapped times in the midst" >&3
  [ "$kept" -ge 20 ] && [ "$swapped" -ge 10 ]
}

@test "swap: a run that fails leaves the former result as it was, and can go on" {
  formerly
  cp -a former out
  cp in/a.jpg good.jpg
  head -c 3000 good.jpg > in/deep/b.jpg
  run -4 --separate-stderr go turn.json out --overwrite
  [[ $stderr == *--resume*--overwrite*'the former result is as it was'*'[out-unfinished]'* ]]
  diff -r -x .lockstep former out
  # Starting without --resume or --overwrite is refused with both named; so is another job that tries to resume.
  run -6 --separate-stderr go turn.json out
  [[ $stderr == *--resume*--overwrite*'[out-unfinished]'* ]]
  run -6 --separate-stderr go flip.json out --resume
  [[ $stderr == *'another pipeline'*'[resume-key]'* ]]
  diff -r -x .lockstep former out
  cp good.jpg in/deep/b.jpg
  go turn.json out --resume
  same_tree clean out
}

@test "swap: of a run over one that was stopped itself, only the last remains" {
  formerly
  killed renameat2 2
  [ -e out/.lockstep/new ]
  pipeline both.json '{"type": "horizontal_flip"}, {"type": "vertical_flip"}'
  go both.json out --overwrite
  rm -r clean/images/*.jpg clean/images/deep/*.jpg clean/images/deep/er
  go both.json other
  cp -a clean/notes.txt other
  cp -a clean/images/deep/own other/images/deep
  same_tree other out
}

@test "swap: a file that somebody puts to a name of the new result is not written over" {
  formerly
  cp in/a.jpg in/y.jpg
  killed renameat2 2 # before the swap
  printf 'mine\n' > out/images/y.jpg
  cp -a out before
  run -5 --separate-stderr go turn.json out --resume
  [[ $stderr == *'images/y.jpg'*'[out-exists]'* ]]
  diff -r -x .lockstep before out
  rm out/images/y.jpg
  go turn.json out --resume
  [ -s out/images/y.jpg ]
  killed renameat2 4 # in its midst
  printf 'mine\n' > out/images/y.jpg
  run -5 --separate-stderr go turn.json out --resume
  [[ $stderr == *'--resume puts it in its place: images/y.jpg: File exists'* ]]
  [ "$(cat out/images/y.jpg)" = mine ]
  rm out/images/y.jpg
  go turn.json out --resume
  [ -s out/images/y.jpg ] && [ ! -e out/.lockstep ]
}

@test "swap: folders of the former result that others may not write to are noticed before work" {
  [ "$(id -u)" = 0 ] || skip "only root may become another user"
  formerly
  chmod 777 . former
  chmod o+x "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_TEST_TMPDIR" 2> /dev/null || true
  setpriv --reuid 65534 --regid 65534 --clear-groups test -r in/a.jpg || skip "another user may not read here"
  cp "$lockstep" tool
  cp -a former before
  run -5 --separate-stderr setpriv --reuid 65534 --regid 65534 --clear-groups ./tool run -p turn.json -i in \
    -o former --overwrite
  [[ $stderr == *'[out-remove]'* ]]
  same_tree before former
}

@test "swap: folders may be deep" {
  local deep
  deep=$(printf 'd%.0s/' {1..120})
  mkdir -p "one/$deep"
  cp in/a.jpg "one/$deep/x.jpg"
  "$lockstep" run -q -p flip.json -i one -o out
  "$lockstep" run -q -p turn.json -i one -o clean
  "$lockstep" run -q -p turn.json -i one -o out --overwrite
  same_tree clean out
}
