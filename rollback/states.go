package rollback

import "fmt"

// states holds the newest states of a match and their hashes, and goes back to them.
type states[I comparable] struct {
	mem     store[I]
	count   Frame // at most so many are held, the current one included
	start   Frame // the oldest there has been
	every   Frame // the interval of states whose hashes the owner reads; 0 for none
	sums    sums  // hashes of final states that are no longer held, and that the owner has yet to read
	most    int   // how many of them there may be
	canStop bool  // a resimulation may stop early
	stats   Stats // of rollbacks
	probe   Probe // or nil
}

func newStates[I comparable](mem store[I], cfg *Config) states[I] {
	m := states[I]{mem: mem, count: Frame(cfg.Snapshots), canStop: mem.canStop(), probe: cfg.Probe}
	m.stats.Histogram = make([]uint64, max(cfg.Window, cfg.SyncTest)+1)
	if cfg.Stream && cfg.HashEvery > 0 {
		m.every, m.sums, m.most = Frame(cfg.HashEvery), make(sums, firstSums), 2*cfg.History
	}
	return m
}

// reset says that the current state has become state start, and that no other one is held.
func (m *states[I]) reset(start Frame) {
	m.start = start
	m.sums.reset()
	m.stats.reset()
}

// oldest returns the number of the oldest state held, if the newest one is state f.
func (m *states[I]) oldest(newest Frame) Frame {
	if newest-m.start < m.count {
		return m.start
	}
	return newest - m.count + 1
}

// hold returns an error if state f is not held.
func (m *states[I]) hold(f, newest Frame) error {
	if oldest := m.oldest(newest); f > newest || f < oldest {
		return fmt.Errorf("rollback: state %d: %w: the states held are %d to %d", f, ErrNotHeld, oldest, newest)
	}
	return nil
}

// sum returns the hash of state f, which is final, if the owner reads it. It is held, or its hash was kept.
func (m *states[I]) sum(f, newest Frame, t *meter) (hash uint64, due bool, err error) {
	if m.every == 0 || m.every != 1 && f%m.every != 0 {
		return 0, false, nil
	}
	if f < m.oldest(newest) {
		return m.sums.take(f), true, nil
	}
	if hash, err = m.hash(f, t); err != nil {
		return 0, false, fmt.Errorf("rollback: state %d cannot be hashed: %w", f, err)
	}
	return hash, true, nil
}

// keepSum keeps the hash of state f, which is held and final, if the owner reads it.
func (m *states[I]) keepSum(f, newest Frame, t *meter) error {
	hash, due, err := m.sum(f, newest, t)
	if due {
		m.sums.keep(f, hash, m.most)
	}
	return err
}

// hash returns the hash of a state that is held, and measures it, unless the meter is nil.
func (m *states[I]) hash(f Frame, t *meter) (uint64, error) {
	if t == nil {
		return m.mem.hash(f)
	}
	begin := t.clock()
	h, err := m.mem.hash(f)
	t.hash.add(t.clock() - begin)
	return h, err
}

// rewind makes state f the current one. With hold, the state that was current before remains held.
func (m *states[I]) rewind(s *steps[I], f Frame, hold bool) {
	t := s.tick.meter
	if t == nil {
		m.mem.rewind(f, hold)
		return
	}
	begin := t.clock()
	m.mem.rewind(f, hold)
	t.restore.add(t.clock() - begin)
}

// goBack goes back to state first, because inputs of the frames from first to last have changed. It returns the first
// frame that is left to run before frame end. With a probe, that is end, so that the probe knows where the rollback
// ends.
func (m *states[I]) goBack(s *steps[I], first, last, end Frame) Frame {
	if m.probe == nil {
		return m.back(s, first, last, end)
	}
	before := m.stats.Resimulated
	m.probe.RollbackBegin(first, end)
	m.mem.run(s, m.back(s, first, last, end), end)
	m.probe.RollbackEnd(Frame(m.stats.Resimulated - before))
	return end
}

// back returns the first frame that is left to run: the first one, unless it has run some itself to find out whether
// the state becomes the same as before.
func (m *states[I]) back(s *steps[I], first, last, end Frame) Frame {
	if m.canStop && last+1 < end {
		return m.rejoin(s, first, last, end)
	}
	m.rewind(s, first, false)
	m.stats.rolledBack(end-first, end-first)
	return first
}

// rejoin runs the frames from the first to the last whose input has changed, and further until the state is the same
// as before. It returns end if that happens, and otherwise the last frame, which is left to run.
func (m *states[I]) rejoin(s *steps[I], first, last, end Frame) Frame {
	m.rewind(s, first, true)
	m.mem.run(s, first, last)
	for f := last; f+1 != end; f++ {
		if m.recheck(s, f) {
			m.mem.forward(end)
			m.stats.EarlyStops++
			m.stats.rolledBack(end-first, f+1-first)
			return end
		}
	}
	m.stats.rolledBack(end-first, end-first)
	return end - 1
}

// recheck runs frame f over states that are held, and reports whether the result is the same as before.
func (m *states[I]) recheck(s *steps[I], f Frame) bool {
	s.prepare(f)
	same := m.mem.recheck(&s.tick)
	s.note(f)
	return same
}

// redo runs the frames from first to end again, because inputs of those from first to last have changed. It reports
// whether the states from end on stay as they were, and stops once that is certain. State newest is the current one
// again at the end.
func (m *states[I]) redo(s *steps[I], first, last, end, newest Frame) (same bool) {
	if m.probe != nil {
		m.probe.RollbackBegin(first, end)
	}
	m.rewind(s, first, true)
	f := min(last, end-1) // from this frame on a state may be unchanged
	for m.mem.run(s, first, f); f != end && !same; f++ {
		if same = m.recheck(s, f) && f >= last; !same {
			m.mem.keep(f + 1)
		}
	}
	m.mem.forward(newest)
	if f != end {
		m.stats.EarlyStops++
	}
	m.stats.rolledBack(end-first, f-first)
	if m.probe != nil {
		m.probe.RollbackEnd(f - first)
	}
	return same
}
