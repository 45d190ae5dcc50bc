#!/usr/bin/env bash
# Runs detlint over public modules that nobody here wrote, from functions of theirs that are like a
# step, and writes each finding on a line: module, place, rule, message.
# docs/reference/detlint-field-report.md says of each whether it is true.
#
#   scripts/detlint-field.sh [MODULE...]     (all unless told; it takes the network)
set -euo pipefail
cd "$(dirname "$0")/.."

# Module, version, package, and roots in it, separated by commas.
modules=(
	"github.com/ByteArena/box2d v1.0.2 . B2World.Step"
	"github.com/EngoEngine/ecs v1.0.5 . World.Update,World.AddSystem,World.RemoveEntity"
	"github.com/corentings/chess/v2 v2.3.2 . Game.Move,Game.ValidMoves,Position.Update,Position.Hash"
	"github.com/dhconnelly/rtreego v1.2.0 . Rtree.Insert,Rtree.Delete,Rtree.SearchIntersect,Rtree.NearestNeighbors"
	"github.com/jakecoffman/cp v1.2.1 . Space.Step"
	"github.com/mlange-42/arche v0.13.2 ecs World.NewEntity,World.RemoveEntity,World.Exchange,World.Query,Query.Next"
	"github.com/mlange-42/ark v0.4.2 ecs World.NewEntity,World.RemoveEntity,Map2.NewEntity,Query2.Next"
	"github.com/notnil/chess v1.9.0 . Game.Move,Game.ValidMoves,Position.Update,Position.Hash"
	"github.com/solarlune/resolv v0.5.1 . Object.Update,Object.Check,Space.Remove"
	"github.com/theinternetftw/dmgo v0.0.0-20240120021933-f8e0dc14a392 . cpuState.Step,gbsPlayer.Step"
	"github.com/yohamta/donburi v1.4.4 . world.Create,world.Remove,Query.Each"
)

mkdir -p bin
go build -o bin/detlint ./detlint/cmd/detlint
detlint=$PWD/bin/detlint
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GOWORK=off GOFLAGS=-mod=mod

for entry in "${modules[@]}"; do
	read -r module version dir roots <<<"$entry"
	[ $# -eq 0 ] || [[ " $* " == *" $module "* ]] || continue
	mkdir -p "$work/m"
	package=$module
	[ "$dir" = . ] || package=$module/$dir
	printf 'module field\n\ngo 1.26\n\nrequire %s %s\n' "$module" "$version" >"$work/m/go.mod"
	printf 'package field\n\nimport _ "%s"\n' "$package" >"$work/m/field.go"
	(
		cd "$work/m"
		go mod tidy >/dev/null 2>&1 || true # what only the module's own tests need may be missing
		flags=()
		for r in ${roots//,/ }; do flags+=(-root "$package.$r"); done
		echo "# $module $version, from $roots"
		status=0
		"$detlint" "${flags[@]}" "$package" >"$work/out" 2>"$work/err" || status=$?
		[ $status -le 1 ] || cat "$work/err"
		grep -E '^[^	]+\.go:[0-9]+:[0-9]+: ' "$work/out" | sed -E 's|^.*/pkg/mod/||' || true
	)
	rm -rf "$work/m"
done
