#!/usr/bin/env bats
# The vocabulary: torchvision's functionals and transforms, and what Albumentations has beside them.
# Each name is listed, described in full, and its example runs on an image with all it can have.
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
  names > there
  for name in $OPS $TORCHVISION $ALBUMENTATIONS $NOISE_AND_WEATHER; do
    grep -qx "$name" there || { echo "no $name"; failed=1; }
  done
  [ -z "$failed" ]
}

@test "vocabulary: describe has every parameter's range, unit and default, the targets and an example" {
  for name in $(names); do
    "$lockstep" describe "$name" > page
    for section in TARGETS EXAMPLE; do
      grep -qx "$section" page || { echo "$name: no $section"; failed=1; }
    done
    "$lockstep" describe "$name" --json | jq -r --arg name "$name" '
      (if (.example.type != $name) then "\($name): its example is of another" else empty end),
      (.parameters[] | select((.help | length) < 3 or (.wants | length) < 3 or .schema == null or
        ((has("default") or .required) | not) or
        (.kind == "choice" and (.choices | length) < 1) or
        ((.kind == "number" or .kind == "integer") and ((has("limit") or has("unit")) | not)))
        | "\($name): \(.name) is not described in full")'
  done > faults
  cat faults
  [ ! -s faults ] && [ -z "$failed" ]
}

@test "vocabulary: every example runs on an image with a label mask and annotations" {
  mkdir images masks
  for name in a b; do # the second one may be borrowed
    python3 "$here/tools/blank.py" images/$name.png 320 240 rgb
    python3 "$here/tools/blank.py" masks/$name.png 320 240 gray
  done
  printf '{"images": [{"id": 1, "file_name": "a.png", "width": 320, "height": 240},
    {"id": 2, "file_name": "b.png", "width": 320, "height": 240}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [100, 60, 120, 100], "area": 12000,
      "iscrowd": 0, "segmentation": [[100, 60, 220, 60, 220, 160, 100, 160]]}]}' |
    jq --slurpfile samples "$root/samples/annotations.json" '. + {categories: $samples[0].categories}' > in.json
  python3 "$here/tools/stamps.py" stamps
  for name in $(names); do
    jq --arg name "$name" '{version: 1, seed: 3, output: {format: "tiff"},
      transforms: [.[] | select(.name == $name).example]}' list.json > p.json
    rm -rf out
    "$lockstep" run -q -p p.json -i images --masks masks -a in.json -o out --stamps stamps --font "$font" 2> message &&
      [ -s out/manifest.jsonl ] && [ -s out/annotations.json ] && ls out/images/a*.tif* > /dev/null ||
      { echo "$name: $(cat message)"; failed=1; }
  done
  [ -z "$failed" ]
}
