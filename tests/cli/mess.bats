#!/usr/bin/env bats
# Folders as people have them: links, other files between the images, odd names, images that an
# output format cannot hold. What is not taken is counted, and what cannot be done is said first.
# shellcheck disable=SC2030,SC2031,SC2154 # run sets output, stderr and stderr_lines
bats_require_minimum_version 1.5.0
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

# --- what can be known before work ---

odd() { # FOLDER NAME...
  python3 "$here/tools/odd_images.py" "$@"
}

# refused OUT WORDS...: a run with these options ends with 4 and leaves nothing; so do a dry run and
# a preview of the images.
refused() {
  local out=$1
  shift
  run -4 --separate-stderr "$lockstep" run -i images -o "$out" "$@"
  [ -z "$output" ]
  [ ! -e "$out" ]
}

@test "mess: what an output format cannot hold is said before work, each kind in one line" {
  odd images rgba.png gray_alpha.png see_through.png gray16.png rgb16.png rgb.png gray.png palette.png
  refused out -p none.json --format jpeg
  said "gray16.png: 16-bit samples cannot be written as jpeg, which holds 8 bits"
  said "also rgb16.png [output-depth]"
  said "gray_alpha.png: it has an alpha channel, which jpeg files cannot hold"
  said "also rgba.png, see_through.png [output-alpha]"
  said "5 of 8 images cannot be done, and nothing was written; --on-error skip leaves them out"
  [ "${#stderr_lines[@]}" -le 10 ]
  run -4 --separate-stderr "$lockstep" run -i images -p none.json --format jpeg --dry-run
  [ -z "$output" ]
  said "[output-alpha]"
  refused out -p none.json --format webp
  said "[output-depth]"
  not_said "[output-alpha]"
  run -0 --separate-stderr "$lockstep" run -i images -o png -p none.json --format png
  # What a step makes of an image counts, not what it was.
  pipeline bytes.json '{"type": "RGB"}, {"type": "to_dtype", "dtype": "uint8", "scale": true}'
  run -4 --separate-stderr "$lockstep" run -i images -p bytes.json --format jpeg --dry-run
  not_said "[output-depth]"
  # Floats that one image in two gets.
  pipeline floats.json '{"type": "to_dtype", "dtype": "float32", "scale": true, "p": 0.5}'
  run -4 --separate-stderr "$lockstep" run -i images -o out -p floats.json
  said "[output-float]"
  # Skipping, all is done that can be done.
  run -1 --separate-stderr "$lockstep" run -i images -o skipped -p none.json --format jpeg --on-error skip
  [ "$(find skipped/images -type f | wc -l)" -eq 3 ]
  [ "$(wc -l < skipped/errors.jsonl)" -eq 5 ]
  # Not looked at first, the run ends at the image.
  run -4 --separate-stderr "$lockstep" run -i images -o late -p none.json --format jpeg --no-preflight -j 1
  said "16-bit samples cannot be written as jpeg"
  not_said "5 of 8"
}

@test "mess: images that a step cannot do, that are none or missing are said before work" {
  odd images tiny.png rgb.png empty.jpg text.jpg gray.png
  pipeline crop.json '{"type": "RandomCrop", "size": [20, 20]}'
  refused out -p crop.json
  said "tiny.png: RandomCrop: the image is 5x4, smaller than the crop of 20x20"
  said "empty.jpg: the file is empty"
  said "text.jpg: not a "
  said "3 of 5 images"
  rm images/tiny.png images/empty.jpg images/text.jpg
  pipeline bands.json '{"type": "permute_channels", "permutation": [2, 1, 0]}'
  refused out -p bands.json
  said "gray.png: permute_channels: the permutation is of 3"
  said "1 of 2 images"
  annotate gone.json rgb.png gone/1.png gone/2.png gone/3.png gone/4.png gone/5.png
  refused out -p none.json -a gone.json
  said "gone/1.png: No such file or directory in images; also gone/2.png, gone/3.png and 2 more [image-missing]"
  mkdir masks
  odd masks gray.png
  refused out -p none.json --masks masks
  said "[mask-missing]"
  jq '.images[0] += {width: 7, height: 9} | .images |= .[:1]' gone.json > size.json
  refused out -p none.json -a size.json
  said "rgb.png: the annotations say 7x9, the file is 40x30"
}

@test "mess: steps that look at objects are drawn with them before work, and only those" {
  # The crop keeps to the boxes, so that the second one fits or not by the labels alone.
  cp -r "$samples/images/." images
  pipeline safe.json '{"type": "BBoxSafeRandomCrop"}, {"type": "RandomCrop", "size": [150, 150]}'
  run -4 --separate-stderr "$lockstep" run -p safe.json -i images -a "$samples/annotations.json" -o out
  [[ $stderr =~ ([0-9]+)\ of\ 15\ images ]]
  known=${BASH_REMATCH[1]}
  run -1 --separate-stderr "$lockstep" run -p safe.json -i images -a "$samples/annotations.json" -o out \
    --on-error skip
  [ "$(wc -l < out/errors.jsonl)" -eq "$known" ]
}

@test "mess: a dry run needs no output folder, and a run does" {
  odd images rgb.png
  run -0 --separate-stderr "$lockstep" run -p flip.json -i images --dry-run
  [ "$(jq -r .source <<< "$output")" = rgb.png ]
  run -2 --separate-stderr "$lockstep" run -p flip.json -i images
  said "--out: is needed"
}
