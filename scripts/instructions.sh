#!/usr/bin/env bash
# Counts the instructions that a frame of a peer takes, without a socket: all that BenchmarkFrame of package
# fleet measures. Unlike a time, the count is the same whatever else the machine does, so that it shows
# changes of one percent. It needs valgrind.
#
#   scripts/instructions.sh                print the instructions of a frame, with 2, 4 and 8 players
#   scripts/instructions.sh -functions     the same, and which functions take most with 2 players and 100 ms
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
"" | -functions) ;;
*)
	echo "usage: scripts/instructions.sh [-functions]" >&2
	exit 2
	;;
esac
command -v valgrind >/dev/null || {
	echo "instructions: valgrind is needed, which Debian has as the package valgrind" >&2
	exit 1
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -tags valgrind -c -o "$dir/fleet" ./fleet

# count runs a match and prints all instructions of the process. Collections and preemption by signals are
# off, since they do not belong to a frame and come when they like.
count() { # players, ticks until a datagram arrives, ticks
	GOGC=off GODEBUG=asyncpreemptoff=1 valgrind --tool=callgrind --callgrind-out-file="$dir/out" \
		"$dir/fleet" -test.run '^TestTicks$' -fleet.ticks "$1,$2,$3" 2>"$dir/log" >&2 || {
		cat "$dir/log" >&2
		return 1
	}
	awk '/Collected/ { print $4 }' "$dir/log"
}

few=2000 many=6000
printf '| players | RTT | instructions of a frame |\n|---|---|---|\n'
for players in 2 4 8; do
	for after in 1 4; do
		short=$(count "$players" "$after" "$few")
		long=$(count "$players" "$after" "$many")
		[ "$players,$after" = 2,4 ] && cp "$dir/out" "$dir/shown"
		rtt=0
		[ "$after" = 4 ] && rtt='100 ms'
		echo "| $players | $rtt | $(((long - short) / ((many - few) * players))) |"
	done
done
[ "${1:-}" = -functions ] || exit 0

# Of a function that another one has taken in, the lines count for the one that took it in.
echo
echo "Instructions of a frame by function, its callees not counted, with the match's beginning in them:"
callgrind_annotate --threshold=95 "$dir/shown" | awk -v ticks="$(((many + 700) * 2))" '
	/^ *[0-9,]+ \(/ && /:/ {
		n = $1; gsub(",", "", n)
		line = $0; sub(/^.*\) +/, "", line); sub(/ \[.*$/, "", line)
		if (n / ticks >= 10) printf "%6.0f %s\n", n / ticks, line
	}'
