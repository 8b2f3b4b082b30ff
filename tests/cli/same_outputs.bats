#!/usr/bin/env bats
# The comparison of what two builds write: equal builds pass, and any other byte is found.
# bats file_tags=release
# shellcheck disable=SC2154 # run sets output
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

compare() { python3 "$here/tools/same_outputs.py" "$@" -j 1 --only '^to (coco|voc)$'; }

# altered LINE: a build that is lockstep, and then does what LINE says; "$out" is the folder of -o.
altered() {
  cat > other <<END
#!/usr/bin/env bash
code=0
"$lockstep" "\$@" || code=\$?
out=
while [ \$# -gt 0 ]; do
  [ "\$1" != -o ] || out=\$2
  shift
done
[ -z "\$out" ] || $1
exit \$code
END
  chmod +x other
}

@test "same outputs: a build equals itself" {
  run -0 compare "$lockstep" "$lockstep"
  [[ $output == *'2 jobs, '*' 0 jobs differ; 0 never end with 0' ]]
}

@test "same outputs: a changed, a missing and an added file are found, and another exit code" {
  local line
  # shellcheck disable=SC2016 # expanded by the altered build
  for line in 'printf x >> "$out/manifest.jsonl"' 'rm "$out/manifest.jsonl"' 'touch "$out/more"' 'code=1'; do
    altered "$line"
    run -1 compare "$lockstep" "$PWD/other"
    [[ $output == *'2 jobs differ'* ]]
  done
}
