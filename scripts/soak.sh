#!/usr/bin/env bash
# Plays SEEDS matches (1000 unless told) of a minute each, with each of 2, 3, 4 and 8
# players of the arena, on networks of all profiles, and checks every one; the tables
# are in bin/soak.md. With -quick it plays a small share of them, for every change.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
"") seeds=${SEEDS:-1000} ;;
-quick) seeds=${SEEDS:-24} ;;
*)
	echo "usage: scripts/soak.sh [-quick]" >&2
	exit 2
	;;
esac
mkdir -p bin
go build -o bin/ ./cmd/tickback
exec bin/tickback soak --game arena --players 2,3,4,8 --profile all --seeds "$seeds" --seed "${SEED:-1}" --report bin/soak.md
