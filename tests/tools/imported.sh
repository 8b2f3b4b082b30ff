#!/bin/sh
# Import other libraries' pipelines: imported.sh LOCKSTEP FILE... prints what comes of each, with what is said and the
# exit code, as tests/golden/import/expected.txt has it. `make import-texts` writes it again.
lockstep=$1
shift
for file in "$@"; do
  echo "== ${file##*/}"
  "$lockstep" import "$file" 2>&1 | sed "s|^[^ ]*/||"
  "$lockstep" import "$file" > /dev/null 2>&1
  echo "exit $?"
done
