#!/usr/bin/env bash
# Builds Nodewise and runs all of its tests: as released, then under AddressSanitizer and UndefinedBehaviorSanitizer.
# Where ../shared exists, also verifies the graphs there. Tests of windows run offscreen.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bash "$root/resources/install.sh" "$root/resources/test-packages.txt"
cd "$root"
jobs=$(nproc)
export QT_QPA_PLATFORM=offscreen
# Tests keep away from the user's own cache.
export NODEWISE_CACHE="$root/build/test-cache.db"

for preset in release asan; do
  echo "== $preset: configure and build"
  cmake --preset "$preset" >"build-$preset.log" 2>&1 || { cat "build-$preset.log" >&2; rm -f "build-$preset.log"; exit 3; }
  rm -f "build-$preset.log"
  cmake --build --preset "$preset" -j "$jobs"
  echo "== $preset: tests"
  ctest --preset "$preset" -j "$jobs"
done

if [ -d ../shared/corpus ]; then
  echo "== recorded graphs"
  rm -f "$root"/build/verify-cache.db*
  NODEWISE_CACHE="$root/build/verify-cache.db" build/release/app/nodewise verify ../shared/corpus
fi
echo "== all passed"
