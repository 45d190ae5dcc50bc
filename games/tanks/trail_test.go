package tanks_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
)

// crossing is a match in which player 1 drives across the line of fire of player 0. Player 0 sees player 1 with the
// given delay, in ticks, and shoots when the shot will hit what it sees. The result is the health of player 1
// afterwards.
func crossing(t testing.TB, late uint32, seen uint8) int16 {
	t.Helper()
	c := match(t, 2)
	c.place(0, -200, 500, 0)
	c.place(1, 40, 620, 3) // drives up, 6 units a tick
	c.hold(1, 0, tanks.StickEnd, 0)
	for range 4 * tanks.TicksPerSecond {
		c.step(1)
		picture, ok := c.Trail(1, late)
		if !ok {
			continue
		}
		// The shot is at its tank in the next state, and flies 24 units a tick, so it arrives 11 ticks from now.
		if meets := picture.Y - 11*6*fixed.One; meets <= at(0, 500).Y {
			c.in[0].Seen = seen
			c.tap(0)
			c.step(tanks.ShotTicks)
			return c.Tanks[1].Hp
		}
	}
	t.Fatal("player 1 did not come by")
	return 0
}

// A shot that is aimed at a delayed picture hits with lag compensation, and misses without it.
func TestAShotHitsWhatItsPlayerSaw(t *testing.T) {
	const hurt = tanks.FullHp - tanks.ShotDamage
	for late := range uint32(tanks.Rewind + 1) {
		want(t, "told the truth", crossing(t, late, uint8(late)), hurt)
	}
	for late := uint32(4); late <= tanks.Rewind; late++ {
		want(t, "told nothing", crossing(t, late, 0), tanks.FullHp)
	}
	want(t, "a picture of the present, said to be late", crossing(t, 0, 5), tanks.FullHp)
}

// A player who claims more than Rewind gets Rewind, in every match.
func TestALiarGainsNoMoreThanTheCap(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		honest, liar := match(t, 4), match(t, 4)
		liar.State = honest.State
		for p := range 4 {
			x := int64(-300 + 150*p)
			honest.place(p, x, 500, 2*(p%2))
			liar.place(p, x, 500, 2*(p%2))
		}
		for range 40 {
			for p := range 4 {
				in := tanks.Input{Turn: rapid.Int8().Draw(r, "turn"), Throttle: rapid.Int8().Draw(r, "throttle"), Buttons: tanks.Fire, Seen: tanks.Rewind}
				honest.in[p] = in
				in.Seen = rapid.Uint8Range(tanks.Rewind, 255).Draw(r, "seen")
				liar.in[p] = in
			}
			honest.step(3)
			liar.step(3)
			for p := range liar.Tanks {
				liar.Tanks[p].Held = honest.Tanks[p].Held // the lie itself
			}
			same(t, "the match", &honest.State, &liar.State)
		}
	})
}

// A shot goes back to where a tank was, but not further than Rewind: a tank that has been away for longer is not hit.
func TestAShotGoesBackByTenTicksAtMost(t *testing.T) {
	for _, c := range []struct {
		away int // ticks from the last one in its path to the hit
		hp   int16
	}{
		{tanks.Rewind, tanks.FullHp - tanks.ShotDamage},
		{tanks.Rewind + 1, tanks.FullHp},
	} {
		s := match(t, 2)
		s.place(0, -200, 500, 0)
		s.place(1, -150, 500, 0)
		s.step(20)
		s.place(1, -150, 600, 0) // away at once
		s.step(c.away - 4)
		s.in[0].Seen = 255
		s.tap(0)
		want(t, "how far it goes back", s.Shots[0][0].Lag, tanks.Rewind)
		s.step(2)
		want(t, "health", s.Tanks[1].Hp, c.hp)
	}
}

// The trail has the places of a tank in its current life.
func TestATrailHasOneLife(t *testing.T) {
	c := match(t, 2)
	tank := c.place(1, -100, 500, 0)
	c.hold(1, 0, tanks.StickEnd, 0)
	var was []fixed.Vec2
	for range 35 {
		was = append(was, tank.Pos)
		c.step(1)
		for ago := range uint32(tanks.Rewind + 2) {
			pos, ok := c.Trail(1, ago)
			switch {
			case ago == 0:
				want(t, "now", pos, tank.Pos)
			case ago <= tanks.Rewind && int(ago) <= len(was):
				holds(t, "it is known", ok)
				want(t, "where it was", pos, was[len(was)-int(ago)])
			case ago > tanks.Rewind:
				want(t, "nothing older", ok, false)
			}
		}
	}
	tank.Hp = 1
	c.place(0, -100, 540, 3)
	c.place(1, -100, 500, 3)
	c.hold(1, 0, 0, 0)
	c.step(1)
	c.tap(0)
	c.until("the end", func() bool { return tank.Stance == tanks.Out })
	want(t, "a wreck has none", c.Lived[1], 0)
	want(t, "and no places", c.Trails[1], [tanks.Rewind]fixed.Vec2{})
	c.until("the next life", func() bool { return tank.Stance == tanks.Alive })
	want(t, "a new one begins", c.Lived[1], 0)
	c.step(3)
	_, ok := c.Trail(1, 3)
	holds(t, "with its spawn", ok)
	_, ok = c.Trail(1, 4)
	want(t, "and not before", ok, false)
}
