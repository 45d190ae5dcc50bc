package rollback

import (
	"errors"
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/tickback/tickback/canon"
)

// plain is the memory of a [Game]: a ring of states. A frame runs in place on a copy of the state before it, so that a
// snapshot and a step together cost one copy, and going back costs none.
type plain[S any, I comparable] struct {
	step   func(*S, *Tick[I])
	first  func(*S)
	plan   *canon.Plan[S]
	strict bool // every NaN in the state is the same
	mask   Frame
	count  Frame // the number of states held; slots without a state are nil
	slots  []*S  // state f is in slot f & mask
	spare  *S    // memory to run a frame again while its result is held
	shown  [2]*S // the newest states that were run ahead to be shown; nil before the first
	rerun  Frame // the number of the state in spare, if again has found it equal to the one held, which has not changed since; else NoFrame
}

// smallRing is the size in bytes up to which a ring has a state in every slot.
const smallRing = 64 << 10

func (g Game[S, I]) build(cfg *Config) (memory[S, I], common[I], error) {
	c := common[I]{g.Predict, g.Effects, g.Players}
	if g.Step == nil {
		return nil, c, errors.New("rollback: the game has no Step")
	}
	if err := g.Floats.admit(); err != nil {
		return nil, c, err
	}
	plan, err := g.planOf()
	if err != nil {
		return nil, c, fmt.Errorf("rollback: a Game has a plain state (any other, with pointers or an int, is saved by an OwnMemory and SaveInPlace): %w",
			canon.AdviseFloats(err, "use a fixed-point number, or ask for floats that are the same everywhere: Floats: tickback.Strict (docs/floats.md)"))
	}
	if cfg.SyncTest > 0 && plan.Size() == 0 {
		return nil, c, fmt.Errorf("rollback: %w: the state of type %T has no fields", ErrNothingCompared, *new(S))
	}
	if g.Floats == Strict {
		g.Step = withOneNaN(g.Step, plan)
	}
	ring := newPlain(g, plan, cfg.Snapshots)
	m := led(ring, ring, cfg.RunAhead)
	if isLarge[S](cfg.Snapshots) {
		large := newAside(ring, cfg.SyncTest > 0)
		m = led(large, large, cfg.RunAhead)
	}
	return m, c, m.init(nil)
}

// planOf returns the canonical form of the states.
func (g Game[S, I]) planOf() (*canon.Plan[S], error) {
	if g.AllowFloats || g.Floats == Strict {
		return canon.PlanFor[S](canon.AllowFloats)
	}
	return canon.PlanFor[S]()
}

// withOneNaN returns a step that leaves only one kind of NaN in the state, since different processors produce different
// ones.
func withOneNaN[S any, I comparable](step func(*S, *Tick[I]), plan *canon.Plan[S]) func(*S, *Tick[I]) {
	return func(s *S, t *Tick[I]) {
		step(s, t)
		plan.OneNaN(s)
	}
}

func newPlain[S any, I comparable](g Game[S, I], plan *canon.Plan[S], snapshots int) *plain[S, I] {
	size := 1 << bits.Len(uint(snapshots-1))
	//detlint:ignore machine it decides which slots have memory from the beginning, and no state
	if uintptr(size)*unsafe.Sizeof(*new(S)) <= smallRing {
		snapshots = size
	}
	m := &plain[S, I]{
		step: g.Step, first: g.Init, plan: plan, strict: g.Floats == Strict,
		mask: Frame(size - 1), count: Frame(snapshots), slots: make([]*S, size), rerun: NoFrame,
	}
	if size > 1 {
		m.spare = new(S)
	}
	for i := range snapshots {
		m.slots[i] = new(S)
	}
	return m
}

func (m *plain[S, I]) init(by func(*S)) error {
	m.begin(m.place(0), by)
	return nil
}

// begin turns *s into state 0.
func (m *plain[S, I]) begin(s *S, by func(*S)) {
	if by == nil {
		by = m.first
	}
	*s = *new(S)
	if by != nil {
		by(s)
	}
	if m.strict {
		m.plan.OneNaN(s)
	}
}

// place moves the ring's states to the slots of the frames from start on, and returns the
// state of start. It writes to all of them, so that the system has allocated their memory
// before the first frames run.
func (m *plain[S, I]) place(start Frame) *S {
	m.rerun = NoFrame
	var states []*S
	for i, s := range m.slots {
		if s != nil {
			*s = *new(S)
			states, m.slots[i] = append(states, s), nil
		}
	}
	for i, s := range states {
		m.slots[(start+Frame(i))&m.mask] = s
	}
	return states[0]
}

// slot returns the slot of state f.
func (m *plain[S, I]) slot(f Frame) *S {
	if s := m.slots[f&m.mask]; s != nil {
		return s
	}
	return m.take(f)
}

// take gives state f the slot of the oldest one held.
func (m *plain[S, I]) take(f Frame) *S {
	oldest := (f - m.count) & m.mask
	s := m.slots[oldest]
	m.slots[oldest], m.slots[f&m.mask] = nil, s
	return s
}

func (m *plain[S, I]) run(s *steps[I], from, end Frame) {
	if s.careful {
		m.runWatched(s, from, end)
		return
	}
	t, src, players := &s.tick, m.slots[from&m.mask], int(s.tick.players)
	at := int(from&t.mask) * players
	for f := from; f != end; f++ {
		// This is prepare, inlined by hand: it is the only overhead of a frame besides its copy and its step.
		t.frame, t.at = f, at
		if at += players; at == len(t.inputs) {
			at = 0
		}
		dst := m.slots[(f+1)&m.mask]
		if dst == nil {
			dst = m.take(f + 1)
		}
		*dst = *src
		src = dst
		m.step(dst, t)
		if t.finished {
			s.note(f)
		}
	}
}

// runWatched does the work of run in lockstep, with a journal, a clock or a sync test,
// and once a match is over.
func (m *plain[S, I]) runWatched(s *steps[I], from, end Frame) {
	for f := from; f != end; f++ {
		s.prepare(f)
		src, dst := m.slots[f&m.mask], m.slot(f+1)
		if m.rerun == f {
			dst = m.rerunAs(f + 1)
			src = dst
		}
		if s.tick.meter != nil {
			m.measure(src, dst, &s.tick)
		} else {
			if src != dst {
				*dst = *src
			}
			m.step(dst, &s.tick)
		}
		s.note(f)
	}
}

// rerunAs takes the spare state, which a sync test has left as the state before f, to become state f. That saves a
// copy.
func (m *plain[S, I]) rerunAs(f Frame) *S {
	m.rerun = NoFrame
	s := &m.slots[f&m.mask]
	*s, m.spare = m.spare, *s
	return *s
}

// measure copies and steps a state, and measures both.
func (m *plain[S, I]) measure(src, dst *S, t *Tick[I]) {
	begin := t.meter.clock()
	if src != dst {
		*dst = *src
	}
	copied := t.meter.clock()
	m.step(dst, t)
	t.meter.step.add(t.meter.clock() - copied)
	t.meter.save.add(copied - begin)
}

func (m *plain[S, I]) rewind(Frame, bool) { m.rerun = NoFrame }
func (m *plain[S, I]) forward(Frame)      {}
func (m *plain[S, I]) canStop() bool      { return true }

func (m *plain[S, I]) recheck(t *Tick[I]) bool {
	*m.spare = *m.slots[t.frame&m.mask]
	if m.repeat(t) {
		return true
	}
	next := &m.slots[(t.frame+1)&m.mask]
	*next, m.spare = m.spare, *next
	return false
}

// again needs a copy only for the first frame that it runs: the result of each frame is the beginning of the next.
func (m *plain[S, I]) again(t *Tick[I]) (bool, error) {
	if m.rerun != t.frame {
		*m.spare = *m.slots[t.frame&m.mask]
	}
	m.rerun = NoFrame
	same := m.repeat(t)
	if same {
		m.rerun = t.frame + 1
	}
	return same, nil
}

// repeat runs a frame in the spare state, and compares the result with the one held.
func (m *plain[S, I]) repeat(t *Tick[I]) bool {
	m.step(m.spare, t)
	return m.plan.Equal(m.spare, m.slots[(t.frame+1)&m.mask])
}

func (m *plain[S, I]) differences(f Frame, most int) (canon.Report, bool, error) {
	return m.plan.Diff(m.slots[f&m.mask], m.spare, most), false, nil
}

func (m *plain[S, I]) state(f Frame) *S { return m.slots[f&m.mask] }

func (m *plain[S, I]) hash(f Frame) (uint64, error) { return m.plan.Hash(m.slots[f&m.mask]), nil }

func (m *plain[S, I]) marshal(b []byte, f Frame) ([]byte, error) {
	return m.plan.Append(b, m.slots[f&m.mask]), nil
}

func (m *plain[S, I]) load(f Frame, encoded []byte) error {
	s, err := m.decode(f, encoded)
	if err == nil {
		*m.place(f) = *s
	}
	return err
}

// decode makes state f from its encoding. Fields that the encoding leaves out are as in state 0.
func (m *plain[S, I]) decode(f Frame, encoded []byte) (*S, error) {
	s := new(S)
	m.begin(s, nil)
	if err := m.plan.Decode(s, encoded); err != nil {
		return nil, fmt.Errorf("rollback: state %d: %w", f, err)
	}
	return s, nil
}

func (m *plain[S, I]) correctable() error    { return nil }
func (m *plain[S, I]) keep(Frame)            {}
func (m *plain[S, I]) is(f Frame, s *S) bool { return m.plan.Equal(m.slots[f&m.mask], s) }

func (m *plain[S, I]) correct(f Frame, s *S) {
	*m.slots[f&m.mask] = *s
	m.rerun = NoFrame
}

func (m *plain[S, I]) adopt(f Frame, s *S) {
	*m.spareOr() = *s // it may be in the ring, which place clears
	*m.place(f) = *m.spareOr()
}

// spareOr returns memory for a state outside the ring.
func (m *plain[S, I]) spareOr() *S {
	if m.spare == nil {
		m.spare = new(S)
	}
	return m.spare
}
