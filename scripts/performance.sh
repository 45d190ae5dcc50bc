#!/usr/bin/env bash
# Measures what docs/reference/performance.md shows, COUNT times (5 unless told), and prints its
# tables; with -update it writes them into the page. It takes about ten minutes. Each
# benchmark runs in turns with its floor, and each build with the other, so that another
# program on the machine disturbs both alike; the ranges say how much it did.
set -euo pipefail
cd "$(dirname "$0")/.."

page=docs/reference/performance.md
begin='<!-- measured: begin -->'
end='<!-- measured: end -->'
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

measure() { # title, package, benchmarks, and how often if not COUNT times
	echo "performance: $1" >&2
	go test -run '^$' -bench "$3" -count "${4:-${COUNT:-5}}" -benchtime 0.3s "./$2" >"$dir/run" || {
		cat "$dir/run" >&2
		return 1
	}
	printf '\n### %s\n\n' "$1"
	bin/tools/benchtable <"$dir/run"
}

all() {
	local model
	model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1 || true)
	echo "Measured on ${model:-$(uname -m)}, $(getconf _NPROCESSORS_ONLN) processors, $(go env GOVERSION), $(date -u +%F)."
	measure 'The duel: its step, and the engine' games/duel '^Benchmark(Step|Hash)$'
	measure 'A tick of the engine' rollback 'Benchmark(Tick(Duel|Tiny)|Rollback7)'
	measure 'Large states: a tick whose step does nothing' rollback 'BenchmarkSave'
	measure 'Large states: the sync test' rollback 'BenchmarkSyncTestLarge'
	measure 'A frame of a peer, without a socket' fleet 'BenchmarkFrame'
	measure 'The fleet: a frame of a peer, with its virtual network' fleet 'BenchmarkFleet'
	measure 'What a frame needs from the system' transport/udp 'BenchmarkFrame'
	measure 'Many matches on one port, in real time' . '^BenchmarkManyMatches' 1
	measure 'Verifying a recording' replay 'BenchmarkVerify'
	measure 'Verifying from the command line' cmd/tickback 'BenchmarkVerify'
	printf '\n### The command, built with a profile\n\n'
	ROUNDS=${COUNT:-5} scripts/pgo.sh -compare
}

case "${1:-}" in
"" | -update) ;;
*)
	echo "usage: scripts/performance.sh [-update]" >&2
	exit 2
	;;
esac
scripts/tools.sh
all >"$dir/tables"
if [ -z "${1:-}" ]; then
	cat "$dir/tables"
	exit
fi
awk -v begin="$begin" -v end="$end" -v tables="$dir/tables" '
	$0 == begin { print; print ""; while ((getline line < tables) > 0) print line; print ""; skip = 1 }
	$0 == end { skip = 0 }
	!skip' "$page" >"$dir/page"
grep -qxF "$end" "$dir/page" # or the page has lost its marks
cat "$dir/page" >"$page"
