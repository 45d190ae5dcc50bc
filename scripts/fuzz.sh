#!/usr/bin/env bash
# Runs every fuzz target of every module for FUZZTIME: a time (10s unless told)
# or a number of inputs (30000x). What a target finds is written to its package's testdata/fuzz: commit it with the fix.
set -euo pipefail
cd "$(dirname "$0")/.."

count=0 failed=()
for package in $(go list ./... ./cmd/... ./metrics/...); do
	listed=$(go test -list '^Fuzz' "$package")
	for target in $(grep '^Fuzz' <<<"$listed" || true); do
		echo "fuzz: $package $target"
		# Making an interesting input shorter can take longer than finding it.
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-10s}" -fuzzminimizetime 20x "$package" || failed+=("$package $target")
		count=$((count + 1))
	done
done
echo "fuzz: $count targets, ${#failed[@]} failed"
[ ${#failed[@]} -eq 0 ] || {
	printf 'fuzz: FAILED: %s\n' "${failed[@]}"
	exit 1
}
[ "$count" -gt 0 ]
