#!/usr/bin/env bash
# Runs the tests of the deterministic rooms on other architectures: emulated by
# qemu-user where this machine cannot run them. The frozen outputs in those tests
# are the same everywhere, big endian and 32 bit included.
#
#   scripts/test-arch.sh [ARCH...]     (all unless told)
#
# 386 (32 bits) runs all the tests of these rooms, and so does arm64, which players have. s390x (64
# bits, big endian, fused multiply-add) runs all of those that see the order of bytes in memory or
# round floats, and of the others what is frozen. The other machines have nothing that none
# of these has, and run portable and what is frozen or about floats; with FULL=1 everything, too. WHOLE
# names others that run everything. What is frozen outside of these rooms, whole matches
# among it, runs on all of them, or on those that OUTSIDE names.
#
# The examples with floats are run by "tickback test --strict" on each: their frozen minutes are
# the same everywhere in such builds only. With FLOATS=only nothing else is run. What is frozen in
# them in a plain build is a negative control.
#
# What is not installed is skipped with the reason. STRICT=1 makes a skip a
# failure. Debian has it all in qemu-user-static and nodejs.
set -uo pipefail
cd "$(dirname "$0")/.."

# Rounded correctly: that is the same everywhere, and whether a processor does is what all of them show. (math32 is
# portable and a rounding, and takes minutes where floats are done in software.)
correct=(./portable ./portable/internal/wide)
rooms=(./fixed ./rng ./canon ./games/... ./rollback/... ./world/... ./predict ./examples/robots ./classic/... ./wire/datagram ./wire/agreed ./replay/... "${correct[@]}" ./portable/math32)
# Those that read memory as bytes or bytes as numbers, or compute with floats. In the others the order of bytes
# shows in nothing but the outputs.
ordered=(./fixed ./rng ./canon ./rollback/... ./world ./wire/datagram ./wire/agreed ./classic/... ./replay/... "${correct[@]}" ./portable/math32)
# Of the helpers for games, what differs between architectures is the floats; of the
# network, the bytes, the numbers of chance, and whole matches.
some='Float|Frozen'
mapfile -t frozen < <(grep -rlE "^func Test\w*($some)" --include='*_test.go' . | xargs -n1 dirname | sort -u)
[ ${#frozen[@]} -gt 10 ] || { echo "test-arch: only ${#frozen[@]} packages have frozen tests" >&2; exit 1; }
# outside_of prints those of the folders behind -- that none of the patterns before it has.
outside_of() {
	local patterns=() pattern d
	while [ "$1" != -- ]; do
		patterns+=("$1")
		shift
	done
	shift
	for d in "$@"; do
		for pattern in "${patterns[@]}"; do
			case $pattern in
			*/...) [[ $d/ == "${pattern%/...}"/* ]] && continue 2 ;;
			*) [ "$d" = "$pattern" ] && continue 2 ;;
			esac
		done
		echo "$d"
	done
}
mapfile -t outside < <(outside_of "${rooms[@]}" -- "${frozen[@]}")
mapfile -t inside < <(outside_of "${outside[@]}" -- "${frozen[@]}")
# What needs a strict build to be the same everywhere.
floats=(./examples/physics/rules ./examples/steering)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tickback=$scratch/tickback
go build -o "$tickback" ./cmd/tickback || exit 1
targets=("$@")
[ $# -gt 0 ] || targets=(arm64 riscv64 s390x ppc64le arm mips 386 amd64-v3 wasm)
passed=() skipped=() failed=()

skip() { skipped+=("$1 ($2)"); }

# run ARCH ENVIRONMENT... [-- GO TEST FLAG...]
run() {
	local arch=$1 start=$SECONDS
	shift
	local environment=()
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		environment+=("$1")
		shift
	done
	[ $# -eq 0 ] || shift
	echo "arch: $arch"
	environment+=(CGO_ENABLED=0)
	local few=("${inside[@]}") verdict=0
	env "${environment[@]}" "$tickback" test --strict -vet=off -short -timeout 40m "$@" -run Frozen "${floats[@]}" || verdict=1
	if [ "${FLOATS:-}" = only ]; then
		few=()
	elif [ "${FULL:-0}" = 1 ] || [[ " ${WHOLE-arm64 s390x 386} " == *" $arch "* ]]; then
		local whole=("${rooms[@]}")
		few=()
		if [ "$arch" = s390x ] && [ "${FULL:-0}" != 1 ]; then
			whole=("${ordered[@]}")
			mapfile -t few < <(outside_of "${ordered[@]}" -- "${inside[@]}")
		fi
		# Searches for a step that is not deterministic find the same on every machine, and take minutes where it is
		# emulated; that machines agree is shown by what is frozen. How small deltas are, beside those of a compressor, is no
		# matter of machines either.
		env "${environment[@]}" go test -vet=off -short -timeout 40m -skip '^(TestDeterminism|TestDeltasOfMatchesAreSmall)$' "$@" "${whole[@]}" || verdict=1
	else
		env "${environment[@]}" go test -vet=off -short -timeout 40m "$@" "${correct[@]}" || verdict=1
	fi
	if [ "${FLOATS:-}" != only ] && { [ -z "${OUTSIDE+set}" ] || [[ " $OUTSIDE " == *" $arch "* ]]; }; then
		few+=("${outside[@]}")
	fi
	[ ${#few[@]} -eq 0 ] || env "${environment[@]}" go test -vet=off -short -timeout 40m "$@" -run "$some" "${few[@]}" || verdict=1
	if [ "$verdict" -eq 0 ]; then
		passed+=("$arch ($((SECONDS - start))s)")
	else
		failed+=("$arch")
	fi
}

emulated() {
	local arch=$1 qemu=qemu-$2-static
	shift 2
	if command -v "$qemu" >/dev/null; then
		run "$arch" GOARCH="$arch" -- -exec "$qemu" "$@"
	else
		skip "$arch" "no $qemu: install qemu-user-static"
	fi
}

native_host() { [ "$(go env GOHOSTOS)/$(go env GOHOSTARCH)" = linux/amd64 ]; }

for target in "${targets[@]}"; do
	case $target in
	arm64) emulated arm64 aarch64 ;;
	riscv64 | s390x | ppc64le | arm | mips) emulated "$target" "$target" ;;
	386) if native_host; then run 386 GOARCH=386; else skip 386 "not a linux/amd64 machine"; fi ;;
	amd64-v3)
		# x86-64-v3 brings fused multiply-add, which floats would notice.
		if native_host && grep -qw fma /proc/cpuinfo && grep -qw avx2 /proc/cpuinfo; then
			run amd64-v3 GOAMD64=v3
		else
			skip amd64-v3 "this processor has no FMA and AVX2"
		fi
		;;
	wasm)
		if command -v node >/dev/null; then
			run wasm GOOS=js GOARCH=wasm -- -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec"
		else
			skip wasm "no node: install nodejs"
		fi
		;;
	*)
		echo "test-arch: no target $target; there are arm64 riscv64 s390x ppc64le arm mips 386 amd64-v3 wasm" >&2
		exit 2
		;;
	esac
done

report() {
	local what=$1 item
	shift
	for item in "$@"; do echo "test-arch: $what: $item"; done
}
report passed "${passed[@]}"
report SKIPPED "${skipped[@]}"
report FAILED "${failed[@]}"
[ ${#failed[@]} -eq 0 ] || exit 1
[ ${#skipped[@]} -eq 0 ] || [ "${STRICT:-0}" != 1 ] || exit 1
[ ${#passed[@]} -gt 0 ] || { echo "test-arch: nothing was run" >&2; exit 1; }
