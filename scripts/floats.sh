#!/usr/bin/env bash
# Measures what strict floats cost: a frame of each example with floats, built strictly and plainly, on amd64 v1
# and v3 and in wasm, and builds of a small program and of ./cmd/tickback: with nothing to do but link, and with a line
# changed. Both kinds run in turns, COUNT times each (9 unless told), frames for the same four minutes of play each
# time, and what counts is processor time: so what else the machine does disturbs little, and both alike. Prints
# Markdown tables: medians, the median of the ratios of neighbouring runs, and between which the middle half of these is.
# With -quick each runs once, for a frame, which measures nothing; with -builds only the builds are measured.
set -euo pipefail
cd "$(dirname "$0")/.."

count=${COUNT:-9} frames=14400
case "${1:-}" in
"" | -builds) ;;
-quick) count=1 frames=2 ;;
*)
	echo "usage: scripts/floats.sh [-quick | -builds]" >&2
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
		in_turns "$name" "$target" 1000 "measured $* $dir/plain" "measured $* $dir/strict"
	done
}

# in_turns NAME VARIANT DIVISOR PLAIN STRICT: a row of a table. What the commands print is divided.
in_turns() {
	local plain strict
	: >"$dir/plain.n" >"$dir/strict.n" >"$dir/ratios"
	for _ in $(seq "$count"); do
		plain=$($4) && strict=$($5) || return
		echo "$plain" >>"$dir/plain.n"
		echo "$strict" >>"$dir/strict.n"
		awk "BEGIN { printf \"%.3f\n\", $strict / ($plain + ($plain == 0)) }" >>"$dir/ratios"
	done
	echo "$1, $2: $(tr '\n' ' ' <"$dir/ratios")" >&2
	printf '| %s | %s | %.1f | %.1f | %.2f | %.2f to %.2f |\n' "$1" "$2" \
		"$(awk "BEGIN { print $(median <"$dir/plain.n") / $3 }")" "$(awk "BEGIN { print $(median <"$dir/strict.n") / $3 }")" \
		"$(median <"$dir/ratios")" "$(share 0.25 <"$dir/ratios")" "$(share 0.75 <"$dir/ratios")"
}

# building PROGRAM COMMAND... prints the milliseconds of processor time that a build takes; PROGRAM is a folder. If it has a file
# changed.go, that is changed before.
building() {
	local TIMEFORMAT='%U %S' folder=$1
	shift
	[ ! -e "$folder/changed.go" ] || printf 'package main\n\nfunc changed() float64 { return %d.5 }\n' "$(date +%N | sed 's/^0*//')" >"$folder/changed.go"
	{ time (cd "$folder" && "$@" -o "$dir/built" . >&2); } 2>"$dir/time" || { cat "$dir/time" >&2 && return 1; }
	awk 'END { printf "%d\n", 1000 * ($1 + $2) }' "$dir/time"
}

# builds measures builds of a small program and a large one.
builds() {
	local small=$dir/small changed=$dir/changed folder
	for folder in "$small" "$changed"; do
		mkdir "$folder"
		cp go.sum "$folder"
		{
			printf 'module small\n'
			sed 1d go.mod
			printf 'require github.com/tickback/tickback v0.0.0\n\nreplace github.com/tickback/tickback => %s\n' "$PWD"
		} >"$folder/go.mod"
		printf 'package main\n\nimport (\n\t"fmt"\n\t"math"\n\n\t_ "github.com/tickback/tickback/portable"\n)\n\nfunc main() { fmt.Println(math.Sin(%s)) }\n' \
			"$([ "$folder" = "$changed" ] && echo 'changed()' || echo 1.5)" >"$folder/main.go"
	done
	touch "$changed/changed.go"
	local plain="go build" strict="$dir/tickback build --strict"
	local alone="env GOWORK=off"
	for folder in "$small" "$changed"; do
		building "$folder" $alone $plain >/dev/null && building "$folder" $alone $strict >/dev/null
	done
	building cmd/tickback $plain >/dev/null && building cmd/tickback $strict >/dev/null
	echo "| build | of | plain, ms | strict, ms | ratio | middle half |"
	echo "|---|---|---|---|---|---|"
	in_turns "nothing to compile" "a small program" 1 "building $small $alone $plain" "building $small $alone $strict"
	in_turns "one line changed" "a small program" 1 "building $changed $alone $plain" "building $changed $alone $strict"
	in_turns "nothing to compile" "\`./cmd/tickback\`" 1 "building cmd/tickback $plain" "building cmd/tickback $strict"
}

model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1 || true)
echo "Measured on ${model:-$(uname -m)}, $(getconf _NPROCESSORS_ONLN) processors, $(go env GOVERSION), $(date -u +%F)."
echo
if [ "${1:-}" = -builds ]; then
	builds
	exit
fi
echo "| example | target | plain, µs a frame | strict, µs a frame | ratio | middle half |"
echo "|---|---|---|---|---|---|"
[ "$(go env GOHOSTARCH)" != amd64 ] || compare "amd64 v1" GOARCH=amd64 GOAMD64=v1 -- env
if grep -qw fma /proc/cpuinfo 2>/dev/null && grep -qw avx2 /proc/cpuinfo; then
	compare "amd64 v3" GOARCH=amd64 GOAMD64=v3 -- env
fi
if command -v node >/dev/null; then
	compare "wasm (node $(node --version))" GOOS=js GOARCH=wasm -- "$wasm"
fi
echo
builds
