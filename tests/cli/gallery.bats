#!/usr/bin/env bats
# The gallery shows the whole registry: a new entry has its cell by itself.
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
  export LOCKSTEP=$lockstep
  "$here/tools/gallery.sh" --cells > cells
}

@test "gallery: every transform has a cell, and every op or a transform that emits it" {
  jq -es 'length > 80 and (map(.name) | unique | length) == length' cells
  "$lockstep" list --json | jq -e --slurpfile cells cells '
    [$cells[].name] as $shown
    | map(select(.kind == "transform" and (.name | IN($shown[]) | not)) | .name) == []'
  "$lockstep" list --json | jq -e --slurpfile cells cells '
    [$cells[].name] as $shown
    | [.[] | select(.name | IN($shown[])) | .emits // [] | .[]] as $emitted
    | map(select(.kind == "op" and (.name | IN($shown[], $emitted[]) | not)) | .name) == []'
}

@test "gallery: every cell's pipeline is valid, and each name given a stronger step is an entry" {
  mkdir pipelines
  jq -c .pipeline cells | awk '{ print > ("pipelines/" NR ".json") }'
  "$lockstep" schema --check pipelines/*.json > good
  [ "$(grep -c ': good$' good)" -eq "$(jq -s length cells)" ]
  sed -n "/^stronger='/,/^}'/p" "$here/tools/gallery.sh" | sed "1s/.*/{/; \$s/'//" |
    jq -e --slurpfile cells cells 'keys - [$cells[].name] == []'
}

@test "gallery: every cell can be drawn on the samples" {
  python3 "$here/tools/stamps.py" stamps
  failed=()
  while read -r line; do
    jq .pipeline <<< "$line" > p.json
    "$lockstep" run -q --dry-run -n 3 -p p.json -i "$root/samples/images" -a "$root/samples/annotations.json" \
      --stamps stamps --font "$font" street/0002.jpg > /dev/null || failed+=("$(jq -r .name <<< "$line")")
  done < cells
  [ "${failed[*]}" = '' ] || { echo "${failed[*]}"; return 1; }
}
