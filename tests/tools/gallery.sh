#!/usr/bin/env bash
# Draws every transform, and every op that no transform emits, on one sample with its labels. For each,
# build/gallery/NAME.png shows the sample and three copies. build/gallery/gallery.png shows the sample and the first
# copies of all of them, side by side.
#
# gallery.sh --cells prints what would be drawn: one JSON line {"name": ..., "pipeline": ...} each.
set -eu
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
lockstep=$(realpath "${LOCKSTEP:-$BUILD/lockstep}")
gallery=$BUILD/gallery
samples=$PWD/samples
font=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf # of fonts-dejavu-core
sample=street/0002.jpg # people with keypoints, polygons and run lengths; 480 x 640
width=200              # of a picture
pairs=6                # side by side in gallery.png

# Members to add to an entry's own example so that its effect is visible on this sample.
stronger='{
  "AtLeastOneBBoxRandomCrop": {"height": 400, "width": 300},
  "AutoAugment": {"policy": "imagenet"},
  "Blur": {"blur_limit": [11, 21]},
  "CenterCrop": {"size": [400, 300]},
  "ChromaticAberration": {"primary_distortion_limit": [0.3, 0.4]},
  "Compose": {"transforms": [{"type": "horizontal_flip"}, {"type": "Pad", "padding": 40}]},
  "Corrupt": {"name": "frost", "severity": 4},
  "CropNonEmptyMaskIfExists": {"height": 400, "width": 300},
  "Defocus": {"radius": [8, 20]},
  "Downscale": {"scale_range": [0.08, 0.15]},
  "ElasticTransform": {"alpha": 600, "sigma": 12},
  "FancyPCA": {"alpha": 4},
  "FiveCrop": {"size": [320, 240]},
  "GaussianBlur": {"kernel_size": 31, "sigma": [4, 8]},
  "GlassBlur": {"max_delta": 8},
  "Illumination": {"intensity_range": [0.6, 0.6]},
  "GridElasticDeform": {"magnitude": 60},
  "ImageCompression": {"quality_range": [2, 6]},
  "JPEG": {"quality": [2, 6]},
  "MedianBlur": {"blur_limit": [13, 21]},
  "Morphological": {"scale": [11, 11]},
  "MotionBlur": {"blur_limit": [31, 61]},
  "OneOf": {"transforms": [{"type": "invert"}, {"type": "box_blur", "kernel_size": [21, 21]}]},
  "Pad": {"padding": [80, 40]},
  "PlasmaShadow": {"shadow_intensity_range": [0.9, 1], "roughness": 0.4},
  "RandomAdjustSharpness": {"sharpness_factor": 8},
  "RandomApply": {"transforms": [{"type": "horizontal_flip"}, {"type": "Pad", "padding": 40}]},
  "RandomCenterCropPad": {"crop_size": [400, 400]},
  "RandomChoice": {"transforms": [{"type": "invert"}, {"type": "vertical_flip"}]},
  "RandomCrop": {"size": [400, 300]},
  "RandomCropCategoryAreaConstraint": {"crop_size": [400, 300]},
  "RandomGravel": {"number_of_patches": 12},
  "RandomPosterize": {"bits": 2},
  "Sharpen": {"alpha": [0.9, 1]},
  "SomeOf": {"transforms": [{"type": "horizontal_flip"}, {"type": "invert"}, {"type": "ToSepia"}]},
  "Spatter": {"mode": "mud", "gauss_sigma": [6, 8], "std": [0.6, 0.8], "intensity": [2, 3]},
  "TenCrop": {"size": [320, 240]},
  "UnsharpMask": {"alpha": [0.9, 1], "blur_limit": [15, 21]},
  "center_crop": {"output_size": [400, 300]},
  "resized_crop": {"top": 200, "left": 40, "height": 400, "width": 300, "size": [200, 300]},
  "tile": {"size": [320, 240], "overlap": 0, "max_outputs": 4}
}'

# Every step has probability 1. An op is listed only if no transform emits it.
cells() {
  "$lockstep" list --json | jq -c --argjson stronger "$stronger" '
    (map(select(.kind == "transform") | .emits // [] | .[])) as $emitted
    | .[]
    | select(.kind == "transform" or (.kind == "op" and (.name | IN($emitted[]) | not)))
    | {name, mask: (.effects | test("M") and (test("[RH]") | not)),
       pipeline: ({version: 1, annotations: {ids: "dense"}, transforms: [.example + {p: 1} + ($stronger[.name] // {})]}
         # The samples are JPEG files, which cannot hold floats or 16 bits.
         + if .emits // [] | any(IN("to_dtype", "normalize")) then {output: {format: "tiff"}} else {} end)}'
}

# draw CELL: draws NAME.png, and its left part below parts/: margin, original, gap, first copy. Label masks are drawn
# only for steps that move pixels, since they veil colors.
draw() {
  local name masks=()
  name=$(jq -r .name <<< "$1")
  jq -e .mask <<< "$1" > /dev/null && masks=(--masks "$samples/masks")
  jq .pipeline <<< "$1" > "$name.json"
  "$lockstep" preview -q -p "$name.json" -i "$samples/images" -a "$samples/annotations.json" \
    "${masks[@]}" --stamps stamps --font "$font" -n 3 --width $width -o "$name.png" "$sample" > /dev/null &&
    vips crop "$name.png" "parts/$name.png" 0 0 $((16 + width + 12 + width)) \
      "$(vipsheader -f height "$name.png")"
}

if [ "${1:-}" = --cells ]; then
  cells
  exit
fi
rm -rf "$gallery"
mkdir -p "$gallery/parts"
cd "$gallery"
python3 "$samples/../tests/tools/stamps.py" stamps
failed=0
parts=()
while read -r cell; do
  if draw "$cell"; then
    parts+=("parts/$(jq -r .name <<< "$cell").png")
  else
    failed=$((failed + 1))
  fi
done < <(cells)
# Rows are as high as title, a picture 4/3 as high as wide, and its caption.
vips arrayjoin "${parts[*]}" gallery.png --across $pairs --background "30 32 36" \
  --hspacing $((16 + width + 12 + width)) --vspacing $((16 + 26 + width * 4 / 3 + 46))
rm -r parts
echo "$gallery/gallery.png: ${#parts[@]} entries, $failed failed"
[ $failed -eq 0 ]
