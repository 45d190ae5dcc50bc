#!/usr/bin/env bash
# Runs every fuzz target of every module for FUZZTIME: a time (10s unless told)
# or a number of inputs (30000x). What a target finds is written to its package's
# testdata/fuzz: commit it with the fix. With GUIDED=0 nothing is built anew for it, and the
# inputs are not guided by what they reach, which a few of them hardly are anyway.
set -euo pipefail
cd "$(dirname "$0")/.."

export GOWORK=$PWD/go.work
cache=$(go env GOCACHE)/fuzz
binary=$(mktemp)
trap 'rm -f "$binary"' EXIT

guided=(-fuzz .)
[ "${GUIDED:-1}" = 1 ] || guided=()
count=0 failed=()
listed=$(go list -f '{{.Dir}} {{.ImportPath}}' work)
while read -r dir package; do
	grep -qs '^func Fuzz' "$dir"/*_test.go || continue
	# Built once for all of its targets: linking takes longer than fuzzing them.
	go test -c "${guided[@]}" -o "$binary" "$package"
	mkdir -p "$cache/$package"
	for target in $("$binary" -test.list '^Fuzz'); do
		echo "fuzz: $package $target"
		# Making an interesting input shorter can take longer than finding it.
		(cd "$dir" && "$binary" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "${FUZZTIME:-10s}" \
			-test.fuzzminimizetime 20x -test.fuzzcachedir "$cache/$package" </dev/null) || failed+=("$package $target")
		count=$((count + 1))
	done
done <<<"$listed"
echo "fuzz: $count targets, ${#failed[@]} failed"
[ ${#failed[@]} -eq 0 ] || {
	printf 'fuzz: FAILED: %s\n' "${failed[@]}"
	exit 1
}
[ "$count" -gt 0 ]
