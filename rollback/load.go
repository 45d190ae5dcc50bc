package rollback

import "fmt"

// Marshal appends an encoding of state f to b, the same on every machine. The
// state must be held (else [ErrNotHeld]): the newest [Config.Snapshots] are. A
// game with its own memory must have Marshal (else [*CapabilityError]). On an
// error b is returned as it was.
//
// A state is final if f is at most [Engine.Confirmed] and [Engine.Settle] has
// been called since the last input came.
func (e *core[I]) Marshal(b []byte, f Frame) ([]byte, error) {
	if err := e.states.hold(f, e.inputs.frame); err != nil {
		return b, err
	}
	return e.states.mem.marshal(b, f)
}

// Load begins a match in the middle: at frame f, with an encoded state f from another machine. No player is
// disconnected, and no inputs are known. As with [Engine.Restart], the engine forgets the effects that are shown. On an
// error the engine is as it was.
func (e *core[I]) Load(f Frame, encoded []byte) error {
	if f >= lastFrame {
		return fmt.Errorf("rollback: state %d: %w", f, ErrFrames)
	}
	if err := e.states.mem.load(f, encoded); err != nil {
		return err
	}
	e.begin(f, nil)
	return nil
}

// Hash returns the hash of the current state.
func (e *core[I]) Hash() (uint64, error) { return e.states.mem.hash(e.inputs.frame) }

// HashOf returns the hash of state f, which must be held (else [ErrNotHeld]). For a game with its own memory and
// without [Slots].Hash, only the current state and the states that the agreed stream hashes have a hash; for others
// the error is a [*CapabilityError].
func (e *core[I]) HashOf(f Frame) (uint64, error) {
	if err := e.states.hold(f, e.inputs.frame); err != nil {
		return 0, err
	}
	return e.states.mem.hash(f)
}
