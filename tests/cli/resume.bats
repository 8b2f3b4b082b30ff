#!/usr/bin/env bats
# A stopped run is resumed: whatever stopped it and whatever changed meanwhile, --resume leaves the result of an
# undisturbed run.
# shellcheck disable=SC2016,SC2154 # changes are evaluated later; run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  ulimit -c 0
  pipeline steps.json '{"type": "RandomHorizontalFlip"}, {"type": "RandomCrop", "size": [60, 60], "pad_if_needed": true}'
  mkdir -p in/deep
  cp "$samples/images/street/0001.jpg" in/a.jpg
  cp "$samples/images/street/0001.jpg" in/b.jpg
  cp "$samples/images/street/0001.jpg" in/deep/c.jpg
  cp "$samples/images/street/0001.jpg" in/deep/d.jpg
  cp "$samples/images/street/0001.jpg" in/e.jpg
  jq -c '
    .images[0] as $image
    | [.annotations[] | select(.image_id == $image.id)] as $objects
    | .images = [["a.jpg", "b.jpg", "deep/c.jpg", "deep/d.jpg", "e.jpg"] | to_entries[]
        | $image + {id: (.key + 1), file_name: .value}]
    | .annotations = [range(5) as $i | $objects[] | . + {id: (.id * 10 + $i), image_id: ($i + 1)}]' \
    "$samples/annotations.json" > in.json
}

teardown() {
  [ -z "${mounted:-}" ] || umount -l "$mounted"
}

# go OUT [options]
go() {
  local out=$1
  shift
  "$lockstep" run -q -p steps.json -i in -a in.json -o "$out" -n 2 -j 1 "$@"
}

# interrupted [options]: makes a run in out whose supervisor is killed when some images are done.
interrupted() {
  rm -rf out
  (exec strace -qq -o /dev/null -e trace=pwrite64 -e "inject=pwrite64:signal=KILL:when=${when:-6}" \
    "$lockstep" run -q -p steps.json -i in -a in.json -o out -n 2 -j 1 "$@") || true
  [ -e out/.lockstep/journal ] && [ ! -e out/run.json ]
}

# done_again [options]: how many images the worker of a --resume of out reads. An image that it only asks to be fetched
# does not count.
done_again() {
  strace -f -qq -e trace=openat,fadvise64 -o trace.txt "$lockstep" run -q -p steps.json -i in -a in.json -o out -n 2 -j 1 \
    --no-preflight --resume "$@" || return
  sed -i "/^$(sed -n '1s/ .*//p' trace.txt) /d" trace.txt # of the supervisor
  echo $(($(grep -c 'jpg", O_RDONLY|O_NONBLOCK' trace.txt) - $(grep -c FADV_WILLNEED trace.txt)))
}

@test "resume: a run that is killed at any step goes on to the same bytes" {
  local name n killed=0
  go clean
  strace -qq -o trace.txt -e trace=mkdir,mkdirat,unlinkat,rmdir,renameat2,pwrite64,write,openat,ftruncate \
    "$lockstep" run -q -p steps.json -i in -a in.json -o first -n 2 -j 1
  while read -r name n; do
    rm -rf out
    if (exec strace -qq -o /dev/null -e "trace=$name" -e "inject=$name:signal=KILL:when=$n" \
      "$lockstep" run -q -p steps.json -i in -a in.json -o out -n 2 -j 1); then
      # How often the worker is given images, by a write each, hangs on the time.
      [ "$name" = write ] && same_tree clean out || { echo "it was not killed at $name $n"; return 1; }
      continue
    fi
    go out --resume 2> err.txt || { echo "killed at $name $n:"; cat err.txt; return 1; }
    same_tree clean out || { echo "killed at $name $n"; return 1; }
    killed=$((killed + 1))
  done < <(awk -F '(' '/^[a-z0-9]+\(/ { n[$1]++ }
    /^openat/ && !/O_CREAT/ { next }
    /^[a-z0-9]+\(/ { print $1, n[$1] }' trace.txt)
  echo "# killed at $killed steps" >&3
  [ "$killed" -ge 20 ]
}

@test "resume: one that is killed while it resumes goes on, too" {
  local n
  go clean
  when=8 interrupted
  cp -a out half
  for ((n = 1; n < 12; n++)); do
    (exec strace -qq -o /dev/null -e trace=pwrite64 -e "inject=pwrite64:signal=KILL:when=$n" \
      "$lockstep" run -q -p steps.json -i in -a in.json -o out -n 2 -j 1 --resume) || true
    go out --resume
    same_tree clean out
    rm -rf out
    cp -a half out
  done
}

@test "resume: what is done is not done again" {
  go clean
  when=8 interrupted
  n=$(done_again)
  [ "$n" -gt 0 ] && [ "$n" -lt 5 ] || { echo "$n were read"; return 1; }
  same_tree clean out
}

@test "resume: of chosen images, a changed one is done again, whatever happened to the others" {
  local chosen=(--include b.jpg --include deep/d.jpg --include e.jpg) changed extra n left
  when=6 interrupted "${chosen[@]}"
  cp -a out before
  left=$(done_again "${chosen[@]}")
  [ "$left" -gt 0 ] && [ "$left" -lt 3 ] || { echo "$left were left"; return 1; }
  cp -a in in.before
  while read -r extra changed; do
    rm -rf out in clean && cp -a before out && cp -a in.before in
    cp -f "$samples/images/street/0001.jpg" "in/$changed" # the same bytes, at another time
    n=$(done_again "${chosen[@]}")
    [ "$n" -eq $((left + extra)) ] || { echo "$changed: $n were read"; return 1; }
    go clean "${chosen[@]}"
    same_tree clean out
  done << 'END'
0 a.jpg
0 deep/c.jpg
1 b.jpg
1 deep/d.jpg
END
  # Killed again, a record that was voided stays so.
  rm -rf out in clean && cp -a before out && cp -a in.before in
  cp -f "$samples/images/street/0001.jpg" in/deep/d.jpg
  (exec strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=3 \
    "$lockstep" run -q -p steps.json -i in -a in.json -o out -n 2 -j 1 --resume "${chosen[@]}") || true
  go out --resume "${chosen[@]}"
  go clean "${chosen[@]}"
  same_tree clean out
}

# looks_at NAME: how often a --resume of out opens the image to read it.
looks_at() {
  grep -c "\"$1\", O_RDONLY|O_NONBLOCK" trace.txt
}

@test "resume: before work, only images are looked at that the journal does not vouch for" {
  go clean
  interrupted
  strace -f -qq -e trace=openat -o trace.txt "$lockstep" run -q -p steps.json -i in -a in.json -o out -n 2 -j 1 --resume
  [ "$(looks_at a.jpg)" -eq 0 ]
  [ "$(looks_at e.jpg)" -ge 2 ]
  same_tree clean out
}

@test "resume: what is wrong with an image that changed or was not done is found before work" {
  local name
  go clean
  interrupted
  cp -a out before
  cp in.json whole.json
  for name in a.jpg e.jpg; do
    cp "in/$name" whole.jpg
    echo nonsense > "in/$name"
    run --separate-stderr go out --resume
    [ "$status" -eq 4 ]
    [[ $stderr == *"$name: "*'1 of 5 images cannot be done, and nothing was written'* ]]
    same_tree before out
    cp whole.jpg "in/$name"
  done
  for name in 1 5; do
    jq -c --argjson id "$name" '(.annotations[] | select(.image_id == $id) | .bbox) = [1, 2]' whole.json > in.json
    run --separate-stderr go out --resume
    [ "$status" -eq 4 ]
    [[ $stderr == *'bbox'* ]]
    same_tree before out
  done
  cp whole.json in.json
  go out --resume
  same_tree clean out
}

@test "resume: a folder that another run writes to is refused while that one lasts" {
  interrupted
  cp -a out before
  (
    exec 9<> out/.lockstep/lock
    python3 -c 'import fcntl, struct; fcntl.fcntl(9, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))'
    run --separate-stderr go out --resume
    [ "$status" -eq 6 ]
    [[ $stderr == *'[out-in-use]'* ]]
  )
  same_tree before out
}

@test "resume: images that change, come and go meanwhile are as if they had been so from the start" {
  local change
  for change in 'touch -d 2001-01-01 in/a.jpg' 'cp "$samples/images/hills/0003.png" in/deep/c.jpg' 'rm in/b.jpg' \
    'cp in/a.jpg in/aa.jpg' 'mv in/deep/d.jpg in/z.jpg'; do
    rm -rf in.keep clean && cp -a in in.keep
    rm -rf out
    (exec strace -qq -o /dev/null -e trace=pwrite64 -e "inject=pwrite64:signal=KILL:when=9" \
      "$lockstep" run -q -p steps.json -i in -o out -n 2 -j 1) || true
    [ -e out/.lockstep/journal ]
    eval "$change"
    "$lockstep" run -q -p steps.json -i in -o clean -n 2 -j 1
    "$lockstep" run -q -p steps.json -i in -o out -n 2 -j 1 --resume
    same_tree clean out || { echo "after: $change"; return 1; }
    rm -rf in && mv in.keep in
  done
}

@test "resume: of other annotations, only the images that they changed are done again" {
  local change expected n
  when=8 interrupted
  cp -a out before
  cp in.json old.json
  while read -r expected change; do
    rm -rf out clean && cp -a before out
    jq -c "$change" old.json > in.json
    go clean
    n=$(done_again) || { echo "of: $change: $n"; return 1; }
    [ "$n" -eq "$expected" ] || { echo "$n were read, not $expected, of: $change"; return 1; }
    same_tree clean out || { echo "of: $change"; return 1; }
  done << 'END'
1 .
1 .info.description = "it stands elsewhere"
1 .images |= [.[3], .[0], .[2], .[1], .[4]]
2 (.annotations[] | select(.image_id == 1)).note = "other"
2 del(.annotations[0])
1 .annotations |= [.[] | select(.image_id == 5)] + [.[] | select(.image_id != 5)]
5 .annotations |= map(.note = "other")
5 .images |= map(.license = 99)
2 .images[0].license = 99
END
}

@test "resume: of other annotations, an image that fails names the new place" {
  jq -c '(.annotations[] | select(.image_id == 2)).segmentation = 7' in.json > new.json && mv new.json in.json
  when=10 interrupted --on-error skip
  jq -c '.annotations |= [.[] | select(.image_id == 5)] + [.[] | select(.image_id != 5)]' in.json > new.json
  mv new.json in.json
  run -1 go clean --on-error skip
  run -1 go out --on-error skip --resume
  same_tree clean out
}

@test "resume: an image that failed is tried again when it was repaired, or when it ends the run" {
  cp in/b.jpg good.jpg
  go clean
  head -c 3000 good.jpg > in/b.jpg
  run -4 --separate-stderr go out
  [[ $stderr == *b.jpg* && $stderr == *"go on with --resume"*--overwrite* ]]
  run -4 --separate-stderr go out --resume
  [[ $stderr == *b.jpg* ]]
  cp good.jpg in/b.jpg
  go out --resume
  same_tree clean out
}

@test "resume: an image that was skipped stays so until its file changes" {
  cp in/b.jpg good.jpg
  head -c 3000 good.jpg > in/b.jpg
  run -1 go clean --on-error skip
  when=9 interrupted --on-error skip
  run -1 go out --on-error skip --resume
  same_tree clean out
  # The exit code of the run that finished it, however often it is asked.
  run -1 --separate-stderr "$lockstep" run -p steps.json -i in -a in.json -o out -n 2 --on-error skip --resume
  [[ $stderr == *'out is finished'* ]]
  rm -rf clean out
  when=9 interrupted --on-error skip
  cp good.jpg in/b.jpg
  go clean --on-error skip
  go out --on-error skip --resume
  same_tree clean out
}

@test "resume: outputs that are gone or shorter are made again; of others, --verify-resume reads the bytes" {
  local file
  go clean
  for file in $(cd clean && find images -type f | sort | head -n 3); do
    when=9 interrupted
    [ -e "out/$file" ] || continue
    rm "out/$file"
    go out --resume
    same_tree clean out
    when=9 interrupted
    truncate -s -1 "out/$file"
    go out --resume
    same_tree clean out
    when=9 interrupted
    printf X | dd of="out/$file" bs=1 seek=200 conv=notrunc status=none
    go out --resume --verify-resume
    same_tree clean out
  done
}

# Values of an option that make another job, and values that keep it the same; each option of `run` is in one of the
# lists.
other_jobs() {
  cat << 'END'
pipeline -p other.json
masks --masks masks
mask-name --masks masks --mask-name {dir}/{stem}.png
strip-prefix -i stripped --strip-prefix deep/
match --match basename
name-template --name-template {dir}/{stem}_{ext}__{copy}
annotations -a few.json
categories -a named.json
image-list -a results.json --image-list in.json
copies -n 3
seed --seed 8
checksums --checksums
include-original --include-original
format --format png
quality --quality 50
metadata --metadata strip
optimize --optimize fast
exif --exif ignore
trust --trust file
on-frames --on-frames fail
compat --compat lenient
include --include e.*
exclude --exclude a.jpg
images-from --images-from few.txt
categories --categories person
out-format --out-format webdataset
shard-size --out-format webdataset --shard-size 2
plugin --plugin ./swirl.so
stamps --stamps stamps
font --font font.ttf
anchors --anchors boxes.csv
END
}
same_jobs() {
  cat << 'END'
jobs -j 3
to --to same
lossy --to coco --lossy
on-error --on-error skip
max-errors --on-error skip --max-errors 0
timeout --timeout 0
max-memory --max-memory 1000
max-pixels --max-pixels 100000000
sandbox --sandbox off
message-format --message-format json
no-follow --no-follow
verify-resume --verify-resume
durability --durability none
durability --durability file
no-preflight --no-preflight
verbose --verbose
progress --progress plain
seed --seed 7
copies -n 2
format --format same
quality --quality 95
metadata --metadata keep
optimize --optimize exact
optimize --optimize none
exif --exif apply
trust --trust both
on-frames --on-frames first
match --match path
one-hot --one-hot hot.csv
END
}

# resumes [options]: resumes out with the options of `go` that are not given instead.
resumes() {
  local merged
  with_defaults '-p steps.json' '-a in.json' '-i in' '-n 2' '-j 1' -- "$@"
  "$lockstep" run -o out --resume "${merged[@]}"
}

inputs_of_others() {
  local name
  pipeline other.json '{"type": "horizontal_flip"}'
  python3 "$here/tools/stamps.py" stamps
  ln -s "$font" font.ttf
  mkdir -p masks/deep
  needs_built plugins/swirl.so || return
  cp "${tools%/tests}/plugins/swirl.so" .
  cp -a in stripped
  cp -a in/deep/* stripped
  for name in a b deep/c deep/d e; do cp "$samples/masks/street/0001.png" masks/$name.png; done
  jq -c '.annotations |= .[:3]' in.json > few.json
  echo e.jpg > few.txt
  echo 0,0,8,8 > boxes.csv
  jq -c '.categories[0].name += "s"' in.json > named.json
  jq -c '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' in.json > results.json
}

@test "resume: another job is refused, with what differs, and nothing is touched" {
  local name words
  inputs_of_others
  when=9 interrupted
  cp -a out before
  go whole
  while read -r name words; do
    [ "$name" != annotations ] || continue # of an unfinished run, these may change
    rm -rf out && cp -a before out
    # shellcheck disable=SC2086 # words
    run --separate-stderr resumes $words
    [ "$status" -eq 6 ] || { echo "$words: $status: $stderr"; return 1; }
    [[ $stderr == *"${name/image-list/format}"*'[resume-key]'* ]] || { echo "$words: $stderr"; return 1; }
    same_tree before out
  done < <(other_jobs)
  while read -r name words; do
    rm -rf out && cp -a whole out
    # shellcheck disable=SC2086 # words
    run --separate-stderr resumes $words
    [ "$status" -eq 6 ] || { echo "$words: $status: $stderr"; return 1; }
    [[ $stderr == *'[resume-key]'* ]] || { echo "$words: $stderr"; return 1; }
    same_tree whole out
  done < <(other_jobs; echo limit --limit 3)
}

@test "resume: of masks that are called otherwise, none stays" {
  inputs_of_others
  go_masked() { "$lockstep" run -q -p steps.json -i in -a in.json --masks masks -j 1 "$@"; }
  (exec strace -qq -o /dev/null -e trace=pwrite64 -e "inject=pwrite64:signal=KILL:when=6" \
    "$lockstep" run -q -p steps.json -i in -a in.json --masks masks -o out -j 1) || true
  [ -e out/.lockstep/journal ]
  for name in a b deep/c deep/d e; do cp -p masks/$name.png masks/${name}_L.png; done
  run -6 --separate-stderr go_masked -o out --mask-name '{dir}/{stem}_L.png' --resume
  [[ $stderr == *'another --mask-name;'*'[resume-key]'* ]]
  go_masked -o out --resume
  rm masks/*_L.png masks/*/*_L.png
  go_masked -o clean
  same_tree clean out
}

@test "resume: what changes no byte may be another, and what is as it was may be said" {
  local name words
  when=9 interrupted
  cp -a out before
  go clean
  while read -r name words; do
    rm -rf out && cp -a before out
    # shellcheck disable=SC2086 # words
    resumes -q $words || { echo "$words"; return 1; }
    same_tree clean out || { echo "$words"; return 1; }
    # shellcheck disable=SC2086 # words
    resumes -q $words || { echo "finished: $words"; return 1; }
    same_tree clean out || { echo "finished: $words"; return 1; }
  done < <(same_jobs)
  # With fewer images it is another dataset, but an unfinished run may continue with it.
  rm -rf out clean && cp -a before out
  go clean --limit 3
  resumes -q --limit 3
  same_tree clean out
}

@test "resume: each option of run is known to change the result, or not to" {
  comm -3 <("$lockstep" run --help-all | sed -nE 's/^ +(-., )?--([a-z-]+).*/\2/p' | sort -u) \
    <({ other_jobs; same_jobs; printf "%s\n" images out labels limit shard overwrite resume dry-run quiet classes voc-base voc-integers part apply-to balance link max-copies repeat-threshold strict-parts; } |
      cut -d ' ' -f 1 | sort -u) > unknown.txt
  [ ! -s unknown.txt ] || { cat unknown.txt; return 1; }
}

@test "resume: an unfinished folder names --resume first, and --overwrite second" {
  when=9 interrupted
  run -6 --separate-stderr go out
  [[ $stderr == *--resume*--overwrite*'[out-unfinished]'* ]]
  go clean
  go out --overwrite
  same_tree clean out
}

@test "resume: a finished folder is left alone" {
  go out
  cp -a out before
  run -0 --separate-stderr go out --resume
  same_tree before out
  run -6 --separate-stderr go out --resume --seed 9
  [[ $stderr == *'[resume-key]'* ]]
  run -6 --separate-stderr "$lockstep" run -q -p steps.json -i in -o out -n 2 --resume
  jq -c '.annotations |= map(.note = "other")' in.json > other.json
  run -6 --separate-stderr "$lockstep" run -q -p steps.json -i in -a other.json -o out -n 2 --resume
  [[ $stderr == *'was of another dataset'*'[resume-key]'* ]]
  same_tree before out
  rm out/images/a__a000.jpg
  run -6 --separate-stderr go out --resume
  [[ $stderr == *'[out-damaged]'* ]]
}

@test "resume: a finished run is not taken for the result of an image that is newer" {
  touch -d '+1 day' in/e.jpg # a clock that was wrong says nothing
  go out
  cp -a out before
  go out --resume
  sleep 0.1
  cp "$samples/images/street/0001.jpg" in/deep/c.jpg
  run -6 --separate-stderr go out --resume
  [[ $stderr == *'finished, and deep/c.jpg is newer'*'[resume-newer]'* ]]
  same_tree before out
  go out --overwrite
  go out --resume
}

# sized FILE...: files of one size and time, whatever the images in them.
sized() { truncate -s 400000 "$@" && touch -d 2020-01-01 "$@"; }

# altered FROM TO: a copy of a JPEG with other pixels.
altered() { cp --remove-destination "$1" "$2" && printf x | dd of="$2" bs=1 seek=9000 conv=notrunc status=none; }

@test "resume: images that others of equal size and time have replaced are done again" {
  local how
  for how in 'cat "$new" > "$old"' 'cp "$new" x && sized x && mv x "$old"' 'ln -f "$new" "$old"' 'rm "$old" && cp "$new" "$old"'; do
    rm -rf in out clean
    mkdir -p in/deep
    for old in in/{a,b,deep/c,deep/d,e}.jpg; do cp "$samples/images/street/0001.jpg" $old; done
    sized in/*.jpg in/deep/*.jpg
    when=9 interrupted
    # shellcheck disable=SC2034 # eval reads it
    new=new.jpg && altered in/a.jpg new.jpg
    for old in in/a.jpg in/deep/c.jpg; do eval "$how"; done
    sized in/a.jpg in/deep/c.jpg
    go out --resume
    go clean
    same_tree clean out || { echo "$how"; return 1; }
  done
}

@test "resume: masks, images in a tar and images that were borrowed, replaced by others of equal size and time" {
  mkdir masks masks/deep other
  for name in a b deep/c deep/d e; do cp "$samples/masks/street/0001.png" masks/$name.png; done
  sized masks/*.png masks/deep/*.png in/*.jpg in/deep/*.jpg
  when=9 interrupted --masks masks
  pipeline flip.json '{"type": "horizontal_flip"}'
  "$lockstep" run -q -p flip.json -i "$samples/masks/street" -o flipped --limit 1
  cp flipped/images/0001.png masks/a.png && sized masks/a.png
  go out --masks masks --resume
  go clean --masks masks
  same_tree clean out
  rm -rf out clean

  tar -cf in.tar --mtime=@0 --sort=name -C in . && touch -d @0 in.tar
  mv in given && in=(-i in.tar)
  (exec strace -qq -o /dev/null -e trace=pwrite64 -e "inject=pwrite64:signal=KILL:when=9" \
    "$lockstep" run -q -p steps.json "${in[@]}" -a in.json -o out -n 2 -j 1) || true
  altered given/b.jpg given/b.jpg.new && mv given/b.jpg.new given/b.jpg && sized given/b.jpg
  tar -cf in.tar --mtime=@0 --sort=name -C given . && touch -d @0 in.tar
  "$lockstep" run -q -p steps.json "${in[@]}" -a in.json -o out -n 2 --resume
  "$lockstep" run -q -p steps.json "${in[@]}" -a in.json -o clean -n 2
  same_tree clean out
  rm -rf out clean && mv given in

  cp steps.json plain.json && pipeline steps.json '{"type": "MixUp"}'
  when=9 interrupted
  [ -e out/.lockstep/journal ]
  altered in/e.jpg new.jpg && mv new.jpg in/e.jpg && sized in/e.jpg
  go out --resume
  go clean
  same_tree clean out
}

@test "resume: a copy of a dataset is the same, by the bytes of its images" {
  when=9 interrupted
  cp -a in copy && rm -rf in && mv copy in
  left=$(done_again)
  [ "$left" -lt 5 ]
  go clean
  same_tree clean out
  rm -rf out && when=9 interrupted
  chmod 600 in/a.jpg && ln in/b.jpg link
  cp -a in copy && printf x | dd of=copy/a.jpg bs=1 seek=9000 conv=notrunc status=none && touch -r in/a.jpg copy/a.jpg
  rm -rf in && mv copy in
  run -0 --separate-stderr "$lockstep" run -p steps.json -i in -a in.json -o out -n 2 -j 1 --resume
  [[ $stderr == *' images were replaced or copied since, '*': 1 changed, and are done again [resume-bytes]'* ]]
  rm -rf clean && go clean
  same_tree clean out
}

@test "resume: of a finished run, an image whose inode changed has its hash, or is refused" {
  go out
  go out --resume
  cp -a in copy && rm -rf in && mv copy in
  run -6 --separate-stderr go out --resume
  [[ $stderr == *'finished, and '*' was replaced or copied since'*'[resume-newer]'* ]]
  go sums --checksums
  sleep 0.1
  cp -a in copy && rm -rf in && mv copy in
  go sums --checksums --resume
  printf x | dd of=in/b.jpg bs=1 seek=9000 conv=notrunc status=none && touch -d 2020-01-01 in/b.jpg
  run -6 --separate-stderr go sums --checksums --resume
  [[ $stderr == *'finished, and b.jpg was replaced or copied since'*'[resume-newer]'* ]]
}

@test "resume: an image that had more pixels than allowed is tried again" {
  head -c 900 in/a.jpg > cut.jpg && mv cut.jpg in/a.jpg
  run -4 go out --on-error skip --max-errors 1 --max-pixels 100
  go clean --on-error skip || [ $? = 1 ]
  run -1 go out --on-error skip --resume
  same_tree clean out
}

@test "resume: so is an image that borrowed one of more pixels than allowed" {
  pipeline larger.json '{"type": "Resize", "size": [960, 1280]}'
  "$lockstep" run -q -p larger.json -i in/e.jpg -o larger
  mv larger/images/e*.jpg in/e.jpg
  pipeline steps.json '{"type": "CutMix"}'
  jq -c '.images[4] |= (.width *= 2 | .height *= 2)' in.json > large.json && mv large.json in.json
  run -4 go out --on-error skip --max-errors 1 --max-pixels 400000
  [[ $output == *'[donor-failed]'* ]]
  go clean
  go out --on-error skip --resume
  same_tree clean out
}

@test "resume: an empty folder, or none, is a run like any other" {
  go clean
  go out --resume
  same_tree clean out
  mkdir empty
  go empty --resume
  same_tree clean empty
}

@test "resume: a folder of others, a folder that cannot be written" {
  mkdir own && echo mine > own/file
  run -6 --separate-stderr go own --resume
  [[ $stderr == *'[out-foreign]'* && $(cat own/file) == mine ]]
  run -6 --separate-stderr go own --resume --overwrite
  [[ $stderr == *'[out-foreign]'* && $(cat own/file) == mine ]]
  when=9 interrupted
  mkdir mounted && mounted=$PWD/mounted
  if [ "$(id -u)" -eq 0 ] && mount --bind out mounted 2> /dev/null && mount -o remount,bind,ro mounted; then
    run -5 --separate-stderr go mounted --resume
    [[ $stderr == *'[out-unwritable]'* ]]
  fi
}

@test "resume: a journal that is cut anywhere, or has a damaged bit, is never believed too far" {
  local size n
  go clean
  when=10 interrupted
  cp -a out half
  size=$(stat -c %s half/.lockstep/journal)
  for ((n = size - 1; n > 0; n -= size / 25)); do
    rm -rf out && cp -a half out
    truncate -s "$n" out/.lockstep/journal
    go out --resume || { echo "cut at $n of $size"; return 1; }
    same_tree clean out || { echo "cut at $n of $size"; return 1; }
    rm -rf out && cp -a half out
    printf '\377' | dd of=out/.lockstep/journal bs=1 seek="$n" conv=notrunc status=none
    cmp -s out/.lockstep/journal half/.lockstep/journal && continue
    go out --resume 2> err.txt || grep -q resume-journal err.txt || { echo "damaged at $n"; cat err.txt; return 1; }
    grep -q resume-journal err.txt || same_tree clean out || { echo "damaged at $n of $size"; return 1; }
  done
}

@test "resume: a journal of another version is refused" {
  when=9 interrupted
  sed -i '1s/journal 2/journal 1/' out/.lockstep/journal
  cp -a out before
  run -6 --separate-stderr go out --resume
  [[ $stderr == *'[resume-journal]'* ]]
  same_tree before out
}
