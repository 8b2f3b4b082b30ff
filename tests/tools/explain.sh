#!/usr/bin/env bash
# Writes the output of explain for all pipelines of pipelines/ and tests/golden/explain/ into a folder. There is one
# file per pipeline and mode: the worst case, and for some the real draw of a sample. `make explain-texts` renews the
# committed files, tests/golden/explain: read the difference.
set -eu
cd "$(dirname "$0")/../.."
lockstep=${LOCKSTEP:-build/lockstep}
out=$1

worst() { # pipeline mode
  local name=${1##*/}
  "$lockstep" explain -p "$1" --optimize "$2" > "$out/${name%.json}.$2.txt"
}

drawn() { # pipeline mode image
  local name=${1##*/} image=${3%.*}
  "$lockstep" explain -p "$1" --optimize "$2" -i samples/images "$3" > "$out/${name%.json}.$2.${image//\//-}.txt"
}

for pipeline in pipelines/*.json tests/golden/explain/*.json; do
  worst "$pipeline" exact
  worst "$pipeline" fast
done
worst tests/golden/explain/filters.json none

for mode in exact fast; do
  drawn pipelines/detection.json $mode street/0001.jpg
  drawn pipelines/segmentation.json $mode park/0002.jpg
  drawn pipelines/photometric.json $mode hills/0002.png
  drawn pipelines/keypoints.json $mode desk/0001.jpg
done
drawn pipelines/dihedral.json exact fruit/0001.jpg
drawn pipelines/letterbox.json fast harbour/0001.jpg
drawn tests/golden/explain/lossless.json exact street/0001.jpg
drawn tests/golden/explain/never.json exact hills/0001.jpg
drawn tests/golden/explain/shortcuts.json fast park/0002.jpg
