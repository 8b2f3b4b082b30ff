#!/usr/bin/env bats
# The recipes for CI and git: each is run, as far as that can be without GitHub and GitLab.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  recipes=$samples/recipes
  mkdir bin
  ln -s "$lockstep" bin/lockstep
  PATH=$PWD/bin:$PATH
  python3 - "$samples/annotations.json" << 'PY'
import json, sys
data = json.load(open(sys.argv[1]))
data["annotations"][0]["bbox"][2] *= -1
json.dump(data, open("bad.json", "w"), indent=1)
PY
}

# yaml FILE FILTER: of a YAML file, as JSON.
yaml() {
  python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)' "$1" | jq -r "$2"
}

@test "recipes: the action's script, with the inputs as a runner gives them" {
  local action=$recipes/github-action/action.yml step='.runs.steps[] | select(.name == "Check")'
  # Inputs are never a part of a script.
  [ "$(yaml "$action" '[.runs.steps[].run | contains("${{")] | any')" = false ]
  yaml "$action" "$step | .run" > check.sh
  [ "$(yaml "$action" "$step | .env | to_entries | map(.key + .value) | join(\" \")")" = \
    "ANNOTATIONS\${{ inputs.annotations }} IMAGES\${{ inputs.images }} FAIL_ON\${{ inputs.fail-on }} SARIF\${{ inputs.sarif }}" ]
  cp "$samples/annotations.json" 'a $(touch pwned).json'
  export GITHUB_STEP_SUMMARY=$PWD/summary.md SARIF=out.sarif FAIL_ON=error IMAGES=$samples/images
  : > summary.md
  ANNOTATIONS=$'a $(touch pwned).json\n' run -0 bash --noprofile --norc -eo pipefail check.sh
  [ ! -e pwned ]
  grep -q '^## lockstep check: 0 errors' summary.md
  jq -e '.runs[0].results' out.sarif > none.txt
  ANNOTATIONS=$'a $(touch pwned).json\nbad.json\n' IMAGES='' run -1 bash --noprofile --norc -eo pipefail check.sh
  grep -q '^::error file=bad.json,line=[0-9]*,col=[0-9]*,title=B003 ' <<< "$output"
  grep -q 'B003' summary.md
  python3 "$here/tools/reports.py" sarif out.sarif
  yaml "$action" '.runs.steps[0].run' > install.sh
  run -0 bash --noprofile --norc -eo pipefail install.sh
  [ "$output" = "$PWD/bin/lockstep" ]
  # Where lockstep is not there, the repository that the action is in has the targets.
  make -s -C "$recipes/../.." -n deps install PREFIX="$PWD/x" > none.txt
  # The workflow uses inputs that there are.
  [ "$(yaml "$recipes/github-workflow.yml" '.jobs.check.steps[1].with | keys | join(" ")')" = 'annotations images' ]
  [ "$(yaml "$recipes/github-workflow.yml" '.jobs.check.steps[2].with.sarif_file')" = "$(yaml "$action" '.inputs.sarif.default')" ]
}

@test "recipes: GitLab's job writes the artifacts that it names" {
  local name
  yaml "$recipes/gitlab-ci.yml" '.dataset.script | join("\n")' > job.sh
  ANNOTATIONS=bad.json IMAGES=$samples/images run -1 bash -eo pipefail job.sh
  for name in $(yaml "$recipes/gitlab-ci.yml" '.dataset.artifacts | .reports[], .paths[]'); do [ -s "$name" ]; done
  python3 "$here/tools/reports.py" gitlab "$(yaml "$recipes/gitlab-ci.yml" '.dataset.artifacts.reports.codequality')"
  python3 "$here/tools/reports.py" junit "$(yaml "$recipes/gitlab-ci.yml" '.dataset.artifacts.reports.junit')"
  python3 "$here/tools/reports.py" html check.html
  rm ./*.json
  cp "$samples/annotations.json" annotations.json
  ANNOTATIONS=annotations.json IMAGES=$samples/images run -0 bash -eo pipefail job.sh
}

# commit: in the repository, as somebody.
commit() { git -c user.name=a -c user.email=a@example.org commit -q -m x; }

@test "recipes: the hook of git refuses a commit of a broken file, and takes its repair" {
  export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
  mkdir tmp
  git init -q repository
  cp "$recipes/pre-commit" repository/.git/hooks/pre-commit
  cd repository
  mkdir data
  cp "$samples/annotations.json" 'data/my annotations.json'
  git add .
  commit
  # Only the committed content counts: not the file in the work tree, nor a file that the hook does not name.
  cp ../bad.json 'data/my annotations.json'
  cp ../bad.json other.json
  git add other.json
  commit
  git add data
  run -1 commit
  grep -q '^data/my annotations.json:[0-9:]* error\[B003\]' <<< "$output"
  [ "$(git rev-list --count HEAD)" = 2 ]
  cp "$samples/annotations.json" 'data/my annotations.json'
  run -1 commit
  git add data
  echo > text
  git add text
  commit
  git config --add lockstep.annotations 'other.json'
  echo >> other.json
  git add other.json
  run -1 commit
  grep -q '^other.json:[0-9:]* error\[B003\]' <<< "$output"
  git config lockstep.failOn never
  commit
  # The repository's own settings count.
  git config lockstep.failOn error
  echo >> other.json
  git add other.json
  run -1 commit
  echo '{"ignore": ["B003"]}' > lockstep-check.json
  commit
  # Images are looked at where the repository says which folder has them.
  git config lockstep.failOn error
  git config lockstep.images images
  cp "$samples/annotations.json" other.json
  cp -r "$samples/images" images
  git add other.json
  commit
  # No file is left over, and nothing is printed about correct files.
  echo >> other.json
  git add other.json
  TMPDIR=$PWD/../tmp run -0 commit
  [ -z "$output" ]
  [ -z "$(ls ../tmp)" ]
}

@test "recipes: the settings of the samples" {
  cp -r "$samples" copy
  cd copy
  run -0 --separate-stderr "$lockstep" check annotations.json --output json
  [[ $stderr == *'settings are from '*'/copy/lockstep-check.json'* ]]
  jq -e '.warnings == 0 and (.rules | map(.id) | contains(["S012"]) | not)' <<< "$output"
  rm lockstep-check.json
  run -1 "$lockstep" check annotations.json --fail-on warning
}

@test "recipes: pre-commit.com's entry with the files that it picks" {
  local config=$recipes/pre-commit-config.yaml entry files
  entry=$(yaml "$config" '.repos[0].hooks[0].entry')
  files=$(yaml "$config" '.repos[0].hooks[0].files')
  cp "$samples/annotations.json" annotations.json
  cp bad.json annotations-bad.json
  [ "$(printf '%s\n' ./*.json | grep -cE "$files")" = 2 ]
  # shellcheck disable=SC2086 # words of a command line
  run -0 $entry annotations.json
  # shellcheck disable=SC2086
  run -1 $entry annotations.json annotations-bad.json
}

# one_run: makes whole, the result that shards must reproduce.
one_run() {
  run_options=(-p "$root/pipelines/detection.json" -i "$samples/images" -a "$samples/annotations.json" -n 2)
  "$lockstep" run -q "${run_options[@]}" -o whole
}

@test "recipes: xargs divides a run into shards, resumes and merges them" {
  one_run
  SHARDS=3 OUT="$PWD/an out" run -0 "$recipes/shards/xargs.sh" "${run_options[@]}"
  same_tree whole 'an out'
  # A shard whose folder cannot be written fails the whole, which goes on when it can.
  mkdir -p other/.lockstep
  : > other/.lockstep/shards
  SHARDS=3 OUT=other run ! "$recipes/shards/xargs.sh" "${run_options[@]}"
  [ ! -e other/annotations.json ]
  rm -r other
  SHARDS=3 OUT=other run -0 "$recipes/shards/xargs.sh" "${run_options[@]}"
  same_tree whole other
}

@test "recipes: make divides a run into shards, and does those again that are not done" {
  local options
  one_run
  printf -v options '%q ' "${run_options[@]}"
  run -0 make -s -f "$recipes/shards/shards.mk" -j 2 SHARDS=3 OUT=out RUN="$options"
  same_tree whole out
  rm out.shards/1.done out.shards/merged
  rm -r out
  run ! make -s -f "$recipes/shards/shards.mk" -j 2 SHARDS=3 OUT=out RUN="$options"
  rm -r out out.shards
  run -0 make -s -f "$recipes/shards/shards.mk" -j 2 SHARDS=3 OUT=out RUN="$options"
  same_tree whole out
}

@test "recipes: a shard that skips images is done, and the merge ends with 1" {
  local options
  run_options=(-p "$root/pipelines/detection.json" -i images -a annotations.json --on-error skip)
  cp -r "$samples/images" images
  cp "$samples/annotations.json" .
  printf 'no picture' > images/street/0001.jpg
  run -1 "$lockstep" run -q "${run_options[@]}" -o whole
  SHARDS=3 OUT=out run -1 "$recipes/shards/xargs.sh" "${run_options[@]}"
  same_tree whole out
  printf -v options '%q ' "${run_options[@]}"
  run ! make -s -f "$recipes/shards/shards.mk" SHARDS=3 OUT=made RUN="$options"
  same_tree whole made
}
