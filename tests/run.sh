#!/usr/bin/env bash
# Builds Nodewise and runs all of its tests, then a part of them under AddressSanitizer and UndefinedBehaviorSanitizer.
# Where ../shared exists, also verifies the graphs there. Tests of windows run offscreen.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bash "$root/resources/install.sh" "$root/resources/test-packages.txt"
cd "$root"
jobs=$(nproc)
export QT_QPA_PLATFORM=offscreen
# Tests of damage write thousands of files: in memory, where there is room for them.
[ -w /dev/shm ] && export TMPDIR=/dev/shm
# Tests keep away from the user's own cache.
export NODEWISE_CACHE="$root/build/test-cache.db"

configure() {
  cmake --preset "$1" >"build-$1.log" 2>&1 || { cat "build-$1.log" >&2; rm -f "build-$1.log"; exit 3; }
  rm -f "build-$1.log"
}

echo "== release: build and test"
configure release
cmake --build --preset release -j "$jobs"
ctest --preset release -j "$jobs"

# A part of the tests (tests/CMakeLists.txt says which): building all of them twice takes longer than is bearable.
echo "== under AddressSanitizer and UndefinedBehaviorSanitizer"
configure asan
cmake --build --preset asan -j "$jobs" --target sanitized
ctest --preset asan -j "$jobs" -L sanitized

if [ -d ../shared/corpus ]; then
  echo "== recorded graphs"
  rm -f "$root"/build/verify-cache.db*
  NODEWISE_CACHE="$root/build/verify-cache.db" build/release/app/nodewise verify ../shared/corpus/seed-suite ../shared/corpus/models
fi
echo "== all passed"
