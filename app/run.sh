#!/usr/bin/env bash
# Builds Nodewise and opens the window on a sample graph. Without a display it does the same work headless, writes an
# HTML report and says where.
# Usage: app/run.sh [FILE.nwg.json]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
graph=${1:-$root/resources/samples/hierarchical_normal.nwg.json}
graph=$(realpath "$graph")

bash "$root/resources/install.sh"
cd "$root"
cmake --preset release -DNODEWISE_TESTS=OFF >build-configure.log 2>&1 || { cat build-configure.log >&2; rm -f build-configure.log; exit 3; }
rm -f build-configure.log
cmake --build --preset release

nodewise=build/release/app/nodewise
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec "$nodewise" gui "$graph"
fi
echo "No display: doing the same work without a window."
"$nodewise" compile "$graph"
"$nodewise" run "$graph" --profile
report=${XDG_CACHE_HOME:-$HOME/.cache}/nodewise/report.html
"$nodewise" report "$graph" -o "$report"
echo "The report is in $report"
