package effects

import (
	"fmt"
	"slices"
)

// chooser makes the choices of a random match: a generator, or a fuzzer's bytes.
type chooser interface {
	IntN(n int) int
	Done() bool
}

// match drives a journal and the reference in the same way, like an engine in
// usual and in extreme situations, and compares their reports.
type match struct {
	c                 chooser
	j                 *Journal
	r                 *reference
	check             *checker
	history           int
	confirmed, agreed int
	operations        int
	digests           map[uint64]string // what had it
}

// newMatch draws a config, mostly of tight bounds.
func newMatch(c chooser) *match {
	cfg := Config{
		Kinds:       declarations(),
		Tolerance:   []int{-1, 1, 2, 3, 7}[c.IntN(5)],
		MaxPerFrame: []int{1, 2, 3, 5, 16}[c.IntN(5)],
		History:     []int{1, 3, 8, 16, 40}[c.IntN(5)],
	}
	j, err := NewJournal(cfg)
	if err != nil {
		panic(err)
	}
	return &match{c: c, j: j, r: newReference(cfg), check: newChecker(), history: cfg.History, digests: map[uint64]string{}}
}

// run plays ticks until the choices are used up, and then lets all end.
func (m *match) run(ticks int) error {
	for i := 0; i < ticks && !m.c.Done(); i++ {
		if err := m.tick(); err != nil {
			return fmt.Errorf("tick %d: %w", i, err)
		}
	}
	return m.settle()
}

// tick is rollbacks, new frames and a Flush, each of which may be missing.
func (m *match) tick() error {
	for m.c.IntN(3) == 0 {
		if err := m.rollback(); err != nil {
			return err
		}
	}
	for range []int{1, 1, 1, 1, 0, 2, 5}[m.c.IntN(7)] {
		if len(m.r.line)-m.r.final < m.history {
			if err := m.begin(len(m.r.line), m.emissions(len(m.r.line))); err != nil {
				return err
			}
		}
	}
	m.progress()
	return m.flush()
}

// progress moves the counts on, sometimes beyond the newest frame.
func (m *match) progress() {
	switch m.c.IntN(6) {
	case 0:
		m.confirmed = max(m.confirmed, len(m.r.line)+m.c.IntN(4))
	case 1, 2, 3:
		m.confirmed += m.c.IntN(3)
	}
	if lag := m.confirmed - m.agreed; m.c.IntN(4) != 0 && lag > 0 {
		m.agreed += m.c.IntN(lag + 1)
	}
	// An engine stalls rather than falling behind; a match agrees in time.
	m.agreed = max(m.agreed, len(m.r.line)-m.history)
	m.confirmed = max(m.confirmed, m.agreed)
}

// rollback simulates frames again, sometimes only the first of them.
func (m *match) rollback() error {
	if m.r.final == len(m.r.line) {
		return nil
	}
	depth := 1 + m.c.IntN(len(m.r.line)-m.r.final)
	first := len(m.r.line) - depth
	if m.c.IntN(4) == 0 {
		depth = 1 + m.c.IntN(depth)
	}
	before := slices.Clone(m.r.line)
	shift := m.c.IntN(7) - 3
	how := m.c.IntN(5)
	for f := first; f < first+depth; f++ {
		list := slices.Clone(before[f])
		switch how {
		case 0: // as it was
		case 1: // shifted
			list = nil
			if f-shift >= 0 && f-shift < len(before) {
				list = slices.Clone(before[f-shift])
			}
		case 2: // with some missing, new and changed
			list = m.distort(list)
		case 3: // nothing
			list = nil
		case 4: // anew
			list = m.emissions(f)
		}
		if err := m.begin(f, list); err != nil {
			return err
		}
	}
	return nil
}

func (m *match) distort(list []said) []said {
	list = slices.DeleteFunc(list, func(said) bool { return m.c.IntN(4) == 0 })
	for i := range list {
		if m.c.IntN(5) == 0 {
			list[i].p = uint8(m.c.IntN(3))
		}
	}
	if m.c.IntN(3) == 0 {
		list = append(list, m.emission())
	}
	if len(list) > 1 && m.c.IntN(6) == 0 {
		slices.Reverse(list)
	}
	return list
}

func (m *match) emission() said {
	return said{kinds[m.c.IntN(len(kinds))], uint32(m.c.IntN(3)), uint8(m.c.IntN(3))}
}

// emissions are of a new frame: sustained effects mostly go on.
func (m *match) emissions(f int) (list []said) {
	if f > 0 {
		for _, e := range m.r.line[f-1] {
			if e.is(sustained) && m.c.IntN(8) != 0 {
				list = append(list, e)
			}
		}
	}
	for range []int{0, 0, 0, 1, 1, 2, 4, 7}[m.c.IntN(8)] {
		list = append(list, m.emission())
	}
	return list
}

// begin simulates a frame.
func (m *match) begin(f int, list []said) error {
	m.operations++
	m.j.Begin(Frame(f))
	for _, e := range list {
		e.k.Emit(m.j.Emitter(), e.key, e.p)
	}
	m.r.begin(f, list)
	return m.compareDigest(f)
}

// compareDigest finds emissions that differ and have the same digest, or are
// equal and have different ones.
func (m *match) compareDigest(f int) error {
	text := ""
	for _, e := range m.r.line[f] {
		text += fmt.Sprint(e.k.ID(), " ", e.key, " ", e.p, ",")
	}
	d := m.j.Digest(Frame(f))
	if had, ok := m.digests[d]; ok && had != text {
		return fmt.Errorf("frame %d: %q and %q have the digest %#x", f, had, text, d)
	}
	m.digests[d] = text
	return nil
}

// flush ends the tick on both sides.
func (m *match) flush() error {
	m.operations++
	got := m.j.Flush(Frame(m.confirmed), Frame(m.agreed))
	want := m.r.flush(m.confirmed, m.agreed)
	if !slices.Equal(got, want) {
		return fmt.Errorf("newest %d, confirmed %d, agreed %d: the events are\n%q\nnot\n%q", len(m.r.line)-1, m.confirmed, m.agreed, texts(got), texts(want))
	}
	for i := range got {
		if err := m.check.consume(&got[i]); err != nil {
			return err
		}
	}
	return m.j.Err()
}

// settle lets the match end in silence, after which nothing may be left.
func (m *match) settle() error {
	for range 2 * m.j.lookback {
		m.agreed = max(m.agreed, len(m.r.line))
		m.confirmed = max(m.confirmed, m.agreed)
		if err := m.flush(); err != nil {
			return err
		}
		if err := m.begin(len(m.r.line), nil); err != nil {
			return err
		}
	}
	if err := m.flush(); err != nil {
		return err
	}
	if m.j.frames.used != 0 || len(m.j.orphans)+len(m.j.sounds) != 0 {
		return fmt.Errorf("%d lists, %d orphans and %d sounds are left", m.j.frames.used, len(m.j.orphans), len(m.j.sounds))
	}
	if m.j.Dropped() != uint64(m.r.dropped) {
		return fmt.Errorf("dropped %d, not %d", m.j.Dropped(), m.r.dropped)
	}
	return m.check.finish(m.r.line)
}
