#!/usr/bin/env bash
# Install the Debian or Ubuntu packages named as arguments that are missing; say exactly what is done.
set -eu

missing=()
for package in "$@"; do
  if ! command -v dpkg-query > /dev/null; then
    echo "This is not Debian or Ubuntu: please see to it that there is: $*" >&2
    exit 0
  fi
  case $(dpkg-query -W -f '${db:Status-Status} ' "$package" 2> /dev/null || true) in
    *"installed "*) ;;
    *) missing+=("$package") ;;
  esac
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
