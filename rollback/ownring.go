package rollback

import (
	"cmp"
	"fmt"

	"github.com/tickback/tickback/canon"
)

func (m *own[S, V, I]) init(by func(*S)) error {
	err := m.first(by)
	if err == nil {
		m.release()
	}
	return err
}

// first turns the live game into state 0.
func (m *own[S, V, I]) first(by func(*S)) error {
	switch own := by != nil; {
	case m.game.Init != nil && !own:
		m.game.Init(m.s)
	case own:
		by(m.s)
		m.used = true
	case m.used && m.game.New == nil:
		return &CapabilityError{Missing: "Init", For: "a second match (New would do, too)"}
	case m.used:
		m.s, m.used = m.game.New(), false
	}
	m.at, m.clean, m.failed, m.lost = 0, NoFrame, nil, nil
	if m.game.origin == nil {
		return nil
	}
	var err error
	if m.encoder, err = m.game.origin(m.s); err != nil {
		return fmt.Errorf("rollback: state 0 cannot be encoded: %w", err)
	}
	return nil
}

func (m *own[S, V, I]) slot(f Frame) *V { return &m.slots[f%Frame(len(m.slots))] }

// hold stores the live state, which is state f, unless its slot has it already. In a sync
// test it also stores a description.
func (m *own[S, V, I]) hold(f Frame) {
	if m.slots == nil || m.clean == f {
		return
	}
	if m.shown != nil {
		m.shown[f%Frame(len(m.slots))] = m.show()
	}
	m.store(f)
}

// store fills the slot of the live state, which is state f.
func (m *own[S, V, I]) store(f Frame) {
	m.game.Save(m.s, m.slot(f))
	_ = m.check(m.slot(f), "saved")
	m.clean = f
	if m.testing || m.hashEvery > 0 && m.game.Slots.Hash == nil && f%m.hashEvery == 0 {
		m.hashes[f%Frame(len(m.slots))] = m.mustHash()
	}
}

func (m *own[S, V, I]) run(s *steps[I], from, end Frame) {
	for f := from; f != end; f++ {
		s.prepare(f)
		m.advance(&s.tick)
		s.note(f)
	}
	if m.lost != nil {
		s.fail(m.lost)
	}
}

// advance stores the live state, and steps it.
func (m *own[S, V, I]) advance(t *Tick[I]) {
	if t.meter == nil {
		m.hold(t.frame)
		m.step(t)
		return
	}
	begin := t.meter.clock()
	m.hold(t.frame)
	held := t.meter.clock()
	m.step(t)
	t.meter.step.add(t.meter.clock() - held)
	if m.slots != nil {
		t.meter.save.add(held - begin)
	}
}

// step steps the live game.
func (m *own[S, V, I]) step(t *Tick[I]) {
	m.clean, m.used = NoFrame, true
	m.game.Step(m.s, t)
	m.at = t.frame + 1
}

func (m *own[S, V, I]) restore(f Frame) {
	m.game.Restore(m.s, m.slot(f))
	_ = m.check(m.slot(f), "restored")
	m.at, m.clean = f, f
}

func (m *own[S, V, I]) rewind(f Frame, hold bool) {
	if hold {
		m.hold(m.at)
	}
	m.restore(f)
}

func (m *own[S, V, I]) forward(end Frame) { m.restore(end) }
func (m *own[S, V, I]) canStop() bool     { return m.game.Equal != nil }

func (m *own[S, V, I]) recheck(t *Tick[I]) bool {
	m.advance(t)
	return m.game.Equal(m.s, m.slot(m.at))
}

// again also saves the state a second time, to check that a Save into a used slot gives the same result as the first
// one.
func (m *own[S, V, I]) again(t *Tick[I]) (bool, error) {
	m.step(t)
	if m.lost != nil {
		return false, m.lost
	}
	if m.game.Equal != nil && !m.game.Equal(m.s, m.slot(m.at)) {
		return false, nil
	}
	if m.testing && m.mustHash() != m.hashes[m.at%Frame(len(m.slots))] {
		return false, m.unhashed()
	}
	m.store(m.at)
	return true, cmp.Or(m.lost, m.unhashed())
}

// unhashed returns the error of a state that could not be hashed, or nil.
func (m *own[S, V, I]) unhashed() error {
	if m.failed == nil {
		return nil
	}
	return fmt.Errorf("rollback: state %d cannot be hashed: %w", m.at, m.failed)
}

func (m *own[S, V, I]) state(f Frame) *S {
	if f != m.at {
		return nil
	}
	return m.s
}

func (m *own[S, V, I]) hash(f Frame) (uint64, error) {
	if f == m.at {
		return m.hashLive()
	}
	if m.game.Slots.Hash != nil {
		return m.game.Slots.Hash(m.slot(f)), nil
	}
	if !m.testing && (m.hashEvery == 0 || f%m.hashEvery != 0) {
		return 0, &CapabilityError{Missing: "Slots.Hash", For: "hashing an earlier state"}
	}
	return m.hashes[f%Frame(len(m.slots))], m.failed
}

// mustHash is hashLive, but keeps the first error until a hash is needed.
func (m *own[S, V, I]) mustHash() uint64 {
	h, err := m.hashLive()
	if err != nil && m.failed == nil {
		m.failed = err
	}
	return h
}

// marshal encodes the live state, or the slot of another one.
func (m *own[S, V, I]) marshal(b []byte, f Frame) ([]byte, error) {
	if m.encoder.marshal == nil {
		return b, &CapabilityError{Missing: "Marshal", For: "encoding a state"}
	}
	var out []byte
	var err error
	if f != m.at && m.encoder.saved != nil {
		out, err = m.encoder.saved(b, m.slot(f))
	} else {
		out, err = m.marshalLive(b, f)
	}
	if err != nil {
		return b, fmt.Errorf("rollback: state %d: %w", f, err)
	}
	return out, nil
}

// marshalLive restores state f if it is not the live one, encodes it, and then goes back.
func (m *own[S, V, I]) marshalLive(b []byte, f Frame) ([]byte, error) {
	if live := m.at; f != live {
		m.hold(live)
		m.restore(f)
		defer m.restore(live)
	}
	return m.encoder.marshal(b, m.s)
}

func (m *own[S, V, I]) load(f Frame, encoded []byte) error {
	err := m.unmarshal(f, encoded)
	if err == nil {
		m.release()
	}
	return err
}

// unmarshal makes an encoded state the live one.
func (m *own[S, V, I]) unmarshal(f Frame, encoded []byte) error {
	if m.encoder.marshal == nil {
		return &CapabilityError{Missing: "Unmarshal", For: "loading a state"}
	}
	if err := m.encoder.unmarshal(m.s, encoded); err != nil {
		return fmt.Errorf("rollback: state %d: %w", f, err)
	}
	m.at, m.clean, m.used, m.failed, m.lost = f, NoFrame, true, nil, nil
	return nil
}

// show returns a description of the live game, from the game itself or as text, or the error that occurred instead.
func (m *own[S, V, I]) show() any {
	if m.game.Describe != nil {
		return m.game.Describe(m.s)
	}
	text, err := canon.AppendTextAny(nil, m.s)
	if err != nil {
		return err
	}
	return text
}

// differences compares descriptions. The first was made before the state was saved, so the differences include what
// Save and Restore lose. If the state has not changed, the snapshot has.
func (m *own[S, V, I]) differences(f Frame, most int) (r canon.Report, snapshot bool, err error) {
	if m.game.Slots.Diff != nil {
		if r = m.diff(m.slot(f), most); r.Total == 0 {
			r, snapshot = m.changedSince(f)
		}
		return r, snapshot, nil
	}
	first := m.shown[f%Frame(len(m.slots))]
	if r, err = m.compare(first, m.show(), most); r.Total > 0 || err != nil {
		return r, false, err
	}
	m.restore(f)
	r, err = m.compare(first, m.show(), most)
	return r, r.Total > 0, err
}

// compare compares two descriptions.
func (m *own[S, V, I]) compare(first, second any, most int) (canon.Report, error) {
	if m.game.Describe != nil {
		return canon.DiffAny(first, second, most)
	}
	for _, d := range []any{first, second} {
		if err, failed := d.(error); failed {
			return canon.Report{}, err
		}
	}
	return canon.DiffTexts(first.([]byte), second.([]byte), most), nil
}

func (m *own[S, V, I]) correctable() error {
	switch {
	case m.game.Save == nil:
		return &CapabilityError{Missing: "Save", For: "correcting a state"}
	case m.game.Equal == nil:
		return &CapabilityError{Missing: "Equal", For: "correcting a state"}
	case m.slots == nil:
		return fmt.Errorf("rollback: correcting a state needs Config.Snapshots of 2 at least: %w", ErrNotHeld)
	}
	return nil
}

func (m *own[S, V, I]) keep(f Frame) { m.hold(f) }

func (m *own[S, V, I]) is(f Frame, s *S) bool {
	if f == m.at {
		m.hold(f)
	}
	return m.game.Equal(s, m.slot(f))
}

func (m *own[S, V, I]) correct(f Frame, s *S) {
	live := m.at
	m.hold(live)
	m.game.Save(s, m.slot(f))
	m.restore(f)
	m.clean, m.used = NoFrame, true
	m.hold(f) // hold the state again, with its hash and its description
	if f != live {
		m.restore(live)
	}
}

func (m *own[S, V, I]) adopt(f Frame, s *S) {
	m.release()
	m.game.Save(s, m.slot(f))
	m.restore(f)
	m.clean, m.failed = NoFrame, nil
}
