#!/usr/bin/env bats
# Hashes of read and written files, and lockstep verify, which checks a result.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  coco=(-i "$samples/images" -a "$samples/annotations.json" --masks "$samples/masks" --durability none)
}

# go OUT OPTION...
go() { "$lockstep" run -q -p "$root/pipelines/dihedral.json" -o "$1" "${coco[@]}" "${@:2}"; }

# finds CODE PATH: it is found in broken/, and nothing else is.
finds() {
  run -1 --separate-stderr "$lockstep" verify broken
  [ "${#lines[@]}" -eq 1 ] && [[ ${lines[0]} == "$2: "*"[$1]" ]] || { echo "$output"; return 1; }
}

# broken: a copy of out/.
broken() { rm -rf broken && cp -r out broken; }

@test "checksums: sha256sum takes SHA256SUMS, and the manifest has the hashes of sources and outputs" {
  go out --checksums -n 2 --limit 6
  (cd out && sha256sum -c --quiet --strict SHA256SUMS)
  [ "$(find out -type f | wc -l)" -eq "$(($(wc -l < out/SHA256SUMS) + 1))" ]
  while IFS=$'\t' read -r source sum; do
    [ "$(sha256sum < "$samples/images/$source")" = "$sum  -" ]
  done < <(jq -r '[.source, .source_sha256] | @tsv' out/manifest.jsonl)
  jq -r '.sha256 + "  " + .output, .mask_sha256 + "  " + .mask' out/manifest.jsonl | (cd out && sha256sum -c --quiet)
  # nothing else is another, with one worker or two
  go plain -n 2 --limit 6
  diff <(jq -c 'del(.sha256, .mask_sha256, .source_sha256)' out/manifest.jsonl) <(jq -c . plain/manifest.jsonl)
  [ ! -e plain/SHA256SUMS ]
  go one --checksums -n 2 --limit 6 -j 1
  diff -r out one
  run -6 --separate-stderr go one --limit 6 -n 2 --resume
  [[ $stderr == *'--checksums'*'[resume-key]'* ]]
  go one --limit 6 --overwrite
  [ ! -e one/SHA256SUMS ]
}

@test "checksums: files of labels, and names with a backslash" {
  mkdir in && cp "$samples/images/street/0001.jpg" 'in/a\b.jpg'
  "$lockstep" run -q -p "$root/pipelines/dihedral.json" -i in -o names --checksums
  (cd names && sha256sum -c --quiet --strict SHA256SUMS)
  go yolo --to yolo --lossy --checksums --limit 5
  (cd yolo && sha256sum -c --quiet --strict SHA256SUMS)
  grep -q ' labels/' yolo/SHA256SUMS
  "$lockstep" verify -q yolo
  echo >> "$(find yolo/labels -type f | head -1)"
  run -1 "$lockstep" verify -q yolo
  [[ $output == labels/*'[verify-hash]' ]]
}

@test "verify: a result is good, and each thing that is wrong is found, alone" {
  local image=images/street/0001.jpg
  go out --checksums --limit 8
  "$lockstep" verify -q out
  broken && rm broken/$image && finds verify-missing $image
  broken && printf x | dd of=broken/$image bs=1 seek=3000 conv=notrunc status=none && finds verify-hash $image
  broken && echo > broken/images/street/extra.jpg && finds verify-extra images/street/extra.jpg
  broken && cp broken/images/street/0002.jpg broken/masks/street/0001.png && finds verify-hash masks/street/0001.png
  broken && sed -i 's/"dropped": \[/"dropped":  [/' broken/manifest.jsonl && finds verify-hash manifest.jsonl
  broken && rm broken/SHA256SUMS && finds verify-missing SHA256SUMS
  broken && sed -i '/annotations.json/d' broken/SHA256SUMS && finds verify-hash annotations.json
}

@test "verify: what strangers put into a result is not followed out of it, nor waited for" {
  go out --checksums --limit 3
  broken && rm broken/images/street/0001.jpg && mkfifo broken/images/street/0001.jpg
  run -1 timeout 20 "$lockstep" verify -q broken
  [[ $output == *'images/street/0001.jpg: '*'[verify-'* ]]
  broken && rm broken/run.json && ln -s ../out/run.json broken/run.json
  run timeout 20 "$lockstep" verify -q broken
  [ "$status" -eq 1 ] || [ "$status" -eq 6 ]
  broken && echo "$(printf '0%.0s' {1..64})  ../out/run.json" >> broken/SHA256SUMS
  run timeout 20 "$lockstep" verify -q broken
  run ! grep -q '\.\./out' <<< "$output"
  broken && sed -i 's,"output": "images/,"output": "../images/,' broken/manifest.jsonl
  run -6 --separate-stderr timeout 20 "$lockstep" verify -q broken
  [[ $stderr == *'names a file that no run writes [out-damaged]' && $stderr != *'empty'* ]]
}

@test "verify: without hashes what does not decode, has another size or other annotations is found" {
  local image=images/street/0001.jpg id
  go out --limit 8
  "$lockstep" verify -q out
  broken && truncate -s 3000 broken/$image && finds verify-damaged $image
  broken && : > broken/$image && finds verify-damaged $image
  broken && cp "$samples/images/fruit/0001.jpg" broken/$image && finds verify-size $image
  id=$(jq '.images[0].id' out/annotations.json)
  broken && jq -c 'del(.images[0])' out/annotations.json > broken/annotations.json
  run -1 "$lockstep" verify -q broken
  [[ $output == *"image $id of the manifest is not listed [verify-labels]"* ]]
  broken && jq -c '.images[0].width += 1' out/annotations.json > broken/annotations.json && finds verify-labels annotations.json
  broken && jq -c '.annotations[0].image_id = 77' out/annotations.json > broken/annotations.json
  run -1 "$lockstep" verify -q broken
  [[ ${lines[0]} == *'of image 77 that is not in the manifest [verify-labels]' ]]
  [[ ${lines[1]} == *"of the manifest is not listed [verify-labels]" ]]
  broken && jq -c '.images += [{id: 77, file_name: "x.jpg", width: 1, height: 1}]' out/annotations.json > broken/annotations.json
  finds verify-labels annotations.json
  broken && jq -c 'del(.categories[0])' out/annotations.json > broken/annotations.json && finds verify-count annotations.json
  broken && truncate -s 500 broken/annotations.json && finds verify-labels annotations.json
  broken && sed -i '$d' broken/manifest.jsonl
  run -1 "$lockstep" verify -q broken
  grep -q '^manifest.jsonl: .*lines.* \[verify-count\]$' <<< "$output"
  # sizes that the source does not state are not reported as missing
  jq -c 'del(.images[0].width) | .images[1].height = null' "$samples/annotations.json" > unsaid.json
  pipeline id.json ''
  "$lockstep" run -q -p id.json -i "$samples/images" -a unsaid.json -o unsaid
  "$lockstep" verify -q unsaid
}

@test "verify: results of models, panoptic segments, and images without annotations" {
  python3 "$here/tools/panoptic.py" draw data
  "$lockstep" run -q -p "$root/pipelines/dihedral.json" -i data/images -a data/panoptic.json -o panoptic --checksums
  "$lockstep" verify -q panoptic
  jq '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' "$samples/annotations.json" > results.json
  "$lockstep" run -q -p "$root/pipelines/dihedral.json" -i "$samples/images" -a results.json \
    --image-list "$samples/annotations.json" -o results
  "$lockstep" verify -q results
  "$lockstep" run -q -p detection -i "$samples/images" -o bare -n 2
  "$lockstep" verify -q bare
}

# survive OUT [ALLOWED]: each file of the result is damaged in each way, and verify finds each, but for the ways that match.
survive() {
  "$lockstep" verify -q "$1"
  run -0 --separate-stderr python3 "$here/tools/break_result.py" "$lockstep" "$1"
  lines=("${stderr_lines[@]}")
  [[ ${lines[-1]} =~ ^[0-9]{2,}' ways of ' ]] || { echo "$stderr"; return 1; }
  run -1 grep -Ev "${2:-^$}" <<< "$output"$'\n'
  [ -z "${output//$'\n'/}" ] || { echo "$1: $output"; return 1; }
}

# Without hashes: the order of records, and an end of line that is missing at the end of a file.
readonly UNSEEN='^(swap(:[^ ]*)?|cut-byte) |^$'

@test "verify: each way to damage a file of a result is found, without hashes" {
  mkdir in && cp -r "$samples/images/." in && echo broken > in/street/0002.jpg
  "$lockstep" run -q -p "$root/pipelines/dihedral.json" -i in -a "$samples/annotations.json" --limit 3 \
    --on-error skip -o coco || [ $? -eq 1 ]
  [ -s coco/errors.jsonl ]
  survive coco "$UNSEEN"
  go yolo --limit 2 --to yolo --lossy
  survive yolo "$UNSEEN"
  go voc --limit 2 --to voc --lossy
  # Without hashes, only the presence of lists is checked.
  survive voc "$UNSEEN"'|^(empty|nonsense|cut|drop|drop-last|twice|add|word) (labelmap|ImageSets/(Main|Segmentation)/train)\.txt$'
  printf 'file,class\nstreet/0001.jpg,a\nstreet/0002.jpg,b\n' > labels.csv
  "$lockstep" run -q -p "$root/pipelines/dihedral.json" -i "$samples/images" -a labels.csv -o table
  survive table "$UNSEEN"
}

@test "verify: each way to damage a file of a result with hashes, and of one in tars, is found" {
  go sums --limit 2 --checksums
  survive sums '^(swap|cut-byte) SHA256SUMS$|^$'
  go tars --limit 2 --out-format webdataset --shard-size 1
  survive tars "$UNSEEN"
}

# bats test_tags=release
@test "verify: each way to damage a file of a result is found, of the other formats" {
  go tars --limit 4 --out-format webdataset --shard-size 2 --checksums
  survive tars '^(swap|cut-byte) SHA256SUMS$|^$'
  go labelled --limit 3 --out-format webdataset --to yolo --lossy
  survive labelled "$UNSEEN"
  go segment --limit 3 --to yolo-segment --lossy
  survive segment "$UNSEEN"
  go pose --limit 3 --to yolo-pose --lossy
  survive pose "$UNSEEN|^cut data.yaml$" # its other members are not known
  go several --limit 2 -n 2 --checksums --to yolo --lossy
  survive several '^(swap|cut-byte) SHA256SUMS$|^$'
  "$lockstep" run -q -p "$root/pipelines/dihedral.json" -i "$samples/images" -o bare --limit 2
  survive bare "$UNSEEN"
  "$lockstep" run -q -p "$root/pipelines/dihedral.json" -i "$samples/images" --labels folders -o folders --limit 2
  survive folders "$UNSEEN"
  python3 "$here/tools/panoptic.py" draw data
  "$lockstep" run -q -p "$root/pipelines/dihedral.json" -i data/images -a data/panoptic.json -o panoptic --limit 3
  survive panoptic "$UNSEEN"
  jq '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' "$samples/annotations.json" > results.json
  "$lockstep" run -q -p "$root/pipelines/dihedral.json" -i "$samples/images" -a results.json \
    --image-list "$samples/annotations.json" -o results --limit 3
  survive results "$UNSEEN"
  for i in 0 1; do go shards --limit 3 --shard $i/2; done
  "$lockstep" merge -q shards
  survive shards "$UNSEEN"
  "$lockstep" run -q -p "$root/pipelines/dihedral.json" -i several/images -a several/labels --to coco -o back
  survive back "$UNSEEN"
}

@test "verify: what no run has finished is no result" {
  run -4 "$lockstep" verify nothing
  mkdir empty
  run -6 --separate-stderr "$lockstep" verify empty
  [[ $stderr == *'[out-unfinished]'* ]]
  run -2 "$lockstep" verify
}

@test "replay: sources that changed are refused by their hash, and --verify compares hashes without a folder" {
  cp -r "$samples/images" in
  coco=(-i in -a "$samples/annotations.json" --durability none)
  go out --checksums --limit 5
  "$lockstep" replay -q --checksums -m out/manifest.jsonl -o again "${coco[@]}"
  diff -r -x run.json -x SHA256SUMS out again
  "$lockstep" replay -q --verify -m out/manifest.jsonl "${coco[@]}"
  sed '1s/"sha256": "./"sha256": "x/' out/manifest.jsonl > edited.jsonl
  run -1 "$lockstep" replay --verify -m edited.jsonl --run out/run.json "${coco[@]}"
  [[ $output == *'[replay-differs]'* ]]
  printf x | dd of="in/$(jq -r .source <(head -1 out/manifest.jsonl))" bs=1 seek=3000 conv=notrunc status=none
  run -4 --separate-stderr "$lockstep" replay -m out/manifest.jsonl -o none "${coco[@]}"
  [[ $stderr == *'source_sha256: '*'[replay-changed]'* ]]
}
