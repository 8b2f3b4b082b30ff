#!/usr/bin/env bats
# Shards in several folders, of machines without a common disk, and their merge into another folder.
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

# divided OPTION...: shards 0 and 2 of 4 in a, 3 in b, 1 in c, of inputs that are elsewhere on one of the machines.
divided() {
  rm -rf a b c out
  go a --shard 0/4 "$@" && go b --shard 3/4 "$@" && go c --shard 1/4 "$@" && go a --shard 2/4 "$@"
}

merge() { "$lockstep" merge -q --durability none "$@"; }

# kept: prints names and hashes of the files in the sources.
kept() { find a b c -type f -exec sha256sum {} + | sort -k 2; }

@test "merge: shards in three folders are the run, linked, copied or moved" {
  local how
  go whole "${coco[@]}" -n 2 --masks "$samples/masks" --checksums
  for how in hard copy move; do
    divided "${coco[@]}" -n 2 --masks "$samples/masks" --checksums
    kept > before
    merge a b c -o out --link $how
    same_tree whole out
    file=$(cd out && find images -type f | sort | head -1)
    case $how in
      move) [ -z "$(find a b c -mindepth 1)" ] ;;
      *) kept | diff before - ;;
    esac
    [ "$(stat -c %h "out/$file")" = "$([ $how = hard ] && echo 2 || echo 1)" ]
    run -0 "$lockstep" merge a b c -o out --link $how
    [[ $output == *'out is finished: there is nothing to merge'* ]]
    same_tree whole out
    "$lockstep" verify -q out
  done
}

@test "merge: labels of other formats, skipped images, inputs that lie elsewhere, and one folder alone" {
  cp -r "$samples/images" in
  echo no > in/park/0002.jpg
  cp -r in elsewhere && cp "$samples/annotations.json" as.json
  for to in coco yolo; do
    rm -rf whole a b c out
    go whole -i in -a as.json --on-error skip --to $to --lossy || [ $? = 1 ]
    go a -i in -a as.json --on-error skip --to $to --lossy --shard 0/2 || [ $? = 1 ]
    go b -i elsewhere -a as.json --on-error skip --to $to --lossy --shard 1/2 || [ $? = 1 ]
    run -1 merge a b -o out
    same_tree whole out
  done
  rm -rf whole out a
  go whole "${coco[@]}"
  for i in 0 1; do go a "${coco[@]}" --shard $i/2; done
  merge a -o new/folder/out
  same_tree whole new/folder/out
  merge a
  same_tree whole a
  rm -rf whole a b c out
  go whole "${coco[@]}" --out-format webdataset --checksums
  for how in hard move; do
    divided "${coco[@]}" --out-format webdataset --checksums
    merge a b c -o out --link $how
    same_tree whole out
  done
  [ -z "$(find a b c -mindepth 1)" ]
}

@test "merge: what cannot be put together is refused, and nothing is made" {
  divided "${coco[@]}"
  kept > before
  refuses option-missing 2 "$lockstep" merge a b c
  refuses option-unused 2 "$lockstep" merge a --link copy
  refuses operand-missing 2 "$lockstep" merge -o out
  refuses out-missing 4 "$lockstep" merge a b nowhere -o out
  refuses shard-twice 6 "$lockstep" merge a b c ./b -o out
  [[ $stderr == *'./b: it is the same folder as b'* ]]
  refuses shard-missing 6 "$lockstep" merge a c -o out
  [[ $stderr == *'shard 3/4: no folder has it'* ]]
  refuses out-inside 6 "$lockstep" merge a b c -o a/images/out
  refuses out-inside 6 "$lockstep" merge a b c -o .
  cp -r b again
  refuses shard-twice 6 "$lockstep" merge a b c again -o out
  [[ $stderr == *'again: shard 3/4: it is done in b, too; leave out one of these folders'* ]]
  rm -r again
  mkdir full && echo mine > full/file
  refuses out-occupied 6 "$lockstep" merge a b c -o full
  refuses merge-none 6 "$lockstep" merge a b c full -o out
  go other "${coco[@]}"
  refuses merge-none 6 "$lockstep" merge a b c other -o out
  go whole "${coco[@]}" --seed 9
  refuses out-occupied 6 "$lockstep" merge a b c -o whole --link move
  go more "${coco[@]}" --shard 0/3
  refuses shard-count 6 "$lockstep" merge a b c more -o out
  refuses out-shards 6 "$lockstep" merge a b c -o more
  go seed "${coco[@]}" --shard 3/4 --seed 9
  refuses shard-key 6 "$lockstep" merge a seed c -o out
  [[ $stderr == *'seed: shard 3/4: it was made from another dataset'* ]]
  echo no > file
  refuses out-unwritable 5 "$lockstep" merge a b c -o file
  mv "$(find a/images -type f | sort | head -1)" kept.jpg
  refuses shard-damaged 6 "$lockstep" merge a b c -o out
  head -c 1000 kept.jpg > "$(sed -n 's|.*  a/|a/|p' before | grep a/images | head -1)"
  refuses shard-damaged 6 "$lockstep" merge a b c -o out
  [ ! -e out ]
  [ "$(cat full/file)" = mine ]
  mv kept.jpg "$(sed -n 's|.*  a/|a/|p' before | grep a/images | head -1)"
  kept | diff before -
}

@test "merge: a shard that was started on one machine and done on another counts as the finished one" {
  go whole "${coco[@]}"
  divided "${coco[@]}"
  (exec strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=7 \
    "$lockstep" run -q -j 1 --durability none -p p.json -o c --shard 2/4 "${coco[@]}") || true
  mv a/.lockstep/shards/2-of-4 kept
  refuses shard-unfinished 6 "$lockstep" merge a b c -o out
  [[ $stderr == *'c: shard 2/4: it is not done: '* ]]
  mv kept a/.lockstep/shards/2-of-4
  merge a b c -o out --link move
  same_tree whole out
  # files that are not in the result stay
  [ -e c/.lockstep/shards/2-of-4/journal ]
  [ -z "$(find a b -mindepth 1)" ]
  merge a b c -o out --link move
}

@test "merge: what the result has lost, or what cannot be removed, is not forgotten where it came from" {
  divided "${coco[@]}"
  merge a b c -o out --link copy
  file=$(cd a && find images -type f | sort | head -1)
  rm "out/$file"
  run -0 --separate-stderr "$lockstep" merge a b c -o out --link move
  [[ $stderr == *'out is complete, but the moved files cannot be removed from their old folder: a/'*': it is not in the result; '*'[out-scratch]'* ]]
  [ -e "a/$file" ]
  # one cannot be removed, and a folder neither: they go the next time
  divided "${coco[@]}"
  strace -qq -o trace.txt -e trace=unlinkat "$lockstep" merge -q a b c -o out --link move
  for what in '[.]jpg' '"street", AT_REMOVEDIR) *= 0'; do
    divided "${coco[@]}"
    n=$(grep -n "$what" trace.txt | head -1 | cut -d : -f 1)
    run -0 --separate-stderr strace -qq -o /dev/null -e trace=unlinkat -e inject=unlinkat:error=EIO:when=$n "$lockstep" merge a b c -o out --link move
    [[ $stderr == *'out is complete, but the moved files cannot be removed from their old folder: '* ]]
    merge a b c -o out --link move
    [ -z "$(find a b c -mindepth 1)" ]
  done
}

@test "merge: killed at any step, it is done again, and nothing is lost" {
  local how name n every killed
  go whole "${coco[@]}" --checksums
  divided "${coco[@]}" --checksums
  mkdir parts && cp -r a b c parts
  for how in hard copy move; do
    rm -rf a b c out && cp -r parts/. .
    kept > before
    strace -qq -o trace.txt -e trace=linkat,unlinkat,renameat2,renameat,pwrite64,write,mkdirat "$lockstep" merge -q --durability none a b c -o out --link $how
    awk -F'[(]' '/^(linkat|unlinkat|renameat2|renameat|pwrite64|write|mkdirat)\(/ {print $1, ++n[$1]}' trace.txt > steps
    every=$(($(wc -l < steps) / 12 + 1)) killed=0
    while read -r name n; do
      rm -rf a b c out && cp -r parts/. .
      (exec strace -qq -o /dev/null -e "trace=$name" -e "inject=$name:signal=KILL:when=$n" \
        "$lockstep" merge -q --durability none a b c -o out --link $how) || killed=$((killed + 1))
      merge a b c -o out --link $how
      same_tree whole out || { echo "$how $name $n"; return 1; }
      if [ $how = move ]; then [ -z "$(find a b c -mindepth 1)" ]; else kept | diff before -; fi || { echo "$how $name $n"; return 1; }
    done < <(awk -v every=$every 'NR % every == 0' steps)
    [ $killed -ge 8 ]
  done
}

@test "merge: disks that are full, links that cannot be made, and signals leave everything as it was" {
  local how
  go whole "${coco[@]}"
  divided "${coco[@]}"
  kept > before
  # failing FAULT EXIT COMMAND...
  failing() {
    refuses "$1" "$2" strace -qq -o /dev/null -e "trace=${3%%:*}" -e "inject=$3" "$lockstep" merge a b c -o out "${@:4}"
    [ ! -e out ]
    kept | diff before -
  }
  failing out-unwritable 5 write:error=ENOSPC:when=2
  failing out-unwritable 5 sendfile:error=ENOSPC:when=3 --link copy
  failing out-unwritable 5 mkdirat:error=EROFS:when=3
  failing out-unwritable 5 linkat:error=EXDEV:when=4
  [[ $stderr == *'it cannot be linked'*'use --link copy'* ]]
  failing interrupted 143 linkat:signal=TERM:when=3
  strace -qq -o /dev/null -e trace=linkat -e inject=linkat:error=EXDEV:when=2+ "$lockstep" merge -q a b c -o out --link move
  same_tree whole out
  [ -z "$(find a b c -mindepth 1)" ]
}

@test "merge: in their own folder, too, an image that is missing or cut short is refused, and so is --no-preflight" {
  local i
  for i in 0 1; do go out "${coco[@]}" --shard $i/2; done
  cp -a out whole
  rm "$(find out/images -type f | sort | head -1)"
  truncate -s 1000 "$(find out/images -type f | sort | tail -1)"
  run -6 --separate-stderr "$lockstep" merge -q out
  [[ $stderr == *'[shard-damaged]'* ]] && [ ! -e out/run.json ]
  run -2 "$lockstep" merge -q out --no-preflight
  for i in 0 1; do go out "${coco[@]}" --shard $i/2 --resume; done
  "$lockstep" merge -q out
  "$lockstep" merge -q whole
  same_tree whole out
}
