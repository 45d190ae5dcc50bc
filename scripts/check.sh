#!/usr/bin/env bash
# The checks that need no test: each prints its name, all are run, and the exit
# code says whether one failed.
set -uo pipefail
cd "$(dirname "$0")/.."

mapfile -t modules < <(scripts/modules.sh && printf '%s\n' tools bench/peers)
patterns=(work) # all packages of the modules in go.work
export GOWORK=$PWD/go.work
failed=()
TIMEFORMAT='%R s, %U s of CPU' # of each check

check() {
	local name=$1
	shift
	echo "check: $name"
	time "$@" || failed+=("$name")
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

# browser: what is for pages is built and vetted for them.
browser() (
	export GOOS=js GOARCH=wasm
	go build ./online ./online/rooms ./online/webrtc && go vet ./online ./online/rooms ./online/webrtc ./cmd/cli/internal/scaffold/starter/page ./examples/physics/page ./examples/nes/page ./examples/nes/speaker
)

# own_files lists the packages among those that match that consist of other files, tests included, for the target of the
# environment than for this machine. What other packages have is the same source, which has been looked at.
own_files() {
	local form='{{.ImportPath}} {{.GoFiles}} {{.CgoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}'
	comm -13 <(GOOS='' GOARCH='' CGO_ENABLED=0 go list -f "$form" "$@" | sort) <(go list -e -f "$form" "$@" | sort) | cut -d' ' -f1
}

# elsewhere: for the system that differs most the types of everything are checked, tests included, from source; for
# macOS, of what is written for it. FULL=1 vets everything for both, and links the command: both take
# minutes of compiling.
elsewhere() (
	export CGO_ENABLED=0
	local target own
	if [ "${FULL:-0}" = 1 ]; then
		for target in darwin/arm64 windows/amd64; do
			GOOS=${target%/*} GOARCH=${target#*/} go vet "${patterns[@]}" || return
			GOOS=${target%/*} GOARCH=${target#*/} go build -o /dev/null ./cmd/tickback || return
		done
	fi
	GOOS=windows GOARCH=amd64 bin/tools/typecheck "${patterns[@]}" || return
	GOOS=windows GOARCH=amd64 GOFLAGS="${GOFLAGS:-} -tags=desktop" bin/tools/typecheck ./online/... ./play/... ./examples/physics/... ./examples/nes/... || return
	mapfile -t own < <(GOOS=darwin GOARCH=arm64 own_files "${patterns[@]}")
	[ ${#own[@]} -gt 2 ] || { echo "only ${own[*]} have files for macOS"; return 1; }
	GOOS=darwin GOARCH=arm64 bin/tools/typecheck "${own[@]}"
)

# in_a_page: the client for browsers, which is what the games are played in. Its types are checked when it is built.
in_a_page() (
	export GOOS=js GOARCH=wasm
	mapfile -t client < <(go list -deps ./play/cmd/tickback-play | grep -F github.com/tickback/tickback/play)
	[ ${#client[@]} -gt 5 ] || return
	bin/tools/typecheck "${client[@]}" || return
	mapfile -t client < <(own_files "${client[@]}")
	[ ${#client[@]} -gt 2 ] && go vet "${client[@]}" && bin/tools/staticcheck "${client[@]}"
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
check "detlint" scripts/detlint.sh
check "go vet and test of the tools" tools_test
check "staticcheck" bin/tools/staticcheck "${patterns[@]}"
check "go mod tidy" tidy
check "types for Windows and macOS" elsewhere
check "build and vet for browsers" browser
check "vet and staticcheck of the page" in_a_page
check "notices of what ships" bin/tools/notices -check
check "go build ./cmd/tickback" root_build

[ ${#failed[@]} -eq 0 ] || {
	printf 'check: FAILED: %s\n' "${failed[@]}"
	exit 1
}
