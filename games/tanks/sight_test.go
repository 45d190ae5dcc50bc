package tanks_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// blank returns what Sight leaves of a state.
func blank(s tanks.State, p rollback.Player) tanks.State {
	tanks.Sight(&s, p)
	return s
}

// dice makes states, and changes to them, from a seed.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1))} }

func (d dice) place() fixed.Vec2 {
	return fixed.Vec2{X: fixed.Num(d.Int64N(1900<<16) - 950<<16), Y: fixed.Num(d.Int64N(1260<<16) - 630<<16)}
}

func (d dice) shot() tanks.Shot {
	return tanks.Shot{Pos: d.place(), Vel: at(24, 0), Life: 1 + d.Uint32N(tanks.ShotTicks), Lag: d.Uint32N(tanks.Rewind + 1)}
}

// jumble is a state from the middle of a match, in which some things are at random places.
func (d dice) jumble() tanks.State {
	s := runBots(tanks.Bot{Seed: d.Uint64(), Mood: tanks.Busy}, everybody, rollback.Frame(20+d.IntN(200)))
	for p := range everybody {
		if d.IntN(3) == 0 {
			s.Tanks[p].Pos = d.place()
		}
		if d.IntN(6) == 0 {
			s.Tanks[p].Stance, s.Tanks[p].Spawn = tanks.Out, uint8(1+d.IntN(tanks.Spawns))
			s.Trails[p], s.Lived[p] = [tanks.Rewind]fixed.Vec2{}, 0
		}
		if d.IntN(8) == 0 {
			s.Tanks[p] = tanks.Tank{Kills: 1}
			s.Trails[p], s.Lived[p] = [tanks.Rewind]fixed.Vec2{}, 0
		}
		for slot := range s.Trails[p] {
			if s.Lived[p]>>slot&1 != 0 && d.IntN(4) == 0 {
				s.Trails[p][slot] = d.place()
			}
		}
		for slot := range s.Shots[p] {
			if d.IntN(2) == 0 {
				s.Shots[p][slot] = d.shot()
			}
		}
	}
	return s
}

// A player keeps its own data, what it sees, and the score.
func TestSightLeavesWhatAPlayerSees(t *testing.T) {
	c := match(t, 4)
	c.place(0, -200, 500, 0)
	c.place(1, 0, 500, 0)   // in the open
	c.place(2, 0, 200, 0)   // behind the wall at (0, 320)
	c.place(3, 700, 500, 0) // too far away
	for p := range 4 {
		c.Tanks[p].Kills = uint16(p + 1)
		c.Tanks[p].Reload = 3
		c.Shots[p][0] = tanks.Shot{Pos: at(-100, 500), Vel: at(24, 0), Life: 5}
		c.Shots[p][1] = tanks.Shot{Pos: at(100, 200), Vel: at(24, 0), Life: 5}
	}
	s := c.State
	told := tanks.Sight(&s, 0)
	want(t, "told", told, rollback.SetOf(0, 1))
	want(t, "its own tank", s.Tanks[0], c.Tanks[0])
	want(t, "one that it sees", s.Tanks[1], c.Tanks[1])
	want(t, "one behind a wall", s.Tanks[2], tanks.Tank{Stance: tanks.Hidden, Kills: 3})
	want(t, "one that is far away", s.Tanks[3], tanks.Tank{Stance: tanks.Hidden, Kills: 4})
	want(t, "nobody", s.Tanks[4], tanks.Tank{})
	want(t, "its own shots", s.Shots[0], c.Shots[0])
	for p := 1; p < 4; p++ {
		want(t, "a shot that it sees", s.Shots[p][0], c.Shots[p][0])
		want(t, "a shot behind a wall", s.Shots[p][1], tanks.Shot{})
	}
	want(t, "its own trail", s.Trails[0], c.Trails[0])
	want(t, "no trail of who is hidden", s.Lived[2], 0)
	want(t, "the generator", s.Rng, rng.Xorshift128Plus{})
	want(t, "the time", s.Frame, c.Frame)
}

// A wreck still sees, and does not reveal where the next tank will appear.
func TestAWreckSees(t *testing.T) {
	c := destroyed(t)
	s := blank(c.State, 1)
	want(t, "whom it saw", s.Tanks[0], c.Tanks[0])
	want(t, "where it will appear", s.Tanks[1].Spawn, c.Tanks[1].Spawn)
	s = blank(c.State, 0)
	want(t, "the wreck", s.Tanks[1].Pos, c.Tanks[1].Pos)
	want(t, "not where the next one appears", s.Tanks[1].Spawn, 0)
}

// A player without a tank sees nothing.
func TestWhoIsNotThereSeesNothing(t *testing.T) {
	c := match(t, 3)
	for _, p := range []rollback.Player{3, tanks.MaxPlayers, 255} {
		s := c.State
		told := tanks.Sight(&s, p)
		want(t, "told", told, rollback.SetOf(p))
		for q := range 3 {
			want(t, "tank", s.Tanks[q].Stance, tanks.Hidden)
		}
	}
}

// A trail is known from where a tank came into sight, and only since then.
func TestATrailIsToldFromWhereATankCameIntoSight(t *testing.T) {
	c := match(t, 2)
	c.place(0, 0, 500, 0)
	tank := c.place(1, 200, 200, 0)
	c.step(20)
	want(t, "it is hidden", c.Sees(0, 1), false)
	tank.Pos = at(200, 500)
	for seen := range uint32(15) {
		s := blank(c.State, 0)
		for ago := uint32(1); ago <= tanks.Rewind; ago++ {
			_, ok := s.Trail(1, ago)
			want(t, "where it was while it was seen", ok, ago <= seen)
		}
		for slot := range s.Trails[1] {
			holds(t, "nothing is left of the rest", s.Lived[1]>>slot&1 != 0 || s.Trails[1][slot] == fixed.Vec2{})
		}
		c.step(1)
	}
	tank.Pos = at(200, 200)
	c.step(2)
	tank.Pos = at(200, 500)
	c.step(3)
	s := blank(c.State, 0)
	for ago := uint32(1); ago <= tanks.Rewind; ago++ {
		_, told := s.Trail(1, ago)
		want(t, "not what was before a break", told, ago <= 3)
	}
}

func ptr[T any](v T) *T { return &v }

// Blanking again changes nothing, whatever the state, and neither the state nor the order of the players matters.
func TestSightIsPureAndIdempotent(t *testing.T) {
	d := newDice(1)
	hidden := 0
	for range 300 {
		s := d.jumble()
		for p := range rollback.Player(everybody + 1) {
			once := s
			told := tanks.Sight(&once, p)
			twice := once
			again := tanks.Sight(&twice, p)
			same(t, "again", &once, &twice)
			want(t, "told", again, told)
			for q := range rollback.Player(everybody) {
				shown := once.Tanks[q].Stance != tanks.Hidden && once.Tanks[q].Stance != tanks.Absent
				want(t, "told of those that are shown", told.Has(q), shown || q == p)
				hidden += btoi(once.Tanks[q].Stance == tanks.Hidden)
			}
			same(t, "the same of the same", &once, ptr(blank(s, p)))
		}
	}
	holds(t, "much was hidden", hidden > 1000)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// unsee randomly changes things that Sight hides from player p, and nothing else.
func (d dice) unsee(s *tanks.State, p rollback.Player) {
	left := blank(*s, p)
	try := func(change func(s *tanks.State)) {
		changed := *s
		if change(&changed); blank(changed, p) == left {
			*s = changed
		}
	}
	s.Rng = rng.New(d.Uint64()) // this is hidden whatever else is
	for q := range everybody {
		if rollback.Player(q) == p {
			continue
		}
		if left.Tanks[q].Stance == tanks.Hidden {
			try(func(s *tanks.State) { s.Tanks[q].Pos = d.place() })
			try(func(s *tanks.State) { s.Tanks[q].Stance = tanks.Out })
			try(func(s *tanks.State) {
				tank := &s.Tanks[q]
				tank.Hp, tank.Reload, tank.Heading, tank.Shots = 1, 9, 5, tank.Shots+3
				tank.Held, tank.RespawnIn = tanks.Input{Turn: 1}, 7
			})
			try(func(s *tanks.State) { s.Trails[q][d.IntN(tanks.Rewind)] = d.place() })
		}
		if left.Tanks[q].Stance == tanks.Out {
			s.Tanks[q].Spawn = uint8(1 + d.IntN(tanks.Spawns))
		}
		for slot := range s.Trails[q] {
			if left.Lived[q]>>slot&1 == 0 && s.Lived[q]>>slot&1 != 0 {
				try(func(s *tanks.State) { s.Trails[q][slot] = d.place() })
			}
		}
		for slot := range s.Shots[q] {
			if left.Shots[q][slot].Life == 0 {
				try(func(s *tanks.State) { s.Shots[q][slot] = d.shot() })
			}
		}
	}
}

// Two states that differ only in hidden things leave the same result, to the last byte. What is visible decides what is
// hidden, so changes that become visible are not made; most do not.
func TestWhatIsHiddenHasNoInfluence(t *testing.T) {
	d, changed := newDice(2), 0
	for range 60 {
		s := d.jumble()
		for p := range rollback.Player(everybody) {
			other := s
			d.unsee(&other, p)
			changed += plan(t).Diff(&s, &other, 1).Total
			a, b := s, other
			want(t, "told", tanks.Sight(&a, p), tanks.Sight(&b, p))
			want(t, "bytes", string(plan(t).Append(nil, &a)), string(plan(t).Append(nil, &b)))
		}
	}
	holds(t, "much was changed", changed > 60*everybody*10)
}

// influenced reports whether something that player p does not see may have influenced what it sees, in a step from s to
// next. These are the influences that Sight names.
func influenced(s, next *tanks.State, p rollback.Player) bool {
	left, after := blank(*s, p), blank(*next, p)
	seen := func(left *tanks.State, q int) bool { return left.Tanks[q].Stance != tanks.Hidden }
	for q := range everybody {
		a, b := &s.Tanks[q], &next.Tanks[q]
		switch {
		case a.Kills != b.Kills || a.Deaths != b.Deaths: // the score; and a spawn was drawn
			return true
		case a.Stance != b.Stance || a.Hp != b.Hp: // somebody appears, or is hit
			return true
		case !seen(&left, q) && seen(&after, q): // into sight
			return true
		}
		for slot := range s.Shots[q] { // into sight, and not just fired
			if left.Shots[q][slot].Life == 0 && 0 < after.Shots[q][slot].Life && after.Shots[q][slot].Life < tanks.ShotTicks {
				return true
			}
		}
		for r := range q { // a push between something visible and something hidden
			if seen(&left, q) != seen(&left, r) && a.Pos.Distance(s.Tanks[r].Pos) < 60*fixed.One {
				return true
			}
		}
	}
	return false
}

// A client that steps what Sight has left, with the inputs that it is told, and blanks the result, gets what Sight
// leaves of the true next state, unless something hidden had an influence.
func TestSteppingWhatIsLeftComesToWhatIsLeft(t *testing.T) {
	compared, skipped := 0, 0
	for seed := range uint64(4) {
		bot := tanks.Bot{Seed: seed, Mood: tanks.Busy, Seen: 3 * uint8(seed)}
		s := tanks.New(seed)
		for range 300 {
			in := botInputs(bot, &s, everybody)
			next := s
			tanks.Step(&next, &in, first(everybody), nil)
			for p := range rollback.Player(everybody) {
				if influenced(&s, &next, p) {
					skipped++
					continue
				}
				compared++
				client, heard := s, in
				told := tanks.Sight(&client, p)
				for q := range heard {
					if !told.Has(rollback.Player(q)) {
						heard[q] = tanks.Input{Throttle: 99, Buttons: tanks.Fire}
					}
				}
				tanks.Step(&client, &heard, first(everybody), nil)
				tanks.Sight(&client, p)
				same(t, "the next state", ptr(blank(next, p)), &client)
			}
			s = next
		}
	}
	holds(t, "many steps have no such influence", compared > skipped/2)
}
