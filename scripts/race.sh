#!/usr/bin/env bash
# Runs the short tests of all packages that have goroutines, or tests with some, under
# the race detector. The others cannot race, whatever locks they have; under the detector they only
# take ten times as long. That no two sessions share anything is seen by the commands' tests,
# which play several at once. Vet has looked at all of it elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."

# Short tests of these start no goroutine that shares anything of the package: only tests have some, or
# they need a browser, a window or real time, or there is nothing but a lock around one assignment. Under
# the detector all of them take a quarter of an hour to build and run.
alone='\./(fixed|portable(/math32)?|games/skirmish|rollback|examples/(rules|nes)|session/served|detlint(/.*)?|online/browsertest(/.*)?|play/(app|page/slim|samples|window|words|cmd/tickback-play))'
concurrent='^[[:space:]]*(defer )?go (func|[[:alpha:]_.]+\()|\.Go\(|\.Parallel\(\)|RunParallel'
mapfile -t packages < <(grep -rlE --include='*.go' --exclude-dir=tools --exclude-dir=bin --exclude-dir=bench "$concurrent" . | xargs -n1 dirname | sort -u |
	grep -vxE "$alone")
# Without these the pattern would be broken.
for p in . ./world ./transport/udp ./trace ./cmd/cli/internal/commands ./online ./online/dtls ./online/metrics ./online/rooms ./online/webrtc; do
	[[ " ${packages[*]} " == *" $p "* ]] || {
		echo "race: $p has goroutines, and is not among ${packages[*]}" >&2
		exit 1
	}
done
export CGO_ENABLED=1
# Packages that start no goroutine, and in which a few tests of many do: only those are run. In skirmish the
# workers of a world compute a whole game.
few=(./canon ./compat/ggpo ./replay/tbr ./world/near)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
GOWORK=off CGO_ENABLED=0 go -C tools build -o "$scratch/longtests" ./longtests
names=$("$scratch/longtests" -goroutines "${few[@]}")
go test -race -vet=off -short "$@" -run "$names|Worker" "${few[@]}" ./games/skirmish
mapfile -t packages < <(printf '%s\n' "${packages[@]}" | grep -vxF "$(printf '%s\n' "${few[@]}")")
go test -race -vet=off -short "$@" "${packages[@]}"
