package arena_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/games/arena"
)

// opposite returns an input rotated by half a turn.
func opposite(in arena.Input) arena.Input {
	return arena.Input{X: -max(in.X, -127), Y: -max(in.Y, -127), Buttons: in.Buttons}
}

// Two players who do the same, each from its own side, fare the same: the fight is unchanged when it is rotated by half
// a turn.
func TestMirroredPlayersFareAlike(t *testing.T) {
	start := fight(t, 2).State
	rapid.Check(t, func(r *rapid.T) {
		s := start
		for range 20 {
			in, ticks := drawInputs(r)
			in[1] = opposite(in[0])
			for range ticks {
				arena.Step(&s, &in, first(2), nil)
				checkMirrored(r, &s)
			}
		}
	})
}

func checkMirrored(t reporter, s *arena.State) {
	t.Helper()
	f, g := s.Fighters[0], s.Fighters[1]
	g.Pos, g.Vel = g.Pos.Neg(), g.Vel.Neg()
	facing := opposite(arena.Input{X: g.FaceX, Y: g.FaceY})
	g.FaceX, g.FaceY = facing.X, facing.Y
	f.FaceX, f.FaceY = max(f.FaceX, -127), max(f.FaceY, -127)
	want(t, "whom they have hit", f.Rammed>>1, g.Rammed)
	want(t, "who has hit them", f.HitBy>>1, g.HitBy)
	f.Rammed, f.HitBy, g.Rammed, g.HitBy = 0, 0, 0, 0
	want(t, "fighters", f, g)
	for i := range s.Shots[0] {
		shot := s.Shots[1][i]
		shot.Pos, shot.Vel = shot.Pos.Neg(), shot.Vel.Neg()
		want(t, "shots", s.Shots[0][i], shot)
	}
}

// renumber gives everything of player p to player to[p].
func renumber(s arena.State, to []int) arena.State {
	r := s
	set := func(of arena.Set) (is arena.Set) {
		for p := range of.Players().All() {
			is |= 1 << to[p]
		}
		return is
	}
	for p, q := range to {
		f := s.Fighters[p]
		f.Rammed, f.HitBy = set(f.Rammed), set(f.HitBy)
		r.Fighters[q], r.Shots[q] = f, s.Shots[p]
	}
	if s.RoundWinner != 0 {
		r.RoundWinner = uint8(to[s.RoundWinner-1]) + 1
	}
	return r
}

// The numbers of the players do not matter in a fight: with other numbers, the same fighters do exactly the same. This
// tests that everything is decided for all before anything is applied.
func TestPlayersNumbersMeanNothingInAFight(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		players := rapid.IntRange(2, 8).Draw(r, "players")
		one := fight(t, players)
		one.SpawnIn = 100
		to := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}[:players]).Draw(r, "numbers")
		to = append(to, []int{0, 1, 2, 3, 4, 5, 6, 7}[players:]...)
		a, b := one.State, renumber(one.State, to)
		for range 25 {
			in, ticks := drawInputs(r)
			var renumbered [arena.MaxPlayers]arena.Input
			for p, q := range to {
				renumbered[q] = in[p]
			}
			for range ticks {
				arena.Step(&a, &in, first(players), nil)
				arena.Step(&b, &renumbered, first(players), nil)
			}
			if a.Phase != arena.Fighting {
				return // the next round places all fighters by number
			}
			if report := plan(t).Diff(ptr(renumber(a, to)), &b, 10); report.Total > 0 {
				r.Fatalf("frame %d: %v", a.Frame, report)
			}
		}
	})
}

func ptr[T any](v T) *T { return &v }
