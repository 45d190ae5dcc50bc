package rollback_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// pump runs the same kind of tick over and over.
type pump struct {
	engine
	cfg    rollback.Config
	late   Frame // how late remote inputs come
	shape  func(f Frame) button
	orders []byte
	dup    bool
}

// tick is everything that an owner does for one frame.
func (p *pump) tick() {
	f := p.Frame()
	for q := range Player(p.cfg.Players) {
		if p.NeedsInput(q) {
			must(p.AddLocal(q, p.shape(f), p.orders))
		} else if !p.cfg.Local.Has(q) && f >= p.late {
			must(p.AddInput(q, f-p.late, p.shape(f-p.late), p.orders))
			if p.dup {
				must(p.AddInput(q, f-p.late, p.shape(f-p.late), p.orders))
			}
		}
	}
	must(p.Tick())
	must(p.Agree(p.Confirmed()))
	p.Effects()
	for p.NextAgreed() != nil {
	}
	_ = p.Stats()
}

// restless never does what was predicted; once does something else for one frame
// in eight, which a predictor of empty inputs misses and the game forgets.
func restless(f Frame) button { return button(f&1)<<2 | 2 }

func once(f Frame) button {
	if f&7 == 1 {
		return 4
	}
	return 0
}

// nothing is a predictor of players who do nothing.
func nothing(Player, Frame, Frame, button) button { return 0 }

// mode is a way to run a match.
type mode struct {
	p         pump
	style     uint8
	stops     bool // early, that is
	effects   bool
	own, huge bool
	aside     bool
}

func modes() map[string]mode {
	remote := func(window, late int) pump {
		return pump{cfg: two(window), late: Frame(late), shape: restless}
	}
	with := func(p pump, change func(p *pump)) pump { change(&p); return p }
	return map[string]mode{
		"local":        {p: pump{cfg: alone(2), shape: restless}},
		"p2p":          {p: remote(8, 0)},
		"rollbacks":    {p: remote(8, 7)},
		"early stops":  {p: with(remote(8, 3), func(p *pump) { p.shape = once }), style: following, stops: true},
		"own stops":    {p: with(remote(8, 3), func(p *pump) { p.shape = once }), style: following, stops: true, own: true},
		"lockstep":     {p: remote(0, 0)},
		"sync test":    {p: with(remote(8, 4), func(p *pump) { p.cfg.SyncTest = 6 })},
		"stream":       {p: with(remote(8, 3), func(p *pump) { p.cfg.Stream = true })},
		"own stream":   {p: with(remote(8, 3), func(p *pump) { p.cfg.Stream = true }), own: true},
		"orders":       {p: with(remote(8, 3), func(p *pump) { p.cfg.MaxOrders, p.orders = 8, []byte("12345678") })},
		"effects":      {p: remote(8, 3), effects: true},
		"sync effects": {p: with(remote(8, 3), func(p *pump) { p.cfg.SyncTest = 3 }), effects: true},
		"own memory":   {p: remote(8, 7), own: true},
		"huge":         {p: remote(2, 1), huge: true},
		"aside":        {p: with(remote(8, 3), func(p *pump) { p.cfg.Stream = true }), aside: true},
		"aside sync":   {p: with(remote(8, 4), func(p *pump) { p.cfg.SyncTest = 6 }), aside: true},
		"duplicates":   {p: with(remote(8, 3), func(p *pump) { p.dup = true })},
		"clock":        {p: with(remote(8, 3), func(p *pump) { p.cfg.Clock = func() time.Duration { return 0 } })},
		"probe":        {p: with(remote(8, 3), func(p *pump) { p.cfg.Probe = deaf{} })},
		"8 players":    {p: with(remote(8, 3), func(p *pump) { p.cfg.Players = 8 })},
		"everything": {p: with(remote(8, 7), func(p *pump) {
			p.cfg.Players, p.cfg.MaxOrders, p.orders, p.cfg.Stream, p.dup = 8, 4, []byte("ab"), true, true
			p.cfg.Clock = func() time.Duration { return 0 }
		}), effects: true, own: true},
	}
}

// Rule: a tick allocates nothing, in any mode, once everything has been used.
func TestTicksDoNotAllocate(t *testing.T) {
	for name, m := range modes() {
		p := &m.p
		tp := &tape{blind: true}
		declared, predict := kinds, rollback.Predictor[button](nil)
		if m.stops {
			predict = nothing
		}
		if !m.effects {
			declared = nil
		}
		switch {
		case m.own:
			p.engine = of(fresh(rollback.New(tp.own(m.style, predict, declared), p.cfg)))
		case m.huge:
			p.engine = of(fresh(rollback.New(tp.hugeGame(m.style, predict, declared), p.cfg)))
		case m.aside:
			p.engine = of(fresh(rollback.New(rollback.Aside[world, button]{Game: tp.game(m.style, predict, declared)}, p.cfg)))
		default:
			p.engine = of(fresh(rollback.New(tp.game(m.style, predict, declared), p.cfg)))
		}
		for range 2000 {
			p.tick()
		}
		before := p.Stats()
		if n := testing.AllocsPerRun(300, p.tick); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
		after := p.Stats()
		if m.stops != (after.EarlyStops > before.EarlyStops) || (p.late > 0) != (after.Rollbacks > before.Rollbacks) {
			t.Errorf("%s: is something else: %+v", name, after)
		}
	}
}

// Rule: refused calls do not allocate either, if they happen in every frame.
func TestStallsDoNotAllocate(t *testing.T) {
	s := play(t, two(2))
	s.tape.blind = true
	s.ticks(1, 1)
	s.sample(1)
	if n := testing.AllocsPerRun(100, func() {
		if s.Tick() == nil {
			t.Error("no stall")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
