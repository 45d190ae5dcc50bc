#!/usr/bin/env bash
# Runs all benchmarks COUNT times (5 unless told) and prints a Markdown table of
# medians, as in docs/benchmarks.md, and the tables of what is measured in virtual
# time. With -quick each benchmark runs once, which shows that it works and measures
# nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
"") flags=(-count "${COUNT:-5}" -benchtime 0.5s) ;;
-quick) flags=(-short -benchtime 1x) ;;
*)
	echo "usage: scripts/bench.sh [-quick]" >&2
	exit 2
	;;
esac
scripts/tools.sh
mkdir -p bin
# To link the tests of a package takes as long as its benchmarks: those without any are left out.
mapfile -t packages < <(grep -rl --include='*_test.go' --exclude-dir=tools --exclude-dir=bin '^func Benchmark' . | xargs -n1 dirname | sort -u)
[ ${#packages[@]} -gt 20 ] || {
	echo "bench: only ${packages[*]} have benchmarks" >&2
	exit 1
}
go test -vet=off -run '^$' -bench . "${flags[@]}" "${packages[@]}" | tee bin/bench.txt >&2
bin/tools/benchtable <bin/bench.txt
[ "${1:-}" = -quick ] || go test ./fleet -run TestFigures -v -fleet.figures | grep -E '^(\||$)'
