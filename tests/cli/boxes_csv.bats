#!/usr/bin/env bats
# Tables of boxes: TensorFlow's, Keras-RetinaNet's and Open Images', read as COCO.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline id.json ''
  pipeline flip.json '{"type": "horizontal_flip"}'
  mkdir -p in/sub
  local path
  for path in in/a.png in/b.png in/sub/c.png; do
    python3 -c 'import png, sys
png.write(sys.argv[1], [[v for x in range(64) for v in (x * 3, y * 5, 90)] for y in range(48)], 3)' "$path"
  done
}

# boxes FILE: [file, class, box] of each annotation.
boxes() {
  jq -c '. as $d | [.annotations[] | . as $a | [($d.images[] | select(.id == $a.image_id) | .file_name),
    ($d.categories[] | select(.id == $a.category_id) | .name), .bbox]]' "$1"
}

@test "boxes_csv: the first row names the columns, in any order and case, with quotes, a mark and other ends of lines" {
  local want='[["a.png","cat",[1,2,10,20]],["sub/c.png","dog, big",[5,6,2.5,1]],["a.png","dog, big",[0,0,64,48]]]'
  printf 'filename,width,height,class,xmin,ymin,xmax,ymax\na.png,64,48,cat,1,2,11,22\nsub/c.png,64,48,"dog, big",5,6,7.5,7\na.png,64,48,"dog, big",0,0,64,48\n' > t.csv
  run -0 "$lockstep" run -p id.json -i in -a t.csv -o out
  [[ $output == *"2 images from 2, 3 annotations from 3"* && $output != *warning* ]]
  [ "$(boxes out/annotations.json)" = "$want" ]
  [ "$(jq -c '[.images[] | [.width, .height]]' out/annotations.json)" = '[[64,48],[64,48]]' ]
  run -0 "$lockstep" verify out
  run -0 "$lockstep" run -p id.json -i in -a t.csv -o out --resume
  [[ $output == *"nothing to do"* ]]
  # Excel's: a mark, semicolons, CRLF, blanks, a column of its own, no sizes.
  printf '\xef\xbb\xbfXMin ; YMin;XMAX;ymax;Label; Image_Path;note\r\n1;2;11;22;cat;a.png;x\r\n5;6;7.5;7;"dog, big";sub/c.png;3\r\n\r\n0;0;64;48;"dog, big";"a.png";\r\n' > e.csv
  run -0 "$lockstep" run -p id.json -i in -a e.csv -o out2
  [ "$(boxes out2/annotations.json)" = "$want" ]
  [ "$(jq -c '[.annotations[].note]' out2/annotations.json)" = '["x",3,null]' ]
  # Tabs; a name that does not end in .csv.
  tr ';' '\t' < e.csv > t.txt
  run -0 "$lockstep" run -p id.json -i in -a t.txt -o out3
  [ "$(boxes out3/annotations.json)" = "$want" ]
  run -0 "$lockstep" stats t.csv
  [[ $output == *"t.csv: coco, 2 images, 3 objects, 2 categories"* ]]
  run -0 "$lockstep" check -a t.csv -i in
  [[ $output == *"2 images, 3 annotations: 0 errors"* ]]
  run -0 "$lockstep" preview -p flip.json -i in -a t.csv -o sheet.png
}

@test "boxes_csv: Keras-RetinaNet's table has no first row, and lists images without objects" {
  printf 'a.png,1,2,11,22,cat\nb.png,,,,,\n/data/sub/c.png,5,6,7,8,2\n' > t.csv
  run -0 "$lockstep" run -p flip.json -i in -a t.csv -o out --strip-prefix /data
  [[ $output == *"3 images from 3, 2 annotations from 2"* ]]
  [ "$(boxes out/annotations.json)" = '[["a.png","cat",[53,2,10,20]],["sub/c.png","2",[57,6,2,2]]]' ]
  # Other machines' paths.
  printf 'C:\\data\\a.png,1,2,11,22,cat\n' > w.csv
  run -0 "$lockstep" run -p flip.json -i in -a w.csv -o out2 --match basename
  [ "$(jq -c '.images[0].file_name' out2/annotations.json)" = '"a.png"' ]
}

@test "boxes_csv: boxes in fractions need the images, whose names may lack the suffix" {
  printf 'ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsGroupOf\na,xclick,/m/01,1,0.25,0.5,0,1,0,1\nsub/c,xclick,/m/02,1,0,1,0,1,-1,0\n' > o.csv
  run -0 "$lockstep" run -p id.json -i in -a o.csv -o out
  [ "$(boxes out/annotations.json)" = '[["a.png","/m/01",[16,0,16,48]],["sub/c.png","/m/02",[0,0,64,48]]]' ]
  [ "$(jq -c '[.annotations[] | [.Source, .IsOccluded, .IsGroupOf]]' out/annotations.json)" = '[["xclick",0,1],["xclick",-1,0]]' ]
  run -0 "$lockstep" stats o.csv -i in
  [[ $output == *"2 images, 2 objects, 2 categories"* ]]
  run -4 "$lockstep" stats o.csv
  [[ $output == *"o.csv:2:1: error: the boxes are fractions of the images' sides, so the images are needed: give their folder with -i [boxes-size]"* ]]
  run -4 "$lockstep" check o.csv
  [[ $output == *"[boxes-size]"* ]]
  run -0 "$lockstep" check o.csv -i in
  printf 'nothing,x,/m/01,1,0.25,0.5,0,1,0,1\n' >> o.csv
  run -4 "$lockstep" run -p id.json -i in -a o.csv -o out2
  [[ $output == *"o.csv:4:1: error: the image of this row was not found"*"[boxes-size]"* ]]
  # All corners show it.
  printf 'image,label,xmin,ymin,xmax,ymax\na.png,x,0.25,0,0.5,1\nb.png,x,0,0,1,1\n' > f.csv
  run -0 "$lockstep" run -p id.json -i in -a f.csv -o out3
  [ "$(boxes out3/annotations.json)" = '[["a.png","x",[16,0,16,48]],["b.png","x",[0,0,64,48]]]' ]
}

@test "boxes_csv: classes are in the order of their names, of their numbers, or of --classes" {
  printf 'filename,class,xmin,ymin,xmax,ymax\na.png,10,1,2,3,4\na.png,9,1,2,3,4\nb.png,100,1,2,3,4\n' > n.csv
  run -0 "$lockstep" run -p id.json -i in -a n.csv -o out
  [ "$(jq -c '[.categories[].name]' out/annotations.json)" = '["9","10","100"]' ]
  sed 's/,9,/,x,/' n.csv > x.csv
  run -0 "$lockstep" run -p id.json -i in -a x.csv -o out2
  [ "$(jq -c '[.categories[].name]' out2/annotations.json)" = '["10","100","x"]' ]
  printf 'x\nmore\n10\n100\n' > names.txt
  run -0 "$lockstep" run -p id.json -i in -a x.csv -o out3 --classes names.txt --to yolo
  [ "$(cut -d' ' -f1 out3/labels/a.txt out3/labels/b.txt | paste -sd ' ')" = '2 0 3' ]
  printf 'x\n10\n' > names.txt
  run -4 "$lockstep" run -p id.json -i in -a x.csv -o out4 --classes names.txt
  [[ $output == *'x.csv:4:1: error: the class "100" is not in names.txt'*'[class-unlisted]'* ]]
}

@test "boxes_csv: wrong rows are refused where they are" {
  says() { # ROW MESSAGE
    printf 'filename,width,height,class,xmin,ymin,xmax,ymax\na.png,64,48,cat,1,2,3,4\n%s\n' "$1" > t.csv
    run -4 "$lockstep" run -p id.json -i in -a t.csv -o out
    [[ $output == *"t.csv:3:1: error: $2"* ]] || { echo "$1: $output"; return 1; }
    run -4 "$lockstep" check t.csv
    [[ $output == *"t.csv:3:1: $2"* ]] || { echo "$1: $output"; return 1; }
    run -4 "$lockstep" stats t.csv
  }
  says 'a.png,64,48,cat,1,2,3' 'the row has a different number of cells'
  says 'a.png,64,48,"cat,1,2,3,4' 'the row has a different number of cells'
  says 'a.png,64,48,cat,1,2,3,x' 'the corners of a box must be numbers'
  says 'a.png,64,48,cat,1,2,3,1e300' 'the corners of a box must be numbers, at most 1e7'
  says 'a.png,64,48,cat,1,2,,4' 'the corners of a box must be numbers'
  says 'a.png,64,48,cat,NaN,2,3,4' 'the corners of a box must be numbers'
  says 'a.png,64,48,cat,5,2,3,4' 'xmax must not be less than xmin'
  says 'a.png,64,48,cat,1,5,3,4' 'ymax must not be less than ymin'
  says 'a.png,64,48,,1,2,3,4' 'the row has no class'
  says ',64,48,cat,1,2,3,4' 'the row has no name of an image'
  says 'a.png,65,48,cat,1,2,3,4' 'an earlier row states another size'
  says 'a.png,-64,48,cat,1,2,3,4' 'the width and height of an image must be integers'
  says $'a.png,64,48,\xff,1,2,3,4' 'the row is not UTF-8'
  # Findings are where the row is.
  printf 'filename,width,height,class,xmin,ymin,xmax,ymax\na.png,64,48,cat,1,2,3,4\nb.png,64,48,cat,1,2,3,4\na.png,64,48,cat,1,2,3,4\n' > t.csv
  run "$lockstep" check -a t.csv -i in
  [[ $output == *"t.csv:4:"*"warning[B013]"* ]] || { echo "$output"; return 1; }
  run -4 "$lockstep" check t.csv --fix --in-place
  [[ $output == *"t.csv: --fix and --diff are for COCO files"*"[annotations-other]"* ]]
  grep -q '^a.png,64' t.csv
  # Not a table of boxes: columns are missing.
  printf 'filename,xmin,ymin,xmax,ymax\na.png,1,2,3,4\n' > t.csv
  run -4 "$lockstep" run -p id.json -i in -a t.csv -o out
  [[ $output == *"[csv-syntax]"* ]]
  : > t.csv
  run -4 "$lockstep" run -p id.json -i in -a t.csv -o out
}

@test "boxes_csv: rows that are incomplete, and cells that are not numbers, are refused" {
  printf 'filename,width,height,class,xmin,ymin,xmax,ymax\na.png,64,48,cat,1,2,11\n' > t.csv
  run -4 "$lockstep" run -p id.json -i in -a t.csv -o out
  [[ $output == *"t.csv:2:"*"[boxes-row]"* ]]
  printf 'filename,width,height,class,xmin,ymin,xmax,ymax\na.png,64,48,cat,1,two,11,22\n' > t.csv
  run -4 "$lockstep" run -p id.json -i in -a t.csv -o out
  [[ $output == *"t.csv:2:"*"[boxes-number]"* ]]
}
