package tanks_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
)

// With any inputs, and players who come and go at any time, the state stays within its bounds.
func TestStatesStayWithinTheirBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := tanks.New(rapid.Uint64().Draw(t, "seed"))
		players := rapid.IntRange(0, everybody).Draw(t, "players")
		for range rapid.IntRange(1, 20).Draw(t, "stretches") {
			var in [tanks.MaxPlayers]tanks.Input
			for p := range in {
				in[p] = tanks.Input{
					Turn: rapid.Int8().Draw(t, "turn"), Throttle: rapid.Int8().Draw(t, "throttle"),
					Buttons: tanks.Buttons(rapid.Uint8().Draw(t, "buttons")), Seen: rapid.Uint8().Draw(t, "seen"),
				}
			}
			present := first(players)
			if rapid.IntRange(0, 9).Draw(t, "somebody is away") == 0 {
				present &^= rollback.SetOf(rollback.Player(rapid.IntRange(0, everybody-1).Draw(t, "who")))
			}
			for range rapid.IntRange(1, 20).Draw(t, "ticks") {
				tanks.Step(&s, &in, present, nil)
				checkBounds(t, &s, present)
			}
		}
	})
}

func checkBounds(t reporter, s *tanks.State, present rollback.PlayerSet) {
	t.Helper()
	for p := range s.Tanks {
		tank := &s.Tanks[p]
		if !present.Has(rollback.Player(p)) {
			want(t, "only the score of who is not there", *tank, tanks.Tank{Kills: tank.Kills, Deaths: tank.Deaths})
		}
		checkTank(t, tank)
		for slot := range s.Trails[p] {
			was, lived := s.Trails[p][slot], s.Lived[p]>>slot&1 != 0
			holds(t, "a trail of the living, in the open", !lived && was == fixed.Vec2{} || tank.Stance == tanks.Alive && inTheOpen(was, slack))
		}
		holds(t, "no slot beyond", s.Lived[p]>>tanks.Rewind == 0)
		for slot := range s.Shots[p] {
			checkShot(t, &s.Shots[p][slot])
		}
	}
}

func checkTank(t reporter, tank *tanks.Tank) {
	t.Helper()
	switch tank.Stance {
	case tanks.Absent:
		return
	case tanks.Alive:
		holds(t, "health", tank.Hp > 0 && tank.Hp <= tanks.FullHp)
		holds(t, "no wreck", tank.RespawnIn == 0 && tank.Spawn == 0)
	case tanks.Out:
		want(t, "health", tank.Hp, 0)
		holds(t, "a wreck", tank.RespawnIn > 0 && tank.RespawnIn <= tanks.RespawnTicks && tank.Spawn > 0 && tank.Spawn <= tanks.Spawns)
	default:
		t.Errorf("stance %v", tank.Stance)
	}
	holds(t, "in the open", inTheOpen(tank.Pos, slack))
	holds(t, "heading", tank.Heading >= 0 && tank.Heading < fixed.TwoPi)
	holds(t, "gun", tank.Reload <= tanks.ReloadTicks)
}

func checkShot(t reporter, s *tanks.Shot) {
	t.Helper()
	if s.Life == 0 {
		want(t, "a free slot", *s, tanks.Shot{})
		return
	}
	holds(t, "on the map", s.Pos.X.Abs() <= tanks.HalfWidth*fixed.One && s.Pos.Y.Abs() <= tanks.HalfHeight*fixed.One)
	holds(t, "life", s.Life <= tanks.ShotTicks)
	holds(t, "speed", (s.Vel.Length()-24*fixed.One).Abs() < 64*fixed.Epsilon)
	holds(t, "lag", s.Lag <= tanks.Rewind)
}
