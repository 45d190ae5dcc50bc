#!/usr/bin/env bash
# Looks for what can make machines diverge: in the steps of all games and examples, and in
# all of the rooms whose code runs inside a step, or decides what a peer does or writes as all
# others do, with nothing in them that could not be followed. Arguments are flags of detlint, such as -json.
set -euo pipefail
cd "$(dirname "$0")/.."

# Everything in these, whether a step reaches it or not. They have no floats either (but in
# functions marked //tickback:drawing), no channels, and no file that is not examined.
rooms=(
	fixed rng games/... rollback/... canon world/... predict
	session/... classic classic/rbn1 wire/... netem fleet/... replay/tbr/coder
)
# What is given to a game in these; the last is what "tickback new" writes. Not examples/physics: its
# engine hashes by address and counts bodies in a variable, which the game's options say are no state.
games=(./games/... ./examples/... ./examples/steering ./examples/port/after ./cmd/cli/internal/scaffold/starter/rules)

roots=() packages=()
for r in "${rooms[@]}"; do
	roots+=(-root "github.com/tickback/tickback/$r")
	packages+=("./$r")
done
go build -o bin/detlint ./detlint/cmd/detlint
status=0
bin/detlint -unproved "$@" -floats none "${roots[@]}" "${packages[@]}" || status=$?
bin/detlint -unproved "$@" "${games[@]}" || status=$?
bin/detlint -unproved "$@" -tags starter_world ./cmd/cli/internal/scaffold/starter/rules || status=$? # as "tickback new --world" does
exit "$status"
