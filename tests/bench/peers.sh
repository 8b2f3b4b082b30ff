#!/usr/bin/env bash
# peers.sh: lockstep beside other tools on the same jobs, interleaved, each in its best configuration.
#
# Each round runs each job with lockstep and all peers, with JOBS processes each; ratios are taken within a round.
# lockstep's runs are whole processes over all images. Peers take the first PEER_IMAGES. Clocks of Python peers start
# after their imports. The command lines are whole processes that take as many files each as there are. They apply one
# fixed draw to all images, and carry no labels.
#   opencv            one warpAffine, one colour matrix or table, IMREAD_REDUCED (peers/opencv.py)
#   pillow            the same in Pillow, draft mode (peers/pillow.py)
#   torchvision       op by op on Pillow images; tensor: on tensors (peers/tv.py)
#   imagemagick       mogrify, one thread each; colour matrix, distortion
#   graphicsmagick    gm mogrify, one thread each
#   vips              the fewest vips processes per image; vipsthumbnail for 12 megapixels
#   limit             no peer: plain decoding and encoding of all images, which no program can beat
#
# For the main pipeline, lockstep must be 2 times as fast as peers that, like an expert, compose all steps to one warp
# and one matrix. It must be 8 times as fast as the others. For the composing peers, 8 times would exceed the limit. The
# steps that opencv, pillow and vips compose do not cut the image in between, as lockstep does.
# Environment: as in bench.sh (LOCKSTEP, CORPUS, IMAGES, CORPUS_LARGE, IMAGES_LARGE, ROUNDS, JOBS,
# OPTIMIZE, OUT); WORKLOADS ("main flip ten affines shrink"); PEERS (names as above, torchvision twice:
# "opencv pillow torchvision tensor imagemagick graphicsmagick vips limit"); PEER_IMAGES (100); PYTHON
# (/usr/bin/python3, the one Debian's packages are for).
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

read -ra workloads <<<"${WORKLOADS:-main flip ten affines shrink}"
read -ra peers <<<"${PEERS:-opencv pillow torchvision tensor imagemagick graphicsmagick vips limit}"
peer_images=${PEER_IMAGES:-100}
python=${PYTHON:-/usr/bin/python3}
result=$out/peer

# Every encoder gets quality 95 and 4:2:0, lockstep's default.
magick=(-quality 95 -sampling-factor 4:2:0)
vips_jpeg='[Q=95,subsample_mode=on]'

# The command lines' fixed draw of the main pipeline: a crop of 470 x 353, a flip, a colour matrix, and
# 7 degrees; composed for vips. The job "affines" composed, for 640 x 480. Matrices are row by row.
colours=(1.142 0.121 -0.053 -0.006 1.161 0.055 0.209 -0.067 1.067)
main=(-1.08124 -0.17676 -0.13276 1.43961)
main_shift=(541.29 33.11)
affines=(1.10117 0.05771 -0.13406 1.09180)
affines_shift=(-33.73 12.62)
# ImageMagick and GraphicsMagick take matrices column by column.
projection=$(printf '%s,%s,%s,%s,%s,%s' "${affines[0]}" "${affines[2]}" "${affines[1]}" "${affines[3]}" \
    "${affines_shift[@]}")

# table_ten: the job "ten" as one table of 256 levels, its contrast about 120.
table_ten() {
    awk 'function byte(v) { return v < 0 ? 0 : v > 255 ? 255 : int(v + 0.5) }
        BEGIN {
            print "256 1"
            for (i = 0; i < 256; i++) {
                v = 255 - byte(255 * (byte(i * 1.05) / 255) ^ 0.9)
                if (v >= 250) v = 255 - v
                v = 255 - byte(255 * (byte(0.95 * v + 6) / 255) ^ 1.1)
                v = byte(v * 0.95)
                v -= v % 2
                printf "%d ", (v >= 250 ? 255 - v : v)
            }
        }'
}

# have PEER: whether it is installed.
have() {
    case $1 in
    opencv) "$python" -c 'import cv2, numpy' ;;
    pillow) "$python" -c 'import PIL, numpy' ;;
    torchvision | tensor) "$python" -c 'import torchvision' ;;
    imagemagick) command -v mogrify ;;
    graphicsmagick) command -v gm ;;
    vips) command -v vips && command -v vipsthumbnail ;;
    limit) compile limit ;;
    *) die "there is no peer $1" ;;
    esac >"$out/log" 2>&1
}

# imagemagick JOB FILE... and its like: the job with one process, into $result/images.
imagemagick() {
    local args=()
    case $1 in
    main) args=(-crop 470x353+85+63 +repage -filter triangle -resize '512x512!' -flop
        -color-matrix "${colours[*]}" -virtual-pixel black -filter point -interpolate bilinear
        -distort SRT 7) ;;
    flip) args=(-flop) ;;
    ten) args=(-evaluate multiply 1.05 -gamma 1.11 -negate -solarize 98% -brightness-contrast 0x-3
        -gamma 0.91 -negate -evaluate multiply 0.95 -posterize 128 -solarize 98%) ;;
    affines) args=(-virtual-pixel black -filter point -interpolate bilinear
        -distort AffineProjection "$projection") ;;
    shrink) args=(-define jpeg:size=256x256 -filter triangle -resize '256x256!') ;;
    esac
    mogrify -path "$result/images" "${magick[@]}" "${args[@]}" "${@:2}"
}

graphicsmagick() {
    local args=() names=("${@:2}")
    case $1 in
    main) args=(-crop 470x353+85+63 +page -filter triangle -resize '512x512!' -flop
        -modulate '110,90,103' -background black -rotate 7 -gravity center -extent 512x512) ;;
    flip) args=(-flop) ;;
    ten) args=(-operator all multiply 1.05 -gamma 1.11 -negate -solarize 98% +contrast -gamma 0.91
        -negate -operator all multiply 0.95 -operator all and 65024 -solarize 98%) ;;
    affines) args=(-background black -affine "$projection" -transform
        -gravity center -extent 640x480) ;;
    shrink) args=(-size 256x256 -filter triangle -resize '256x256!') ;;
    esac
    # It puts the names as they are given beneath the output folder.
    (cd "$(dirname "$2")" &&
        gm mogrify -output-directory "$result/images" "${magick[@]}" "${args[@]}" "${names[@]##*/}")
}

vips_chain() {
    local file to a b
    if [[ $1 == shrink ]]; then
        vipsthumbnail --size '256x256!' -o "$result/images/%s.jpg$vips_jpeg" "${@:2}"
        return
    fi
    a=$scratch/$BASHPID-a.v
    b=$scratch/$BASHPID-b.v
    for file in "${@:2}"; do
        to=$result/images/$(basename "$file")$vips_jpeg
        case $1 in
        main)
            # A blank first: else the matrix looks like an option.
            vips crop "$file" "$a" 85 63 470 353
            vips affine "$a" "$b" " ${main[*]}" --oarea '0 0 512 512' \
                --odx "${main_shift[0]}" --ody "${main_shift[1]}"
            vips recomb "$b" "$to" "$scratch/colours.mat"
            ;;
        flip) vips flip "$file" "$to" horizontal ;;
        ten) vips maplut "$file" "$to" "$scratch/ten.v" ;;
        affines)
            vips affine "$file" "$to" "${affines[*]}" --oarea '0 0 640 480' \
                --odx "${affines_shift[0]}" --ody "${affines_shift[1]}"
            ;;
        esac
    done
}

# share TOOL JOB FILE...: the files in turn to JOBS processes of the tool.
share() {
    local -a mine pids=()
    local first i
    mkdir -p "$result/images"
    for ((first = 3; first < 3 + jobs && first <= $#; first++)); do
        mine=()
        for ((i = first; i <= $#; i += jobs)); do mine+=("${!i}"); done
        "$1" "$2" "${mine[@]}" &
        pids+=($!)
    done
    for i in "${pids[@]}"; do wait "$i"; done
}

# run_peer PEER JOB CORPUS N FILE...: images/s in $rate.
run_peer() {
    local seconds n wanted=$4
    rm -rf "$result"
    case $1 in
    limit)
        mkdir -p "$result"
        timed "$build/limit" "$3/images" "$result/images" "$jobs"
        wanted=$(count "$3/images")
        ;;
    opencv | pillow | torchvision | tensor)
        local script=$1 tensor=no
        if [[ $1 == torchvision ]]; then script=tv; fi
        if [[ $1 == tensor ]]; then script=tv tensor=yes; fi
        timed env TENSOR=$tensor PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 \
            "$python" "$here/peers/$script.py" "$2" "$3" "$result" "$jobs" "$4"
        seconds=$(sed -n 's/^images .* seconds //p' "$out/log")
        ;;
    vips) timed share vips_chain "$2" "${@:5}" ;;
    *) timed share "$1" "$2" "${@:5}" ;;
    esac
    n=$(count "$result/images")
    [[ $n -eq $wanted ]] || die "$1 made $n images for $2, not $wanted"
    rate=$(per_second "$n" "$seconds")
}

# choose JOB: its pipeline, corpus and title, and the files that peers take.
choose() {
    folder=$corpus
    case $1 in
    main) pipeline=main-fast title='main pipeline, fast' ;;
    flip) pipeline=flip title='flip' ;;
    ten) pipeline=ten title='ten table ops' ;;
    affines) pipeline=affines title='four affines, fast' ;;
    shrink) pipeline=shrink title='12 MP to 256, fast' folder=$corpus_large ;;
    *) die "there is no workload $1; there are: main flip ten affines shrink" ;;
    esac
    mapfile -t files < <(find "$folder/images" -name '*.jpg' | sort | head -n "$peer_images")
}

measure_ours() { # images/s in $ours
    run_lockstep "$pipeline" "$folder" "$folder/annotations.json"
    ours=$rate
}

# bound PEER JOB: "required aim" of the ratio, or dashes.
bound() {
    case $1-$2 in
    opencv-main | pillow-main) echo 2 3 ;;
    limit-*) echo - - ;;
    *-main) echo 8 15 ;;
    *) echo - - ;;
    esac
}

number PEER_IMAGES "$peer_images"
prepare small large
scratch=$out/scratch
if [[ -w /dev/shm ]]; then scratch=$(mktemp -d /dev/shm/bench.XXXXXX); fi
mkdir -p "$scratch"
trap 'rm -rf "$scratch" "$result" "$out/lockstep"' EXIT
export MAGICK_THREAD_LIMIT=1 VIPS_CONCURRENCY=1
# GraphicsMagick and ImageMagick alike.
export OMP_NUM_THREADS=1

there=()
for peer in "${peers[@]}"; do
    if have "$peer"; then
        there+=("$peer")
    else
        echo "$peer is not installed: left out"
    fi
done
((${#there[@]})) || die "no peer is installed; make bench-peers installs them"
if [[ " ${there[*]} " == *' vips '* ]]; then
    printf '3 3\n%s %s %s\n%s %s %s\n%s %s %s\n' "${colours[@]}" >"$scratch/colours.mat"
    table_ten >"$scratch/ten.mat"
    vips cast "$scratch/ten.mat" "$scratch/ten.v" uchar
fi

rm -f "$out/results" "$out/round"
for ((round = 1; round <= rounds; round++)); do
    for workload in "${workloads[@]}"; do
        choose "$workload"
        ours=
        if ((round % 2)); then measure_ours; fi
        for peer in "${there[@]}"; do
            run_peer "$peer" "$workload" "$folder" "${#files[@]}" "${files[@]}"
            echo "$workload $peer $rate" >>"$out/round"
        done
        if [[ -z $ours ]]; then measure_ours; fi
        awk -v ours="$ours" '{ print $1 "-" $2, ours, $3, ours / $3 }' "$out/round" >>"$out/results"
        rm "$out/round"
    done
done

printf '%d jobs, %d rounds, medians; peers take %d images at most, lockstep all%s\n' "$jobs" "$rounds" \
    "$peer_images" "${OPTIMIZE:+; all with \"optimize\": \"$OPTIMIZE\"}"
printf '%-20s %-15s %-7s %9s %9s %7s %15s   %s\n' workload peer labels lockstep peer times \
    'least - most' 'required | aim'
below=()
for workload in "${workloads[@]}"; do
    choose "$workload"
    for peer in "${there[@]}"; do
        case $peer in
        imagemagick | graphicsmagick | vips | limit) labels=none ;;
        *) labels=moved ;;
        esac
        read -r ours _ <<<"$(column "$workload-$peer" 2)"
        read -r theirs _ <<<"$(column "$workload-$peer" 3)"
        read -r ratio least most <<<"$(column "$workload-$peer" 4)"
        read -r required aim <<<"$(bound "$peer" "$workload")"
        printf '%-20s %-15s %-7s %9.1f %9.1f %7.2f   %5.2f - %5.2f       %s | %s\n' "$title" "$peer" \
            "$labels" "$ours" "$theirs" "$ratio" "$least" "$most" "$required" "$aim"
        if [[ $required != - ]] &&
            awk -v a="$ratio" -v b="$required" 'BEGIN { exit !(a < b) }'; then
            below+=("$(printf '%s beside %s (%.2f of %s)' "$workload" "$peer" "$ratio" "$required")")
        fi
    done
done
say_below ${below[@]+"${below[@]}"}
