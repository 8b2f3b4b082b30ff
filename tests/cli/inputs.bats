#!/usr/bin/env bats
# Inputs that fail while they are listed or read, change during a run, lead elsewhere, or have names that control a
# terminal. A run that could not see all of its input does not exit with 0.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  faults=$tools/inputs.so
  needs_built tests/inputs.so
  ulimit -c 0
  pipeline flip.json '{"type": "horizontal_flip"}'
}

# --- names ---

# Characters that terminals act upon: escape sequences, bells, breaks, C1 as a byte and as a character, and characters
# that change the direction of writing.
steering=$'x\e[31m\ay\r\n\x9bz\xc2\x9b-\xe2\x80\xae-\xe2\x81\xa6-\xd8\x9c-\xff'

# calm EXIT WORDS...: the command ends with EXIT (or any, for -), says something, and that calmly.
calm() {
  local expected=$1 status=0
  shift
  "$lockstep" "$@" > said.out 2> said.err < /dev/null || status=$?
  [ "$expected" = - ] || [ "$status" = "$expected" ] || { echo "$*: exit $status"; return 1; }
  [ -s said.err ] || { echo "$*: no message"; return 1; }
  python3 "$here/tools/calm.py" said.err || { echo "in: $(printf '%q ' "$@")"; return 1; }
}

@test "inputs: no message of any command steers the terminal" {
  local x=$steering turned=$'\xe2\x80\xae\xc2\x9b' command
  local -a go=(-p flip.json -i images -o out)
  mkdir images "$x"
  cp "$samples/images/hills/0002.png" images
  cp "$samples/images/hills/0002.png" "$x/$turned.png"
  calm 2 "$x"
  calm 2 run "--$x"
  calm 2 run --copies "$x" "${go[@]}"
  calm 3 run -p "$x" -i images -o out
  calm 4 run -p flip.json -i "no$x" -o out
  calm 4 run "${go[@]}" -a "$x"
  calm 0 run -p flip.json -i images -o "out$x"
  calm 6 run -p flip.json -i images -o "out$x"
  calm 5 run -p flip.json -i images -o /dev/null/"$x"
  calm 4 probe "$x" images "$x/$turned.png"
  calm 2 help "$x"
  calm 2 manual "$x"
  calm 2 describe "$x"
  for command in preview explain profile; do
    calm 2 "$command" -p flip.json -i images "$x"
    calm 4 "$command" -p flip.json -i "no$x"
  done
  calm 2 preview -p flip.json -i images -o "$x"
  calm 5 preview -p flip.json -i images -o "flip.json/$x.png"
  calm 5 compile -p flip.json -o "flip.json/$x"
  # Texts of files: in a message, beside its place, and as the name of an image.
  for name in "$turned" '\u001b[31m' '\u0007' '\u009b'; do
    printf '{"version": 1, "%s": "%s"}' "$name" "$name" > text.json
    calm 3 run -p text.json -i images -o out
    printf '{"images": [{"id": 1, "file_name": "%s"}], "annotations": [], "categories": []}' \
      "$name.png" > text.json
    calm 4 run "${go[@]}" -a text.json
    calm - run -p flip.json -i images -o skipped -a text.json --on-error skip
    rm -rf skipped
  done
  printf '{"version": 1, \xff \x9b' > text.json
  calm 3 run -p text.json -i images -o out
  # Files that fail while they are read, and a folder that leads back to itself.
  : > "images/$turned.png"
  calm 4 run "${go[@]}"
  calm 1 run -p flip.json -i images -o other --on-error skip
  rm "images/$turned.png"
  ln -s . "images/$x"
  calm - run -p flip.json -i images -o round
}

# --- listing ---

# three: makes a folder with an image in each of three folders, and preloads a library that makes reading fail.
three() {
  skip_when_sanitized "$lockstep"
  mkdir -p images/a images/b/c
  cp "$samples/images/hills/0002.png" images/a/1.png
  cp "$samples/images/hills/0002.png" images/b/2.png
  cp "$samples/images/hills/0002.png" images/b/c/3.png
}

# refused CODE VARIABLE=VALUE...: with these set, the run ends with 4 and this code (with 8 where
# memory has run out), whatever is skipped, and writes nothing.
refused() {
  local words="[$1]" skip status=4
  shift
  [[ " $* " != *" FAULT_ERROR=12 "* ]] || { status=8 words="out of memory"; }
  for skip in fail skip; do
    run -$status --separate-stderr env LD_PRELOAD="$faults" "$@" \
      "$lockstep" run -p flip.json -i images -o out --on-error $skip
    # shellcheck disable=SC2154 # run sets it
    [[ $stderr == *"$words"* ]] || { echo "$*: $stderr"; return 1; }
    [ ! -e out ] || { echo "$*: there is an output"; return 1; }
  done
}

@test "inputs: a folder that cannot be listed to its end is a fault, never a smaller one" {
  local path n
  three
  for path in images images/a images/b images/b/c; do
    for n in 0 1 2; do
      refused images-unread FAULT_READDIR=$path FAULT_READDIR_AT=$n
    done
  done
  # Errors of a mount whose server is gone, of exhausted memory or files, and of another user's folder.
  for n in 107 116 5 12 23 24 13; do
    refused images-unread FAULT_OPEN=b/c FAULT_ERROR=$n
    refused images-unread FAULT_TYPES=1 FAULT_STAT=c FAULT_ERROR=$n
  done
  refused images-unread FAULT_TYPES=1 FAULT_STAT=3.png
  FAULT_TYPES=1 LD_PRELOAD=$faults "$lockstep" run -q -p flip.json -i images -o untold
  "$lockstep" run -q -p flip.json -i images -o out
  [ "$(wc -l < out/manifest.jsonl)" = 3 ]
  same_tree out untold
}

@test "inputs: trees as deep as paths may be long are walked, and deeper ones refused" {
  local x
  three
  "$lockstep" run -q -p flip.json -i images -o shallow
  python3 - << 'END'
import os
import shutil
home = os.getcwd()
data = open("images/a/1.png", "rb").read()
# The path below the folder is 4095 bytes with the file's name, more with the folder's.
for root, letters, levels, name in (("long", 250, 16, "x" * 71 + ".png"),
                                    ("many", 1, 2045, "1.png"), ("deep", 1, 2100, "1.png"),
                                    ("deeper", 200, 40, "1.png")):
    os.mkdir(root)
    open(root + "/0.png", "wb").write(data)
    os.chdir(root)
    for i in range(levels):
        os.mkdir("d" * letters)
        os.chdir("d" * letters)
    open(name, "wb").write(data)
    os.chdir(home)
END
  for x in long many; do
    (ulimit -n 40 && "$lockstep" run -p flip.json -i "$PWD/$x" -o out --dry-run) > lines.txt
    [ "$(wc -l < lines.txt)" = 2 ]
    "$lockstep" explain -p flip.json -i "$PWD/$x" > shown.txt
    grep -q '\.png' shown.txt
  done
  for x in deep deeper; do
    run -4 --separate-stderr "$lockstep" run -p flip.json -i "$x" -o out
    [[ $stderr == *d/d*' [images-unread]'* || $stderr == *ddd*' [images-unread]'* ]]
    [ ${#stderr} -lt 400 ]
  done
  [ ! -e out ]
}

@test "inputs: linked folders are walked, wherever they are, but not round and round" {
  three
  mkdir far far/near
  cp "$samples/images/hills/0002.png" far/4.png
  cp "$samples/images/hills/0002.png" far/near/5.png
  ln -s ../../far images/a/far
  ln -s ../far/4.png images/four.png
  ln -s .. images/b/c/up
  ln -s ../../images far/near/home
  run -0 --separate-stderr "$lockstep" run -p flip.json -i images -o out
  [ "$(grep -c 'leads to a parent folder of itself' <<< "$stderr")" = 2 ]
  diff <(jq -r .source out/manifest.jsonl) - << 'END'
a/1.png
a/far/4.png
a/far/near/5.png
b/2.png
b/c/3.png
four.png
END
  # The same folder under two names is two folders.
  mkdir twice
  ln -s ../far twice/x
  ln -s ../far twice/y
  rm far/near/home
  "$lockstep" run -q -p flip.json -i twice -o two
  [ "$(wc -l < two/manifest.jsonl)" = 4 ]
  # The target of a dangling link is unknown.
  ln -s ../gone images/lost
  rm -r out
  refused images-unread X=
}

# --- annotations that change under the run ---

# under: a dataset of 24 images whose annotations are of several pages of memory, and edit.py.
under() {
  skip_when_sanitized "$lockstep"
  mkdir images
  python3 - "$samples/images/hills/0002.png" << 'END'
import json
import sys
images = [{"id": i, "file_name": "%03d.png" % i, "width": 201, "height": 151} for i in range(100, 124)]
for image in images:
    open("images/" + image["file_name"], "wb").write(open(sys.argv[1], "rb").read())
annotations = [{"id": 1000 + i, "image_id": image["id"], "category_id": 1, "bbox": [10, 20, 30, 40],
                "area": 1200, "iscrowd": 0, "note": "x" * 900}
               for i, image in enumerate(images)]
json.dump({"images": images, "annotations": annotations,
           "categories": [{"id": 1, "name": "thing", "supercategory": "things"}]},
          open("notes.json", "w"))
END
  cat > edit.py << 'END'
import os
import sys
status = os.stat("notes.json")
with open("notes.json", "r+b") as f:
    text = f.read()
    what, by = (word.encode() for word in sys.argv[1:])
    assert what in text and len(what) == len(by)
    f.seek(0)
    f.write(text.replace(what, by))
os.utime("notes.json", ns=(status.st_atime_ns, status.st_mtime_ns))
END
  cp notes.json before.json
  "$lockstep" run -q -p flip.json -i images -a notes.json -o expected
}

# changed EXIT COMMAND [RUN'S WORDS...]: while image 112 is read, a shell does the command, which no
# contained worker could start.
changed() {
  local status=$1 command=$2
  shift 2
  cp before.json notes.json
  rm -rf out once
  run -"$status" --separate-stderr env LD_PRELOAD="$faults" FAULT_RUN_ON=112.png \
    FAULT_ONCE="$PWD/once" FAULT_RUN="$command" \
    "$lockstep" run -p flip.json -i images -a notes.json -o out --sandbox off "$@"
  [ -e once ] || { echo "$command: was not done"; return 1; }
  if [ "$status" = 4 ]; then
    [[ $stderr == *'[annotations-changed]'* ]] || { echo "$command: $stderr"; return 1; }
    unfinished out
  fi
}

# In place: the length of the file does not change, and its times can be set back.
edit() { printf 'python3 edit.py %q %q' "$1" "$2"; } # WHAT WITH

@test "inputs: annotations that are edited under a run end it, whatever the clock says" {
  local words command
  under
  for words in '-j 1 --on-error skip' '-j 2 --dry-run'; do
    # shellcheck disable=SC2086 # the words are several
    for command in "$(edit '"image_id": 12' '"image_id": 10')" 'truncate -s 0 notes.json' \
      "$(edit '"supercategory": "things"' '"supercategory": "thongs"')"; do
      changed 4 "$command" $words
    done
  done
  changed 4 "$(edit '"bbox": [10, 20' '"bbox": [20, 10')" -j 2
  changed 4 "$(edit '{' ' ')" -j 2
  # Longer, shorter, with zeros where it was cut, and with another text.
  changed 4 'printf " " >> notes.json' -j 2
  changed 4 'truncate -s 20000 notes.json' -j 2
  changed 4 'truncate -s 0 notes.json && truncate -s 99999 notes.json' -j 2
  changed 4 'tr 0-8 1-9 < before.json > notes.json' -j 2
}

@test "inputs: annotations that are renamed, linked, touched or replaced stay what they were" {
  local command
  under
  for command in 'touch notes.json' 'chmod 600 notes.json' 'ln -f notes.json link.json' \
    'rm notes.json' 'mv notes.json moved.json' 'echo [] > new && mv new notes.json' \
    'cat before.json 1<> notes.json >&1'; do
    changed 0 "$command" -j 2
    same_tree expected out
  done
}

@test "inputs: preview, profile, explain and lists of images notice the change, too" {
  local command
  under
  for command in 'preview -o sheet.png' profile explain; do
    cp before.json notes.json
    rm -f once
    # shellcheck disable=SC2086 # the words are several
    run -4 --separate-stderr env LD_PRELOAD="$faults" FAULT_RUN_ON=112.png FAULT_ONCE="$PWD/once" \
      FAULT_RUN="$(edit '"bbox": [10, 20' '"bbox": [20, 10')" \
      "$lockstep" $command -p flip.json -i images -a notes.json 112.png
    [[ $stderr == *'[annotations-changed]'* ]]
    [ -e once ]
  done
  [ ! -e sheet.png ]
  jq -c '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' before.json > results.json
  rm once
  cp before.json notes.json
  run -4 --separate-stderr env LD_PRELOAD="$faults" FAULT_RUN_ON=112.png FAULT_ONCE="$PWD/once" \
    FAULT_RUN="$(edit '"thing"' '"thong"')" \
    "$lockstep" run -p flip.json -i images -a results.json --image-list notes.json -o out --sandbox off
  [[ $stderr == *'notes.json: '*'[annotations-changed]'* ]]
  unfinished out
}

@test "inputs: a file that is cut short while it is indexed is a fault, not a crash" {
  under
  for words in '' '--dry-run'; do
    for size in 0 4096 9000; do
      cp before.json notes.json
      rm -f once
      # shellcheck disable=SC2086 # the words are several
      run -4 --separate-stderr env LD_PRELOAD="$faults" FAULT_RUN_ON=notes.json \
        FAULT_ONCE="$PWD/once" FAULT_RUN="truncate -s $size notes.json" \
        "$lockstep" run -p flip.json -i images -a notes.json -o out $words
      [[ $stderr == 'lockstep: error: notes.json: '*'[annotations-changed]' ]]
      [ ! -e out ]
    done
  done
}

# --- links ---

@test "inputs: with --no-follow a folder that is exchanged for a link is never looked through" {
  local flag
  local -a errors
  skip_when_sanitized "$lockstep"
  cat > flip.py << 'END'
# Put the link in the folder's place and back again, until there are words on stdin.
import ctypes
import select
import sys
import time
libc = ctypes.CDLL(None, use_errno=True)
print("ready", flush=True)
for i in range(100_000):
    if libc.renameat2(-100, b"images/sub", -100, b"link", 2) != 0:
        sys.exit("renameat2: %d" % ctypes.get_errno())
    time.sleep(i % 5 * 0.00005)
    if i % 100 == 0 and select.select([sys.stdin], [], [], 0)[0]:
        break
END
  python3 - << 'END'
import os
import png
for folder, gray in (("images/sub", 10), ("outside", 200)):
    os.makedirs(folder)
    for i in range(400):
        png.write("%s/%03d.png" % (folder, i), [bytes([gray, gray])] * 2)
os.symlink("../outside", "link")
END
  jq -nc '{images: [range(400) | {id: ., file_name: "sub/\("00\(.)"[-3:]).png"}],
           annotations: [], categories: []}' > notes.json
  "$lockstep" run -q -p flip.json -i images -a notes.json -o whole
  for flag in 0 38 1; do # the kernel's openat2; none; forbidden
    rm -rf out
    errors=(FAULT_OPENAT2="$flag")
    [ "$flag" != 0 ] || errors=()
    coproc python3 flip.py
    flipper=$COPROC_PID # bash unsets COPROC_PID when the process has ended
    read -r _ <&"${COPROC[0]}"
    run env LD_PRELOAD="$faults" "${errors[@]}" \
      "$lockstep" run -q -p flip.json -i images -a notes.json -o out --no-follow --on-error skip -j 2
    kill -0 "$flipper" # the folders were exchanged all the time
    echo stop >&"${COPROC[1]}"
    wait "$flipper"
    # the image that was read is the link's target at the end
    [ "$status" -le 1 ] || [[ $output == *"[image-changed]"* ]]
    [ "$(find out/images -name '*.png' | wc -l)" -gt 0 ]
    diff -rq whole/images out/images | grep -v '^Only in whole/' && return 1
    [ "$status" = 1 ] || echo "# no link was met" >&3
    if [ -L images/sub ]; then
      rm images/sub
      mv link images/sub
      ln -s ../outside link
    fi
  done
}

# --- names that are not UTF-8, and files that have no end ---

@test "inputs: names that are no UTF-8 are a fault before work, or skipped, and nothing written is no JSON" {
  local name=$'caf\xe9.png' command
  mkdir images images/$'d\xff'
  cp "$samples/images/hills/0002.png" images/a.png
  cp "$samples/images/hills/0002.png" "images/$name"
  cp "$samples/images/hills/0002.png" images/$'d\xff'/b.png
  run -4 --separate-stderr "$lockstep" run -p flip.json -i images -o out
  [ "$(grep -c '\[name-utf8\]' <<< "$stderr")" = 2 ]
  [ ! -e out ]
  run -4 --separate-stderr "$lockstep" run -p flip.json -i "images/$name" -o out
  [[ $stderr == *'[name-utf8]'* ]]
  run -1 --separate-stderr "$lockstep" run -p flip.json -i images -o out --on-error skip
  [ "$(jq -r .source out/manifest.jsonl)" = a.png ]
  diff <(jq -r .source_hex out/errors.jsonl) - << 'END'
636166e92e706e67
64ff2f622e706e67
END
  [ "$(jq -rs 'all(.source == null and (.message | contains("[name-utf8]")))' out/errors.jsonl)" = true ]
  iconv -f UTF-8 -t UTF-8 out/*.json* > whole.txt
  run -1 --separate-stderr "$lockstep" run -p flip.json -i images -o out2 --on-error skip --dry-run
  jq -e . <<< "$output" > whole.txt
  for command in preview profile explain; do
    run -4 --separate-stderr "$lockstep" $command -p flip.json -i images "$name"
    [[ $stderr == *'[name-utf8]'* ]]
  done
  run -4 --separate-stderr "$lockstep" probe "images/$name" images/a.png
  [[ $stderr == *'[name-utf8]'* && $(jq -r .file <<< "$output") == images/a.png ]]
}

@test "inputs: pipes without an end, devices and folders are refused at once" {
  local x
  mkdir images
  cp "$samples/images/hills/0002.png" images/a.png
  mkfifo fifo
  ln -s /dev/zero endless
  for x in fifo /dev/zero endless images /proc/self/mem; do
    run -4 --separate-stderr timeout 20 "$lockstep" probe "$x" images/a.png
    [[ $stderr == *'[image-unread]'* && $(jq -r .file <<< "$output") == images/a.png ]]
    [ "$x" = fifo ] && continue # a run waits for what a shell's <(...) writes
    run -4 timeout 20 "$lockstep" run -p flip.json -i images -a "$x" -o out
    run -3 timeout 20 "$lockstep" run -p "$x" -i images -o out
  done
  run -4 timeout 20 "$lockstep" probe - < /dev/zero
  run -3 --separate-stderr bash -c 'yes | timeout 20 "$0" explain -p -' "$lockstep"
  [[ $stderr == *'-: it has more than 67108864 bytes [pipeline-unread]'* ]]
  "$lockstep" probe - < images/a.png > told.json
  "$lockstep" probe - < <(cat images/a.png) | cmp - told.json
  "$lockstep" run -q -p <(cat flip.json) -i images -o out
}

# --- images that change under the run ---

@test "inputs: an image that is gone fails, and a folder that is exchanged is not looked at" {
  local skip command
  under
  cp -r images whole
  changed 0 'mv images moved && mkdir images' -j 2
  same_tree expected out
  rm -r images
  for skip in fail skip; do
    rm -rf images out once
    cp -r whole images
    run env LD_PRELOAD="$faults" FAULT_RUN_ON=112.png FAULT_ONCE="$PWD/once" \
      FAULT_RUN='rm images/120.png' \
      "$lockstep" run -p flip.json -i images -a notes.json -o out -j 1 --sandbox off --on-error $skip
    if [ $skip = fail ]; then
      [ "$status" = 4 ]
      unfinished out
    else
      [ "$status" = 1 ]
      [ "$(jq -r .source out/errors.jsonl)" = 120.png ]
      [ "$(jq '.images | length' out/annotations.json)" = 23 ]
    fi
  done
  # An image that is replaced or rewritten while it is read yields its content at that time.
  python3 "$here/tools/blank.py" blank.png 201 151 gray 3
  for command in 'cp blank.png new.png && mv new.png images/112.png' 'cp blank.png images/112.png'; do
    rm -rf images out once
    cp -r whole images
    changed 0 "$command" -j 1
    diff -rq expected/images out/images > told.txt || [ "$(wc -l < told.txt)" = 1 ]
    "$lockstep" probe out/images/112.png | jq -e '.width == 201 and .height == 151'
  done
}

@test "inputs: annotations that fail while draws are rejected fail their image alone" {
  pipeline reject.json '{"type": "RandomCrop", "size": [40, 40], "pad_if_needed": true}'
  jq '.annotations = {reject_image_if: {objects_lost: true}}' reject.json > all.json
  jq -c '.annotations[3].bbox = [1, 2]' "$samples/annotations.json" > wrong.json
  run -1 --separate-stderr "$lockstep" run -p all.json -i "$samples/images" -a wrong.json -o out \
    --on-error skip
  [ "$(wc -l < out/errors.jsonl)" = 1 ]
  [[ $(jq -r .message out/errors.jsonl) == *'[coco-bbox]'* ]]
  [[ $stderr != *'runtime error'* ]]
}
