#!/usr/bin/env bats
# CVAT's XML for images and for video, read as COCO.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline id.json ''
  mkdir -p in
}

images() { # PATH...
  local path
  for path; do
    mkdir -p "$(dirname "$path")"
    python3 -c 'import png, sys
png.write(sys.argv[1], [[v for x in range(64) for v in (x * 3, y * 5, 90)] for y in range(48)], 3)' "$path"
  done
}

# cvat IMAGE-CONTENT...: images a.png, ...
cvat() {
  local body name=a
  printf '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version>\n'
  for body; do
    printf '<image id="0" name="%s.png" width="64" height="48">\n%s\n</image>\n' "$name" "$body"
    name=b
  done
  printf '</annotations>\n'
}

@test "cvat: boxes, polygons, ellipses and masks become COCO's, with their attributes" {
  images in/a.png in/b.png
  cvat '<box label="cat" occluded="1" xtl="1.5" ytl="2" xbr="11.5" ybr="22" z_order="0"><attribute name="age">7</attribute><attribute name="id">007</attribute><attribute name="wild">true</attribute></box>
<polygon label="dog" points="1,2;11,2;1.00,12.5"/>
<ellipse label="dog" cx="30" cy="20" rx="10" ry="5"/>
<box label="cat" xtl="10" ytl="10" xbr="20" ybr="30" rotation="90"/>
<mask label="dog" rle="1, 2, 1, 2" left="4" top="5" width="3" height="2"/>' '' > c.xml
  run -0 "$lockstep" run -p id.json -i in -a c.xml -o out
  [[ $output == *"2 images from 2, 5 annotations from 5"* && $output != *warning* ]]
  jq -c '.annotations[] | [.category_id, .bbox, .area, .attributes]' out/annotations.json > have
  cat > want << 'END'
[1,[1.5,2,10,20],200,{"occluded":true,"age":7,"id":"007","wild":true}]
[2,[1,2,10,10.5],52.5,{"occluded":false}]
[1,[5,15,20,10],200,{"occluded":false}]
[2,[5,5,2,2],4,{"occluded":false}]
END
  diff want <(sed 3d have)
  [ "$(jq -c '.annotations[2] | [(.area > 156 and .area < 157.1), (.segmentation[0] | length)]' out/annotations.json)" = '[true,144]' ]
  [ "$(jq -c '[.categories[].name]' out/annotations.json)" = '["cat","dog"]' ]
  run -0 "$lockstep" verify out
  run -0 "$lockstep" stats c.xml
  [[ $output == *"c.xml: coco, 2 images, 5 objects, 2 categories"* ]]
  run -0 "$lockstep" check -a c.xml -i in
  [[ $output == *"2 images, 5 annotations: 0 errors"* ]]
  run -0 "$lockstep" run -p id.json -i in -a c.xml -o yolo --to yolo --lossy
  run -0 "$lockstep" run -p id.json -i in -a c.xml -o lm --to labelme --lossy
}

@test "cvat: what COCO has no place for is counted" {
  images in/a.png
  cvat '<polyline label="a" points="1,2;3,4"/><points label="a" points="1,2"/><points label="a" points="1,2"/><tag label="a"/>
<cuboid label="a" xtl1="1"/><skeleton label="s"><points label="1" points="1,2"/></skeleton><box label="" xtl="1" ytl="1" xbr="2" ybr="2"/>
<box label="a" xtl="1" ytl="1" xbr="2" ybr="2"/>' > c.xml
  local what='COCO has no place for 1 polyline, 2 sets of points, 1 tag of images, 1 cuboid, 1 skeleton, 1 shape without a label; they are left out [annotations-omitted]'
  run -0 "$lockstep" run -p id.json -i in -a c.xml -o out
  [[ $output == *"c.xml:1: warning: $what"*"1 annotation from 1"* ]]
  run -0 "$lockstep" stats c.xml
  [[ $output == *"$what"* ]]
  run -0 "$lockstep" check c.xml
  [[ $output == *"$what"* ]]
  run -4 "$lockstep" run -p id.json -i in -a c.xml -o out2 --compat strict
  [[ $output == *"error: COCO has no place for"* ]]
}

@test "cvat: classes are those of the task, in its order" {
  images in/a.png
  cvat '<box label="z" xtl="1" ytl="1" xbr="2" ybr="2"/><box label="b" xtl="1" ytl="1" xbr="2" ybr="2"/>' |
    sed 's|</version>|&<meta><task><name>b</name><labels><label><name>z</name></label><label><name>unused</name></label><label><name>a</name></label></labels></task></meta>|' > c.xml
  run -0 "$lockstep" run -p id.json -i in -a c.xml -o out
  [ "$(jq -c '[.categories[].name]' out/annotations.json)" = '["z","unused","a","b"]' ]
  [ "$(jq -c '[.annotations[].category_id]' out/annotations.json)" = '[1,4]' ]
}

@test "cvat: a video's shapes are on its frames, and images of a project are in its subsets" {
  images in/frame_000000.png in/frame_000007.png
  cat > v.xml << 'END'
<annotations><version>1.1</version><meta><task><original_size><width>64</width><height>48</height></original_size></task></meta>
<track id="0" label="car">
<box frame="0" outside="0" occluded="0" keyframe="1" xtl="1" ytl="2" xbr="3" ybr="5"></box>
<box frame="7" outside="0" occluded="1" keyframe="1" xtl="2" ytl="2" xbr="4" ybr="5"></box>
<box frame="8" outside="1" occluded="0" keyframe="1" xtl="2" ytl="2" xbr="4" ybr="5"></box></track>
<track id="1" label="man"><polygon frame="0" outside="0" occluded="0" keyframe="1" points="1,2;3,4;1,4"></polygon></track></annotations>
END
  run -0 "$lockstep" run -p id.json -i in -a v.xml -o out
  [ "$(jq -c '[.images[].file_name]' out/annotations.json)" = '["frame_000000.png","frame_000007.png"]' ]
  [ "$(jq -c '[.annotations[] | [.image_id, .category_id]]' out/annotations.json)" = '[[1,1],[2,1],[1,2]]' ]
  images p/Train/a.png p/Test/a.png
  cvat '<box label="z" xtl="1" ytl="1" xbr="2" ybr="2"/>' '' | sed 's/name="b.png"/name="a.png" subset="Test"/; s/name="a.png" width/name="a.png" subset="Train" width/' > p.xml
  run -0 "$lockstep" run -p id.json -i p -a p.xml -o out2
  [ "$(jq -c '[.images[].file_name] | sort' out2/annotations.json)" = '["Test/a.png","Train/a.png"]' ]
}

@test "cvat: wrong files are refused where they are wrong" {
  images in/a.png
  says() { # SHAPE MESSAGE
    cvat "$1" > c.xml
    run -4 "$lockstep" run -p id.json -i in -a c.xml -o out
    [[ $output == *"c.xml:5:1: error: $2"* ]] || { echo "$1: $output"; return 1; }
    run -4 "$lockstep" check c.xml
    [[ $output == *"c.xml:5:1: $2"* ]] || { echo "$1: $output"; return 1; }
  }
  says '<box label="a" xtl="1" ytl="1" xbr="2"/>' 'the attribute "ybr" must be a number'
  says '<box label="a" xtl="1" ytl="1" xbr="2" ybr="1e300"/>' 'the attribute "ybr" must be a number, at most 1e7'
  says '<box label="a" xtl="5" ytl="1" xbr="2" ybr="2"/>' 'the lower right corner of a box'
  says '<polygon label="a" points="1,2;3,4"/>' 'a polygon must have points'
  says '<polygon label="a" points="1;2;3"/>' 'a polygon must have points'
  says '<polygon label="a"/>' 'a polygon must have points'
  says '<mask label="a" rle="1, 99" left="0" top="0" width="3" height="2"/>' 'the runs of a mask'
  says '<mask label="a" rle="x" left="0" top="0" width="3" height="2"/>' 'the runs of a mask'
  says '<mask label="a" rle="1" left="0" top="0" width="0" height="2"/>' 'a mask must have runs'
  cvat '<box' > c.xml
  run -4 "$lockstep" run -p id.json -i in -a c.xml -o out
  [[ $output == *"[cvat-syntax]"* ]]
  printf '<!DOCTYPE x><annotations><image name="a.png"/></annotations>' > c.xml
  run -4 "$lockstep" run -p id.json -i in -a c.xml -o out
  [[ $output == *"a document type"*"[cvat-syntax]"* ]]
  printf '<annotations><image width="3"/></annotations>' > c.xml
  run -4 "$lockstep" run -p id.json -i in -a c.xml -o out
  [[ $output == *"an image must have a name [cvat-value]"* ]]
}

@test "cvat: a library that is damaged, and what -v says" {
  images in/a.png
  cvat '<box label="cat" xtl="1" ytl="2" xbr="11" ybr="22" occluded="0"/>' > a.xml
  run -0 "$lockstep" run -v -p id.json -i in -a a.xml -o out
  [[ $output == *"[annotations-translated]"* ]]
  mkdir lib && echo 'no library' > lib/libexpat.so.1
  run -4 env LD_LIBRARY_PATH="$PWD/lib" "$lockstep" run -p id.json -i in -a a.xml -o none
  [[ $output == *"[cvat-library]"* ]]
}
