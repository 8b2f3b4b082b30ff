#!/usr/bin/env bats
# Typical folders: links, other files between the images, odd names, images that an output format cannot hold. Skipped
# files are counted, and impossible outputs are reported first.
# shellcheck disable=SC2030,SC2031,SC2154 # run sets output, stderr and stderr_lines
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  here=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
  lockstep=$(realpath "${LOCKSTEP:-$here/../build/lockstep}")
  tools=$(realpath "$here/..")/${BUILD:-build}/tests
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
  not_said "--match"
  unfinished loop
  annotate link.json a.png
  run -4 --separate-stderr "$lockstep" run -p flip.json -i images -a link.json -o loop
  not_said "--match"
  rm images/a.png images/b.png
  mkfifo images/pipe.png
  run -4 --separate-stderr timeout 20 "$lockstep" run -p flip.json -i images -o fifo
  said "it is not a regular file"
  run -1 --separate-stderr timeout 20 "$lockstep" run -p flip.json -i images -o skipped --on-error skip
  rm images/pipe.png
  run -4 --separate-stderr "$lockstep" run -p flip.json -i images -o refused --no-follow
  said "--no-follow"
}

# --- faults that are found before work ---

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
  # The type after a step counts, not the type of the source.
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
  pipeline bands.json '{"type": "normalize", "mean": [0.5, 0.4, 0.3], "std": [1, 1, 1]}'
  refused out -p bands.json --format tiff
  said "gray.png: normalize: "
  said "1 of 2 images"
  # Three means do not request three channels; the message says how to ask for them, and that works.
  odd images gray16.png
  pipeline means.json '{"type": "Normalize", "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}'
  refused out -p means.json --format tiff
  said 'gray.png: Normalize: "mean" has 3 numbers, but the image has 1 colour channel: write one number, or convert gray images to RGB first: {"type": "RGB"}; also gray16.png [step-refused]'
  said "2 of 3 images"
  pipeline colours.json '{"type": "RGB"}, {"type": "Normalize", "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}'
  run -0 --separate-stderr "$lockstep" run -i images -o floats -p colours.json --format tiff
  said "3 images from 3"
  pipeline two.json '{"type": "Normalize", "mean": [0.5, 0.5], "std": 1}'
  refused out -p two.json --format tiff
  said 'the image has 3 colour channels: write one number for all, or one per channel'
  rm images/gray16.png
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
  said "--out: is required"
}

# --- names ---

@test "mess: names that the system allows are taken from a folder, and gated in annotations" {
  local name
  odd images rgb.png
  for name in 'a:b.png' 'x\y.png' ' lead.png' $'\u00fcn\u00ef.PNG' "quo'te\"s.png" -dash.png; do
    cp images/rgb.png "images/$name"
  done
  run -0 --separate-stderr "$lockstep" run -p flip.json -i images -o out
  said "7 images from 7"
  for name in images/*; do cmp -s "out/$name" out/images/rgb.png || { echo "$name"; return 1; }; done
  [ "$(jq -s length out/manifest.jsonl)" -eq 7 ]
  run -0 --separate-stderr "$lockstep" run -p flip.json -i images -o out --overwrite
  # A line break is the exception: lists have one name per line.
  cp images/rgb.png $'images/new\nline.png'
  run -4 --separate-stderr "$lockstep" run -p flip.json -i images -o lines
  said 'new\x0aline.png: the file name has a control character'
  run -1 --separate-stderr "$lockstep" run -p flip.json -i images -o lines --on-error skip
  said "7 images from 7; 1 skipped"
  rm $'images/new\nline.png'
  run -0 --separate-stderr "$lockstep" preview -p flip.json -i images 'x\y.png' -o sheet.png
  annotate bad.json rgb.png 'a:b.png' 'x\y.png' ../images/rgb.png /etc/passwd
  run -4 --separate-stderr "$lockstep" run -p flip.json -i images -a bad.json -o gated
  [ ! -e gated ]
  for name in 'a:b.png' 'x\y.png' ../images /etc/passwd; do said "$name"; done
  # An unsafe name is one image to skip, and is never opened.
  run -1 --separate-stderr strace -f -e trace=open,openat -o trace.txt "$lockstep" run -p flip.json \
    -i images -a bad.json -o skipped --on-error skip
  [ "$(jq -s 'map(.message | endswith("[name-unsafe]")) | all' skipped/errors.jsonl)" = true ]
  [ "$(wc -l < skipped/errors.jsonl)" -eq 4 ]
  [ "$(find skipped/images -type f)" = skipped/images/rgb.png ]
  ! grep -qE '/etc/passwd|\.\./images' trace.txt
}

@test "mess: prefixes and paths of exporters are taken off, or the fault says what would help" {
  mkdir -p data/images/sub
  odd data/images rgb.png gray.png
  odd data/images/sub rgba.png
  mkdir top
  ln -s ../data top/data
  annotate paths.json images/rgb.png images/gray.png images/sub/rgba.png
  run -4 --separate-stderr "$lockstep" run -p flip.json -i data/images -a paths.json -o out
  said "with --strip-prefix images/ it is found"
  run -4 --separate-stderr "$lockstep" run -p flip.json -i data/images/sub -a paths.json -o out
  said "with -i $PWD/data it is found"
  run -4 --separate-stderr "$lockstep" run -p flip.json -i top -a paths.json -o out
  said "with -i top/data it is found"
  run -0 --separate-stderr "$lockstep" run -p flip.json -i data/images -a paths.json -o out \
    --strip-prefix images/
  [ "$(jq -r '[.images[].file_name] | join(" ")' out/annotations.json)" = "rgb.png gray.png sub/rgba.png" ]
  # Random numbers are drawn from the names as they were.
  pipeline rotate.json '{"type": "RandomRotation", "degrees": 90}'
  "$lockstep" run -q -p rotate.json -i data -a paths.json -o whole
  "$lockstep" run -q -p rotate.json -i data/images -a paths.json -o stripped --strip-prefix images/
  diff -r whole/images/images stripped/images
  annotate absolute.json /home/them/data/images/rgb.png 'C:\data\gray.png' /home/them/x/rgba.png
  run -4 --separate-stderr "$lockstep" run -p flip.json -i data/images -a absolute.json -o out2
  said "is an absolute path; with --strip-prefix /home/them/data/images/ it is found"
  run -0 --separate-stderr "$lockstep" run -p flip.json -i data/images -a absolute.json -o out2 \
    --match basename
  [ "$(jq -r '[.images[].file_name] | join(" ")' out2/annotations.json)" = "rgb.png gray.png sub/rgba.png" ]
  cp data/images/rgb.png data/images/sub
  run -4 --separate-stderr "$lockstep" run -p flip.json -i data/images -a absolute.json -o out3 \
    --match basename
  said "2 files are called rgb.png: rgb.png, sub/rgb.png"
  said "[image-ambiguous]"
  run -4 --separate-stderr "$lockstep" run -p flip.json -i data/images -a paths.json -o out4 \
    --strip-prefix nowhere/
  said "no file_name begins with nowhere/; the first is images/rgb.png [prefix-unknown]"
}

@test "mess: outputs are named by a template, so that suffixes need not collide" {
  odd images rgb.png gray.png
  cp images/rgb.png images/dup.png
  "$lockstep" run -q -p none.json -i images -o jpegs --format jpeg
  cp jpegs/images/rgb.jpg images/dup.jpg
  run -4 --separate-stderr "$lockstep" run -p none.json -i images -o out --format jpeg
  said "too; --name-template '{dir}/{stem}_{ext}' keeps the suffixes distinct [name-collision]"
  run -0 --separate-stderr "$lockstep" run -p none.json -i images -o out --format jpeg -n 2 \
    --name-template '{dir}/{stem}_{ext}__{copy}'
  [ -e out/images/dup_jpg__000.jpg ]
  [ -e out/images/dup_png__001.jpg ]
  [ "$(find out/images -type f | wc -l)" -eq 8 ]
  run -4 --separate-stderr "$lockstep" run -p none.json -i images -o all --name-template same
  said "[name-collision]"
  run -4 --separate-stderr "$lockstep" run -p none.json -i images -o all --name-template '../{stem}'
  run -2 --separate-stderr "$lockstep" run -p none.json -i images -o all --name-template '{name}'
  said "a field is one of dir, stem, ext, copy, as in {stem}"
  run -2 --separate-stderr "$lockstep" run -p none.json -i images -o all --name-template '{stem'
  said '"{" without "}"; a brace itself is "{{"'
  run -0 --separate-stderr "$lockstep" run -p none.json -i images -o braces --name-template '{{{stem}}}'
  [ -e 'braces/images/{rgb}.png' ]
}

@test "mess: masks are found by a template, keep their palette, and are no JPEGs" {
  mkdir -p images/aachen masks/aachen
  odd images rgb.png palette.png
  mv images/rgb.png images/aachen/aachen_0001_leftImg8bit.png
  mv images/palette.png masks/aachen/aachen_0001_gtFine_labelIds.png
  city='{dir}/{stem/_leftImg8bit/_gtFine_labelIds}.png'
  run -4 --separate-stderr "$lockstep" run -p flip.json -i images --masks masks -o out
  said "[mask-missing]"
  run -0 --separate-stderr "$lockstep" run -p flip.json -i images --masks masks --mask-name "$city" -o out
  mask=out/masks/aachen/aachen_0001_gtFine_labelIds.png
  # Colour type 3 in the header: it still has its palette.
  [ "$(od -An -tu1 -j25 -N1 "$mask")" -eq 3 ]
  run -0 --separate-stderr "$lockstep" preview -p flip.json -i images --masks masks --mask-name "$city"
  # CamVid: beside each other, at the top of their folders.
  mkdir camvid labels
  odd camvid rgb.png
  odd labels gray.png
  mv labels/gray.png labels/rgb_L.png
  run -0 --separate-stderr "$lockstep" run -p flip.json -i camvid --masks labels --mask-name '{stem}_L.png' -o cam
  [ -e cam/masks/rgb_L.png ]
  "$lockstep" run -q -p none.json -i labels -o jpegs --format jpeg
  cp jpegs/images/rgb_L.jpg labels
  run -4 --separate-stderr "$lockstep" run -p flip.json -i camvid --masks labels --mask-name '{stem}_L.jpg' -o lossy
  said "JPEG"
  said "changes labels"
  run -2 --separate-stderr "$lockstep" run -p flip.json -i camvid --masks labels --mask-name '{copy}.png' -o bad
  said "a field is one of dir, stem, ext"
  run -2 --separate-stderr "$lockstep" run -p flip.json -i camvid --mask-name '{stem}.png' -o bad
  said "--masks"
}

# --- formats ---

@test "mess: BMP and netpbm files are read to the sample, damaged ones are refused" {
  local seed
  export PYTHONPATH=$here/lib
  for seed in 1 2 3; do
    mkdir "plain$seed" "cut$seed"
    python3 "$here/tools/plain_images.py" write "plain$seed" "$seed"
    run -0 --separate-stderr "$lockstep" run -p none.json -i "plain$seed" -o "out$seed"
    python3 "$here/tools/plain_images.py" compare "plain$seed" "out$seed/images"
    python3 "$here/tools/plain_images.py" cut "plain$seed" "cut$seed"
    run -4 --separate-stderr "$lockstep" run -p none.json -i "cut$seed" -o "left$seed" --on-error skip
    printf '%s\n' "$stderr" > err.txt
    quiet err.txt
    [ -z "$(find "left$seed/images" -type f | head -1)" ] || { find "left$seed/images" -type f; return 1; }
  done
  # Labels of a PGM are numbers, whatever it says is the largest.
  mkdir masks
  python3 -c "
import png
png.write('images/a.png', [[0, 0, 0]], 1)
open('masks/a.pgm', 'wb').write(b'P5 3 1 20\n' + bytes([0, 7, 20]))"
  run -0 --separate-stderr "$lockstep" run -p none.json -i images --masks masks --mask-name '{stem}.pgm' -o labels
  [ "$(python3 -c "import png; print(*png.rows('labels/masks/a.png')[0])")" = "0 7 20" ]
}

@test "mess: what is written can be read again, floats too" {
  cp -r "$samples/images/hills" images
  pipeline floats.json '{"type": "to_dtype", "dtype": "float32", "scale": true}'
  run -0 --separate-stderr "$lockstep" run -p floats.json -i images -o floats --format tiff
  run -0 --separate-stderr "$lockstep" run -p flip.json -i floats/images -o again
  run -0 --separate-stderr "$lockstep" run -p flip.json -i again/images -o back
  pipeline bytes.json '{"type": "to_dtype", "dtype": "uint16", "scale": true}'
  run -0 --separate-stderr "$lockstep" run -p bytes.json -i back/images -o integers --format png
  run -0 --separate-stderr "$lockstep" run -p bytes.json -i images -o direct --format png
  same_tree integers/images direct/images
}

@test "mess: a background takes the place of alpha, in every format and in the preview" {
  export PYTHONPATH=$here/lib
  python3 -c "
import png
png.write('images/a.png', [[200, 100, 0, 255, 200, 100, 0, 0, 200, 100, 0, 51]], 4)
png.write('images/g.png', [[40, 255, 40, 0]], 2)
png.write('images/o.png', [[1, 2, 3]], 3)
png.write('images/w.png', [[65535, 0, 0, 0, 0, 0, 0, 65535]], 4, 16)"
  jq '.output = {background: [0, 100, 250]}' none.json > blue.json
  run -0 --separate-stderr "$lockstep" run -p blue.json -i images -o out
  [ "$(python3 -c "import png; print(*png.rows('out/images/a.png')[0])")" = "200 100 0 0 100 250 40 100 200" ]
  [ "$(python3 -c "import png; print(*png.rows('out/images/g.png')[0])")" = "40 87" ]
  [ "$(python3 -c "import png; print(*png.rows('out/images/o.png')[0])")" = "1 2 3" ]
  [ "$(python3 -c "import png; print(*png.rows('out/images/w.png')[0])")" = "0 25700 64250 0 0 0" ]
  jq '.output = {background: 255, untouched: "copy"}' none.json > white.json
  run -4 --separate-stderr "$lockstep" run -p none.json -i images -o no --format jpeg
  said '"background" in "output"'
  rm images/w.png
  run -0 --separate-stderr "$lockstep" run -p white.json -i images -o jpegs --format jpeg
  run -0 --separate-stderr "$lockstep" run -p white.json -i images -o copies
  cmp images/o.png copies/images/o.png
  [ "$(python3 -c "import png; print(*png.rows('copies/images/g.png')[0])")" = "40 255" ]
  for name in none blue; do
    run -0 --separate-stderr "$lockstep" preview -p $name.json -i images -o $name.png
  done
  run -1 cmp none.png blue.png
  jq '.output = {background: [1, 2]}' none.json > two.json
  run -3 --separate-stderr "$lockstep" run -p two.json -i images -o two
  said "expected one number or three, not 2"
}

# --- all of it at once ---

# Typical contents of a folder: links, odd names, suffixes in upper case, every kind of pixels and orientation, and
# files that are not images. Images have 40x30 pixels. Each is listed in all.txt, and files that no run can decode in
# bad.txt.
heap() {
  export PYTHONPATH=$here/lib
  mkdir -p images/deep/er elsewhere
  python3 - << 'PY'
import png, struct, zlib
def rows(channels, most=255):
    return [[(x * 7 + y * 3 + c * 40) % (most + 1) for x in range(40) for c in range(channels)] for y in range(30)]
png.write("images/gray.png", rows(1))
png.write("images/rgb.PNG", rows(3))
png.write("images/rgba.png", rows(4))
png.write("images/deep/with space.png", rows(3))
png.write("images/deep/er/ünï日本.png", rows(3))
png.write("images/sixteen.png", rows(1, 65535), 1, 16)
png.write("elsewhere/far.png", rows(3))
palette = bytes(v for i in range(256) for v in (i, 255 - i, i // 2))
open("images/palette.png", "wb").write(png.assemble(40, 30, 8, png.PALETTE, b"".join(b"\0" + bytes(r) for r in rows(1)),
                                                    [(b"PLTE", palette)]))
head = b"BM" + struct.pack("<IHHI", 54 + 120 * 30, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, 40, 30, 1, 24, 0, 0, 0, 0, 0, 0)
open("images/old.bmp", "wb").write(head + b"".join(bytes(r) for r in rows(3)))
open("images/clip.mp4", "wb").write(b"\0\0\0\x18ftypmp42" + bytes(100))
PY
  ln -s ../elsewhere/far.png images/link.png
  needs_built tests/make_inks
  "$tools/make_inks" images
  printf '{"version": 1, "transforms": [], "output": {"format": "jpeg"}}' > jpeg.json
  "$lockstep" run -q -p jpeg.json -i images/rgb.PNG -o made
  for turn in 1 2 3 4 5 6 7 8; do
    python3 - "$turn" << 'PY'
import struct, sys
turn, data = int(sys.argv[1]), open("made/images/rgb.jpg", "rb").read()
exif = b"Exif\0\0MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x112, 3, 1, turn, 0, 0)
open(f"images/turned{turn}.JPG", "wb").write(data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:])
PY
  done
  : > images/empty.jpg
  echo 'no picture' > images/text.jpg
  touch images/.DS_Store images/noext
  printf '%s\n' empty.jpg text.jpg > bad.txt
  (cd images && find . \( -type f -o -type l \) | sed 's|^\./||' | grep -iE '\.(png|jpg|bmp)$' | LC_ALL=C sort) > all.txt
}

# A label in the middle of each image, in three formats.
label_heap() {
  local name stem
  mkdir -p labels voc
  echo cat > labels/classes.txt
  while IFS= read -r name; do
    stem=${name%.*}
    mkdir -p "labels/$(dirname "$name")" "voc/$(dirname "$name")"
    echo '0 0.5 0.5 0.25 0.5' > "labels/$stem.txt"
    printf '<annotation><object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>20</xmax><ymax>20</ymax></bndbox></object></annotation>' \
      > "voc/$stem.xml"
  done < all.txt
  jq -Rn '[inputs] | {images: [to_entries[] | {id: (.key + 1), file_name: .value}],
    annotations: [to_entries[] | {id: (.key + 1), image_id: (.key + 1), category_id: 1, iscrowd: 0, area: 100,
      bbox: [10, 10, 10, 10], segmentation: []}], categories: [{id: 1, name: "cat", supercategory: ""}]}' all.txt > coco.json
}

@test "mess: one command each for COCO, YOLO, VOC and no labels does what can be done, and says the rest in ten lines" {
  local words good bad
  heap
  label_heap
  good=$(($(wc -l < all.txt) - $(wc -l < bad.txt)))
  [ "$good" -eq 19 ]
  while read -r words; do
    rm -rf out
    # shellcheck disable=SC2086 # words
    run -1 --separate-stderr "$lockstep" run -p flip.json -i images $words -o out --on-error skip
    [ "${#stderr_lines[@]}" -le 10 ] || { echo "$words: $stderr"; return 1; }
    said "19 images from 19"
    said "2 skipped, see out/errors.jsonl"
    said ".mp4"
    for bad in $(cat bad.txt); do said "$bad"; done
    [ "$(find out/*mages -type f | wc -l)" -eq "$good" ]
    [ "$(jq -r .source out/errors.jsonl | sort | tr '\n' ' ')" = "empty.jpg text.jpg " ]
    case $words in
      *coco.json) [ "$(jq '.annotations | length' out/annotations.json)" -eq "$good" ] ;;
      *labels) [ "$(find out/labels -name '*.txt' | wc -l)" -eq "$good" ] ;;
      *voc) [ "$(find out/Annotations -name '*.xml' | wc -l)" -eq "$good" ] ;;
    esac
    # without it, the same is reported before work
    # shellcheck disable=SC2086 # words
    run -4 --separate-stderr "$lockstep" run -p flip.json -i images $words -o none
    [ "${#stderr_lines[@]}" -le 10 ] || { echo "$words: $stderr"; return 1; }
    said "2 of 21 images cannot be done"
    [ ! -e none ]
  done << 'E'

-a coco.json
-a labels
-a voc
E
  # inks become the colours that a print shop sees, whichever way they are stored; the flip has black first
  mkdir inks
  ln -s ../images/cmyk.jpg ../images/ycck.jpg inks
  run -0 --separate-stderr "$lockstep" run -p flip.json -i inks --format png -o colours
  python3 -c 'import png
for name in "cmyk", "ycck":
    row = png.rows(f"colours/images/{name}.png")[15]
    black, yellow, cyan, paper = (row[3 * x : 3 * x + 3] for x in (5, 15, 25, 35))
    assert max(black) < 60 and min(paper) > 245, (name, black, paper)
    assert yellow[0] > 200 and yellow[2] < 60 and cyan[0] < 60 and cyan[2] > 200, (name, yellow, cyan)'
  # turned pixels and labels go together: the same image in each orientation
  [ "$(cat out/Annotations/turned6.xml | grep -o '<xmin>[0-9]*')" = '<xmin>11' ]
}
