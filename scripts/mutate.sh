#!/usr/bin/env bash
# Changes the source by small mistakes, one at a time, and says which of them no test
# notices: see docs/contributing/mutation.md. COUNT mutants (60 unless told) of the PACKAGES (all that
# tools/mutate/targets.go names) are drawn by SEED, which the commit's hash gives unless
# it is told, for at most BUDGET (30m); fewer killed than MIN percent (95) fail.
# ONLY=ID,... tries these and nothing else; OWN=1 runs nothing but the package's own tests.
# With -deliberate it tries the changes of tools/mutate/deliberate.go instead.
set -euo pipefail
cd "$(dirname "$0")/.."

seed=${SEED:-$((16#$(git rev-parse --short=7 HEAD | cut -c1-7)))}
flags=(-seed "$seed" -count "${COUNT:-60}" -budget "${BUDGET:-30m}" -min "${MIN:-95}")
[ -z "${PACKAGES:-}" ] || flags+=(-packages "$PACKAGES")
[ -z "${ONLY:-}" ] || flags+=(-only "$ONLY")
[ "${OWN:-0}" = 0 ] || flags+=(-own)
mkdir -p bin/tools
GOWORK=off go -C tools build -o ../bin/tools/ ./mutate
exec nice -n 10 bin/tools/mutate "${flags[@]}" "$@"
