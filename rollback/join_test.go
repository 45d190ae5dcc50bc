package rollback_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// cast is a match of three players as it should be: what each does in each frame. One of
// them is away for a while.
type cast struct {
	in   [][3]button
	who  Player
	away span
}

const castFrames Frame = 240

// newCast draws what they do.
func newCast(r *rand.Rand, who Player, away span) *cast {
	c := &cast{in: make([][3]button, castFrames), who: who, away: away}
	for f := range c.in {
		for p := range c.in[f] {
			c.in[f][p] = button(r.IntN(12))
		}
		if c.gone(Frame(f)) != 0 {
			c.in[f][who] = 0
		}
	}
	return c
}

// sampled makes the inputs of the player that is away those that result from samples, with
// a delay: zeros at the beginning, and again after the return.
func (c *cast) sampled(samples []button, delay Frame) {
	for f := range castFrames {
		switch begin := c.begin(f); {
		case c.gone(f) != 0 || f < begin+delay:
			c.in[f][c.who] = 0
		default:
			c.in[f][c.who] = samples[f-delay]
		}
	}
}

// begin returns since when the absent player was present in frame f.
func (c *cast) begin(f Frame) Frame {
	if f < c.away.first {
		return 0
	}
	return c.away.end
}

func (c *cast) gone(f Frame) PlayerSet {
	if c.away.first <= f && f < c.away.end {
		return rollback.SetOf(c.who)
	}
	return 0
}

// states plays the match without an engine.
func (c *cast) states() []world {
	w := world{Style: chaining}
	list := []world{w}
	for f := range castFrames {
		m := moment{gone: c.gone(f)}
		copy(m.in[:], c.in[f][:])
		w.step(&m, 3, f, nil)
		list = append(list, w)
	}
	return list
}

// deliver gives the engine the inputs of a remote player before a frame that it lacks.
func (c *cast) deliver(t *testing.T, e engine, p Player, below Frame) {
	t.Helper()
	for f := e.Next(p); f < min(below, castFrames); f++ {
		if p == c.who && c.gone(f) != 0 {
			return
		}
		if err := e.AddInput(p, f, c.in[f][p], nil); err != nil {
			t.Fatalf("player %d, frame %d: %v", p, f, err)
		}
	}
}

// comeback says which players play a cast on an engine, how far ahead of the frames (or
// behind) their inputs are, and how far ahead the return is known.
type comeback struct {
	local  Player
	delay  int
	lead   [3]int
	notice Frame
}

// play plays the cast. It returns the last state, and how far the confirmed frames went
// back when the player was connected.
func (k comeback) play(t *testing.T, c *cast, samples []button) (last world, back Frame) {
	t.Helper()
	cfg := rollback.Config{Players: 3, Local: rollback.SetOf(k.local), Window: 8}
	cfg.Delay[k.local] = k.delay
	s := play(t, cfg)
	left := false
	for f := range castFrames {
		if !left && s.Next(c.who) == c.away.first {
			s.ok(s.Disconnect(c.who, c.away.first))
			left = true
		}
		if f+k.notice == c.away.end {
			was := s.Confirmed()
			s.ok(s.Connect(c.who, c.away.end))
			back = was - s.Confirmed()
			if want := min(was, c.away.end); s.Confirmed() != want {
				t.Fatalf("confirmed: %d, not %d", s.Confirmed(), want)
			}
		}
		for p := range Player(3) {
			if p != k.local {
				c.deliver(t, of(s.Engine), p, Frame(max(0, int(f)+1+k.lead[p])))
			}
		}
		if s.NeedsInput(k.local) {
			s.ok(s.AddLocal(k.local, samples[f], nil))
		}
		final := s.Final()
		s.ok(s.Tick())
		if s.Final() < final {
			t.Fatalf("frame %d: final went back from %d to %d", f, final, s.Final())
		}
		s.ok(s.Agree(max(s.Agreed(), min(s.Confirmed(), s.Frame()))))
		s.Effects()
	}
	for p := range Player(3) {
		if p != k.local {
			c.deliver(t, of(s.Engine), p, castFrames)
		}
	}
	s.ok(s.Settle())
	return *s.State(), back
}

// Rule: a player may be connected at a frame for which inputs of others have already come,
// as long as it has not run: the match is the one with that player from there on, on the
// player's machine, with any delay, and on the others.
func TestConnectTakesBackOnlyWhatIsConfirmedAhead(t *testing.T) {
	wentBack := 0
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 7))
		away := span{Frame(30 + r.IntN(20)), Frame(70 + r.IntN(20))}
		c := newCast(r, Player(r.IntN(3)), away)
		k := comeback{local: Player(r.IntN(3)), delay: int(seed % 9), notice: Frame(r.IntN(4))}
		for p := range k.lead {
			k.lead[p] = []int{-6, 0, 12, 12}[r.IntN(4)]
		}
		if k.local != c.who {
			k.delay = r.IntN(2) * 14
		}
		samples := make([]button, castFrames)
		for f := range samples {
			samples[f] = button(r.IntN(12))
		}
		if k.local == c.who {
			c.sampled(samples, Frame(k.delay))
		} else {
			for f := range castFrames {
				c.in[f][k.local] = 0
				if f >= Frame(k.delay) {
					c.in[f][k.local] = samples[f-Frame(k.delay)]
				}
			}
		}
		last, back := k.play(t, c, samples)
		if want := c.states()[castFrames]; last != want {
			t.Fatalf("seed %d, %+v, player %d away in %v: %+v, not %+v", seed, k, c.who, c.away, last, want)
		}
		if back > 0 {
			wentBack++
		}
	}
	if wentBack < 10 {
		t.Errorf("confirmed went back in %d matches only", wentBack)
	}
}

// Rule: no player can be connected at a frame that is agreed.
func TestConnectRefusesWhatIsAgreed(t *testing.T) {
	cfg := two(8)
	cfg.Players, cfg.Delay[0] = 3, 10
	s := play(t, cfg)
	s.ok(s.Disconnect(2, 0))
	s.get(0, 1, 1, 1, 1, 1, 1, 1)
	s.ticks(1, 1)
	s.ok(s.Agree(5))
	refused[*rollback.ConflictError](t, s.Connect(2, 4))
	want(t, "confirmed", s.Confirmed(), 7)
	s.ok(s.Connect(2, 5))
	want(t, "confirmed now", s.Confirmed(), 5)
	want(t, "agreed", s.Agreed(), 5)
	want(t, "final", s.Final(), 2)
	if s.Agree(6) == nil {
		t.Error("a frame that awaits an input was agreed")
	}
	s.ok(s.AddInput(2, 5, 3, nil))
	want(t, "and then", s.Confirmed(), 6)
	s.ok(s.Agree(6))
}
