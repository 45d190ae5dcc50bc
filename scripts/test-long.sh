#!/usr/bin/env bash
# Runs all tests of the packages in which "make test" leaves something out: long
# searches, whole processes, browsers and windows. These are the packages that ask
# for -short, or whose helpers do: browsers (online/browsertest), tickbacktest, and
# the tests of the command line (clitest.Slow). Of these packages only the tests that use one of
# them are run (tools/longtests lists them): "make test" has run the others.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t packages < <(grep -rlE --include='*.go' --exclude-dir=tools --exclude-dir=bin --exclude-dir=testdata \
	'testing\.Short\(\)|\<(browsertest|tickbacktest)\.[A-Z]|\<clitest\.Slow\(' . | xargs -n1 dirname | sort -u)
# Without these the pattern would be broken.
for p in . ./session ./fleet ./session/membership ./cmd/tickback ./cmd/cli/internal/commands ./online ./play/window ./play/cmd/tickback-play ./play/tutorial; do
	[[ " ${packages[*]} " == *" $p "* ]] || {
		echo "test-long: $p has long tests, and is not among ${packages[*]}" >&2
		exit 1
	}
done
# Builds that look for misuse of worlds have files of their own.
go test -vet=off -short -tags worldcheck ./world
go test -vet=off -short -tags worldcheck -run 'TestWorkersDoNotMatter|TestFrozen' ./games/skirmish
# Those in a browser, and those that build programs, take longest, so they begin. Many tests wait for a clock: more of
# them than processors run at once. Vet has looked at all of them in "make test".
mapfile -t packages < <(for first in ^./play/ ^./online/ ^./cmd/ ^./detlint ''; do printf '%s\n' "${packages[@]}" | grep "$first"; done | awk '!seen[$0]++')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
GOWORK=off go -C tools build -o "$scratch/longtests" ./longtests
names=$("$scratch/longtests" "${packages[@]}")
go test -vet=off -timeout 40m -p $(($(getconf _NPROCESSORS_ONLN) + 2)) -run "$names" "$@" "${packages[@]}"
