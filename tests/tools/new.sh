#!/usr/bin/env bash
# Begin a new op or transform: new.sh op my_op | new.sh transform MyTransform. One file, that builds.
set -eu
kind=$1
name=$2
root=${ROOT:-$(dirname "$0")/../..}

case $kind in
  op) form='^[a-z][a-z0-9_]*$' wants='snake_case, like adjust_gamma' ;;
  transform) form='^[A-Z][A-Za-z0-9]*$' wants='PascalCase, like RandomInvert' ;;
  *) echo "new.sh: op or transform, not \"$kind\"" >&2; exit 2 ;;
esac
if ! [[ $name =~ $form ]]; then
  echo "NAME=\"$name\" is no name for a new $kind: it must be $wants" >&2
  exit 2
fi
file=$root/src/${kind}s/$name.c
if [ -e "$file" ]; then
  echo "$file is there already" >&2
  exit 2
fi
sed "s/NAME/$name/g" "$root/tests/templates/$kind.c" > "$file"
echo "$file: now say what it does; make builds it, and list, describe, schema, completion and the tests have it"
