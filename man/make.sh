#!/bin/sh
# Make a man page from its frame: usage: man/make.sh LOCKSTEP < man/lockstep.1.in > man/lockstep.1
# A line like .\" @@options@@ becomes what `LOCKSTEP manual options` prints; @VERSION@ the version.
set -eu

lockstep=$1
version=$("$lockstep" version --json | sed 's/^{"lockstep": "\([^"]*\)".*/\1/')

while IFS= read -r line; do
    case $line in
    '.\" @@'*'@@')
        part=${line#??????}
        "$lockstep" manual "${part%@@}" </dev/null
        ;;
    *@VERSION@*)
        printf '%s\n' "${line%%@VERSION@*}$version${line#*@VERSION@}"
        ;;
    *)
        printf '%s\n' "$line"
        ;;
    esac
done
