#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages named as arguments that are missing, and prints each command.
# Elsewhere it only names them: a missing program then fails by name where it is used, and in `make lint`.
set -eu

if ! command -v dpkg-query > /dev/null; then
  echo "This is not Debian or Ubuntu: please see to it that there is: $*" >&2
  exit 0
fi

# dpkg also knows packages that were removed (config-files), only wished for (not-installed) or interrupted
# (half-installed, unpacked); it prints one line for each architecture of a package.
installed() { # package...
  dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2> /dev/null | sed -n 's/ installed$//p'
}

mapfile -t missing < <(printf '%s\n' "$@" | grep -vxFf <(installed "$@"))
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
still=$(printf '%s\n' "${missing[@]}" | grep -vxFf <(installed "${missing[@]}") | xargs)
[ -z "$still" ] || { echo "still missing: $still" >&2; exit 1; }
