#!/usr/bin/env bash
# Plant faults, one at a time in a scratch copy, and show that a test turns red for each: half a pixel
# and a pixel in every op that moves something and in the loops under them (the registry walk), and
# mistakes in the rules by which neighbouring ops are joined (the comparison with op by op) and in how a
# JPEG's coefficients are turned.
set -u
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r Makefile src cli tests "$scratch"
mkdir -p "$scratch/build"
cp -r build/. "$scratch/build/" 2> /dev/null
cd "$scratch" || exit 1
caught=0 missed=0

build() { make --no-print-directory -s "build/unit/$1" CFLAGS='-O1' > "$scratch/log" 2>&1; }

try() { # what was planted, op to walk or "", test
  local test=${3:-test_walk}
  if ! build "$test"; then
    echo "not ok planted: $1 (it does not build)"
    sed 's/^/#   /' "$scratch/log" | head -5
    missed=$((missed + 1))
  elif OP=$2 "build/unit/$test" > "$scratch/log" 2>&1; then
    echo "not ok planted: $1 was not noticed"
    missed=$((missed + 1))
  else
    echo "ok planted: $1 turns $test red ($(grep -c 'not so' "$scratch/log") checks)"
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
plant_in_line() { # file, sed expression, what, op, test
  cp "$1" "$scratch/kept.c"
  sed -i "$2" "$1"
  if cmp -s "$1" "$scratch/kept.c"; then
    echo "not ok planted: $3 (the line to change is gone; see tests/planted.sh)"
    missed=$((missed + 1))
  else
    try "$3" "$4" "${5:-test_walk}"
  fi
  unplant "$1"
}

plant_in_line src/geom/geom.h 's/double cx = x + 0.5, cy = y + 0.5;/double cx = x, cy = y;/' \
  "nearest sampling: corners instead of centres" affine

plant_in_line src/pixels/warp_loops.h 's/warp_at(&inverse, x, y, -0.5)/warp_at(\&inverse, x, y, 0)/' \
  "blended sampling: half a pixel off" affine
plant_in_line src/pixels/resize.c 's/double u = centre - 0.5;/double u = centre;/' \
  "resize: centres forgotten" resize
plant_in_line src/pixels/resize.c 's/filter(taps, (j - centre + 0.5) \/ wide)/filter(taps, (j - centre) \/ wide)/' \
  "antialiased resize: half a pixel off" resize
plant_in_line src/pixels/resize.c 's/floorf(((float)k + 0.5f) \* scale)/floorf((float)k * scale)/' \
  "nearest resize: biased to the top left" resize

plant_in_line src/plan/join.c 's/swap ? second->u.index.row : second->u.index.col/second->u.index.col/' \
  "two index maps: a quarter turn's rows and columns mixed up" "" test_exact
plant_in_line src/plan/join.c 's/fills_second ? second->fill : first->fill/first->fill/' \
  "two index maps: the wrong border" "" test_exact
plant_in_line src/plan/join.c 's/second\[i\] < 0 ? -1 : first\[second\[i\]\]/first[second[i] < 0 ? 0 : second[i]]/' \
  "two index maps: what is outside forgotten" "" test_exact
plant_in_line src/plan/join.c 's/\[band + ((const uint8_t \*)first)\[i\]\]/[((const uint8_t *)first)[i]]/' \
  "two tables: the first band's for all" "" test_exact
plant_in_line src/plan/fuse.c 's/pass->n_points && index_fills(a)/false/' \
  "a border after recolouring: recoloured too" "" test_exact
plant_in_line src/plan/fuse.c 's/!sampled && !shows_source(f->pass)/false/' \
  "statistics: of what a crop takes away" "" test_exact
plant_in_line src/plan/render.c 's/to = rows_of(&scratch, 0, n);/to = rows;/' \
  "statistics: taken in place" "" test_exact
plant_in_line src/plan/mover.c 's/m->row + (m->swap ? 0 : y0)/m->row + y0/' \
  "a flow's strips: shifted under a quarter turn" "" test_exact
plant_in_line src/plan/flow.c 's/i == first ? from : to, to/from, to/' \
  "points: each of what came in, not of the one before" "" test_exact

plant_in_line src/plan/route.c 's/mat3_then(&a->map.inverse, &r->inverse)/mat3_then(\&r->inverse, \&a->map.inverse)/' \
  "two moves as a route: the wrong way round" "" test_fast
plant_in_line src/plan/route.c 's/e->a \* m\[2\] + e->b \* m\[5\] + e->c/e->c/' \
  "a route's edges: not moved along" "" test_fast
plant_in_line src/plan/route.c 's/next.fill_at = n_points/next.fill_at = 0/' \
  "a route's fill: recoloured by what came before it" "" test_fast
plant_in_line src/plan/route.c 's/cuts = a->family == MATRIX/cuts = false/' \
  "a route's canvases: what they cut off comes back" "" test_fast
plant_in_line src/pixels/colour.c 's/second->m\[i\]\[k\] \* first->m\[k\]\[j\]/first->m[i][k] * second->m[k][j]/' \
  "two colour matrices: the wrong way round" "" test_fast
plant_in_line src/plan/planar.c 's/m.m\[i + 1\]\[1\] \* before\[0\]\[j\]/m.m[i + 1][1] * before[1][j]/' \
  "chroma: mixed up" "" test_fast
plant_in_line src/plan/planar.c 's/float v = plane ? 128 : 0/float v = 0/;s/double v = plane ? 128 : 0/double v = 0/' \
  "a fill on planes: green" "" test_fast
plant_in_line src/plan/mover.c 's/x.stretch.begin -= window.x0;//' \
  "a reduction: of the wrong part" "" test_fast

plant_in_line src/pixels/picture_lossless.c 's/turn.columns_back \&\& across % 2/turn.columns_back \&\& down % 2/' \
  "coefficients: the wrong ones change their sign" "" test_lossless
plant_in_line src/pixels/picture_lossless.c 's/= in->quantval\[t->from\[i\]\]/= in->quantval[i]/' \
  "coefficients: quantised as before a quarter turn" "" test_lossless
plant_in_line src/pixels/picture_lossless.c 's/return e->turn.rows_back ? e->y + e->height : e->y/return e->y/' \
  "coefficients: rows counted back from the wrong side" "" test_lossless
plant_in_line src/plan/lossless.c 's/index\[i\] < 0 || //' \
  "coefficients: a border taken for a part of the image" "" test_lossless

for test in test_walk test_exact test_lossless test_fast; do
  if ! build $test || ! "build/unit/$test" > "$scratch/log" 2>&1; then
    echo "not ok planted: without a fault $test must be green"
    missed=$((missed + 1))
  fi
done
echo "$caught passed, $missed failed"
[ "$missed" -eq 0 ]
