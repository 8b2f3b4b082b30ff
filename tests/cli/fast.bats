# fast: optimize: exact and fast through the command: the same trees, the same labels, damage found.
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
}

# samples PIPELINE OUT OPTION...: all samples through a pipeline.
samples() {
  local pipeline=$1 out=$2
  shift 2
  "$lockstep" run -q -p "$pipeline" -i "$root/samples/images" -a "$root/samples/annotations.json" \
    --masks "$root/samples/masks" -o "$out" --overwrite --on-error skip "$@" || [ $? -eq 1 ]
}

# small: the samples at 160 pixels, in small/. As PNG, for which no run has to load libvips.
small() {
  pipeline small.json '{"type": "Resize", "size": [120, 160]}'
  samples small.json small --format png
}

@test "exact: every pipeline gives the tree of none, on all samples" {
  for pipeline in $(starters); do
    samples "$pipeline" none --optimize none
    samples "$pipeline" exact --optimize exact -j 2
    same_tree none exact
  done
}

@test "exact: reading only what a crop keeps changes no byte" {
  pipeline crop.json '{"type": "RandomCrop", "size": [133, 71]}, {"type": "RandomHorizontalFlip"}'
  pipeline centre.json '{"type": "CenterCrop", "size": [50, 301]}, {"type": "invert"}'
  for p in crop centre; do
    samples $p.json none --optimize none -n 1 --format png
    samples $p.json exact --optimize exact -n 1 --format png
    same_tree none exact
  done
  "$lockstep" explain -p crop.json -i "$root/samples/images" park/0001.jpg --optimize exact | grep -q 'reads: columns'
}

@test "fast: labels are those of none, on 20 random pipelines" {
  small
  python3 "$root/tests/tools/fast_labels.py" "$lockstep" small . 20 >&3
}

# bats test_tags=release
@test "fast: labels are those of none, on 200 random pipelines" {
  small
  python3 "$root/tests/tools/fast_labels.py" "$lockstep" small . 200 >&3
}

@test "fast: neither workers nor other copies change what an image becomes" {
  pipeline p.json '{"type": "RandomResizedCrop", "size": [90, 120]}, {"type": "RandomHorizontalFlip"},
    {"type": "ColorJitter", "brightness": 0.2, "contrast": 0.2, "saturation": 0.2, "hue": 0.05},
    {"type": "RandomRotation", "degrees": 10, "interpolation": "bilinear"}'
  samples p.json one --optimize fast -j 1
  samples p.json two --optimize fast -j 2
  same_tree one two
  samples p.json more --optimize fast -n 3
  for image in one/images/*/*; do
    name=${image#one/images/}
    cmp "$image" "more/images/${name%.*}__a000.${name##*.}"
  done
}

# frozen OPTION...: compares the tree of each pipeline with the tree of its frozen form.
frozen() {
  for pipeline in $(starters); do
    jq '. + {"optimize": "fast"}' "$pipeline" > fast.json
    "$lockstep" compile -p fast.json -o frozen.json --overwrite
    samples fast.json source "$@"
    samples frozen.json frozen "$@"
    same_tree source frozen
  done
}

@test "fast: the frozen form of a pipeline gives the same bytes, on five images" { frozen --limit 5; }

# bats test_tags=release
@test "fast: the frozen form of a pipeline gives the same bytes, on all samples" { frozen; }

@test "a file that ends too early is refused in every mode, also by what would only copy it" {
  mkdir cut
  head -c 20000 "$root/samples/images/park/0001.jpg" > cut/a.jpg
  pipeline turn.json '{"type": "rotate", "angle": 5, "interpolation": "bilinear"}'
  pipeline crop.json '{"type": "crop", "top": 0, "left": 0, "height": 9, "width": 9}'
  printf '{"version": 1, "transforms": [], "output": {"untouched": "copy"}}' > copy.json
  for p in turn crop copy; do
    for mode in none exact fast; do
      run -4 "$lockstep" run -p $p.json -i cut -o "out-$p-$mode" --optimize $mode
      [[ $output == *a.jpg* ]]
    done
  done
}
