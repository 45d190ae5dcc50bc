#!/usr/bin/env bash
# Plays SEEDS matches (1000 unless told) of a minute each, with each of 2, 3, 4 and 8
# players of the arena, on networks of all profiles, and checks every one; the tables are
# in bin/soak.md. Then it plays half as many matches of the tanks with 16 players, with the tables in
# bin/soak-sixteen.md, and as many that a server owns, with the tables in bin/soak-served.md. With
# -quick it plays a small share of them, for every change. With -long
# it plays 50,000 matches of the arena with 2 to 8 players and of the duel, which can be stopped and
# go on at any time; all that belongs to it is in bin/soak-long. With -skirmish it plays one
# match of eight armies with 5,000 units for LENGTH (40m unless told) in rollback, and one in
# lockstep; the tables are in bin/soak-skirmish-MODE.md.
#
# The first seed is that of the commit, so that each commit is new ground. SEED= is another
# one. Exit code 0: all have passed. 1: one has failed, or not all were played. 2: wrong usage.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=${1:-}
case "$mode" in
"") seeds=${SEEDS:-1000} ;;
-quick) seeds=${SEEDS:-24} ;;
-skirmish) seeds=${SEEDS:-1} SEED=${SEED:-2} ;; # whose plan has machines that leave and come back, and spectators
-long) seeds=${SEEDS:-6250} ;; # times seven numbers of players of the arena, and one of duel
*)
	echo "usage: scripts/soak.sh [-quick | -long | -skirmish]" >&2
	exit 2
	;;
esac

if [ -n "${SEED:-}" ]; then
	first=$SEED where="as told"
elif commit=$(git rev-parse --verify HEAD 2>/dev/null); then
	first=$((16#${commit:0:10})) where="of commit ${commit:0:12}"
else
	first=1 where="without git, always the same"
fi
echo "soak: seeds from $first on, $where; the same again: SEED=$first SEEDS=$seeds scripts/soak.sh${mode:+ $mode}"

mkdir -p bin
go build -o bin/ ./cmd/tickback
if [ "$mode" = -skirmish ]; then
	for how in rollback lockstep; do
		bin/tickback soak --game skirmish --players 8 --set size=256,units=625,endless=1 --profile membership --length "${LENGTH:-40m}" \
			--mode "$how" --seeds "$seeds" --seed "$first" --report "bin/soak-skirmish-$how.md" ${JOBS:+-j "$JOBS"}
	done
	exit
fi
if [ "$mode" = -long ]; then
	exec bin/tickback soak --folder bin/soak-long --game arena,duel --players 2,3,4,5,6,7,8 --seeds "$seeds" --seed "$first" ${JOBS:+-j "$JOBS"}
fi
bin/tickback soak --game arena --players 2,3,4,8 --profile all --seeds "$seeds" --seed "$first" --report bin/soak.md
bin/tickback soak --game tanks --players 16 --profile all --seeds "$(((seeds + 1) / 2))" --seed "$first" --report bin/soak-sixteen.md
exec bin/tickback soak --served --game tanks --seeds "$(((seeds + 1) / 2))" --seed "$first" --report bin/soak-served.md
