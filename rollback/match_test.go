package rollback_test

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// chooser makes the choices of a random match: a generator, or a fuzzer's bytes.
type chooser interface {
	IntN(n int) int
	Done() bool
}

// engine is what every Engine of the model game can do, whatever its state is.
type engine interface {
	AddInput(p Player, f Frame, in button, orders []byte) error
	Feed(inputs []button, orders [][]byte, gone PlayerSet) error
	AddLocal(p Player, in button, orders []byte) error
	Assume(p Player, f Frame, in button, orders []byte) error
	SetTruth(f Frame, inputs []button, orders [][]byte, told, gone PlayerSet) error
	correct(f Frame, w world) (bool, error)
	NeedsInput(p Player) bool
	Tick() error
	Settle() error
	Agree(n Frame) error
	NextAgreed() *rollback.Agreed[button]
	Effects() []effects.Event
	SetDelay(p Player, frames int) error
	Disconnect(p Player, from Frame) error
	Connect(p Player, at Frame) error
	again()
	Marshal(b []byte, f Frame) ([]byte, error)
	Load(f Frame, encoded []byte) error
	Hash() (uint64, error)
	Frame() Frame
	Confirmed() Frame
	Agreed() Frame
	Next(p Player) Frame
	Input(p Player, f Frame) (button, []byte, rollback.Status)
	Result() (rollback.Outcome, bool)
	Provisional() (rollback.Outcome, bool)
	Stats() rollback.Stats
}

// restarter begins another match without saying of which type the state is.
type restarter[S any] struct {
	*rollback.Engine[S, button]
	from func(w world) *S
}

func (r restarter[S]) correct(f Frame, w world) (bool, error) { return r.Correct(f, r.from(w)) }

func (r restarter[S]) again() { must(r.Restart(nil)) }

func of[S any](e *rollback.Engine[S, button]) engine { return restarter[S]{e, nil} }

// from says how a world becomes a state, for Correct.
func from[S any](e *rollback.Engine[S, button], state func(w world) *S) engine {
	return restarter[S]{e, state}
}

// match drives an engine and the reference alike, and compares them.
type match struct {
	engine
	c      chooser
	r      *reference
	tape   tape
	what   string
	at     func(f Frame) (world, bool)   // what the engine shows as state f
	sum    func(w world) (uint64, error) // the hash that a state should have
	encode func(w world) ([]byte, error) // likewise the encoding
	seen   coverage
	lazy   int  // how seldom the owner agrees and reads
	slow   int  // how seldom inputs come
	client bool // a server owns the match: there is more that may be done
	ahead  func(most Frame) (before, after world, at Frame, ok bool)

	heard listener

	operations int
}

func (m *match) String() string { return fmt.Sprintf("%s %+v", m.what, m.r.cfg) }

// newMatch draws a game and a configuration.
func newMatch(c chooser) *match { return newMatchAhead(c, 0) }

// newMatchAhead draws a game and a configuration, for a match that is shown ahead.
func newMatchAhead(c chooser, frames int) *match {
	m := &match{c: c, lazy: []int{1, 1, 1, 10, 200}[c.IntN(5)], slow: 1 + c.IntN(3)}
	cfg := chooseConfig(c)
	if frames > 0 {
		cfg.RunAhead, cfg.Snapshots = frames, max(cfg.Snapshots, 2)
	}
	if cfg.Window%2 == 1 {
		cfg.Probe = &m.heard // which draws nothing: recorded matches stay what they are
	}
	style := uint8(c.IntN(int(styles)))
	var predict rollback.Predictor[button]
	if n := c.IntN(4); n < 2 {
		predict = []rollback.Predictor[button]{fade, nothing}[n]
		m.seen[predictors]++
	}
	var declared []effects.Declaration
	if c.IntN(2) == 0 {
		declared = kinds
	}
	stops := true
	switch kind := c.IntN(8); kind {
	case 0, 1, 2:
		stops = kind > 0
		m.useOwn(cfg, style, predict, declared, stops, c.IntN(8) > 0)
	case 3:
		m.what = "huge"
		e := fresh(rollback.New(m.tape.hugeGame(style, predict, declared), cfg))
		full := func(w world) *huge { h := &huge{World: w}; h.Pad[7] = 7; return h }
		m.engine, m.ahead = from(e, full), leads(e, func(h *huge) world { return h.World })
		m.at = func(f Frame) (world, bool) { return stateOf(e.StateAt(f), func(h *huge) world { return h.World }) }
		plan, _ := canon.PlanFor[huge]()
		m.sum = func(w world) (uint64, error) { return plan.Hash(full(w)), nil }
		m.encode = func(w world) ([]byte, error) { return plan.Append(nil, full(w)), nil }
	default:
		m.what = "plain"
		var game rollback.Definition[world, button] = m.tape.game(style, predict, declared)
		if kind < 6 {
			m.what = "aside"
			game = rollback.Aside[world, button]{Game: m.tape.game(style, predict, declared)}
		}
		e := fresh(rollback.New(game, cfg))
		m.engine, m.ahead = from(e, func(w world) *world { return &w }), leads(e, func(w *world) world { return *w })
		m.at = func(f Frame) (world, bool) { return stateOf(e.StateAt(f), func(w *world) world { return *w }) }
		m.sum = func(w world) (uint64, error) { return worldPlan.Hash(&w), nil }
		m.encode = func(w world) ([]byte, error) { return worldPlan.Append(nil, &w), nil }
	}
	m.r = newReference(cfg, world{Style: style}, stops, predict, declared)
	return m
}

// leads returns the function that shows an engine ahead of its state.
func leads[S any](e *rollback.Engine[S, button], show func(*S) world) func(most Frame) (before, after world, at Frame, ok bool) {
	return func(most Frame) (before, after world, at Frame, ok bool) {
		b, a, at := rollback.Ahead(e, most)
		if a == nil {
			return before, after, at, false
		}
		return show(b), show(a), at, true
	}
}

// useOwn takes the game with its own memory, with or without some capabilities.
func (m *match) useOwn(cfg rollback.Config, style uint8, predict rollback.Predictor[button], declared []effects.Declaration, equal, hash bool) {
	m.what = "own"
	game := m.tape.own(style, predict, declared)
	m.encode = func(w world) ([]byte, error) { return worldPlan.Append(nil, &w), nil }
	m.sum = func(w world) (uint64, error) { return worldPlan.Hash(&w), nil }
	if !equal {
		game.Equal = nil
		m.what += " without Equal"
	}
	if !hash {
		game.Hash = nil
		m.what += " without Hash"
		m.sum = func(w world) (uint64, error) { h := newHeap(); h.set(&w); return canon.HashAny(h) }
	}
	if hash && cfg.Window%2 == 0 {
		game.Slots = heapSlots()
		m.what += " with slots"
	}
	e := fresh(rollback.New(game, cfg))
	m.engine, m.ahead = from(e, func(w world) *heap { h := newHeap(); h.set(&w); return h }), leads(e, (*heap).world)
	m.at = func(f Frame) (world, bool) { return stateOf(e.StateAt(f), (*heap).world) }
}

func fresh[E any](e E, err error) E {
	if err != nil {
		panic(err)
	}
	return e
}

func stateOf[S any](s *S, show func(*S) world) (world, bool) {
	if s == nil {
		return world{}, false
	}
	return show(s), true
}

// run plays so many operations, or until the choices are used up.
func (m *match) run(operations int) error {
	for i := 0; i < operations && !m.c.Done(); i++ {
		m.operations++
		if err := m.operation(); err != nil {
			return fmt.Errorf("operation %d, frame %d: %w", i, m.r.frame, err)
		}
	}
	return m.checkAll()
}

// check compares what can be asked at any time.
func (m *match) check() error {
	r := m.r
	if m.heard.text = ""; m.heard.wrong != "" {
		return fmt.Errorf("a probe heard %q at a wrong place", m.heard.wrong)
	}
	if m.Frame() != r.frame || m.Confirmed() != r.confirmed() || m.Agreed() != r.agreed() {
		return fmt.Errorf("frame, confirmed, agreed: %d %d %d, not %d %d %d",
			m.Frame(), m.Confirmed(), m.Agreed(), r.frame, r.confirmed(), r.agreed())
	}
	for p := range Player(r.cfg.Players) {
		if m.Next(p) != r.next(p) {
			return fmt.Errorf("next of player %d: %d, not %d", p, m.Next(p), r.next(p))
		}
		if m.NeedsInput(p) != r.owed(p) {
			return fmt.Errorf("needs input of player %d: %v", p, m.NeedsInput(p))
		}
	}
	r.judge()
	if o, over := m.Result(); over != r.over || over && o != r.outcome {
		return fmt.Errorf("result: %v %v, not %v %v", o, over, r.outcome, r.over)
	}
	return nil
}

// checkStates compares what was simulated, and what came of it.
func (m *match) checkStates() error {
	r := m.r
	if w, ok := m.at(r.frame); !ok || w != r.states[r.frame-r.start] {
		return fmt.Errorf("state %d: %+v, not %+v", r.frame, w, r.states[r.frame-r.start])
	}
	f := r.frame - min(Frame(m.c.IntN(r.cfg.Snapshots+2)), r.frame-r.start)
	w, ok := m.at(f)
	if own := m.what[0] == 'o'; ok != (f == r.frame || !own && r.frame-f < Frame(r.cfg.Snapshots)) {
		return fmt.Errorf("state %d is held: %v", f, ok)
	}
	if ok && w != r.states[f-r.start] {
		return fmt.Errorf("state %d: %+v, not %+v", f, w, r.states[f-r.start])
	}
	got, over := m.Provisional()
	if want, ended := r.provisional(); over != ended || over && got != want {
		return fmt.Errorf("provisional result: %v %v, not %v %v", got, over, want, ended)
	}
	return nil
}

// checkRuns compares the frames that were simulated, and with what.
func (m *match) checkRuns() error {
	got, want := m.tape.runs, m.r.runs
	m.tape.runs, m.r.runs = m.tape.runs[:0], m.r.runs[:0]
	if len(got) != len(want) {
		return fmt.Errorf("%d frames were simulated, not %d: %+v, not %+v", len(got), len(want), got, want)
	}
	for i := range got {
		g, w := got[i], want[i]
		if m.r.cfg.SyncTest > 0 {
			g.known, w.known = 0, 0 // it says otherwise, on purpose
		}
		if g != w {
			return fmt.Errorf("simulated: %+v, not %+v", g, w)
		}
	}
	return m.checkStates()
}

// checkAll compares everything.
func (m *match) checkAll() error {
	want := m.r.stats
	if m.r.journal != nil {
		want.DroppedEffects = m.r.journal.Dropped()
	}
	got := m.Stats()
	if m.r.returned {
		// A player that was gone in a frame, and is back before the frame has run again, is
		// compared with somebody who does nothing.
		got.Mispredicted = want.Mispredicted
	}
	if !sameStats(got, want) {
		return fmt.Errorf("stats: %+v\nnot %+v", got, want)
	}
	right := m.r.right(m.r.frame)
	for i, w := range m.r.replay() {
		if f := m.r.given + Frame(i); f <= right && w != m.r.states[f-m.r.start] {
			return fmt.Errorf("the reference is wrong: state %d: %+v, not %+v", f, m.r.states[f-m.r.start], w)
		}
	}
	if s := m.r.stats; s.Ticks > 3*uint64(m.r.cfg.History) {
		m.seen[wrapped]++
	}
	m.collect()
	return nil
}

// collect adds the statistics to what was seen.
func (m *match) collect() {
	s := m.r.stats
	m.seen[rollbacks] += int(s.Rollbacks)
	m.seen[earlyStops] += int(s.EarlyStops)
	m.seen[skippedFrames] += int(s.Skipped)
	m.seen[duplicates] += int(s.Duplicates)
	m.seen[syncTested] += int(s.Compared)
	if n := m.r.cfg.Window; n > 0 && s.Deepest == n && m.r.cfg.SyncTest == 0 {
		m.seen[fullDepth]++
	}
	for _, n := range s.Mispredicted {
		m.seen[mispredictions] += int(n)
	}
}
