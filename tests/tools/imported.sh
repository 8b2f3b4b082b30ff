#!/bin/sh
# Imports other libraries' pipelines: imported.sh LOCKSTEP FILE... prints the result for each, with messages and the
# exit code, as in tests/golden/import/expected.txt. `make import-texts` writes that file.
lockstep=$1
shift
for file in "$@"; do
  echo "== ${file##*/}"
  "$lockstep" import "$file" 2>&1 | sed "s|^[^ ]*/||"
  "$lockstep" import "$file" > /dev/null 2>&1
  echo "exit $?"
done
