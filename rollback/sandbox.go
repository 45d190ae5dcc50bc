package rollback

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback/effects"
)

// Sandbox holds one live state of a game, outside any match, and numbered
// snapshots of it. It is for tests and tools that examine what a step does. It predicts
// nothing, and leaves checks to the caller.
type Sandbox[S any, I comparable] struct {
	box     box[S, I]
	slots   int
	tick    Tick[I]
	newest  Frame
	next    [MaxPlayers]Frame
	journal *effects.Journal
}

// SandboxFrame is the input of a step in a sandbox.
type SandboxFrame[I any] struct {
	Frame        Frame
	Inputs       []I      // one per player
	Orders       [][]byte // one per player; nil means none
	Statuses     []Status // one per player; nil means all Confirmed
	Resimulating bool
}

// box holds the states of a sandbox.
type box[S any, I comparable] interface {
	init(by func(*S)) error
	live() *S
	step(t *Tick[I])
	// run steps at least one and at most n frames. It stops after a frame that finishes the match, and moves the tick past
	// the last frame that ran.
	run(t *Tick[I], n int) (ran int)
	save(slot int) error
	restore(slot int) error
	hash() (uint64, error)
	equal(slot int) (same bool, err error)
	differences(slot, most int) (canon.Report, error)
	// against compares an encoded state (A) with the live one (B), and leaves the live one unchanged.
	against(encoded []byte, most int) (canon.Report, error)
	marshal(b []byte) ([]byte, error)
	// parts returns the parts of the live state, or nil if the game cannot divide it.
	parts() Parts
	// pausing passes a function to OwnMemory.Pause, and reports whether the game has one.
	pausing(pause func(work int)) bool
	unmarshal(b []byte) error
}

// NewSandbox returns a sandbox with the game in state 0 and the given number of empty slots; a game without Save has
// none. A game with its own memory but without New can have only one sandbox or engine at a time.
func NewSandbox[S any, I comparable](game Definition[S, I], players, slots int) (*Sandbox[S, I], error) {
	return newSandbox(game, players, slots, true)
}

// NewBlankSandbox returns a sandbox without slots for a game that an engine or another sandbox has used before: its
// capabilities are not tested again, which saves the time of an Init and more. The state of an [OwnMemory] is that of
// its New until Unmarshal; that of a [Game] is state 0.
func NewBlankSandbox[S any, I comparable](game Definition[S, I], players int) (*Sandbox[S, I], error) {
	return newSandbox(game, players, 0, false)
}

func newSandbox[S any, I comparable](game Definition[S, I], players, slots int, try bool) (*Sandbox[S, I], error) {
	if slots < 0 || slots > MaxSnapshots {
		return nil, fmt.Errorf("rollback: %d slots, not 0 to %d", slots, MaxSnapshots)
	}
	if err := checkInput[I](); err != nil {
		return nil, err
	}
	b, common, err := game.sandbox(slots, try)
	if err != nil {
		return nil, err
	}
	if err := common.admit(players); err != nil {
		return nil, err
	}
	s := &Sandbox[S, I]{box: b, slots: slots}
	s.tick.players, s.tick.rows, s.tick.next, s.tick.newest = Player(players), make([]row, 1), &s.next, &s.newest
	if len(common.effects) > 0 {
		if s.journal, err = effects.NewJournal(effects.Config{Kinds: common.effects}); err != nil {
			return nil, fmt.Errorf("rollback: %w", err)
		}
		s.tick.emitter = s.journal.Emitter()
	}
	return s, nil
}

// Init turns the live state into state 0 again; see [Engine.Restart].
func (s *Sandbox[S, I]) Init() error { return s.box.init(nil) }

// Live returns the live state. It belongs to the sandbox, but the caller may change it.
func (s *Sandbox[S, I]) Live() *S { return s.box.live() }

// StepReport has the results of a step besides the state: a digest of the effects it emitted, and whether and how it
// finished the match.
type StepReport struct {
	Effects  uint64
	Finished bool
	Result   uint64
}

// Step runs one frame on the live state. There must be an input of every player.
func (s *Sandbox[S, I]) Step(f SandboxFrame[I]) (StepReport, error) {
	t := &s.tick
	if len(f.Inputs) != int(t.players) || f.Orders != nil && len(f.Orders) != len(f.Inputs) ||
		f.Statuses != nil && len(f.Statuses) != len(f.Inputs) {
		return StepReport{}, fmt.Errorf("rollback: frame %d has %d inputs, %d orders and %d statuses for %d players",
			f.Frame, len(f.Inputs), len(f.Orders), len(f.Statuses), t.players)
	}
	t.frame, t.inputs, t.orders, t.finished = f.Frame, f.Inputs, f.Orders, false
	if s.newest = f.Frame; f.Resimulating {
		s.newest++
	}
	t.rows[0] = 0
	for p := range f.Inputs {
		s.next[p] = f.Frame + 1
	}
	for p, status := range f.Statuses {
		switch status {
		case Predicted:
			s.next[p] = f.Frame
		case Disconnected:
			t.rows[0] = t.rows[0].without(Player(p))
		}
	}
	var said StepReport
	if s.journal == nil {
		s.box.step(t)
	} else {
		s.journal.Reset(f.Frame)
		s.journal.Begin(f.Frame)
		s.box.step(t)
		said.Effects = s.journal.Digest(f.Frame)
		if err := s.journal.Err(); err != nil {
			return said, fmt.Errorf("rollback: frame %d: %w", f.Frame, err)
		}
	}
	if said.Finished = t.finished; t.finished {
		said.Result = t.result
	}
	return said, nil
}

// Save stores the live state in a slot. Slots are numbered from 0.
func (s *Sandbox[S, I]) Save(slot int) error {
	if err := s.check(slot); err != nil {
		return err
	}
	return s.box.save(slot)
}

// Restore makes the state in a slot the live one.
func (s *Sandbox[S, I]) Restore(slot int) error {
	if err := s.check(slot); err != nil {
		return err
	}
	return s.box.restore(slot)
}

func (s *Sandbox[S, I]) check(slot int) error {
	if slot < 0 || slot >= s.slots {
		return fmt.Errorf("rollback: no slot %d in a sandbox of %d", slot, s.slots)
	}
	return nil
}

// Hash returns the hash of the live state.
func (s *Sandbox[S, I]) Hash() (uint64, error) { return s.box.hash() }

// Equal reports whether the live state is exactly the one in a slot. A game
// without Equal gets a [*CapabilityError].
func (s *Sandbox[S, I]) Equal(slot int) (bool, error) {
	if err := s.check(slot); err != nil {
		return false, err
	}
	return s.box.equal(slot)
}

// Differences compares the state that was saved in a slot (A) with the live one (B).
func (s *Sandbox[S, I]) Differences(slot, most int) (canon.Report, error) {
	if err := s.check(slot); err != nil {
		return canon.Report{}, err
	}
	return s.box.differences(slot, most)
}

// Beside compares the live state (A) with that of another sandbox of the same game (B), as the game compares stored
// states. It returns false if the game cannot do that: it has to give Save, and Diff of [Slots].
func (s *Sandbox[S, I]) Beside(other *Sandbox[S, I], most int) (canon.Report, bool) {
	if b, ok := s.box.(interface {
		beside(other box[S, I], most int) (canon.Report, bool)
	}); ok {
		return b.beside(other.box, most)
	}
	return canon.Report{}, false
}

// Marshal appends the encoding of the live state to b. A game without Marshal gets a
// [*CapabilityError].
func (s *Sandbox[S, I]) Marshal(b []byte) ([]byte, error) { return s.box.marshal(b) }

// Parts returns the parts of the live state, as it is now; see [Slots]. It returns nil if the game cannot divide it.
func (s *Sandbox[S, I]) Parts() Parts { return s.box.parts() }

// Pausing makes steps call pause wherever they could stop for a while, with the work done since the last call: see
// [OwnMemory.Pause]. It reports whether the game supports that.
func (s *Sandbox[S, I]) Pausing(pause func(work int)) bool { return s.box.pausing(pause) }

// Unmarshal makes an encoded state the live one. On an error the live state is as it was.
func (s *Sandbox[S, I]) Unmarshal(encoded []byte) error { return s.box.unmarshal(encoded) }
