#!/usr/bin/env bash
# Plant faults of half a pixel and of a pixel in every op that moves something, and in the loops under
# them, one at a time in a scratch copy, and show that the registry walk turns red for each.
set -u
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r Makefile src cli tests "$scratch"
mkdir -p "$scratch/build"
cp -r build/. "$scratch/build/" 2> /dev/null
cd "$scratch" || exit 1
caught=0 missed=0

build() { make --no-print-directory -s build/unit/test_walk CFLAGS='-O1' > "$scratch/log" 2>&1; }

try() { # what was planted, op to walk or ""
  if ! build; then
    echo "not ok planted: $1 (it does not build)"
    sed 's/^/#   /' "$scratch/log" | head -5
    missed=$((missed + 1))
  elif OP=$2 build/unit/test_walk > "$scratch/log" 2>&1; then
    echo "not ok planted: $1 was not noticed"
    missed=$((missed + 1))
  else
    echo "ok planted: $1 turns the walk red ($(grep -c 'not so' "$scratch/log") checks)"
    caught=$((caught + 1))
  fi
}

# An op's resolve, wrapped: labels half a pixel off, or pixels and label sampling a whole one.
plant_in_op() { # op, kind
  local file=src/ops/$1.c
  cp "$file" "$scratch/kept.c"
  awk -v body="$2" '
    /^const struct op / {
      print "static bool planted(const void *params, const struct scene *scene, struct action *out)"
      print "{"
      print "    bool good = resolve(params, scene, out);"
      print "    struct mat3 half = { { 1, 0, 0.5, 0, 1, 0, 0, 0, 1 } };"
      print "    struct mat3 one = { { 1, 0, 1, 0, 1, 0, 0, 0, 1 } };"
      print "    (void)half; (void)one;"
      print "    if (out->family == NOTHING) return good;"
      print body
      print "    return good;"
      print "}"
    }
    { sub(/\.resolve = resolve/, ".resolve = planted"); print }
  ' "$scratch/kept.c" > "$file"
}

unplant() { cp "$scratch/kept.c" "$1"; }

declare -A faults
faults[labels half a pixel off]='    out->map.forward = mat3_then(&out->map.forward, &half);'
faults[labels a pixel off]='    out->map.forward = mat3_then(&out->map.forward, &one);'
faults[pixels a pixel off]='    out->map.inverse = mat3_then(&out->map.inverse, &one);
    if (out->map.col) {
        int n = out->map.swap ? out->out.height : out->out.width;
        int32_t *moved = arena_take(scene->arena, (size_t)n * sizeof *moved);
        for (int i = 0; i < n; i++)
            moved[i] = out->map.col[i + 1 < n ? i + 1 : i];
        if (out->family == INDEX) out->u.index.col = moved;
        else out->map.col = moved;
    }'

for op in $(grep -lE 'effect = [A-Z |]*MOVES' src/ops/*.c | xargs -n1 basename | sed 's/\.c$//'); do
  for fault in "${!faults[@]}"; do
    plant_in_op "$op" "${faults[$fault]}"
    try "$op: $fault" "$op"
    unplant "src/ops/$op.c"
  done
done

# A line of the shared loops, changed by sed; the pattern must be there.
plant_in_line() { # file, sed expression, what, op
  cp "$1" "$scratch/kept.c"
  sed -i "$2" "$1"
  if cmp -s "$1" "$scratch/kept.c"; then
    echo "not ok planted: $3 (the line to change is gone; see tests/planted.sh)"
    missed=$((missed + 1))
  else
    try "$3" "$4"
  fi
  unplant "$1"
}

plant_in_line src/geom/geom.h 's/double cx = x + 0.5, cy = y + 0.5;/double cx = x, cy = y;/' \
  "nearest sampling: corners instead of centres" affine

plant_in_line src/pixels/warp.c 's/warp_at(&inverse, x, y, -0.5)/warp_at(\&inverse, x, y, 0)/' \
  "blended sampling: half a pixel off" affine
plant_in_line src/pixels/resize.c 's/double u = scale \* (k + 0.5) - 0.5;/double u = scale * k;/' \
  "resize: centres forgotten" resize
plant_in_line src/pixels/resize.c 's/filter(taps, (j - centre + 0.5) \/ wide)/filter(taps, (j - centre) \/ wide)/' \
  "antialiased resize: half a pixel off" resize
plant_in_line src/pixels/resize.c 's/floorf(((float)k + 0.5f) \* scale)/floorf((float)k * scale)/' \
  "nearest resize: biased to the top left" resize

if ! build || ! build/unit/test_walk > "$scratch/log" 2>&1; then
  echo "not ok planted: without a fault the walk must be green"
  missed=$((missed + 1))
fi
echo "$caught passed, $missed failed"
[ "$missed" -eq 0 ]
