#!/usr/bin/env bash
# Runs all benchmarks COUNT times (5 unless told) and prints a Markdown table of
# medians, as in docs/benchmarks.md, and the tables of what is measured in virtual
# time. With -quick each benchmark runs once for a moment, which shows that it works
# and measures nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
"") flags=(-count "${COUNT:-5}" -benchtime 0.5s) ;;
-quick) flags=(-short -benchtime 5x) ;;
*)
	echo "usage: scripts/bench.sh [-quick]" >&2
	exit 2
	;;
esac
scripts/tools.sh
mkdir -p bin
go test -run '^$' -bench . "${flags[@]}" ./... ./cmd/... ./detlint/... ./metrics/... ./online/... ./play/... | tee bin/bench.txt >&2
bin/tools/benchtable <bin/bench.txt
[ "${1:-}" = -quick ] || go test ./fleet -run TestFigures -v -fleet.figures | grep -E '^(\||$)'
