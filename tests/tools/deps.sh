#!/usr/bin/env bash
# Install the Debian or Ubuntu packages named as arguments that are missing; say exactly what is done.
# Elsewhere it can only name them: what is missing then fails by name where it is used, and in `make lint`.
set -eu

if ! command -v dpkg-query > /dev/null; then
  echo "This is not Debian or Ubuntu: please see to it that there is: $*" >&2
  exit 0
fi

# dpkg also knows packages that were removed (config-files), only wished for (not-installed) or broken off
# (half-installed, unpacked); where a package stands for several architectures there is a line each.
is_installed() {
  dpkg-query -W -f '${db:Status-Status}\n' "$1" 2> /dev/null | grep -qx installed
}

missing=()
for package in "$@"; do
  is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

sudo=()
if [ "$(id -u)" -ne 0 ]; then
  sudo=(sudo)
fi
run() {
  echo "+ $*" >&2
  "$@"
}
echo "Missing packages: ${missing[*]}" >&2
run "${sudo[@]}" apt-get update -qq
run "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
for package in "${missing[@]}"; do
  is_installed "$package" || { echo "$package is still missing" >&2; exit 1; }
done
