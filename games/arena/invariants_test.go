package arena_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/rollback"
)

// drawInputs draws what all players hold next, and for how long.
func drawInputs(t *rapid.T) (in [arena.MaxPlayers]arena.Input, ticks int) {
	for p := range in {
		in[p] = arena.Input{
			X:       rapid.Int8().Draw(t, "x"),
			Y:       rapid.Int8().Draw(t, "y"),
			Buttons: arena.Buttons(rapid.Uint8().Draw(t, "buttons")),
		}
	}
	return in, rapid.IntRange(1, 40).Draw(t, "ticks")
}

// With any inputs, and players who come and go at any time, the state stays within its bounds.
func TestStatesStayWithinTheirBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := arena.New(rapid.Uint64().Draw(t, "seed"))
		players := rapid.IntRange(0, 8).Draw(t, "players")
		for range rapid.IntRange(1, 30).Draw(t, "stretches") {
			in, ticks := drawInputs(t)
			present := first(players)
			if rapid.IntRange(0, 9).Draw(t, "somebody is away") == 0 {
				present &= rollback.PlayerSet(rapid.Uint8().Draw(t, "present"))
			}
			for range ticks {
				arena.Step(&s, &in, present, nil)
				checkBounds(t, &s, present)
			}
			if rapid.IntRange(0, 3).Draw(t, "hurry") == 0 && s.Phase != arena.Fighting {
				s.PhaseTicks += 100 // otherwise most of the test is spent in countdowns
			}
		}
	})
}

func checkBounds(t reporter, s *arena.State, present rollback.PlayerSet) {
	t.Helper()
	for p := range s.Fighters {
		f := &s.Fighters[p]
		if f.Stance == arena.Absent {
			continue
		}
		holds(t, "the player is there", present.Has(rollback.Player(p)))
		checkFighter(t, f)
	}
	for p := range s.Shots {
		for i := range s.Shots[p] {
			checkShot(t, &s.Shots[p][i])
		}
	}
	for _, item := range s.Pickups {
		holds(t, "a spot is empty or holds a pickup with time left", (item.Kind == arena.Nothing) == (item.Life == 0) && item.Life <= arena.PickupLife)
	}
	holds(t, "rounds end", s.Round <= arena.MaxRounds && s.PhaseTicks <= arena.RoundTicks || s.Phase == arena.MatchOver)
}

func checkFighter(t reporter, f *arena.Fighter) {
	t.Helper()
	holds(t, "in the arena", f.Pos.X.Abs() <= arena.HalfWidth-arena.FighterRadius && f.Pos.Y.Abs() <= arena.HalfHeight-arena.FighterRadius)
	for _, c := range arena.Pillars() {
		holds(t, "in no pillar", f.Pos.Distance(c) >= arena.PillarRadius+arena.FighterRadius-4*fixed.Epsilon)
	}
	holds(t, "health", f.Hp >= 0 && f.Hp <= arena.FullHp && (f.Hp > 0 || f.Stance == arena.Out))
	holds(t, "energy", f.Energy >= 0 && f.Energy <= arena.FullEnergy)
	holds(t, "charge", f.Charge >= 0 && f.Charge <= arena.FullCharge+1)
	holds(t, "timers", f.Stun >= 0 && f.DashTicks >= 0 && f.DashCooldown >= 0 && f.ShotCooldown >= 0 && f.RapidTicks >= 0)
	holds(t, "dash", f.DashTicks <= arena.DashTicks && f.DashCooldown <= arena.DashCooldown)
	holds(t, "it faces somewhere", f.FaceX != 0 || f.FaceY != 0)
	holds(t, "wins", f.Wins <= arena.WinsToMatch)
}

func checkShot(t reporter, s *arena.Shot) {
	t.Helper()
	if s.Life == 0 {
		want(t, "a free place", *s, arena.Shot{})
		return
	}
	holds(t, "in the arena", s.Pos.X.Abs() <= arena.HalfWidth && s.Pos.Y.Abs() <= arena.HalfHeight)
	holds(t, "life", s.Life > 0 && s.Life <= arena.ShotLife)
	holds(t, "speed", (s.Vel.Length()-arena.ShotSpeed).Abs() < 64*fixed.Epsilon)
	holds(t, "damage", s.Damage >= arena.ShotDamage && s.Damage <= arena.ShotDamage+arena.ChargeDamage+arena.BigDamage)
}
