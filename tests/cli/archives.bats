#!/usr/bin/env bats
# Archives of images in the place of a folder: the same result, and hostile ones refused.

# shellcheck disable=SC2154 # run sets output and status
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  printf '{"version": 1, "transforms": [{"type": "RandomHorizontalFlip", "p": 0.5}]}\n' > p.json
}

@test "archives: a tar gives what its folder gives, byte for byte" {
  tar -C "$samples/images" -cf images.tar .
  "$lockstep" run -q -p p.json -i images.tar -a "$samples/annotations.json" -o tar -n 2 -j 2
  "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" -o folder -n 2
  diff -r tar folder
}

@test "archives: so do masks in a tar, and the tars of a range" {
  local i=0 part
  tar -C "$samples/masks" -cf masks.tar .
  for part in "$samples"/images/*/; do
    tar -C "$samples/images" -cf "part-$(printf %03d $i).tar" "$(basename "$part")"
    i=$((i + 1))
  done
  "$lockstep" run -q -p p.json -i "part-{000..$(printf %03d $((i - 1)))}.tar" --masks masks.tar -o tar
  "$lockstep" run -q -p p.json -i "$samples/images" --masks "$samples/masks" -o folder
  diff -r tar folder
}

@test "archives: names in a tar keep their bytes, as composed characters and as decomposed ones" {
  local format name
  mkdir in
  for name in $'\u00e9.png' $'e\u0301.png'; do cp "$samples/masks/street/0001.png" "in/$name"; done
  printf '{"version": 1, "transforms": []}\n' > p.json
  for format in gnu pax; do
    python3 -c 'import os, sys, tarfile
with tarfile.open(f"{sys.argv[1]}.tar", "w", format=getattr(tarfile, f"{sys.argv[1].upper()}_FORMAT")) as to:
    for name in os.listdir("in"):
        to.add(f"in/{name}", name)' $format
    "$lockstep" run -q -p p.json -i $format.tar -o out --overwrite
    [ "$(cd out/images && echo *)" = "$(cd in && echo *)" ]
  done
}

# outcomes: each archive in in/ that the file `cases` lists ends with one of its codes, or is done. The archives are
# read as a file and from stdin in turns.
outcomes() {
  local name codes code wrong=0 n=$((RANDOM % 2)) status found from
  while read -r name codes; do
    n=$((n + 1))
    status=0 found=0 from=in/$name
    ((n % 2)) || from=-
    timeout 60 "$lockstep" run -q -p p.json -i "$from" -o "out-$name" < "in/$name" > said 2>&1 || status=$?
    for code in $codes; do
      [ "$code" = "done" ] && [ "$status" -eq 0 ] && [ -f "out-$name/run.json" ] && found=1
      [ "$status" -eq 4 ] && grep -qF "[$code]" said && { [ ! -e "out-$name" ] || { [ "$from" = - ] && unfinished "out-$name"; }; } && found=1
    done
    [ "$found" = 1 ] && continue
    echo "$name, as $from: exit $status, not $codes: $(head -c 400 said)"
    wrong=$((wrong + 1))
  done < cases
  echo "# $n archives" >&3
  [ "$n" -ge 40 ] && [ "$wrong" -eq 0 ]
}

# picture: a small image.
picture() { find "$samples/masks" -name '*.png' | sort | head -1; }

@test "archives: of a folder that has no images but archives, one is named" {
  mkdir shards
  touch shards/b.tar shards/a.tar shards/a.txt
  run -4 --separate-stderr "$lockstep" run -p p.json -i shards -o out
  [[ $stderr == *'no images in this folder'*'-i shards/a.tar [images-none]'* ]]
}

@test "archives: hostile ones are refused, each with its code, and odd ones are taken" {
  local code
  mkdir in
  "$here/tools/hostile_tars.py" in "$(picture)" > names
  sed 's/ /.tar /' names > cases
  outcomes
  for code in archive-damaged archive-kind archive-labels archive-truncated member-link member-special \
              member-unsafe member-duplicate; do
    grep -qw -- "$code" cases || { echo "no archive for $code"; false; }
  done
}

@test "archives: so are hostile ZIP archives and compressed tars" {
  mkdir in
  "$here/tools/hostile_zips.py" in "$(picture)" > cases
  outcomes
}

@test "archives: ZIP archives and compressed tars give what their folder gives" {
  local kind
  "$lockstep" run -q -p p.json -i "$samples/images" --masks "$samples/masks" -o folder
  (cd "$samples/images" && python3 -m zipfile -c "$OLDPWD/images.zip" ./*)
  tar -C "$samples/masks" -czf masks.tgz .
  "$lockstep" run -q -p p.json -i images.zip --masks masks.tgz -o zip
  diff -r folder zip
  for kind in gzip bzip2 xz zstd; do
    type "$kind" > tool 2>&1 || continue
    tar -C "$samples/images" -c . | "$kind" > images.tar.gz
    rm -rf out
    "$lockstep" run -q -p p.json -i images.tar.gz --masks masks.tgz -o out
    diff -r folder out
  done
  # the archive's own time counts, not the time of the extracted file
  "$lockstep" run -q -p p.json -i images.zip -o once -n 3
  run -0 "$lockstep" run -p p.json -i images.zip -o once -n 3 --resume
  [[ $output == *'there is nothing to do'* ]]
}

@test "archives: where there is no room to unpack, that is said" {
  tar -C "$samples/images" -czf images.tgz .
  run -8 bash -c "trap '' XFSZ; ulimit -f 8; exec '$lockstep' run -q -p p.json -i images.tgz -o out"
  [[ $output == *'TMPDIR'*'[archive-room]'* ]]
  [ ! -e out ]
}

@test "archives: one name in two tars of a range is refused, and so is a range that is none" {
  tar -C "$samples/images" -cf t-0.tar .
  cp t-0.tar t-1.tar
  run "$lockstep" run -q -p p.json -i 't-{0..1}.tar' -o out
  [ "$status" -eq 4 ]
  [[ $output == *'[member-duplicate]'* ]]
  run "$lockstep" run -q -p p.json -i 't-{1..0}.tar' -o out
  [ "$status" -eq 2 ]
  [[ $output == *'[archive-range]'* ]]
  run "$lockstep" run -q -p p.json -i 't-{0..2}.tar' -o out
  [ "$status" -eq 4 ]
  [[ $output == *'t-2.tar'*'[images-unread]'* ]]
}

@test "archives: a run that was stopped goes on; one whose archive was touched is done again" {
  tar -C "$samples/images" -cf images.tar .
  "$lockstep" run -q -p p.json -i images.tar -o out -n 40 -j 2 &
  local pid=$!
  await more_files out/images 20
  kill -9 $pid 2> /dev/null || true
  wait $pid 2> /dev/null || true
  touch images.tar
  "$lockstep" run -q -p p.json -i images.tar -o out -n 40 --resume
  "$lockstep" run -q -p p.json -i images.tar -o whole -n 40
  diff -r out whole
}

@test "archives: one that is changed while it is read fails its images [archive-changed]" {
  tar -C "$samples/images" -cf images.tar .
  # When it opens the annotations, which are a fifo here, it has read its archive's index.
  mkfifo ann
  "$lockstep" run -q -p p.json -i images.tar -a ann -o out 2> said &
  local pid=$! status=0 fd
  exec {fd}> ann
  touch images.tar
  cat "$samples/annotations.json" >&"$fd"
  exec {fd}>&-
  wait $pid || status=$?
  [ "$status" -eq 4 ]
  grep -qF 'archive-changed' said
}

@test "archives: without libarchive, it is asked for" {
  tar -C "$samples/images" -cf images.tar .
  mkdir lib && echo 'no library' > lib/libarchive.so.13
  run -8 env LD_LIBRARY_PATH="$PWD/lib" "$lockstep" run -q -p p.json -i images.tar -o out
  [[ $output == *"install libarchive13"*"[archive-library]"* ]]
}

@test "archives: sparse files are refused, in each of tar's formats of them" {
  local form
  { head -c 4096 /dev/urandom && head -c 4096 /dev/zero && head -c 4096 /dev/urandom; } > full
  cp --sparse=always full a.png && truncate -s 1M a.png
  for form in "--format=gnu" "--format=pax --sparse-version=0.0" "--format=pax --sparse-version=0.1" \
              "--format=pax --sparse-version=1.0"; do
    # shellcheck disable=SC2086 # options are words
    tar --sparse $form -cf sparse.tar a.png
    run -4 "$lockstep" run -q -p p.json -i sparse.tar -o out
    [[ $output == *'[member-sparse]'* ]]
  done
}

@test "archives: check looks at images in a tar as in a folder; annotations are not in one" {
  local command
  tar -C "$samples/images" -cf images.tar .
  "$lockstep" check --pixels -a "$samples/annotations.json" -i "$samples/images" > folder.txt
  "$lockstep" check --pixels -a "$samples/annotations.json" -i images.tar > tar.txt
  cmp folder.txt tar.txt
  tar -C "$samples/images" -cf some.tar street
  run -1 "$lockstep" check -a "$samples/annotations.json" -i some.tar
  head -c 5000 images.tar > cut.tar
  run -4 "$lockstep" check -a "$samples/annotations.json" -i cut.tar
  [[ $output == *'[archive-truncated]'* ]]
  for command in check stats "diff images.tar"; do
    # shellcheck disable=SC2086 # it is words
    run -4 "$lockstep" $command images.tar
    [[ $output == *'a tar'*'-i'*'[annotations-other]'* ]]
  done
}
