#!/usr/bin/env bats
# ImageNet-C's corruptions: their published strengths, their pixels, and the measures that must get worse.
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
  corruptions=$here/tools/corruptions.py
  facts=$here/golden/corruptions.txt
}

@test "corrupt: what is emitted has the numbers of the source's lines, of 19 corruptions at 5 strengths" {
  run -0 python3 "$corruptions" facts "$lockstep" "$facts"
  [[ $output == *'205 values of 19 corruptions, 0 failed'* ]]
  # Another number in the table is found.
  sed 's/0.18, 0.26/0.18, 0.25/' "$facts" > changed
  run -1 python3 "$corruptions" facts "$lockstep" changed
  [[ $output == *'gaussian_noise 4: gaussian_noise.sigma is 0.26, not 0.25'* ]]
}

@test "corrupt: pixels are those of slow programs from the source, of 8 and 16 bit, colours and gray" {
  run -0 python3 "$corruptions" pixels "$lockstep" "$facts"
  [[ $output == *'119 pictures, 0 failed'* ]]
}

@test "corrupt: elastic_transform shows pixels from where its affine map and its field say" {
  run -0 python3 "$corruptions" elastic "$lockstep" "$facts"
  [ "${#lines[@]}" -eq 5 ]
}

@test "corrupt: noises, Gaussian and defocus blur, contrast, brightness, JPEG and blocks are worse with each step" {
  run -0 python3 "$corruptions" psnr "$lockstep" "$samples/images" street/0002.jpg 70
  [ "${lines[10]}" = 'all fall' ]
}

# bats test_tags=release
@test "corrupt: on an image of ImageNet's size noises, blurs and the others are worse with each step, too" {
  run -0 python3 "$corruptions" psnr "$lockstep" "$root/samples/images" street/0002.jpg
  [ "${lines[10]}" = 'all fall' ]
}

@test "corrupt: labels stay, but for elastic_transform's, which go with the pixels" {
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 120 90 rgb
  echo '{"images": [{"id": 1, "file_name": "a.png", "width": 120, "height": 90}],
    "categories": [{"id": 1, "name": "thing"}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1,
    "bbox": [30.5, 20, 60, 50], "area": 3000, "iscrowd": 0}]}' > in.json
  for name in $("$lockstep" describe Corrupt --json |
    jq -r '.parameters[] | select(.name == "name").choices[] | if type == "object" then .word else . end'); do
    echo "{\"version\": 1, \"transforms\": [{\"type\": \"Corrupt\", \"name\": \"$name\", \"severity\": 5}]}" > p.json
    "$lockstep" run -q --overwrite -p p.json -i in -a in.json -o out
    box=$(jq -c '.annotations[0].bbox' out/annotations.json)
    if [ "$name" = elastic_transform ]; then [ "$box" != '[30.5,20,60,50]' ]; else [ "$box" = '[30.5,20,60,50]' ]; fi ||
      { echo "$name: $box"; return 1; }
    names=$((names + 1))
  done
  [ "$names" -eq 19 ]
}

@test "corrupt: frost says that scores cannot be compared" {
  "$lockstep" describe Corrupt | tr -s ' \n' ' ' > page
  grep -q 'scores cannot be compared' page
  "$lockstep" list --differences | grep -q '^ *Corrupt\b'
}

@test "formulas: ops beside Corrupt's are those of their formulas, of 8 and 16 bit" {
  run -0 python3 "$here/tools/formulas.py" "$lockstep"
  [[ $output == *'56 steps on 3 kinds of images, 0 failed'* ]]
}
