#!/usr/bin/env bash
# Prints the folders of the modules in go.work, one a line. The package pattern "work" stands for
# all of their packages.
set -euo pipefail
cd "$(dirname "$0")/.."

GOWORK=$PWD/go.work go list -m -f '{{.Dir}}' | while read -r dir; do
	[ "$dir" = "$PWD" ] && echo . || echo "${dir#"$PWD"/}"
done
