#!/usr/bin/env bash
# Runs the short tests of all packages that have goroutines, or tests with some, under
# the race detector. The others cannot race; under the detector they only take ten
# times as long. That no two sessions share anything is seen by the commands' tests,
# which play several at once. Vet has looked at all of it elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."

# Short tests of these start no goroutine that shares anything of the package: only tests have some, or
# they need a browser, a window or real time, or there is nothing but a lock around one assignment. Under
# the detector all of them take a quarter of an hour to build and run.
alone='\./(fixed|games/skirmish|rollback|examples/rules|session/served|detlint(/.*)?|online/browsertest(/.*)?|play/(app|page/slim|samples|window|words|cmd/tickback-play))'
concurrent='^[[:space:]]*(defer )?go (func|[[:alpha:]_.]+\()|\.Go\(|\.Parallel\(\)|RunParallel|"sync(/atomic)?"'
mapfile -t packages < <(grep -rlE --include='*.go' --exclude-dir=tools --exclude-dir=bin "$concurrent" . | xargs -n1 dirname | sort -u |
	grep -vxE "$alone")
# Without these the pattern would be broken.
for p in . ./world ./transport/udp ./trace ./metrics ./cmd/cli/internal/match ./online ./online/dtls ./online/rooms ./online/webrtc; do
	[[ " ${packages[*]} " == *" $p "* ]] || {
		echo "race: $p has goroutines, and is not among ${packages[*]}" >&2
		exit 1
	}
done
export CGO_ENABLED=1
# The workers of a world compute a whole game here; its other tests have one goroutine.
go test -race -vet=off -short "$@" -run Worker ./games/skirmish
exec go test -race -vet=off -short "$@" "${packages[@]}"
