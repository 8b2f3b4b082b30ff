# lockstep compile: the frozen form runs like its source.
# shellcheck disable=SC2154 # run --separate-stderr sets stderr
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
}

run_it() { # pipeline, out
  "$lockstep" run -q -p "$1" -i "$root/samples/images" -a "$root/samples/annotations.json" --masks "$root/samples/masks" \
    -o "$2" -n 2 --overwrite --on-error skip || [ $? -eq 1 ]
}

@test "compile: the frozen file of every pipeline gives the same bytes, and compiles to itself" {
  for pipeline in $(starters); do
    "$lockstep" compile -p "$pipeline" -o frozen.json --overwrite
    "$lockstep" compile -p frozen.json > again.json
    cmp frozen.json again.json
    run_it "$pipeline" source
    run_it frozen.json frozen
    diff -r source frozen
  done
}

@test "compile: what is not the default and what is are both written out" {
  cat > p.json << 'EOF'
{"version": 1, "seed": 9, "optimize": "none", "transforms": [
  {"type": "RandomHorizontalFlip", "p": 1},
  {"type": "RandomApply", "transforms": [{"type": "pad", "padding": 2, "id": "border"}, {"type": "invert", "p": 0.25}]}]}
EOF
  "$lockstep" compile -p p.json > frozen.json
  jq -e '.optimize == "none" and .seed == 9 and .transforms[0].p == 1 and .transforms[1].p == 0.5
    and .transforms[1].transforms[0].id == "border" and .transforms[1].transforms[0].padding_mode == "constant"
    and .transforms[1].transforms[1].p == 0.25 and .annotations.boxes == "tight" and .output.quality == 95' frozen.json
  want=$(jq -r '."x-frozen".sha256' frozen.json)
  have=$(tail -n 1 frozen.json | sed 's/^ "optimize": "none", /{/' | tr -d '\n' | sha256sum | cut -d ' ' -f 1)
  [ "$want" = "$have" ]
}

@test "compile: a wrong pipeline is refused, and files are not replaced unasked" {
  echo '{"version": 1, "transforms": [{"type": "Padd"}]}' > bad.json
  run -3 --separate-stderr "$lockstep" compile -p bad.json -o out.json
  [ ! -e out.json ]
  echo '{"version": 1, "transforms": []}' > good.json
  "$lockstep" compile -p good.json -o new/out.json
  run -6 --separate-stderr "$lockstep" compile -p good.json -o new/out.json
  grep -F '[out-occupied]' <<< "$stderr"
  "$lockstep" compile -p good.json -o new/out.json --overwrite
  run -5 "$lockstep" compile -p good.json -o /dev/null/out.json
}

@test "compile: pipes and what stdout leads to are written to, and not replaced" {
  echo '{"version": 1, "transforms": []}' > good.json
  "$lockstep" compile -p good.json -o want.json
  mkfifo pipe
  timeout 60 cat pipe > through.json &
  timeout 60 "$lockstep" compile -p good.json -o pipe
  wait $!
  [ -p pipe ]
  cmp want.json through.json
  ln -s /proc/self/fd/1 stdout
  "$lockstep" compile -p good.json -o stdout > through.json
  cmp want.json through.json
  "$lockstep" compile -p good.json -o stdout | cmp want.json
  [ -L stdout ]
}
