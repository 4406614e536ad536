#!/usr/bin/env bash
# Installs the Debian packages of resources/packages.txt that are missing. Sourced or run by app/run.sh and tests/run.sh.
# Usage: install.sh [file of packages ...]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

missing=()
for list in "$here/packages.txt" "$@"; do
  while read -r package _; do
    case "$package" in ''|'#'*) continue ;; esac
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done < "$list"
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "Nodewise needs these Debian packages: ${missing[*]}"
run=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "Install them as root: apt-get install ${missing[*]}" >&2; exit 3; }
  run=(sudo)
fi
"${run[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${run[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
