package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// aim makes a client play like an honest one: it aims at what it is shown, and says how late that is.
func aim(h *house, g *guest) {
	g.player = func(me rollback.Player) tanks.Input {
		s := *g.State()
		shown, ok := g.Shown(h.now)
		if !ok {
			return tanks.Input{}
		}
		others := shown.Before
		if shown.Passed > shown.Period/2 {
			others = shown.After
		}
		for q := range s.Tanks {
			if q != int(me) {
				s.Tanks[q] = others.Tanks[q]
			}
		}
		bot := g.bot
		bot.Seen = uint8(max(shown.Seen, 0))
		return bot.Input(me, g.Frame(), &s)
	}
}

// way is how a client aims, and what it claims about its picture.
type way uint8

const (
	plain    way = iota // a bot that aims at what it is shown, and reports that truthfully
	truthful            // it aims better, and tells the truth
	liar                // the same, but it claims the oldest picture
	sly                 // the same, and it knows how much is accepted
)

// better makes a client aim at where others were at the time to which its shot goes back: it knows how they
// have moved since then, and need not guess.
func better(h *house, g *guest, w way) {
	past := map[rollback.Frame]tanks.State{}
	g.player = func(me rollback.Player) tanks.Input {
		known := g.Known()
		if at := g.StateAt(known); at != nil {
			past[known] = *at
			delete(past, known-64)
		}
		shown, ok := g.Shown(h.now)
		if !ok {
			return tanks.Input{}
		}
		by, claim := rollback.Frame(shown.Seen), uint8(shown.Seen)
		switch w {
		case liar:
			by, claim = tanks.Rewind, 255
		case sly:
			by, claim = g.Frame()-known+tanks.PictureTicks, 255
		}
		s := *g.State()
		own := s.Tanks[me].Pos
		for q := range s.Tanks {
			newest, ok := past[known]
			if q == int(me) || !ok {
				continue
			}
			tank := &s.Tanks[q]
			*tank = newest.Tanks[q]
			for flight := rollback.Frame(1); flight < tanks.ShotTicks; flight++ {
				then := g.Frame() + flight - by // the time to which the shot goes back
				if at, ok := past[then]; ok && then < known {
					tank.Pos = at.Tanks[q].Pos
				} else if then > known {
					tank.Pos = newest.Tanks[q].Pos.Add(newest.Tanks[q].Ahead().Scale(fixed.FromRatio(int64(newest.Tanks[q].Held.Throttle)*tanks.Speed*int64(then-known), tanks.StickEnd*tanks.TicksPerSecond)))
				}
				if tank.Pos.Distance(own) <= fixed.FromInt(int64(flight)*tanks.ShotSpeed/tanks.TicksPerSecond) {
					break
				}
			}
			tank.Held.Throttle = 0 // the bot need not lead
		}
		in := g.bot.Input(me, g.Frame(), &s)
		in.Seen = claim
		return in
	}
}

// claimed is how a match went for client 1.
type claimed struct {
	fired, hit int
	beyond     int    // the maximum number of ticks that it went back beyond the newest state that it knew
	end        uint64 // hash of the last state
}

// claims plays a match at a server that corrects the claims, or one that does not.
func claims(t *testing.T, seed uint64, w way, corrected bool, length time.Duration) (c claimed) {
	made := map[rollback.Frame]rollback.Frame{} // what client 1 knew when it made its input
	var player rollback.Player
	link := netem.Link{Delay: 50 * ms, Jitter: 5 * ms, Distribution: netem.Normal, Loss: netem.Always / 50}
	h := newHouse(t, seed, 8, link, nil, func(_ *config, k *hooks) {
		if corrected {
			k.Correct = tanks.Correct
		}
		k.Agreed = func(a *rollback.Agreed[tanks.Input]) {
			if known, ok := made[a.Frame]; ok && a.Frame > 200 {
				c.beyond = max(c.beyond, int(a.Inputs[player].Seen)-int(a.Frame-known))
			}
		}
	})
	for node := 1; node <= 8; node++ {
		g := h.join(node)
		if aim(h, g); node == 1 && w != plain {
			better(h, g, w)
		}
		if play := g.player; node == 1 {
			g.player = func(p rollback.Player) tanks.Input {
				player = p
				made[g.Frame()] = g.Known()
				return play(p)
			}
		}
	}
	h.run(10 * time.Second)
	h.server.Effects()
	for range length / time.Second {
		h.run(time.Second)
		for _, e := range h.server.Effects() {
			switch {
			case e.What != effects.Started:
			case tanks.Fired.Is(&e) && rollback.Player(tanks.Fired.Payload(&e).Player) == player:
				c.fired++
			case tanks.Hit.Is(&e) && rollback.Player(tanks.Hit.Payload(&e).By) == player:
				c.hit++
			}
		}
	}
	c.end = h.plan.Hash(h.server.State())
	return c
}

// Rule: a client that claims the oldest picture goes back no farther than its picture can be late, and hits no
// more than an honest one; the claims of an honest client are left as they are.
func TestAClaimOfAnOldPictureGainsNothing(t *testing.T) {
	seeds, length := uint64(4), 2*time.Minute
	if testing.Short() {
		seeds, length = 1, 15*time.Second
	}
	hits := map[way]int{}
	for seed := range seeds {
		free, bound := claims(t, seed, plain, false, length), claims(t, seed, plain, true, length)
		if free != bound || free.beyond > tanks.PictureTicks+2 || free.fired == 0 {
			t.Errorf("seed %d: honest clients have %+v, and %+v if they are corrected", seed, free, bound)
		}
		if c := claims(t, seed, liar, false, length); c.beyond < 200 { // the control
			t.Errorf("seed %d: a liar that is believed goes back only %d ticks too far", seed, c.beyond)
		}
		for _, w := range []way{truthful, liar, sly} {
			c := claims(t, seed, w, true, length)
			t.Logf("seed %d, way %d: %d of %d hit", seed, w, c.hit, c.fired)
			if hits[w] += c.hit; c.beyond > tanks.PictureTicks+2 { // more after losses
				t.Errorf("seed %d, way %d: it goes back %d ticks beyond what it knew", seed, w, c.beyond)
			}
		}
	}
	if most := hits[truthful] + hits[truthful]/10; !testing.Short() && max(hits[liar], hits[sly]) > most {
		t.Errorf("who tells the truth hits %d times, a liar %d, and one that knows how far it is believed %d", hits[truthful], hits[liar], hits[sly])
	}
}
