package rollback

import "github.com/tickback/tickback/canon"

// MaxRunAhead is the maximum of [Config.RunAhead], in frames.
const MaxRunAhead = 8

// Ahead returns a state that is [Config.RunAhead] frames ahead of the current one, to be shown instead of it, and the
// state before that, or the same one if the game has its own memory; at is the number of the former. It is what the game
// becomes if everybody keeps doing what is known: inputs that are known already, such as those that the input delay
// holds back, count, and all others are predicted. So a game that takes n frames to show what a player does shows it n
// frames earlier, if RunAhead is n.
//
// The frames are simulated at this call, on the side, and thrown away: the match runs, and says, exactly what it would
// without them. Their effects are not emitted, and [Tick.Ahead] is true in them. A second call returns the same states,
// at no cost, until the match has gone on. Both states belong to the engine, and are valid until the next call of one of
// its methods; a game with its own memory is brought back to its current state by that call.
//
// Fewer frames are run if most is less, and none after one that finishes the match. If there are none to run, because of
// that or since RunAhead is 0, both states are nil.
func Ahead[S any, I comparable](e *Engine[S, I], most Frame) (before, after *S, at Frame) {
	f := e.inputs.frame
	m, on := e.mem.(*leading[S, I])
	if !on {
		return nil, nil, f
	}
	end := f + min(m.frames, most)
	if m.led && m.end == end {
		return m.before, m.after, m.at
	}
	m.drop()
	if end == f || e.agreement.failure != nil || e.steps.ending.open || e.steps.ending.over {
		return nil, nil, f
	}
	for g := f; g != end; g++ {
		e.inputs.predictFrame(g) // what is predicted there is predicted again before the frame runs
	}
	m.tick = e.steps.tick
	m.tick.newest, m.tick.ahead, m.tick.finished, m.tick.emitter, m.tick.meter = &m.tick.frame, true, false, nil, nil
	m.before, m.after, m.at = m.lead.leadTo(&m.tick, f, end)
	m.led, m.end = true, end
	return m.before, m.after, m.at
}

// Ahead reports whether this frame is simulated only to be shown, ahead of the match: see [Config.RunAhead]. It will
// come again. As [Tick.Resimulating] it is for presentation; the state must not depend on it.
func (t *Tick[I]) Ahead() bool { return t.ahead }

// aheadAt prepares the tick for frame f that is run ahead.
func (t *Tick[I]) aheadAt(f Frame) {
	t.frame, t.at, t.finished = f, int(f&t.mask)*int(t.players), false
}

// leader is a memory whose current state can be run ahead.
type leader[S any, I comparable] interface {
	// leadTo runs frames from the current state, up to end or to one that finishes the match, and returns the last two
	// states and the number of the last. It changes nothing that is held.
	leadTo(t *Tick[I], from, end Frame) (before, after *S, at Frame)
	// back makes the current state what it was before leadTo, if that has run in place.
	back()
	// inPlace reports whether leadTo runs in the place of the current state.
	inPlace() bool
}

// leading is the memory of a match that is shown ahead of its current state. Whatever else is done with the states is
// done after they are what they were. Only a match with RunAhead has one, so that others do not pay for it.
type leading[S any, I comparable] struct {
	mem     memory[S, I]
	lead    leader[S, I]
	frames  Frame
	tick    Tick[I]
	led     bool  // before and after are what to show
	end     Frame // where that was to lead
	at      Frame
	before  *S
	after   *S
	inPlace bool
}

// led returns the memory of a match, whose states are run ahead by up to so many frames, if there are any.
func led[S any, I comparable](mem memory[S, I], lead leader[S, I], frames int) memory[S, I] {
	if frames == 0 {
		return mem
	}
	return &leading[S, I]{mem: mem, lead: lead, frames: Frame(frames), inPlace: lead.inPlace()}
}

// drop ends what is shown: the match goes on.
func (m *leading[S, I]) drop() {
	if m.led {
		m.led, m.before, m.after = false, nil, nil
		m.lead.back()
	}
}

// read is called before states are read.
func (m *leading[S, I]) read() {
	if m.inPlace {
		m.drop()
	}
}

func (m *leading[S, I]) init(by func(*S)) error             { m.drop(); return m.mem.init(by) }
func (m *leading[S, I]) run(s *steps[I], from, end Frame)   { m.drop(); m.mem.run(s, from, end) }
func (m *leading[S, I]) rewind(f Frame, hold bool)          { m.drop(); m.mem.rewind(f, hold) }
func (m *leading[S, I]) canStop() bool                      { return m.mem.canStop() }
func (m *leading[S, I]) recheck(t *Tick[I]) bool            { m.drop(); return m.mem.recheck(t) }
func (m *leading[S, I]) forward(end Frame)                  { m.drop(); m.mem.forward(end) }
func (m *leading[S, I]) again(t *Tick[I]) (bool, error)     { m.drop(); return m.mem.again(t) }
func (m *leading[S, I]) state(f Frame) *S                   { m.read(); return m.mem.state(f) }
func (m *leading[S, I]) hash(f Frame) (uint64, error)       { m.read(); return m.mem.hash(f) }
func (m *leading[S, I]) load(f Frame, encoded []byte) error { m.drop(); return m.mem.load(f, encoded) }
func (m *leading[S, I]) correctable() error                 { return m.mem.correctable() }
func (m *leading[S, I]) keep(f Frame)                       { m.drop(); m.mem.keep(f) }
func (m *leading[S, I]) is(f Frame, s *S) bool              { m.read(); return m.mem.is(f, s) }
func (m *leading[S, I]) correct(f Frame, s *S)              { m.drop(); m.mem.correct(f, s) }
func (m *leading[S, I]) adopt(f Frame, s *S)                { m.drop(); m.mem.adopt(f, s) }
func (m *leading[S, I]) save(s *Saved, f Frame) error       { m.read(); return m.mem.save(s, f) }
func (m *leading[S, I]) restoreSaved(s *Saved) error        { m.drop(); return m.mem.restoreSaved(s) }

func (m *leading[S, I]) marshal(b []byte, f Frame) ([]byte, error) {
	m.read()
	return m.mem.marshal(b, f)
}

func (m *leading[S, I]) differences(f Frame, most int) (canon.Report, bool, error) {
	m.read()
	return m.mem.differences(f, most)
}

// leadTo runs in two states of its own, so that the newest two can be shown.
func (m *plain[S, I]) leadTo(t *Tick[I], from, end Frame) (before, after *S, at Frame) {
	return m.leadFrom(m.slots[from&m.mask], t, from, end)
}

func (m *plain[S, I]) leadFrom(s *S, t *Tick[I], from, end Frame) (before, after *S, at Frame) {
	if m.shown[0] == nil {
		m.shown = [2]*S{new(S), new(S)}
	}
	after = m.shown[0]
	*after = *s
	for at = from; at != end && !t.finished; at++ {
		if at+1 == end && at != from { // only the last two are needed
			*m.shown[1] = *after
		}
		t.aheadAt(at)
		m.step(after, t)
	}
	switch at {
	case from + 1:
		before = s
	case end:
		before = m.shown[1]
	default: // the match is finished
		before = after
	}
	return before, after, at
}

func (m *plain[S, I]) back()         {}
func (m *plain[S, I]) inPlace() bool { return false }

func (m *aside[S, I]) leadTo(t *Tick[I], from, end Frame) (before, after *S, at Frame) {
	return m.ring.leadFrom(m.live, t, from, end)
}

func (m *aside[S, I]) back()         {}
func (m *aside[S, I]) inPlace() bool { return false }

// ownLead runs a live game ahead, which is stored before that.
type ownLead[S, V any, I comparable] struct{ of *own[S, V, I] }

func (l ownLead[S, V, I]) leadTo(t *Tick[I], from, end Frame) (before, after *S, at Frame) {
	m := l.of
	m.hold(from)
	for at = from; at != end && !t.finished; at++ {
		t.aheadAt(at)
		m.game.Step(m.s, t)
	}
	m.used = true
	return m.s, m.s, at
}

func (l ownLead[S, V, I]) back()         { l.of.restore(l.of.at) }
func (l ownLead[S, V, I]) inPlace() bool { return true }
