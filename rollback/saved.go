package rollback

import (
	"fmt"
	"unsafe"
)

// Saved is a state that is kept outside an engine, so that the engine can come back to it: see [Engine.Save]. The zero
// value holds no state. Saving another state reuses its memory.
type Saved struct {
	frame Frame
	slot  any // *S of a Game, *V of an OwnMemory
	size  int
}

// Frame returns the number of the state.
func (s *Saved) Frame() Frame { return s.frame }

// Size returns the approximate size of the saved state in bytes: the size of a state of a [Game], or the result of
// Slots.Size of an [OwnMemory], or else the size of everything that can be reached from its slot.
func (s *Saved) Size() int { return s.size }

// Save stores the current state in s, which belongs to the caller, so that the engine can come back to it much later,
// as a replay does. A game with its own memory needs Save; otherwise the error is a [*CapabilityError]. It is an error
// to use a Saved with different types of games.
func (e *core[I]) Save(s *Saved) error {
	if e.agreement.failure != nil {
		return e.agreement.failure
	}
	if err := e.states.mem.save(s, e.inputs.frame); err != nil {
		return err
	}
	s.frame = e.inputs.frame
	return nil
}

// Restore begins a match in the middle, like [Engine.Load], with a state that this
// engine has saved. It does not change s.
func (e *core[I]) Restore(s *Saved) error {
	if s.slot == nil {
		return fmt.Errorf("rollback: %w: nothing was saved", ErrNotHeld)
	}
	if err := e.states.mem.restoreSaved(s); err != nil {
		return err
	}
	e.begin(s.frame, nil)
	return nil
}

// slotOf returns the slot of a saved state.
func slotOf[V any](s *Saved) (*V, error) {
	v, ok := s.slot.(*V)
	if !ok {
		return nil, fmt.Errorf("rollback: a saved state is a %T, and those of this game are %T", s.slot, v)
	}
	return v, nil
}

// newSlotOf is like slotOf, but makes the slot if there is none.
func newSlotOf[V any](s *Saved) (*V, error) {
	if s.slot == nil {
		s.slot = new(V)
	}
	return slotOf[V](s)
}

func (m *plain[S, I]) save(s *Saved, f Frame) error { return saveIn(s, m.slots[f&m.mask]) }

// saveIn stores a plain state.
func saveIn[S any](s *Saved, state *S) error {
	v, err := newSlotOf[S](s)
	if err == nil {
		//detlint:ignore machine it is how much memory a state takes here
		*v, s.size = *state, int(unsafe.Sizeof(*v))
	}
	return err
}

func (m *plain[S, I]) restoreSaved(s *Saved) error {
	v, err := slotOf[S](s)
	if err == nil {
		*m.place(s.frame) = *v
	}
	return err
}

func (m *own[S, V, I]) save(s *Saved, _ Frame) error {
	if m.game.Save == nil {
		return &CapabilityError{Missing: "Save", For: "keeping a state to come back to"}
	}
	v, err := newSlotOf[V](s)
	if err == nil {
		m.game.Save(m.s, v)
		if err := m.check(v, "saved"); err != nil {
			return err
		}
		if m.game.Slots.Size != nil {
			s.size = m.game.Slots.Size(v)
		} else {
			s.size = sizeOf(v)
		}
	}
	return err
}

func (m *own[S, V, I]) restoreSaved(s *Saved) error {
	v, err := slotOf[V](s)
	if err == nil {
		m.lost = nil
		m.game.Restore(m.s, v)
		if err := m.check(v, "restored"); err != nil {
			return err
		}
		m.at, m.used, m.failed = s.frame, true, nil
		m.release()
	}
	return err
}
