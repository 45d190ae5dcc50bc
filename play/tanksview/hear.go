package tanksview

import (
	"math"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/rollback/effects"
)

// maxPending limits the effects that wait: those of a second in which all players shoot.
const maxPending = 256

// Hear handles an event of the journal.
func (v *View) Hear(e *effects.Event) {
	switch e.What {
	case effects.Started:
		if v.own(e) {
			v.begin(e)
		} else if len(v.pending) < maxPending {
			v.pending = append(v.pending, *e)
		}
		return
	case effects.Moved, effects.Cancelled:
		for i := range v.pending {
			if q := &v.pending[i]; look.SourceOf(q) == look.SourceOf(e) {
				q.Frame, q.From = e.Frame, e.Frame
				if e.What == effects.Cancelled {
					v.pending = append(v.pending[:i], v.pending[i+1:]...)
				}
				return
			}
		}
	}
	v.flies.Hear(e)
}

// release shows the effects of others up to a moment.
func (v *View) release(moment float64) {
	left := v.pending[:0]
	for _, e := range v.pending {
		if at := float64(e.Frame); at <= moment || at > moment+2*tanks.TicksPerSecond {
			v.begin(&e)
			continue
		}
		left = append(left, e)
	}
	v.pending = left
}

// own reports whether an effect is about a tank of our own.
func (v *View) own(e *effects.Event) bool {
	mine := func(p ...uint8) bool {
		for _, p := range p {
			if v.Mine.Has(tickback.Player(p)) {
				return true
			}
		}
		return false
	}
	switch {
	case tanks.Fired.Is(e):
		return mine(tanks.Fired.Payload(e).Player)
	case tanks.Stopped.Is(e):
		return mine(tanks.Stopped.Payload(e).Player)
	case tanks.Hit.Is(e):
		w := tanks.Hit.Payload(e)
		return mine(w.By, w.Victim)
	case tanks.Destroyed.Is(e):
		w := tanks.Destroyed.Payload(e)
		return mine(w.By, w.Player)
	case tanks.Spawned.Is(e):
		return mine(tanks.Spawned.Payload(e).Player)
	}
	return true
}

// begin shows an effect.
func (v *View) begin(e *effects.Event) {
	s := look.SourceOf(e)
	switch {
	case tanks.Fired.Is(e):
		v.fired(s, tanks.Fired.Payload(e))
	case tanks.Stopped.Is(e):
		p := tanks.Stopped.Payload(e)
		v.burst(s, point(p.At), draw.RGB(0xC9D2F2), 7, 130)
	case tanks.Hit.Is(e):
		w := tanks.Hit.Payload(e)
		v.bodies[w.Victim%tanks.MaxPlayers].flash = 1
		v.burst(s, point(w.At), look.Gold, 12, 190)
		v.flies.Add(look.Particle{Shape: look.Flash, At: point(w.At), Size: 38, Life: 0.16, Color: look.Paper, Origin: s})
		if v.Mine.Has(tickback.Player(w.Victim)) {
			v.strike(0.5)
		}
	case tanks.Destroyed.Is(e):
		w := tanks.Destroyed.Payload(e)
		at := point(w.At)
		v.burst(s, at, v.Colour(int(w.Player)), 26, 260)
		v.burst(s, at, look.Gold, 14, 160)
		v.flies.Add(look.Particle{Shape: look.Flash, At: at, Size: 90, Life: 0.3, Color: look.Gold, Origin: s})
		v.flies.Add(look.Particle{Shape: look.Ripple, At: at, Size: 12, Grow: 220, Life: 0.45, Color: look.Paper, Origin: s})
		if v.Mine.Has(tickback.Player(w.Player)) {
			v.strike(1)
		} else if v.Mine.Has(tickback.Player(w.By)) {
			v.strike(0.4)
		}
	case tanks.Spawned.Is(e):
		p := tanks.Spawned.Payload(e)
		v.flies.Add(look.Particle{Shape: look.Ripple, At: point(p.At), Size: 10, Grow: 120, Life: 0.5, Color: v.Colour(int(p.Player)), Origin: s})
	}
}

func (v *View) fired(s look.Origin, p tanks.Salvo) {
	b := &v.bodies[p.Player%tanks.MaxPlayers]
	b.recoil = 1
	muzzle := point(p.At).Plus(draw.Polar(number(p.Heading), barrel))
	v.flies.Add(look.Particle{Shape: look.Flash, At: muzzle, Size: 26, Life: 0.1, Color: look.Gold, Origin: s})
	for range 4 {
		v.flies.Add(look.Particle{
			Shape: look.Puff, At: muzzle, Vel: draw.Polar(number(p.Heading)+v.flies.Random(-0.5, 0.5), v.flies.Random(20, 70)),
			Drag: 3, Size: 2, Grow: 9, Life: v.flies.Random(0.2, 0.4), Color: look.Paper.Alpha(0.3), Origin: s,
		})
	}
}

func (v *View) strike(power float32) {
	if !v.Look.Still {
		v.shake.Hit(power)
	}
}

func (v *View) burst(s look.Origin, at draw.Point, c draw.Color, n int, speed float32) {
	for range n {
		v.flies.Add(look.Particle{
			Shape: look.Spark, At: at, Vel: draw.Polar(v.flies.Random(0, 2*math.Pi), v.flies.Random(speed/3, speed)),
			Drag: 3.5, Size: v.flies.Random(1.6, 3), Life: v.flies.Random(0.2, 0.55),
			Color: c.Mix(look.Paper, v.flies.Random(0, 0.5)), Origin: s,
		})
	}
}
