#!/usr/bin/env bats
# The vocabulary: torchvision's functionals and transforms, and Albumentations' additional ones. Each name is listed,
# described in full, and its example runs on an image with all kinds of labels.
bats_require_minimum_version 1.5.0

OPS="erase adjust_brightness adjust_contrast adjust_gamma adjust_hue adjust_saturation adjust_sharpness
  autocontrast equalize invert permute_channels posterize solarize rgb_to_grayscale grayscale_to_rgb
  affine center_crop crop elastic five_crop ten_crop horizontal_flip vertical_flip pad perspective
  resize resized_crop rotate gaussian_blur jpeg normalize to_dtype
  rot90 transpose box_blur median_blur motion_blur clahe shift_hsv shift_rgb tone_curve
  channel_dropout downscale grid_distortion optical_distortion displace"
TORCHVISION="RandomHorizontalFlip RandomVerticalFlip Resize CenterCrop RandomCrop RandomResizedCrop FiveCrop
  TenCrop Pad RandomZoomOut RandomRotation RandomAffine RandomPerspective ElasticTransform RandomIoUCrop
  ScaleJitter RandomShortestSize RandomResize ColorJitter RandomPhotometricDistort Grayscale
  RandomGrayscale RGB RandomChannelPermutation RandomEqualize RandomInvert RandomAutocontrast
  RandomPosterize RandomSolarize RandomAdjustSharpness GaussianBlur JPEG RandomErasing Normalize ToDtype
  ConvertBoundingBoxFormat ClampBoundingBoxes SanitizeBoundingBoxes SanitizeKeyPoints ClampKeyPoints
  AutoAugment RandAugment TrivialAugmentWide AugMix Compose RandomApply RandomChoice RandomOrder SomeOf
  OneOf"
ALBUMENTATIONS="RandomRotate90 Transpose D4 SafeRotate ShiftScaleRotate LongestMaxSize SmallestMaxSize
  RandomScale PadIfNeeded LetterBox RandomSizedBBoxSafeCrop BBoxSafeRandomCrop AtLeastOneBBoxRandomCrop
  CropNonEmptyMaskIfExists CropAndPad GridDistortion OpticalDistortion PiecewiseAffine ThinPlateSpline
  RandomBrightnessContrast HueSaturationValue RandomGamma CLAHE RGBShift RandomToneCurve MotionBlur
  MedianBlur Blur ImageCompression CoarseDropout GridDropout PixelDropout ChannelDropout ChannelShuffle
  Downscale Sharpen UnsharpMask ToSepia FancyPCA PlanckianJitter RandomHSV"
# Tested from the day they are there.
NOISE_AND_WEATHER="gaussian_noise salt_and_pepper multiply_noise GaussianNoise SaltAndPepper
  MultiplicativeNoise ISONoise ShotNoise RandomFog RandomRain RandomSnow RandomShadow RandomSunFlare"

load ../lib/helpers

setup() {
  begin
  "$lockstep" list --json > list.json
}

names() {
  jq -r '.[] | select(.kind != "format").name' list.json
}

@test "vocabulary: every name is there" {
  # shellcheck disable=SC2086 # names are words
  printf '%s\n' $OPS $TORCHVISION $ALBUMENTATIONS $NOISE_AND_WEATHER | LC_ALL=C sort -u | LC_ALL=C comm -23 - <(names | LC_ALL=C sort) > absent
  cat absent
  [ ! -s absent ]
}

@test "vocabulary: describe has every parameter's range, unit and default, the targets and an example" {
  "$lockstep" describe --all > all.txt
  "$lockstep" describe --all --json > all.json
  jq -r '.[] | select(.kind == "transform" or .kind == "op") | .name as $name
    | (if (.example.type != $name) then "\($name): its example is of another" else empty end),
      (.parameters[] | select((.help | length) < 3 or (.wants | length) < 3 or .schema == null or
        ((has("default") or .required) | not) or
        (.kind == "choice" and (.choices | length) < 1) or
        ((.kind == "number" or .kind == "integer") and ((has("limit") or has("unit")) | not)))
        | "\($name): \(.name) is not described in full")' all.json > faults
  cat faults
  [ ! -s faults ]
  python3 "$here/tools/described.py" sections all.txt all.json
}

@test "vocabulary: every example runs on an image with a label mask and annotations" {
  local at failed=
  python3 "$here/tools/stamps.py" stamps
  # Each step has an image with an object and one without. With p = 1 no step is skipped by chance.
  # The list of classes is the same for all images, so that no step for one image can rename a class.
  jq 'map(select(.example) | {name, group: "all", step: ((if .name == "rename_categories" then {type: .name} else .example end) + {p: 1})})' list.json |
    python3 "$here/tools/each_step.py" sizes each 3,3 "$samples/annotations.json"
  for at in each/*; do
    "$lockstep" run -q -p "$at/p.json" -i "$at/images" --masks "$at/masks" -a "$at/in.json" -o "$at/out" --stamps stamps --font "$font" \
      --format tiff --on-error skip 2> message || { cat message; failed=1; }
    [ -s "$at/out/manifest.jsonl" ] && [ -s "$at/out/annotations.json" ] || { echo "$at: no output"; failed=1; }
    ls "$at/out/images" >> made
    jq -r 'select(.steps | length > 0).source' "$at/out/manifest.jsonl" >> drawn
  done
  [ -z "$failed" ]
  diff <(names | LC_ALL=C sort) <(sed -n 's/-a.*\.tif$//p' made | LC_ALL=C sort -u)
  # Nearly all steps act on their own images. Some change nothing, or need texts, keypoints or other objects.
  names | LC_ALL=C sort | LC_ALL=C comm -23 - <(sed -n 's/-a\.png$//p' drawn | LC_ALL=C sort -u) > idle
  [ "$(wc -l < idle)" -le 12 ] || { cat idle; return 1; }
}
