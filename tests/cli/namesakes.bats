#!/usr/bin/env bats
# Transforms with the name of another library's: where they look or act otherwise, `describe` says how, and it is so.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

namesake() { # NAME
  python3 "$here/tools/namesakes.py" "$lockstep" "$1"
}

@test "namesakes: ThinPlateSpline moves less, by the factor that describe says" { namesake ThinPlateSpline; }
@test "namesakes: PiecewiseAffine moves less, by the factor that describe says" { namesake PiecewiseAffine; }
@test "namesakes: ISONoise has its own noise of light, as strong as described" { namesake ISONoise; }
@test "namesakes: RandomRain draws streaks as wide as drop_width" { namesake RandomRain; }
@test "namesakes: MotionBlur is a mean along rows and columns, and lies between pixels elsewhere" { namesake MotionBlur; }
@test "namesakes: CLAHE keeps chroma" { namesake CLAHE; }
@test "namesakes: PixelDropout paints each pixel with a value of its own" { namesake PixelDropout; }
