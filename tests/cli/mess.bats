#!/usr/bin/env bats
# Folders as people have them: links, other files between the images, odd names, images that an
# output format cannot hold. What is not taken is counted, and what cannot be done is said first.
bats_require_minimum_version 1.5.0
# shellcheck disable=SC2154 # run sets stderr and stderr_lines
load ../lib/helpers

setup() {
  here=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
  lockstep=$(realpath "${LOCKSTEP:-$here/../build/lockstep}")
  samples=$(realpath "$here/../samples")
  ulimit -c 0
  cd "$BATS_TEST_TMPDIR" || exit 1
  pipeline flip.json '{"type": "horizontal_flip"}'
  pipeline none.json ''
  mkdir images
}

# said TEXT: on stderr of the last command.
said() {
  [[ $stderr == *"$1"* ]] || { printf 'not said: %s\nbut: %s\n' "$1" "$stderr"; return 1; }
}

not_said() {
  [[ $stderr != *"$1"* ]] || { printf 'said: %s\nin: %s\n' "$1" "$stderr"; return 1; }
}

# annotate FILE NAME...: COCO of images with these names, without objects.
annotate() {
  local file=$1
  shift
  jq -n '{images: [$ARGS.positional | to_entries[] | {id: (.key + 1), file_name: .value}],
          annotations: [], categories: []}' --args "$@" > "$file"
}

# --- files that are not taken ---

@test "mess: files that are not taken are counted by kind in one line, and -v names them" {
  mkdir images/sub images/.git
  cp "$samples/images/hills/0002.png" images/a.png
  cp "$samples/images/hills/0002.png" images/sub/B.PNG
  touch images/.DS_Store images/.git/x.png
  run -0 --separate-stderr "$lockstep" run -p flip.json -i images -o quiet
  [ "${#stderr_lines[@]}" -eq 1 ]
  touch images/readme.TXT images/sub/b.txt images/clip.mp4 images/noext 'images/x.not a suffix'
  run -0 --separate-stderr "$lockstep" run -p flip.json -i images -o out
  [ "${#stderr_lines[@]}" -eq 2 ]
  said "images: 6 files are not taken: 2 without a suffix, 2 .txt, 1 .mp4, 1 hidden"
  said "[files-passed]"
  not_said readme
  [ -e out/images/sub/B.PNG ]
  run -0 --separate-stderr "$lockstep" run -v -p flip.json -i images -o verbose
  for name in .DS_Store clip.mp4 noext readme.TXT sub/b.txt; do said "images/$name is not taken"; done
  not_said .git
  run -0 --separate-stderr "$lockstep" run -q -p flip.json -i images -o nothing
  [ -z "$stderr" ]
  run -0 --separate-stderr "$lockstep" run -p flip.json -i images -o out --dry-run --overwrite
  said "6 files are not taken"
}

@test "mess: images that the annotations do not list are counted, the annotations' own file is not" {
  mkdir images/sub
  for name in a b sub/c d; do cp "$samples/images/hills/0002.png" "images/$name.png"; done
  annotate images/_annotations.coco.json a.png sub/c.png
  run -0 --separate-stderr "$lockstep" run -p flip.json -i images -a images/_annotations.coco.json -o out
  said "images: 2 files are not taken: 2 images without an entry in the annotations; -v names them"
  [ "$(find out/images -type f | wc -l)" -eq 2 ]
  touch images/notes.txt
  run -0 --separate-stderr "$lockstep" run -v -p flip.json -i images -a images/_annotations.coco.json \
    -o verbose
  said "3 files are not taken: 2 images without an entry in the annotations, 1 .txt"
  said "images/b.png is not taken"
  said "images/d.png is not taken"
  not_said "coco.json is not"
  rm images/b.png images/d.png images/notes.txt
  run -0 --separate-stderr "$lockstep" run -p flip.json -i images -a images/_annotations.coco.json -o all
  not_said "not taken"
}

# --- links ---

@test "mess: links to images are followed wherever they lead, each shape of loop ends" {
  mkdir -p store/deep images/sub
  cp "$samples/images/hills/0002.png" store/one.png
  cp "$samples/images/hills/0002.png" store/deep/two.png
  ln -s "$PWD/store/one.png" images/absolute.png
  ln -s ../store/one.png images/relative.png
  ln -s ../../images/relative.png images/sub/chain.png
  ln -s ../store images/store
  ln -s .. images/sub/up
  ln -s . images/self
  ln -s "$PWD/images" store/deep/back
  run -0 --separate-stderr "$lockstep" run -p flip.json -i images -o out
  said "5 images from 5"
  for name in absolute relative sub/chain store/one store/deep/two; do
    cmp "out/images/$name.png" out/images/absolute.png
  done
  ln -s a.png images/b.png
  ln -s b.png images/a.png
  run -4 --separate-stderr "$lockstep" run -p flip.json -i images -o loop
  said "a.png"
  unfinished loop
  rm images/a.png images/b.png
  mkfifo images/pipe.png
  run -4 --separate-stderr timeout 20 "$lockstep" run -p flip.json -i images -o fifo
  said "it is not a regular file"
  run -1 --separate-stderr timeout 20 "$lockstep" run -p flip.json -i images -o skipped --on-error skip
  rm images/pipe.png
  run -4 --separate-stderr "$lockstep" run -p flip.json -i images -o refused --no-follow
  said "--no-follow"
}
