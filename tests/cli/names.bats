#!/usr/bin/env bats
# Names and parameters that users bring from other libraries: the message says what to write here.
bats_require_minimum_version 1.5.0

setup() {
  here=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
  lockstep=${LOCKSTEP:-$here/../build/lockstep}
  cd "$BATS_TEST_TMPDIR" || exit 1
}

# says STEP WORDS...: a pipeline with the step is refused, and the message has all the words.
says() {
  local step=$1 words
  shift
  printf '{"version": 1, "transforms": [%s]}\n' "$step" > p.json
  run -3 --separate-stderr "$lockstep" schema --check p.json
  for words in "$@"; do
    # shellcheck disable=SC2154 # run sets it
    [[ $stderr == *"$words"* ]] || { echo "no \"$words\" in: $stderr"; return 1; }
  done
}

# says_not STEP WORDS: the message does not contain the words.
says_not() {
  says "$1"
  [[ $stderr != *"$2"* ]] || { echo "\"$2\" in: $stderr"; return 1; }
}

@test "names: all of Albumentations 2.0.8, torchvision v2 and the commonest of others" {
  python3 "$here/tools/names.py" "$lockstep" < "$here/names/names.txt" > said.txt
  diff "$here/names/names.txt" said.txt
  [ "$(grep -c '^Albumentations-2.0.8 ' said.txt)" -eq 126 ]
  [ "$(grep -c '^torchvision-v2 ' said.txt)" -eq 65 ]
  [ "$(grep -vc '^[At][lo]' said.txt)" -ge 60 ]
}

@test "names: the step that is proposed has the parameters that were given" {
  says '{"type": "AutoContrast", "p": 0.3}' '[step-unknown]' 'Albumentations' \
    'write {"type": "Equalize", "mode": "cv", "p": 0.3}'
  says '{"type": "A.Downscale", "scale_min": 0.1, "scale_max": 0.5}' 'write "Downscale"'
  says '{"type": "torchvision.transforms.v2.RandomCrop", "size": 9}' 'write "RandomCrop"'
  says '{"type": "IAAAdditiveGaussianNoise", "scale": [5.1, 10.2]}' '"std_range": [0.02, 0.04]'
  says '{"type": "RandomFlip", "prob": 0.7}' '{"type": "RandomHorizontalFlip", "p": 0.7}'
}

@test "names: who normalises without numbers, or makes tensors, hears that files hold pixels" {
  local name
  for name in Normalize normalize; do
    says '{"type": "'$name'"}' '[param-missing]' '"mean" is missing' \
      'image files hold pixels, and the loader that trains normalises: leave the step out'
    [[ $stderr != *'the loader'*'the loader'* ]]
  done
  for name in ToTensor ToTensorV2 PILToTensor A.pytorch.ToTensorV2; do
    says '{"type": "'$name'"}' '[step-unknown]' 'leave it out: files hold pixels, and the loader makes'
  done
  # With numbers it is refused for image files that hold no floats, before work.
  printf '{"version": 1, "transforms": [{"type": "Normalize", "mean": 0.4, "std": 0.2}]}\n' > p.json
  run -4 --separate-stderr "$lockstep" run -p p.json -i "$here/../samples/images" -o out
  [[ $stderr == *'the loader that trains normalises: leave the step out'*'[output-float]'* ]]
  [ ! -e out ]
}

@test "names: no guess that is far, and transforms before ops" {
  says_not '{"type": "Foo"}' 'did you mean'
  says_not '{"type": "SnapMix"}' 'AugMix'
  says_not '{"type": "Cutout"}' 'output'
  says_not '{"type": "Scribble"}' 'did you mean'
  says '{"type": "RandomHorizontalFlop"}' 'did you mean "RandomHorizontalFlip"?'
  says '{"type": "randomhorizontalflip"}' 'did you mean "RandomHorizontalFlip"?'
  says '{"type": "random_horizontal_flip"}' 'did you mean "RandomHorizontalFlip"?'
  says '{"type": "HorizontalFlp"}' 'did you mean "HorizontalFlip"?'
  says '{"type": "horizontal_flop"}' 'did you mean'
  says '{"type": "CLAH"}' 'did you mean "CLAHE"?'
  says '{"type": "rotat"}' 'RandomRotate90, RandomRotation, Rotate, SafeRotate, ShiftScaleRotate'
}

@test "names: describe and help say the same" {
  for command in describe help; do
    run -2 --separate-stderr "$lockstep" "$command" AutoContrast
    [[ $stderr == *'write {"type": "Equalize", "mode": "cv", "p": 0.5}'* ]]
    run -2 --separate-stderr "$lockstep" "$command" rotat
    [[ $stderr == *'RandomRotate90, RandomRotation, Rotate, SafeRotate, ShiftScaleRotate'* ]]
    run -2 --separate-stderr "$lockstep" "$command" annotatons
    [[ $stderr == *'did you mean "annotations"?'* ]]
  done
}

@test "names: parameters of other libraries" {
  says '{"type": "ImageCompression", "quality_lower": 40, "quality_upper": 60}' '[param-unknown]' \
    '"quality_range": [40, 60]'
  says '{"type": "CoarseDropout", "max_holes": 5}' '"num_holes_range": [5, 5]'
  says '{"type": "CoarseDropout", "fill_value": 9}' '"fill": 9'
  says '{"type": "RandomFog", "fog_coef_lower": 0.2}' '"fog_coef_range": [0.2, 1]'
  says '{"type": "PadIfNeeded", "min_height": 9, "min_width": 9, "border_mode": 4}' '"padding_mode": "reflect"'
  says '{"type": "PadIfNeeded", "min_height": 9, "min_width": 9, "value": [1, 2, 3]}' '"fill": [1, 2, 3]'
  says '{"type": "SafeRotate", "mask_value": 255}' '"fill_mask": 255'
  says '{"type": "SafeRotate", "border_mode": 4}' '"padding_mode": "reflect"'
  says '{"type": "SafeRotate", "border_mode": 3}' '"padding_mode": "wrap"'
  says '{"type": "Downscale", "scale_min": 0.1}' '"scale_range": [0.1, 0.25]'
  says '{"type": "OpticalDistortion", "shift_limit": 0.1}' 'leave it out'
  says '{"type": "Transpose", "always_apply": true}' '"p": 1'
  says '{"type": "Resize", "height": 60, "width": 80}' '{"type": "Resize", "size": [60, 80]}'
  says '{"type": "RandomCrop", "height": 60, "width": 80}' '{"type": "RandomCrop", "size": [60, 80]}'
  says '{"type": "RandomChoice", "p": [1, 2], "transforms": [{"type": "invert"}, {"type": "equalize"}]}' \
    '[param-type]' 'write "weights": [1, 2]'
  says '{"type": "RandomErasing", "value": "random"}' '[param-type]' 'write "noise": true'
  says '{"type": "RandomAffine", "degrees": 5, "interpolation": 1}' 'write "interpolation": "bilinear"'
  says '{"type": "RandomAffine", "degrees": 5, "interpolation": "BILINEAR"}' 'write "interpolation": "bilinear"'
}

@test "names: an unknown key is answered with the keys that there are" {
  says '{"type": "RandomHorizontalFlip", "chance": 1}' 'keys: type, id, p, when'
  says '{"type": "Blur", "strength": 1}' 'keys: blur_limit, type, id, p, when'
  echo '{"version": 1, "tranforms": []}' > p.json
  run -3 --separate-stderr "$lockstep" schema --check p.json
  [[ $stderr == *'did you mean "transforms"?'*'keys: version, seed'* ]]
}

# frozen STEP: the step as lockstep compile has it.
frozen() {
  printf '{"version": 1, "transforms": [%s]}\n' "$1" > p.json
  "$lockstep" compile -p p.json | jq -c '.transforms[0]'
}

@test "names: one number means what it means in the library that has the name" {
  local name
  for name in Blur MedianBlur MotionBlur UnsharpMask; do
    [[ $(frozen '{"type": "'$name'", "blur_limit": 9}') == *'"blur_limit":[3,9]'* ]]
    [[ $(frozen '{"type": "'$name'", "blur_limit": [9]}') == *'"blur_limit":[9]'* ]]
  done
  [[ $(frozen '{"type": "RandomGamma", "gamma_limit": 150}') == *'"gamma_limit":[1,150]'* ]]
  [[ $(frozen '{"type": "RandomGamma", "gamma_limit": 0.5}') == *'"gamma_limit":[0.5,1]'* ]]
  [[ $(frozen '{"type": "CLAHE", "clip_limit": 6}') == *'"clip_limit":[1,6]'* ]]
  [[ $(frozen '{"type": "PiecewiseAffine", "scale": 0.04}') == *'"scale":[0,0.04]'* ]]
  [[ $(frozen '{"type": "UnsharpMask", "sigma_limit": 2, "alpha": 0.5}') == *'"sigma_limit":[0,2],"alpha":[0,0.5]'* ]]
}

@test "names: list --origin has each of a library's names, and the manual's table counts them" {
  local library row
  "$lockstep" describe --all --json | jq -r '.[].name' | LC_ALL=C sort > described.txt
  for library in torchvision Albumentations MMDetection detectron2 Ultralytics imgaug Kornia; do
    "$lockstep" list --origin "$library" > lines.txt
    run ! grep -qvE '^[A-Za-z0-9_]+ +(same|other|loader|none) ' lines.txt
    [ -z "$(awk '{print $1}' lines.txt | sort | uniq -d)" ]
    row="$library $(wc -l < lines.txt)"
    for how in same other loader none; do
      row+=" $(awk -v how=$how '$2 == how' lines.txt | wc -l)"
    done
    grep -qxE "${row// / +}" "$here/../man/lockstep-transforms.7" || { echo "not in the manual: $row"; return 1; }
    # each name that is a step reads as one, and no other name does
    awk '$2 == "same" {print $1} $2 == "other" {print $3}' lines.txt | tr -d ';' | LC_ALL=C sort -u | LC_ALL=C comm -23 - described.txt > absent.txt
    [ ! -s absent.txt ] || { echo "$library: no step has the name $(xargs < absent.txt)"; return 1; }
  done
  "$lockstep" list --origin albumentations | grep -q '^HorizontalFlip  *same'
  "$lockstep" list --origin albumentations | grep -q '^AutoContrast  *other  *Equalize'
  "$lockstep" list --origin albumentations | grep -q '^ToTensorV2  *loader'
  "$lockstep" list --origin albumentations | grep -q '^TimeMasking  *none'
  # Every name of Albumentations' reference is in the list.
  "$lockstep" list --origin albumentations | awk '{print $1}' | sort > ours.txt
  awk '$1 == "Albumentations-2.0.8" && $3 != "own" {print $2}' "$here/names/names.txt" | sort | comm -23 - ours.txt > missing.txt
  [ ! -s missing.txt ] || { cat missing.txt; return 1; }
  run -2 --separate-stderr "$lockstep" list --origin kornja
  [[ $stderr == *'did you mean "Kornia"?'*'[name-unknown]'* ]]
  run -2 --separate-stderr "$lockstep" list ops --origin Kornia
  [[ $stderr == *'[operand-unexpected]'* ]]
}
