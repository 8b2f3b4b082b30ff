#!/usr/bin/env bash
# Makes the virtual environment of the consumers, or renews it after requirements.txt changed: install.sh FOLDER.
# It needs about 7 GB and the network. torch brings its CUDA libraries, and Debian's torch is too old for rfdetr.
set -euo pipefail
cd "$(dirname "$0")"
folder=$1
if cmp -s requirements.txt "$folder/requirements.txt"; then exit 0; fi
mkdir -p "$folder"
/usr/bin/python3 -m venv --clear "$folder"
"$folder/bin/pip" install -q --no-cache-dir -r requirements.txt
cp requirements.txt "$folder/"
