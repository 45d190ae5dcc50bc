#!/usr/bin/env bash
# Measures what strict floats cost: a frame of each example with floats, built strictly and plainly, on amd64 v1
# and v3 and in wasm. The builds run in turns, COUNT times each (9 unless told), the same four minutes of play each
# time, and what counts is processor time: so what else the machine does disturbs little, and both alike. Prints a
# Markdown table: medians, the median of the ratios of neighbouring runs, and between which the middle half of these is.
# With -quick each runs once, for a frame, which measures nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

count=${COUNT:-9} frames=14400
case "${1:-}" in
"") ;;
-quick) count=1 frames=2 ;;
*)
	echo "usage: scripts/floats.sh [-quick]" >&2
	exit 2
	;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/tickback" ./cmd/tickback
wasm=$(go env GOROOT)/lib/wasm/go_js_wasm_exec

# spent runs a benchmark for a number of frames, and prints the milliseconds of its processor time.
spent() {
	local n=$1 TIMEFORMAT=%U
	shift
	{ time "$@" -test.run '^$' -test.bench '^BenchmarkFrame$' -test.benchtime "${n}x" >"$dir/said"; } 2>"$dir/time"
	grep -q '^BenchmarkFrame' "$dir/said" || return 1
	awk '{ printf "%d\n", 1000 * $1 }' "$dir/time"
}

# measured prints the nanoseconds of a frame, without those of starting the program.
measured() {
	local all start
	all=$(spent "$frames" "$@") && start=$(spent 1 "$@") || return
	awk "BEGIN { printf \"%d\n\", ($all - $start) * 1e6 / ($frames - 1) }"
}

# share prints the number below which this share of the others is, and median the one in the middle.
share() { sort -g | awk -v share="$1" '{ n[NR] = $1 } END { print n[int(1 + share * (NR - 1) + 0.5)] }'; }
median() { share 0.5; }

# compare TARGET ENVIRONMENT... -- [COMMAND THAT RUNS IT]
compare() {
	local target=$1 example name
	shift
	local environment=(CGO_ENABLED=0)
	while [ "$1" != -- ]; do
		environment+=("$1")
		shift
	done
	shift
	for example in ./examples/physics/rules ./examples/steering; do
		name=$(cut -d/ -f3 <<<"$example")
		env "${environment[@]}" go test -c -o "$dir/plain" "$example"
		env "${environment[@]}" "$dir/tickback" test --strict -c -o "$dir/strict" "$example"
		: >"$dir/plain.ns" >"$dir/strict.ns" >"$dir/ratios"
		for _ in $(seq "$count"); do
			local plain strict
			plain=$(measured "$@" "$dir/plain")
			strict=$(measured "$@" "$dir/strict")
			echo "$plain" >>"$dir/plain.ns"
			echo "$strict" >>"$dir/strict.ns"
			awk "BEGIN { printf \"%.3f\n\", $strict / ($plain + ($plain == 0)) }" >>"$dir/ratios"
		done
		echo "$name, $target: $(tr '\n' ' ' <"$dir/ratios")" >&2
		printf '| %s | %s | %.1f | %.1f | %.2f | %.2f to %.2f |\n' "$name" "$target" \
			"$(awk "BEGIN { print $(median <"$dir/plain.ns") / 1000 }")" "$(awk "BEGIN { print $(median <"$dir/strict.ns") / 1000 }")" \
			"$(median <"$dir/ratios")" "$(share 0.25 <"$dir/ratios")" "$(share 0.75 <"$dir/ratios")"
	done
}

model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1 || true)
echo "Measured on ${model:-$(uname -m)}, $(getconf _NPROCESSORS_ONLN) processors, $(go env GOVERSION), $(date -u +%F)."
echo
echo "| example | target | plain, µs a frame | strict, µs a frame | ratio | middle half |"
echo "|---|---|---|---|---|---|"
[ "$(go env GOHOSTARCH)" != amd64 ] || compare "amd64 v1" GOARCH=amd64 GOAMD64=v1 -- env
if grep -qw fma /proc/cpuinfo 2>/dev/null && grep -qw avx2 /proc/cpuinfo; then
	compare "amd64 v3" GOARCH=amd64 GOAMD64=v3 -- env
fi
if command -v node >/dev/null; then
	compare "wasm (node $(node --version))" GOOS=js GOARCH=wasm -- "$wasm"
fi
