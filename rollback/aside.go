package rollback

import (
	"unsafe"

	"github.com/tickback/tickback/canon"
)

// largeState is the size in bytes from which on states are stepped in one place and copied aside. Smaller states all
// fit into the nearest caches, where the ring of plain is at least as fast.
const largeState = 512 << 10

// aside is the memory of a [Game] with a large state: one live state is stepped, in one place that stays in the caches,
// and the states before it are copies. If both the live state and the state in a slot are needed, they are swapped.
type aside[S any, I comparable] struct {
	ring  *plain[S, I]
	live  *S
	at    Frame // the number of the live state
	clean Frame // the number of the live state if its slot holds it too; else NoFrame
	sums  sums  // in a sync test: the hashes of states as they were first simulated; nil if comparing is cheaper
}

// isLarge reports whether states should be copied aside.
func isLarge[S any](snapshots int) bool {
	//detlint:ignore machine it decides where states are in memory, and no state
	return snapshots > 1 && unsafe.Sizeof(*new(S)) >= largeState
}

// newAside takes over a ring. In a sync test, a state whose memory is its encoding is compared by its hash: that reads
// only the state that was just made, and not one that has left the caches in the meantime.
func newAside[S any, I comparable](ring *plain[S, I], testing bool) *aside[S, I] {
	m := &aside[S, I]{ring: ring, live: ring.spare, clean: NoFrame}
	ring.spare = nil
	if testing && len(ring.plan.Gaps()) == 0 {
		m.sums = make(sums, len(ring.slots))
	}
	return m
}

func (m *aside[S, I]) init(by func(*S)) error {
	m.begin(0)
	m.ring.begin(m.live, by)
	return nil
}

// begin drops all states, and numbers the live one.
func (m *aside[S, I]) begin(f Frame) {
	m.ring.place(f)
	m.at, m.clean = f, NoFrame
	m.sums.reset()
}

// slot returns the memory of state f.
func (m *aside[S, I]) slot(f Frame) *S { return m.ring.slots[f&m.ring.mask] }

// hold copies the live state aside, unless its slot has it already.
func (m *aside[S, I]) hold() {
	if m.clean != m.at {
		*m.ring.slot(m.at) = *m.live
		m.clean = m.at
	}
}

// step advances the live state by one frame.
func (m *aside[S, I]) step(t *Tick[I]) {
	m.ring.step(m.live, t)
	m.at, m.clean = t.frame+1, NoFrame
}

func (m *aside[S, I]) run(s *steps[I], from, end Frame) {
	for f := from; f != end; f++ {
		s.prepare(f)
		if s.tick.meter != nil {
			m.measure(&s.tick)
		} else {
			m.hold()
			m.step(&s.tick)
		}
		m.sum()
		s.note(f)
	}
}

// measure copies and steps the live state, and measures both.
func (m *aside[S, I]) measure(t *Tick[I]) {
	begin := t.meter.clock()
	m.hold()
	held := t.meter.clock()
	m.step(t)
	t.meter.step.add(t.meter.clock() - held)
	t.meter.save.add(held - begin)
}

// sum records the hash of the live state, in a sync test.
func (m *aside[S, I]) sum() {
	if m.sums != nil {
		m.sums.put(m.at, m.ring.plan.Hash(m.live))
	}
}

// rewind makes state f the live one. If hold is set, it keeps the previous live state, by swapping its memory with that
// of its slot.
func (m *aside[S, I]) rewind(f Frame, hold bool) {
	if hold && m.clean != m.at {
		m.ring.slot(m.at) // the swap needs memory there
		m.swap(m.at)
	}
	*m.live = *m.slot(f)
	m.at, m.clean = f, f
}

// swap exchanges the live state with a slot.
func (m *aside[S, I]) swap(f Frame) {
	s := &m.ring.slots[f&m.ring.mask]
	*s, m.live = m.live, *s
}

func (m *aside[S, I]) forward(end Frame) {
	if m.clean != end {
		m.swap(end)
		m.at, m.clean = end, NoFrame
	}
}

func (m *aside[S, I]) canStop() bool { return true }

func (m *aside[S, I]) recheck(t *Tick[I]) bool {
	m.hold()
	m.step(t)
	m.sum()
	if !m.ring.plan.Equal(m.live, m.slot(m.at)) {
		return false
	}
	m.clean = m.at
	return true
}

func (m *aside[S, I]) again(t *Tick[I]) (bool, error) {
	m.step(t)
	first, ok := m.sums.get(m.at)
	if ok {
		ok = m.ring.plan.Hash(m.live) == first
	} else {
		ok = m.ring.plan.Equal(m.live, m.slot(m.at))
	}
	if ok {
		m.clean = m.at
	}
	return ok, nil
}

func (m *aside[S, I]) differences(f Frame, most int) (canon.Report, bool, error) {
	return m.ring.plan.Diff(m.slot(f), m.live, most), false, nil
}

func (m *aside[S, I]) state(f Frame) *S {
	if f == m.at {
		return m.live
	}
	return m.slot(f)
}

func (m *aside[S, I]) hash(f Frame) (uint64, error) {
	if h, ok := m.sums.get(f); ok {
		return h, nil
	}
	return m.ring.plan.Hash(m.state(f)), nil
}

func (m *aside[S, I]) marshal(b []byte, f Frame) ([]byte, error) {
	return m.ring.plan.Append(b, m.state(f)), nil
}

func (m *aside[S, I]) load(f Frame, encoded []byte) error {
	s, err := m.ring.decode(f, encoded)
	if err == nil {
		m.adopt(f, s)
	}
	return err
}

func (m *aside[S, I]) correctable() error    { return nil }
func (m *aside[S, I]) keep(Frame)            { m.hold() }
func (m *aside[S, I]) is(f Frame, s *S) bool { return m.ring.plan.Equal(m.state(f), s) }

func (m *aside[S, I]) correct(f Frame, s *S) {
	*m.state(f) = *s
	if f == m.at {
		m.clean = NoFrame
	}
	m.sums.drop(f)
}

func (m *aside[S, I]) adopt(f Frame, s *S) {
	*m.live = *s // it may be in the ring, which begin clears
	m.begin(f)
}

func (m *aside[S, I]) save(s *Saved, _ Frame) error { return saveIn(s, m.live) }

func (m *aside[S, I]) restoreSaved(s *Saved) error {
	v, err := slotOf[S](s)
	if err == nil {
		m.adopt(s.frame, v)
	}
	return err
}
