#!/usr/bin/env bats
# Findings of `check` in good data: no errors, and no warnings except those of tests/check/expected.txt. Also checks
# that `check` and `run` accept the same data.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

# expected NAME: rules and counts of its warnings.
expected() { awk -v name="$1" '$1 == name { print $2, $3 }' "$here/check/expected.txt" | sort; }

# clean NAME FILE [OPTION...]: check finds no error in it, and just the warnings that are expected.
clean() {
  local name=$1
  shift
  "$lockstep" check "$@" > "$name.found" || { cat "$name.found"; return 1; }
  sed -n 's/^warning  *\([A-Z][0-9]*\) *\([0-9]*\) .*/\1 \2/p' "$name.found" | sort > "$name.warnings"
  diff <(expected "$name") "$name.warnings" || { echo "of $name"; cat "$name.found"; return 1; }
}

@test "samples and golden files have no error, and only expected warnings" {
  clean samples "$samples/annotations.json" -i "$samples/images"
  clean golden "$here/golden/person_keypoints.json"
}

@test "files as COCO's own tools write them have no error but those of COCO itself" {
  local kind
  for kind in captions image-info instances keypoints stuff; do
    clean "coco-$kind" "$here/dialects/coco-$kind.json"
  done
  clean lvis "$here/dialects/lvis.json"
  # An object of train2017 has no height.
  run -1 "$lockstep" check "$here/dialects/coco-train2017.json" --fail-on error
  [[ $output == *"1 error, "* && $output == *"[B004]"* ]]
}

@test "outputs of run have no error, and only the warnings that their sources have" {
  local pipeline name bad=0
  for pipeline in $(starters); do
    name=$(basename "$pipeline" .json)
    "$lockstep" run -q -p "$pipeline" -i "$samples/images" -a "$samples/annotations.json" \
      --masks "$samples/masks" -o "$name"
    clean "$name" "$name/annotations.json" -i "$name/images" || bad=1
  done
  return $bad
}

@test "what run refuses has an error" {
  local file code masks options bad=0
  while read -r file code _; do
    [ "$code" = 4 ] || continue
    masks=$here/bad/coco/${file%.json}
    # Some are wrong only together with their images, or their pictures of segments.
    options=()
    [ "$file" != rle-size-of-image.json ] || options=(-i "$samples/images")
    [ ! -d "$masks" ] || options=(-i "$samples/images" -m "$masks" --pixels)
    "$lockstep" check "$here/bad/coco/$file" "${options[@]}" > found.txt && { echo "$file: check finds no error"; bad=1; }
  done < <(grep -v '^#' "$here/bad/coco/expected.txt")
  return $bad
}

@test "of random mutations, what check finds no error in, run takes" {
  python3 "$here/search/check_mutations.py" "$lockstep" "$samples" 80 7
}
