#!/usr/bin/env bash
# Starts a new op or transform, one file that builds: new.sh op my_op | new.sh transform MyTransform. Or a plugin, in a
# separate folder anywhere: new.sh plugin my_plugin [FOLDER].
set -eu
kind=$1
name=$2
root=${ROOT:-$(dirname "$0")/../..}

case $kind in
  op) form='^[a-z][a-z0-9_]*$' wants='snake_case, like adjust_gamma' ;;
  plugin) form='^[a-z][a-z0-9_]*$' wants='snake_case, like fade_colours' ;;
  transform) form='^[A-Z][A-Za-z0-9]*$' wants='PascalCase, like RandomInvert' ;;
  *) echo "new.sh: op, transform or plugin, not \"$kind\"" >&2; exit 2 ;;
esac
if ! [[ $name =~ $form ]]; then
  echo "NAME=\"$name\" is no name for a new $kind: it must be $wants" >&2
  exit 2
fi

# fade_colours: RandomFadeColours
pascal() {
  local word
  printf Random
  for word in ${1//_/ }; do printf '%s' "${word^}"; done
}

if [ "$kind" = plugin ]; then
  folder=${3:-$name}
  if [ -e "$folder" ]; then
    echo "$folder is there already" >&2
    exit 2
  fi
  mkdir -p "$folder"
  for file in "NAME.c" Makefile; do
    sed "s/PASCAL/$(pascal "$name")/g; s/NAME/$name/g" "$root/tests/templates/plugin/$file" \
      > "$folder/${file/NAME/$name}"
  done
  echo "$folder: make -C $folder test builds and tests it; see lockstep help plugins"
  exit
fi

file=$root/src/steps/${kind}s/$name.c
if [ -e "$file" ]; then
  echo "$file is there already" >&2
  exit 2
fi
sed "s/NAME/$name/g" "$root/tests/templates/$kind.c" > "$file"
echo "$file: now say what it does; make builds it, and list, describe, schema, completion and the tests have it"
