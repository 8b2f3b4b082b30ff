#!/usr/bin/env bats
# Messages on stderr: nothing harmless unless requested, and every message has its severity (error, warning, note) and
# its code.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  here=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
  lockstep=${LOCKSTEP:-$here/../build/lockstep}
  cd "$BATS_TEST_TMPDIR" || exit 1
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 40 32
  pipeline p.json '{"type": "RandomHorizontalFlip"}'
  # Most exporters of detection data write files like this: no segmentation, supercategory, iscrowd, area.
  echo '{"images": [{"id": 1, "file_name": "a.png", "width": 40, "height": 32}],
    "categories": [{"id": 1, "name": "cat"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [4, 5, 10, 12]}]}' > plain.json
}

@test "talk: a plain detection file gives one line, and one for the readers that need areas" {
  run -0 --separate-stderr "$lockstep" run -p p.json -i in -a plain.json -o out
  # shellcheck disable=SC2154 # run sets it
  [ "${#stderr_lines[@]}" -eq 2 ] || { echo "$stderr"; false; }
  [[ ${stderr_lines[0]} == *'objects without "area"; '* ]]
  [[ ${stderr_lines[1]} == 'lockstep: 1 image from 1, 1 annotation from 1;'* ]]
  [[ $(jq -r '.notes[].code' out/run.json) == *coco-no-segmentation* ]]
}

@test "talk: -v says what is harmless, without frames" {
  local words
  for words in 'run -o out' 'preview -o sheet.png' explain 'profile --repeat 1'; do
    # shellcheck disable=SC2086 # words
    run -0 --separate-stderr "$lockstep" $words -v -p p.json -i in -a plain.json
    [[ $stderr == *'plain.json:3:'*': note: annotations[0]'*'[coco-no-segmentation]'* ]] || { echo "$words: $stderr"; false; }
    [[ $stderr != *'^^'* ]]
  done
}

@test "talk: what may be wrong is a warning in a line" {
  sed 's/"bbox": \[4, 5, 10, 12\]/"bbox": [4, 5, 0, 12]/' plain.json > thin.json
  run -0 --separate-stderr "$lockstep" run -p p.json -i in -a thin.json -o out
  [[ $stderr == *'thin.json:3:'*': warning: annotations[0].bbox: the box has no width'*'[coco-thin-bbox]'* ]]
  [ "$(grep -vc reader-limit <<< "$stderr")" -eq 2 ] || { echo "$stderr"; false; }
}

@test "talk: errors are called errors, and have codes" {
  local line
  echo '{"version": 1, "transforms": [{"type": "Foo"}]}' > bad.json
  run -3 --separate-stderr "$lockstep" run -p bad.json -i in -o out
  [[ ${stderr_lines[0]} == 'bad.json:1:40: error: transforms[0].type: '*'[step-unknown]' ]]
  run -2 --separate-stderr "$lockstep" run --pipelin p.json -i in -o out
  [[ ${stderr_lines[0]} == *': error: '*'[option-unknown]' ]]
  : > in/b.png
  run -4 --separate-stderr "$lockstep" run -p p.json -i in -o out
  for line in "${stderr_lines[@]}"; do
    [[ $line =~ ^lockstep(\ run)?:\ error:\ .*\ \[[a-z-]+\]$ ]] || { echo "$line"; false; }
  done
}

@test "talk: errors.jsonl has the code, and the id of the image" {
  : > in/b.png
  sed 's/"images": \[/"images": [{"id": 42, "file_name": "b.png", "width": 4, "height": 3}, /' plain.json > two.json
  run -1 --separate-stderr "$lockstep" run -p p.json -i in -a two.json -o out --on-error skip
  [ "$(jq -c '[.source, .image_id, .code]' out/errors.jsonl)" = '["b.png",42,"image-failed"]' ]
  [[ $(jq -r .message out/errors.jsonl) == *'[image-failed]' ]]
}

@test "talk: comments and trailing commas in JSON are named" {
  printf '{"version": 1, // mine\n "transforms": []}\n' > bad.json
  run -3 --separate-stderr "$lockstep" schema --check bad.json
  [[ $stderr == *'JSON has no comments: use "$comment"'* ]]
  printf '{"version": 1, /* mine */ "transforms": []}\n' > bad.json
  run -3 --separate-stderr "$lockstep" schema --check bad.json
  [[ $stderr == *'JSON has no comments: use "$comment"'* ]]
  printf '{"version": 1, "transforms": [{"type": "invert"},]}\n' > bad.json
  run -3 --separate-stderr "$lockstep" schema --check bad.json
  [[ $stderr == *'trailing comma'* ]]
  printf '{"version": 1, "transforms": [], }\n' > bad.json
  run -3 --separate-stderr "$lockstep" schema --check bad.json
  [[ $stderr == *'trailing comma'* ]]
}

@test "talk: steps that have nothing to look at are named once" {
  pipeline p.json '{"type": "RandomIoUCrop"}, {"type": "Compose", "transforms": [{"type": "SanitizeBoundingBoxes"}]},
    {"type": "SanitizeKeyPoints"}, {"type": "invert"}'
  run -0 --separate-stderr "$lockstep" run -p p.json -i in -o out
  [[ ${stderr_lines[0]} == 'p.json: warning: steps for labels that are not there without -a:'*'#1 RandomIoUCrop, #2.1 SanitizeBoundingBoxes, #3 SanitizeKeyPoints [steps-idle]' ]]
  [ "${#stderr_lines[@]}" -eq 2 ]
  run -0 --separate-stderr "$lockstep" run -p p.json -i in -a plain.json -o out --overwrite
  [[ ${stderr_lines[0]} == *'do not have: #3 SanitizeKeyPoints [steps-idle]' ]]
  run -0 --separate-stderr "$lockstep" run -q -p p.json -i in -o out --overwrite
  [ -z "$stderr" ]
  sed 's/"bbox"/"keypoints": [5, 6, 2, 7, 8, 2], "num_keypoints": 2, "bbox"/;
       s/"name": "cat"/"name": "cat", "keypoints": ["nose", "tail"]/' plain.json > points.json
  run -0 --separate-stderr "$lockstep" run -p p.json -i in -a points.json -o out --overwrite
  [[ $stderr != *steps-idle* ]]
}

@test "talk: floats for image files: the loader normalises" {
  pipeline p.json '{"type": "Normalize", "mean": 0.5, "std": 0.5}'
  run -4 --separate-stderr "$lockstep" run -p p.json -i in -o out
  [[ $stderr == *'the loader that trains normalises'*'[output-float]'* ]]
}

@test "talk: what run refuses, preview and the dry run refuse" {
  local step format=same
  for step in '{"type": "Normalize", "mean": 0.5, "std": 0.5}' '{"type": "RandomCrop", "size": 300}' jpeg; do
    if [ "$step" = jpeg ]; then
      format=jpeg
      step='{"type": "to_dtype", "dtype": "uint16"}'
    fi
    printf '{"version": 1, "transforms": [%s], "output": {"format": "%s"}}\n' "$step" $format > p.json
    for words in 'run -o out' 'run --dry-run -o out' 'preview -o sheet.png'; do
      # shellcheck disable=SC2086 # words
      run -4 --separate-stderr "$lockstep" $words -p p.json -i in
    done
    [ ! -e sheet.png ]
  done
  cp in/a.png in/a.webp
  printf '{"version": 1, "transforms": [], "output": {"format": "tiff"}}\n' > p.json
  for words in 'run -o out' 'run --dry-run -o out' 'preview -o sheet.png'; do
    # shellcheck disable=SC2086 # words
    run -4 --separate-stderr "$lockstep" $words -p p.json -i in
    [[ $stderr == *'[name-collision]'* ]]
  done
}

@test "talk: the default of another library's namesake is warned of once" {
  echo '{"version": 1, "transforms": [{"type": "OneOf", "transforms": [{"type": "ElasticTransform",
    "alpha": 1, "sigma": 50, "p": 1}, {"type": "ElasticTransform", "sigma": 50}]}]}' > alien.json
  run -0 --separate-stderr "$lockstep" run -p alien.json -i in -o out
  [[ ${stderr_lines[0]} == "alien.json:2:14: warning: transforms[0].transforms[0].alpha: Albumentations' default for "*'write twice'*'[default-foreign]' ]]
  [ "$(grep -c default-foreign <<< "$stderr")" -eq 1 ]
  sed 's/"alpha": 1/"alpha": 2/; s/"sigma": 50/"sigma": 7/g' alien.json > own.json
  run -0 --separate-stderr "$lockstep" run -p own.json -i in -o out --overwrite
  [[ $stderr != *default-foreign* ]]
}

@test "talk: --message-format json makes each message an object" {
  : > in/b.png
  echo '{"version": 1, "transforms": [{"type": "Foo"}]}' > bad.json
  run -3 --separate-stderr "$lockstep" run --message-format json -p bad.json -i in -o out
  jq -e '.level == "error" and .where == "bad.json" and .line == 1 and .column == 40 and
    .code == "step-unknown" and (.message | startswith("transforms[0].type: there is no"))' <<< "$stderr"
  run -2 --separate-stderr "$lockstep" run --message-format=json --pipelin p.json -i in -o out
  jq -e '.code == "option-unknown"' <<< "${stderr_lines[0]}"
  run -1 --separate-stderr "$lockstep" run --message-format json -p p.json -i in -o out --on-error skip
  jq -se 'map(.level) | contains(["error"]) and contains(["info"])' <<< "$stderr"
  run -2 --separate-stderr "$lockstep" list --message-format xml
  [[ $stderr == *'[param-choice]' ]]
}

@test "talk: on a terminal the level of a message is coloured" {
  TERM=xterm on_terminal "$lockstep" run -p none.json -i in -o out > page || true
  grep -qF $'\e[1;31merror:\e[0m' page
  TERM=xterm NO_COLOR=1 on_terminal "$lockstep" run -p none.json -i in -o out > page || true
  run -1 grep -q $'\e' page
}

# explained WHERE WORDS: `lockstep WHERE` has the words, however its lines are broken.
explained() {
  local text
  # shellcheck disable=SC2086 # words
  text=$("$lockstep" $1 | tr -s ' \n' ' ')
  [[ $text == *"$2"* ]] || { echo "lockstep $1 does not say: $2"; return 1; }
}

@test "talk: what people look up first is explained in the words of the field" {
  explained 'describe OneOf' 'each is chosen with a probability proportional to its `p`'
  explained 'describe Resize' '`min_size`: the image'"'"'s shorter side has at least this many pixels'
  explained 'describe Resize' 'interpolation of pixel values; label masks always take the nearest pixel'
  explained 'describe annotations' 'drop objects whose box is narrower or lower than this'
  explained 'describe annotations' 'larger aspect ratio (longer side / shorter side); null: no limit'
  explained 'describe annotations' 'less than this fraction (0 to 1) is visible in the result'
  explained 'describe RandomResize' 'upper limit of the shorter side, exclusive (as in torchvision)'
  explained 'describe pipeline' 'how the ops drawn for an image are combined into passes over its pixels'
  explained 'describe pipeline' 'seed of the random numbers; another seed draws other values'
  explained 'help run' 'what to do if an image cannot be read or transformed'
  explained 'run --help-all' "what to do if annotations and file differ on an image's size. Report an error (both), or use"
  explained 'help run' 'how to read annotations that deviate from COCO'
  explained 'run --help-all' 'for results as -a: the COCO file with their images and categories'
  explained 'help coco' 'A step that mirrors the image swaps left and right keypoints'
  local number
  for number in +1 .5 NaN Infinity; do
    printf '{"version": 1, "transforms": [{"type": "invert", "p": %s}]}' "$number" > number.json
    run -3 --separate-stderr "$lockstep" schema --check number.json
    [[ $stderr == *'number.json:1:55: error: '*'[json-number]'* ]] || { echo "$number: $stderr"; false; }
  done
  printf '{"version": 1, "transforms": [{"type": "invert", "p": NaN}]}' > number.json
  run -3 --separate-stderr "$lockstep" schema --check number.json
  [[ $stderr == *'not a JSON number: NaN, Infinity, a leading "+" and a leading "." are not allowed'* ]]
}
