#!/usr/bin/env bash
# Has axe-core look at the page around the games: while it loads, when that fails, at the title, in a match and in a room. Exit
# code 0: it finds nothing. It brings axe-core by npm, in the version below, into a folder of its own, and needs chromium.
#
#   scripts/audit.sh
set -euo pipefail
cd "$(dirname "$0")/.."

version=4.10.3 # of axe-core
for program in npm chromium; do
	command -v "$program" >/dev/null || {
		echo "audit: no $program: install nodejs, npm and chromium" >&2
		exit 2
	}
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" "axe-core@$version" >&2
TICKBACK_BROWSER=required TICKBACK_AXE="$dir/node_modules/axe-core/axe.min.js" go test -run TestAxeFindsNothing "$@" ./play/cmd/tickback-play
