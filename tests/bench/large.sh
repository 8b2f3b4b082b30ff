#!/usr/bin/env bash
# large.sh: large.py, with vips_chain.c compiled. Environment: LOCKSTEP and ROUNDS as in bench.sh,
# PYTHON as in peers.sh.
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

number ROUNDS "$rounds"
[[ -x $lockstep ]] || die "$lockstep is missing; build it first, or set LOCKSTEP"
mkdir -p "$build"
read -ra vips < <(pkg-config --cflags --libs vips)
"${compiler[@]}" -std=c11 -O2 -o "$build/vips_chain" "$here/vips_chain.c" "${vips[@]}"
"${PYTHON:-/usr/bin/python3}" "$here/large.py" "$lockstep" "$build/vips_chain" "$rounds"
