#!/usr/bin/env bash
# codecs.sh: codecs.py on the small corpus. Environment: LOCKSTEP, CORPUS and ROUNDS as in bench.sh,
# IMAGES (40), PYTHON as in peers.sh.
set -euo pipefail

images_read=${IMAGES:-40}
unset IMAGES
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

number IMAGES "$images_read"
prepare small
"${PYTHON:-/usr/bin/python3}" "$here/codecs.py" "$lockstep" "$corpus" "$rounds" "$images_read"
