#!/usr/bin/env bash
# Records what the commands spend their time on, and writes it to cmd/tickback/default.pgo, from
# which the go command inlines and arranges code whenever it builds that command. The
# profile comes from benchmarks of matches, rollbacks and verifying, built without one.
#
#   scripts/pgo.sh            record the profile
#   scripts/pgo.sh -compare   say what it brings: the command is built with and without, and both
#                             verify the same recording and play the same matches in turns
set -euo pipefail
cd "$(dirname "$0")/.."

profile=cmd/tickback/default.pgo
largest=$((64 << 10)) # it is committed
rounds=${ROUNDS:-7}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

record() { # package, benchmarks
	go test -pgo=off -run '^$' -bench "$2" -benchtime "${BENCHTIME:-1s}" \
		-cpuprofile "$dir/${1//\//-}.prof" -o "$dir/test" "./$1" >&2
}

# milliseconds runs a command and prints the processor time it took.
milliseconds() {
	local TIMEFORMAT='%U %S' out
	out=$({ time "$@" >/dev/null 2>&1; } 2>&1)
	awk -v t="$out" 'BEGIN { split(t, s, " "); printf "%.0f\n", (s[1] + s[2]) * 1000 }'
}

# compare prints a row: the medians of both, and the median of the ratios of neighbours.
compare() { # name, arguments of the command
	local name=$1
	shift
	for _ in $(seq "$rounds"); do
		echo "$(milliseconds "$dir/off" "$@") $(milliseconds "$dir/pgo" "$@")"
	done | awk -v name="$name" '
		function sort(v, n,   i, j, t) { for (i = 2; i <= n; i++) { t = v[i]; for (j = i - 1; j > 0 && v[j] > t; j--) v[j+1] = v[j]; v[j+1] = t } }
		{ a[NR] = $1; b[NR] = $2; r[NR] = $2 / $1 }
		END {
			sort(a, NR); sort(b, NR); sort(r, NR); m = int((NR + 1) / 2)
			printf "| %s | %d ms | %d ms | %.2f (%.2f to %.2f) |\n", name, a[m], b[m], r[m], r[1], r[NR]
		}'
}

case "${1:-}" in
"")
	record cmd/tickback 'Verify'
	record replay 'Verify'
	record rollback 'Tick|Rollback7'
	record fleet 'Frame|Fleet'
	go tool pprof -proto "$dir"/*.prof >"$dir/merged" 2>/dev/null
	size=$(wc -c <"$dir/merged")
	[ "$size" -le "$largest" ] || { echo "pgo: the profile has $size bytes, more than $largest: lower BENCHTIME" >&2; exit 1; }
	mv "$dir/merged" "$profile"
	echo "$profile: $size bytes"
	;;
-compare)
	go build -pgo=off -o "$dir/off" ./cmd/tickback
	go build -o "$dir/pgo" ./cmd/tickback
	"$dir/off" sim --frames 2000000 --record "$dir/match.rplk" >/dev/null
	"$dir/off" replay convert "$dir/match.rplk" -o "$dir/match.tbr" >/dev/null
	echo "| command | without a profile | with it | ratio (range) |"
	echo "|---|---|---|---|"
	compare "replay verify, RPLK" replay verify "$dir/match.rplk"
	compare "replay verify, one worker" replay verify -j 1 "$dir/match.tbr"
	compare "sim" sim --frames 2000000
	compare "soak of the duel" soak --seeds 60 --seed 1
	echo
	echo "The command has $(wc -c <"$dir/off") bytes without a profile and $(wc -c <"$dir/pgo") with it."
	;;
*)
	echo "usage: scripts/pgo.sh [-compare]" >&2
	exit 2
	;;
esac
