#!/usr/bin/env bash
# The checks that need no test: each prints its name, all are run, and the exit
# code says whether one failed.
set -uo pipefail
cd "$(dirname "$0")/.."

modules=(. cmd metrics tools)
patterns=(./... ./cmd/... ./metrics/...)
failed=()

check() {
	local name=$1
	shift
	echo "check: $name"
	"$@" || failed+=("$name")
}

# formatted: gofumpt, which is gofmt and a little more, has nothing to change.
formatted() {
	local files
	files=$(bin/tools/gofumpt -l .) && [ -z "$files" ] || {
		echo "not formatted (make fmt does it): $files"
		return 1
	}
}

tidy() {
	local m
	for m in "${modules[@]}"; do
		GOWORK=off go -C "$m" mod tidy -diff || return
	done
}

# elsewhere: what is not run on other systems is at least built and vetted.
elsewhere() (
	local target
	for target in windows/amd64 darwin/amd64 darwin/arm64; do
		export GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0
		go build "${patterns[@]}" && go vet "${patterns[@]}" || return
	done
)

tools_build() { scripts/tools.sh; }
tools_test() { GOWORK=off go -C tools vet ./... && GOWORK=off go -C tools test ./...; }
# The binary is thrown away: this is what the README promises to newcomers.
root_build() { go build -o /dev/null ./cmd/tickback; }

# Without the tools, or with those of yesterday, the rest would mislead.
check "tools build" tools_build
[ ${#failed[@]} -eq 0 ] || exit 1
check "gofumpt" formatted
check "go vet" go vet "${patterns[@]}"
check "go vet and test of the tools" tools_test
check "staticcheck" bin/tools/staticcheck "${patterns[@]}"
check "go mod tidy" tidy
check "build and vet for windows and darwin" elsewhere
check "go build ./cmd/tickback" root_build

[ ${#failed[@]} -eq 0 ] || {
	printf 'check: FAILED: %s\n' "${failed[@]}"
	exit 1
}
