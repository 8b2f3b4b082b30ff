#!/usr/bin/env bats
# Shards: parts of a run in separate processes, whose merge has the bytes of the run in one part.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  ulimit -c 0
  coco=(-i "$samples/images" -a "$samples/annotations.json")
  pipeline p.json '{"type": "RandomHorizontalFlip"}, {"type": "RandomResizedCrop", "size": [80, 80]}'
}

teardown() {
  end_run
}

# go OUT OPTION...: p.json.
go() { "$lockstep" run -q --durability none -p p.json -o "$@"; }

# shards N OPTION...: all of them, into out/, the last one first.
shards() {
  local i
  for ((i = $1 - 1; i >= 0; i--)); do go out --shard "$i/$1" "${@:2}" || return; done
}

# whole_is N OPTION...: so many shards, merged, are the tree of the run in one part.
whole_is() {
  rm -rf whole out
  go whole "${@:2}" && shards "$@" && "$lockstep" merge -q --durability none out && same_tree whole out
}

@test "shards: 1, 2 and 7 of them are the run, with copies, masks, sums and another format" {
  local n
  for n in 1 2 7; do whole_is $n "${coco[@]}" -n 2 --include-original; done
  whole_is 3 "${coco[@]}" --masks "$samples/masks" --checksums --format png
  whole_is 3 "${coco[@]}" --name-template '{dir}/{stem}_{ext}__{copy}' -n 2 --limit 7 --exclude '*/0002.jpg'
  whole_is 2 -i "$samples/images" --checksums
}

# bats test_tags=release
@test "shards: 1, 2, 7 and 64 of them are the run" {
  local n
  for n in 1 2 7 64; do whole_is $n "${coco[@]}" -n 2 --include-original; done
}

@test "shards: fan-out, rejected attempts, copied and lossless files" {
  local rule
  pipeline p.json '{"type": "RandomRotation", "degrees": 30}, {"type": "FiveCrop", "size": [90, 110]}'
  whole_is 3 "${coco[@]}" -n 2
  pipeline r.json '{"type": "RandomResizedCrop", "size": [80, 80], "scale": [0.05, 0.2]}'
  for rule in original last; do
    jq '.annotations = {"reject_image_if": {"objects_lost": true}, "max_attempts": 3, "when_rejected": "'$rule'"}' r.json > p.json
    whole_is 3 "${coco[@]}"
  done
  jq '.output.lossless = true | .output.untouched = "copy"' "$root/pipelines/dihedral.json" > p.json
  whole_is 3 "${coco[@]}" -n 3
  jq -e '.attempts | not' out/run.json
}

@test "shards: panoptic segments, results, YOLO, VOC and several folders" {
  local to
  python3 "$here/tools/panoptic.py" draw data
  pipeline p.json '{"type": "RandomHorizontalFlip"}'
  whole_is 3 -i data/images -a data/panoptic.json -n 2
  jq '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' "$samples/annotations.json" > results.json
  whole_is 3 -i "$samples/images" -a results.json --image-list "$samples/annotations.json" -n 2
  [ -s out/images.json ]
  for to in yolo voc; do
    whole_is 3 "${coco[@]}" --to $to --lossy
  done
  go labels "${coco[@]}" --to yolo --lossy
  whole_is 3 -i labels/images -a labels/labels --to coco -n 2
  whole_is 3 -i "$samples/images/street" -i "$samples/images/park" -n 2 || whole_is 3 -i "$samples/images/street" -n 2
}

@test "shards: images that borrow from those of other shards, with ids by image and dense" {
  pipeline d.json '{"type": "Mosaic", "target_size": [200, 200]}, {"type": "MixUp"}'
  jq '.annotations.ids = "dense"' d.json > p.json
  whole_is 4 "${coco[@]}" -n 2
  jq -e '[.annotations[].id] == [range(1; (.annotations | length) + 1)]' out/annotations.json
  jq '.annotations.ids_per_image = 1000' d.json > p.json
  whole_is 4 "${coco[@]}" -n 2
}

@test "shards: elements stand in the order of the source, wherever that is; none is a list that is empty" {
  jq '.annotations |= reverse | .images |= (to_entries | sort_by(.key * 7 % 15) | map(.value)) | .videos = [{"id": 1}]' \
    "$samples/annotations.json" > mixed.json
  whole_is 5 -i "$samples/images" -a mixed.json -n 2
  jq '.annotations = []' "$samples/annotations.json" > bare.json
  whole_is 5 -i "$samples/images" -a bare.json
  pipeline p.json ''
  whole_is 5 -i "$samples/images" -a mixed.json
}

@test "shards: images that fail in some of them" {
  cp -r "$samples/images" in
  head -c 900 in/street/0001.jpg > cut.jpg && mv cut.jpg in/street/0001.jpg
  echo no > in/park/0002.jpg
  run -1 "$lockstep" run -q -p p.json -i in -a "$samples/annotations.json" -o whole --on-error skip
  for i in 0 1 2 3 4 5 6 7; do
    "$lockstep" run -q -p p.json -i in -a "$samples/annotations.json" -o out --on-error skip --max-errors 1 --shard $i/8 \
      || [ $? = 1 ]
  done
  refuses errors-most 4 "$lockstep" merge out
  run -1 "$lockstep" merge out --max-errors 2
  same_tree whole out
  [ "$(wc -l < out/errors.jsonl)" = 2 ]
  # no shard is left
  mkdir bad && echo no > bad/a.jpg
  run -4 "$lockstep" run -q -p p.json -i bad -o none --on-error skip
  run -1 "$lockstep" run -q -p p.json -i bad -o parts --on-error skip --shard 0/1
  run -4 "$lockstep" merge -q parts
  same_tree none parts
}

@test "shards: what changes after a shard was done is done again, before the merge" {
  pipeline mosaic.json '{"type": "Mosaic", "target_size": 60}'
  jq '.annotations.ids = "dense"' mosaic.json > p.json
  cp -r "$samples/images" in
  head -c 900 in/street/0001.jpg > cut.jpg && mv in/street/0001.jpg good.jpg && mv cut.jpg in/street/0001.jpg
  each() {
    local i
    for i in 0 1; do
      go out -i in -a "$samples/annotations.json" --on-error skip --shard $i/2 "$@" || [ $? = 1 ] || return
    done
  }
  each
  cp good.jpg in/street/0001.jpg
  cp "$samples/images/street/0002.jpg" in/street/0002.jpg # newer
  each --resume
  "$lockstep" merge -q out
  go whole -i in -a "$samples/annotations.json" --on-error skip
  same_tree whole out
}

# repaint FILE: other pixels, in a file of equal size and time.
repaint() {
  local size
  size=$(stat -c %s "$1")
  touch -r "$1" stamp
  python3 -c 'import png, sys; png.write(sys.argv[1], [[v for x in range(32) for v in (200 - x, y, 77)] for y in range(24)], 3)' "$1.new"
  truncate -s "$size" "$1.new"
  mv "$1.new" "$1" && touch -r stamp "$1"
}

# bats test_tags=release
@test "shards: an image that changed between shards is refused by merge if one of them borrowed it" {
  local i step own
  for i in a b c d e f g h; do
    mkdir -p in masks
    python3 -c 'import png, sys; png.write(sys.argv[1], [[v for x in range(32) for v in (x * 3, y * 5, ord(sys.argv[2]))] for y in range(24)], 3)' in/$i.png $i
    truncate -s 9000 in/$i.png
    python3 -c 'import png, sys; png.write(sys.argv[1], [[x // 9 for x in range(32)] for y in range(24)], 1)' masks/$i.png
  done
  python3 - > in.json <<'EOF'
import json
names = "abcdefgh"
print(json.dumps({"images": [{"id": i + 1, "file_name": f"{c}.png", "width": 32, "height": 24} for i, c in enumerate(names)],
                  "categories": [{"id": 1, "name": "x"}],
                  "annotations": [{"id": i + 1, "image_id": i + 1, "category_id": 1, "bbox": [4, 4, 12, 9], "area": 108, "iscrowd": 0,
                                   "segmentation": [[4, 4, 16, 4, 16, 13, 4, 13]]} for i in range(8)]}))
EOF
  cp -r in before
  each() { # SHARD OPTION...
    go out -i "${images:-in}" -a in.json "${masked[@]}" --shard "$1/2" "${@:2}" || [ $? = 1 ]
  }
  for step in Mosaic MixUp CutMix CopyPaste mask; do
    masked=()
    case $step in
      Mosaic) pipeline p.json '{"type": "Mosaic", "target_size": [32, 24]}' ;;
      mask) pipeline p.json '{"type": "Mosaic", "target_size": [32, 24]}' && masked=(--masks masks) ;;
      *) pipeline p.json "{\"type\": \"$step\"}" ;;
    esac
    rm -rf in out whole && cp -a before in
    each 0
    # whatever is owned by shard 0: some of shard 1's outputs borrow it
    for own in $(cd in && echo *.png); do
      [ $step = mask ] || repaint in/"$own"
      [ $step != mask ] || python3 -c 'import png, sys; png.write(sys.argv[1], [[x // 5 for x in range(32)] for y in range(24)], 1)' masks/"$own"
    done
    each 1
    refuses shard-donor 6 "$lockstep" merge out
    [[ $stderr == *' changed between shard 0/2 and shard 1/2, '* && $stderr == *'out: '?'.png changed'* ]]
    [ -d out/.lockstep/shards ] && [ ! -e out/manifest.jsonl ]
    each 0 --resume && each 1 --resume
    "$lockstep" merge -q out
    go whole -i in -a in.json "${masked[@]}"
    same_tree whole out
  done
}

@test "shards: copies of images on another machine may have other times, and one that was repaired between shards is refused" {
  cp -r "$samples/images" in
  cp -r "$samples/images" copy
  find copy -type f -exec touch -d 2001-02-03 {} +
  pipeline p.json '{"type": "Mosaic", "target_size": 60}'
  go whole -i in -a "$samples/annotations.json"
  go out -i in -a "$samples/annotations.json" --shard 0/2
  find out/images -type f -printf '%P\n' > owned
  go out -i copy -a "$samples/annotations.json" --shard 1/2
  "$lockstep" merge -q out
  same_tree whole out
  # one that failed, and was repaired before the other shard borrowed it
  rm -rf out whole
  pipeline p.json '{"type": "Mosaic", "target_size": 60}, {"type": "MixUp"}, {"type": "MixUp"}'
  for name in $(cd in && find . -name '*.jpg'); do echo no > in/"$name"; done
  go out -i in -a "$samples/annotations.json" --shard 0/2 --on-error skip || [ $? = 1 ] || [ $? = 4 ]
  cp -r "$samples/images/." in
  go out -i in -a "$samples/annotations.json" --shard 1/2 --on-error skip
  refuses shard-donor 6 "$lockstep" merge out
  go out -i in -a "$samples/annotations.json" --shard 0/2 --on-error skip --resume
  "$lockstep" merge -q out
  go whole -i in -a "$samples/annotations.json" --on-error skip
  same_tree whole out
  # the same of images of the other shard alone: all that failed in this one borrowed them
  rm -rf out
  while read -r name; do echo no > in/"$name"; done < <(jq -r .source whole/manifest.jsonl | grep -vxFf owned)
  go out -i in -a "$samples/annotations.json" --shard 0/2 --on-error skip || [ $? = 1 ] || [ $? = 4 ]
  cp -r "$samples/images/." in
  go out -i in -a "$samples/annotations.json" --shard 1/2 --on-error skip
  refuses shard-donor 6 "$lockstep" merge out
  go out -i in -a "$samples/annotations.json" --shard 0/2 --on-error skip --resume
  "$lockstep" merge -q out
  same_tree whole out
}

# killed WRITE...: kills a shard at each of these writes, and resumes.
killed() {
  local n killed=0
  go whole "${coco[@]}" -n 2
  for n in "$@"; do
    rm -rf out
    (exec strace -qq -o /dev/null -e trace=pwrite64,renameat2 -e "inject=pwrite64,renameat2:signal=KILL:when=$n" \
      "$lockstep" run -q -j 1 --durability none -p p.json -o out --shard 1/3 "${coco[@]}" -n 2) || killed=$((killed + 1))
    go out --shard 0/3 "${coco[@]}" -n 2
    go out --shard 1/3 "${coco[@]}" -n 2 --resume
    go out --shard 2/3 "${coco[@]}" -n 2 --resume
    go out --shard 1/3 "${coco[@]}" -n 2 --resume
    "$lockstep" merge -q --durability none out
    same_tree whole out
  done
  [ $killed -ge $(($# - 2)) ]
}

@test "shards: killed at some writes, they go on to the same bytes" { killed 2 5 9 12; }

# bats test_tags=release
@test "shards: killed at any write, they go on to the same bytes" { killed 1 2 3 5 8 9 10 11 12 14; }

# unread EVERY: makes every EVERY-th folder or file that a shard opens unreadable.
unread() {
  local n code first last
  strace -qq -o trace.txt -e trace=openat "$lockstep" run -q -j 1 --durability none -p p.json -o out --shard 0/2 "${coco[@]}"
  first=$(grep -n '"out"' trace.txt | head -1 | cut -d: -f1)
  last=$(grep -n '"job"' trace.txt | tail -1 | cut -d: -f1)
  [ "$((last - first))" -ge 10 ]
  for ((n = first; n <= last; n += $1)); do
    rm -rf out
    code=0
    strace -qq -o /dev/null -e trace=openat -e "inject=openat:error=EIO:when=$n" \
      "$lockstep" run -q -j 1 --durability none -p p.json -o out --shard 0/2 "${coco[@]}" 2> message || code=$?
    [ "$code" != 6 ] || { echo "$n"; cat message; return 1; }
  done
}

@test "shards: a folder that cannot be read is not said to be another's, or damaged, at every fourth one" { unread 4; }

# bats test_tags=release
@test "shards: a folder that cannot be read is not said to be another's, or damaged" { unread 1; }

# merge_killed EVERY: kills a merge at every EVERY-th step, and merges again.
merge_killed() {
  local name n killed=0
  go whole "${coco[@]}" --checksums
  shards 3 "${coco[@]}" --checksums
  cp -r out parts
  strace -qq -o trace.txt -e trace=openat,unlinkat,renameat2,renameat,pwrite64,write "$lockstep" merge -q --durability none out
  same_tree whole out
  while read -r name n; do
    rm -rf out
    cp -r parts out
    (exec strace -qq -o /dev/null -e "trace=$name" -e "inject=$name:signal=KILL:when=$n" \
      "$lockstep" merge -q --durability none out) || killed=$((killed + 1))
    "$lockstep" merge -q --durability none out
    same_tree whole out || { echo "$name $n"; return 1; }
  done < <(awk -F'[(]' -v every="$1" '
    /^(unlinkat|renameat2|renameat|pwrite64|write)\(/ { ++n[$1]; if (++steps % every == 0) print $1, n[$1] }' trace.txt)
  [ $killed -ge $((20 / $1)) ]
}

@test "shards: a merge that is killed at every fifth step is done again" { merge_killed 5; }

# bats test_tags=release
@test "shards: a merge that is killed at any step is done again" { merge_killed 1; }

@test "shards: missing and unfinished ones are named, with how far they are" {
  go out --shard 0/4 "${coco[@]}"
  (exec strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=7 \
    "$lockstep" run -q -j 1 --durability none -p p.json -o out --shard 2/4 "${coco[@]}") || true
  refuses shard-missing 6 "$lockstep" merge out
  [[ $stderr == *'shard 1/4: it was not started'* && $stderr == *'shard 3/4: it was not started'* ]]
  [[ $stderr == *'shard 2/4: it is not done: '*' of its '*' images are; run it with --resume [shard-unfinished]'* ]]
  [ ! -e out/run.json ]
  "$lockstep" status out --json | jq -e '.state == "unfinished" and .shards == 4 and .shards_done == 1 and .left == null'
  refuses out-unfinished 6 "$lockstep" run -p p.json -o out --shard 2/4 "${coco[@]}"
  for i in 1 2 3; do go out --shard $i/4 "${coco[@]}" --resume; done
  "$lockstep" status out --json | jq -e '.shards_done == 4 and .left == 0 and .done == 15'
  refuses out-unfinished 6 "$lockstep" run -p p.json -o out --shard 2/4 "${coco[@]}"
  run -0 "$lockstep" run -p p.json -o out --shard 2/4 "${coco[@]}" --resume
  [[ $output == *'this shard is finished: there is nothing to do'* ]]
  "$lockstep" merge -q out
  run -0 "$lockstep" merge out
  [[ $output == *'out is finished: there is nothing to merge'* ]]
  refuses out-occupied 6 "$lockstep" run -p p.json -o out --shard 2/4 "${coco[@]}"
  go whole "${coco[@]}"
  same_tree whole out
}

@test "shards: of another job, in another number, or of none, are refused" {
  jq . "$samples/annotations.json" > as.json
  coco=(-i "$samples/images" -a as.json)
  go out --shard 0/2 "${coco[@]}"
  refuses shard-count 6 "$lockstep" run -p p.json -o out --shard 1/3 "${coco[@]}"
  refuses resume-key 6 "$lockstep" run -p p.json -o out --shard 1/2 "${coco[@]}" --seed 9
  refuses out-shards 6 "$lockstep" run -p p.json -o out "${coco[@]}"
  refuses out-shards 6 "$lockstep" run -p p.json -o out "${coco[@]}" --resume
  refuses shard-overwrite 2 "$lockstep" run -p p.json -o out "${coco[@]}" --shard 1/2 --overwrite
  refuses out-unfinished 6 "$lockstep" verify out
  # images were added between them: all are to be run once more
  jq '.images += [.images[0] | .id = 99 | .file_name = "street/0009.jpg"]' as.json > more.json
  cp -r "$samples/images" more
  cp more/street/0001.jpg more/street/0009.jpg
  go out --shard 1/2 -i more -a more.json
  refuses shard-key 6 "$lockstep" merge out
  go out --shard 0/2 -i more -a more.json --resume
  "$lockstep" merge -q out
  go whole -i more -a more.json
  same_tree whole out
  # a run in one part does not accept shards, and the reverse
  refuses merge-none 6 "$lockstep" merge more
  refuses out-missing 4 "$lockstep" merge nowhere
  go out --shard 0/2 "${coco[@]}" && return 1
  rm -rf out && shards 2 "${coco[@]}"
  go out "${coco[@]}" --overwrite
  go again "${coco[@]}"
  same_tree again out
}

@test "shards: outputs that are gone, and files of shards that are damaged, are seen by merge" {
  local file
  shards 2 "${coco[@]}"
  cp -r out parts
  rm "$(find out/images -name '*.jpg' | sort | head -1)"
  refuses shard-damaged 6 "$lockstep" merge out
  for i in 0 1; do go out --shard $i/2 "${coco[@]}" --resume; done
  "$lockstep" merge -q out
  go whole "${coco[@]}"
  same_tree whole out
  for file in part objects.spool records.spool manifest.spool; do
    rm -rf out && cp -r parts out
    python3 - out/.lockstep/shards/0-of-2/$file << 'PY'
import sys
b = bytearray(open(sys.argv[1], 'rb').read())
b[len(b) // 2] ^= 1
open(sys.argv[1], 'wb').write(b)
PY
    refuses shard-damaged 6 "$lockstep" merge out
    [ ! -e out/run.json ]
    rm -rf out && cp -r parts out
    truncate -s -20 out/.lockstep/shards/0-of-2/$file
    refuses shard-damaged 6 "$lockstep" merge out
    [ ! -e out/run.json ]
  done
}

@test "shards: a list of outputs that was cut or changed is seen by merge, wherever the result goes" {
  local change how
  shards 2 "${coco[@]}"
  rm -rf parts && mv out parts
  for change in '$d' '2s/.*/x&/' '3d' '1s/^[0-9]*/7/' 's/ [0-9]* images/\x00&/' '2p'; do
    rm -rf out && cp -r parts out
    sed -i "$change" out/.lockstep/shards/1-of-2/written
    for how in '' '-o whole' '-o whole --link copy' '-o whole --link move'; do
      # shellcheck disable=SC2086 # words
      refuses shard-damaged 6 "$lockstep" merge out $how
      [ ! -e out/run.json ] && [ ! -e whole/run.json ]
    done
  done
  for i in 0 1; do go out --shard $i/2 "${coco[@]}" --resume; done
  "$lockstep" merge -q out -o whole
  "$lockstep" verify -q whole
}

@test "shards: several at once, but the same one only once, and no merge meanwhile" {
  local i pids=()
  go whole "${coco[@]}" -n 2
  for i in 0 1 2 3; do
    "$lockstep" run -q -j 1 --durability none -p p.json -o out --shard $i/4 "${coco[@]}" -n 2 &
    pids+=($!)
  done
  wait "${pids[@]}"
  "$lockstep" merge -q out
  same_tree whole out
  (exec strace -f -qq -o /dev/null -e trace=fallocate,pread64 -e inject=pread64:delay_enter=300000 \
    "$lockstep" run -q -j 1 --durability none -p p.json -o slow --shard 0/2 "${coco[@]}") &
  await test -e slow/.lockstep/shards/0-of-2/journal
  # However slow the others are, it is still there.
  # shellcheck disable=SC2034 # end_run reads it
  run_pid=$(pgrep -P $! -x lockstep)
  kill -s STOP "$run_pid"
  refuses out-in-use 6 "$lockstep" run -p p.json -o slow --shard 0/2 "${coco[@]}" --resume
  refuses out-in-use 6 "$lockstep" merge slow
  go slow --shard 1/2 "${coco[@]}"
}

@test "shards: numbers and schedulers" {
  local env
  refuses shard-value 2 "$lockstep" run -p p.json -o out --shard 4/4 "${coco[@]}"
  [[ $stderr == *'shards count from 0: the last one is 3/4'* ]]
  for n in 5/4 1/0 0/10001 /4 1/ x -1/4 1/4/4 ' 1/4' 1/+4 99999999999/99999999999; do
    refuses shard-value 2 "$lockstep" run -p p.json -o out "--shard=$n" "${coco[@]}"
  done
  refuses shard-value 2 "$lockstep" run -p p.json -o out --shard auto "${coco[@]}"
  # chosen EXPECTED WORD VARIABLE=VALUE...
  chosen() {
    local expected=$1 word=$2
    shift 2
    run -0 env "$@" "$lockstep" run -p p.json --dry-run --shard "$word" "${coco[@]}"
    [[ $output == *"lockstep: shard $expected, by "* ]] || { echo "$output" | tail -3; return 1; }
  }
  slurm=(SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_COUNT=4)
  chosen 2/4 auto "${slurm[@]}"
  chosen 7/16 auto/16 "${slurm[@]}"
  chosen 2/8 auto SGE_TASK_ID=3 SGE_TASK_FIRST=1 SGE_TASK_LAST=8 SGE_TASK_STEPSIZE=1
  chosen 3/5 auto AWS_BATCH_JOB_ARRAY_INDEX=3 AWS_BATCH_JOB_ARRAY_SIZE=5
  chosen 3/5 auto/5 JOB_COMPLETION_INDEX=3
  chosen 3/5 auto/5 PBS_ARRAY_INDEX=3
  chosen 2/5 parallel/5 PARALLEL_SEQ=3
  for env in "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_COUNT=3" \
    "SGE_TASK_ID=3 SGE_TASK_FIRST=1 SGE_TASK_LAST=9 SGE_TASK_STEPSIZE=2" "JOB_COMPLETION_INDEX=3" "PBS_ARRAY_INDEX=3" \
    "PARALLEL_SEQ=3" "SGE_TASK_ID=undefined"; do
    # shellcheck disable=SC2086 # words
    refuses shard-value 2 env $env "$lockstep" run -p p.json --dry-run --shard auto "${coco[@]}"
  done
}

@test "shards: each image is of one shard, whatever images there are beside it" {
  local i
  for i in 0 1 2; do "$lockstep" run -p p.json --dry-run --shard $i/3 "${coco[@]}" | jq -r .source > part$i; done
  sort part0 part1 part2 | diff - <(jq -r '.images[].file_name' "$samples/annotations.json" | sort)
  "$lockstep" run -p p.json --dry-run --shard 1/3 -i "$samples/images/street" | jq -r '"street/" + .source' > /dev/null
  "$lockstep" run -p p.json --dry-run --shard 1/3 "${coco[@]}" --exclude '*1.jpg' | jq -r .source | diff - <(grep -v '1.jpg' part1)
}

@test "shards: a merge that was killed as it put files in their place, and then other images" {
  jq . "$samples/annotations.json" > as.json
  shards 2 -i "$samples/images" -a as.json
  run ! bash -c "exec strace -qq -o /dev/null -e trace=renameat2 -e inject=renameat2:signal=KILL:when=3 $lockstep merge -q --durability none out"
  [ -e out/run.json ]
  jq '.annotations[0].bbox[0] += 1' as.json > moved.json
  find out/images -type f | sort > before
  for i in 1 0; do
    go out --shard $i/2 -i "$samples/images" -a moved.json --resume
    find out/images -type f | sort | diff before -
  done
  "$lockstep" merge -q --durability none out
  go whole -i "$samples/images" -a moved.json
  same_tree whole out
}

@test "shards: folders of others stay while a shard removes what it does again; none is left empty" {
  mkdir -p in/a in/b
  cp "$samples/images/street/0001.jpg" in/a/1.jpg
  cp "$samples/images/street/0001.jpg" in/b/2.jpg
  shards 2 -i in
  rm -r in/b
  strace -f -qq -o trace.txt -e trace=unlinkat "$lockstep" run -q --durability none -p p.json -o out --shard 0/2 -i in --resume
  strace -f -qq -o more.txt -e trace=unlinkat "$lockstep" run -q --durability none -p p.json -o out --shard 1/2 -i in --resume
  run ! grep -h AT_REMOVEDIR trace.txt more.txt
  "$lockstep" merge -q out
  go whole -i in
  same_tree whole out
}

@test "shards: outputs of two shards that collide are refused by each" {
  mkdir in
  cp "$samples/images/street/0001.jpg" in/a.jpg
  cp "$samples/images/street/0001.jpg" in/a.jpeg
  for i in 0 1 2 3; do
    refuses name-collision 4 "$lockstep" run -p p.json -o out -i in --format png --shard $i/4
  done
}
