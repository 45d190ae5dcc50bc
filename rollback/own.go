package rollback

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback/effects"
)

// OwnMemory is a game that owns its memory: slices, maps, pointers, a scripting VM, a process-wide global. S is the
// live game, or a handle to it, and V is what stores a snapshot of it. Only Step is required. Everything else is a
// capability. If one is missing, [New] or the call that needs it returns a [*CapabilityError], unless a fallback is
// described here.
type OwnMemory[S, V any, I comparable] struct {
	// Init turns *s into state 0, whatever it was before. (The engine calls it twice at first, before and after it tries
	// the capabilities.) Without it, state 0 is what New makes, or zero, and [Engine.Restart] needs New once a frame has
	// run: the first match of a session works without both, but a second one does not.
	Init func(s *S)
	// Step advances the game by one frame. Nothing but its state and the tick
	// may influence it, and it must not keep the tick.
	Step func(s *S, t *Tick[I])

	// Save stores the state in a slot, and Restore brings it back. Slots belong to the engine, start as zero values and
	// are reused: a Save that keeps the memory of the slot allocates nothing. A slot must not share memory with the game
	// that Step could change. A prediction window and the sync test need both; lockstep needs neither. The engine tries
	// them on state 0, which does not reveal every mistake: run the sync test. If *V has a method Err() error, as a
	// [canon.Memento] has, it says why the last Save or Restore failed, and that ends the match. See [SaveInPlace] for
	// games that need neither.
	Save    func(s *S, slot *V)
	Restore func(s *S, slot *V)

	// Hash returns a hash of everything that makes up the state. Without it canon.HashAny walks *s, which is slow and
	// allocates, and sees only what can be reached from *s. If nothing can be reached from *s, or it cannot be walked, the
	// agreed stream cannot have hashes (turn them off: see [Config.HashEvery]), and the sync test needs Equal.
	Hash func(s *S) uint64
	// Equal reports whether the state is exactly the one in the slot. Without
	// it a resimulation never stops early.
	Equal func(s *S, slot *V) bool

	// Marshal appends an encoding of the state to b, the same on every machine.
	// Unmarshal turns *s into the encoded state, or returns an error and leaves *s as it
	// was. Encodings come from other machines: trust nothing in them. [Engine.Marshal] and
	// [Engine.Load] need both. Without them, a late join replays the match from frame 0.
	Marshal   func(b []byte, s *S) ([]byte, error)
	Unmarshal func(s *S, encoded []byte) error

	// Pause makes the step call a function wherever it could stop for a while. The argument is the work done since the
	// last call, in units defined by the game; about 10,000 of them take a millisecond. Unmarshal may call it, too. Nil
	// turns the calls off. The function may take long to return, or panic to end the step where it is; the game is not
	// used after that. Pause is for games whose step would otherwise hold up a match that runs beside it. See
	// [Sandbox.Pausing].
	Pause func(s *S, pause func(work int))

	// Slots are further capabilities, on stored states.
	Slots Slots[V]

	// Describe returns a value that shows the state, and shares no memory with it, so that canon.DiffAny can name fields
	// in reports. Without it, the texts that canon.AppendTextAny makes from *s are compared line by line. A sync test
	// describes every state.
	Describe func(s *S) any

	// New makes a game that is independent of all others. Without New the engine uses a zero S, and no two games can
	// run side by side.
	New func() *S

	// Floats set to [Strict] requires a program in which floats are the same on every machine; see there. Hash and Marshal
	// decide which NaN the state contains. Otherwise floats are not checked.
	Floats Floats

	// Predict, Effects and Players are as in [Game].
	Predict Predictor[I]
	Effects []effects.Declaration
	Players func(n int) error

	hash   func(s *S) (uint64, error)        // like Hash, but returns why there is none
	origin func(s *S) (encoder[S, V], error) // makes what encodes the states of a match from state 0
}

// encoder encodes the states of a match: with the functions of the game, or relative to state 0 (see [canon.Origin]).
// saved is nil if a state must be live to be encoded, and all are if states are not encoded.
type encoder[S, V any] struct {
	marshal   func(b []byte, s *S) ([]byte, error)
	saved     func(b []byte, slot *V) ([]byte, error)
	unmarshal func(s *S, encoded []byte) error
}

// own is the memory of an [OwnMemory]: the live game, and slots for snapshots.
type own[S, V any, I comparable] struct {
	game OwnMemory[S, V, I]
	s    *S
	at   Frame // the number of the live state
	used bool  // the live game has changed since it was made; only Init could turn it into state 0

	encoder encoder[S, V]

	slots  []V      // state f is in slot f % len; none in lockstep
	hashes []uint64 // the hashes of the states in slots, where due
	clean  Frame    // the number of the live state if its slot holds it; else NoFrame

	hashEvery Frame // states with a multiple of it as their number are hashed when the engine goes on to the next state; 0: none
	testing   bool  // all states are hashed
	failed    error // the first error from hashing a state
	failing   bool  // slots can report that a state could not be saved
	lost      error // the first error from saving a state

	shown []any // in a sync test: descriptions of the states in slots
}

func (g OwnMemory[S, V, I]) build(cfg *Config) (memory[S, I], common[I], error) {
	m, c, err := g.assemble(cfg)
	if err != nil {
		return nil, c, err
	}
	return led(m, ownLead[S, V, I]{m}, cfg.RunAhead), c, m.try()
}

// assemble returns the memory, without a state and with its capabilities untested.
func (g OwnMemory[S, V, I]) assemble(cfg *Config) (*own[S, V, I], common[I], error) {
	c := common[I]{g.Predict, g.Effects, g.Players}
	if err := g.check(cfg); err != nil {
		return nil, c, err
	}
	m := &own[S, V, I]{game: g, s: g.make(), clean: NoFrame, encoder: encoder[S, V]{g.Marshal, g.Slots.Marshal, g.Unmarshal}}
	_, m.failing = any(new(V)).(failing)
	// A slot that shares memory with the game always equals it. But its hash was computed when it was filled, and so
	// reveals the difference.
	m.testing = cfg.SyncTest > 0
	if cfg.Snapshots > 1 {
		m.slots, m.hashes = make([]V, cfg.Snapshots), make([]uint64, cfg.Snapshots)
	}
	if cfg.SyncTest > 0 && g.Slots.Diff == nil {
		m.shown = make([]any, cfg.Snapshots)
	}
	if cfg.Stream && cfg.HashEvery > 0 {
		m.hashEvery = Frame(cfg.HashEvery)
	}
	return m, c, nil
}

func (g *OwnMemory[S, V, I]) make() *S {
	if g.New != nil {
		return g.New()
	}
	return new(S)
}

// check returns an error if the config needs capabilities that the game lacks.
func (g *OwnMemory[S, V, I]) check(cfg *Config) error {
	if g.Step == nil {
		return errors.New("rollback: the game has no Step")
	}
	if err := g.Floats.admit(); err != nil {
		return err
	}
	for _, pair := range []struct {
		first, second string
		one, two      bool
	}{
		{"Save", "Restore", g.Save != nil, g.Restore != nil},
		{"Marshal", "Unmarshal", g.Marshal != nil, g.Unmarshal != nil},
		{"Slots.Hash", "Hash", g.Slots.Hash != nil, g.Slots.Hash != nil && g.Hash != nil},
		{"Slots.Marshal", "Marshal", g.Slots.Marshal != nil, g.Slots.Marshal != nil && g.Marshal != nil},
		{"Slots.Diff", "Save", g.Slots.Diff != nil, g.Slots.Diff != nil && g.Save != nil},
		{"Slots.Parts", "Save", g.Slots.Parts != nil, g.Slots.Parts != nil && g.Save != nil},
	} {
		if pair.one && !pair.two {
			return &CapabilityError{Missing: pair.second, For: pair.first}
		} else if pair.two && !pair.one {
			return &CapabilityError{Missing: pair.first, For: pair.second}
		}
	}
	switch {
	case g.Save != nil:
	case cfg.SyncTest > 0:
		return &CapabilityError{Missing: "Save", For: "a sync test"}
	case cfg.RunAhead > 0:
		return &CapabilityError{Missing: "Save", For: fmt.Sprintf("RunAhead, which is %d,", cfg.RunAhead)}
	case cfg.Window > 0:
		return &CapabilityError{Missing: "Save", For: fmt.Sprintf("a window of %d frames (0 is lockstep)", cfg.Window)}
	case cfg.Snapshots > 1:
		return &CapabilityError{Missing: "Save", For: fmt.Sprintf("holding %d snapshots", cfg.Snapshots)}
	}
	hashing := cfg.Stream && cfg.HashEvery > 0 || cfg.SyncTest > 0 && g.Equal == nil
	if hashing && g.Hash == nil && !leadsAnywhere(reflect.TypeFor[S]()) {
		return &CapabilityError{Missing: "Hash", For: fmt.Sprintf("comparing states of type %T, which leads to no memory to walk,", *new(S))}
	}
	return nil
}

// leadsAnywhere reports whether a value of the type can refer to memory. A value that
// cannot is a handle to something else, and hashing it says nothing about the state.
func leadsAnywhere(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return leadsAnywhere(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if leadsAnywhere(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// try tests on state 0 that the capabilities work as documented.
func (m *own[S, V, I]) try() error {
	if err := m.init(nil); err != nil {
		return err
	}
	// Walking all memory is slow, so do it only where hashes are wanted.
	hash := func() (uint64, error) { return 0, nil }
	if m.game.Hash != nil || m.game.Slots.Hash != nil || m.hashEvery > 0 || m.testing {
		hash = m.hashLive
	}
	before, err := hash()
	if err != nil && m.game.hash != nil {
		return fmt.Errorf("rollback: state 0 cannot be saved: %w", err)
	}
	if err != nil && m.game.Equal != nil {
		m.testing = false // use Equal instead
	}
	if err != nil && (m.hashEvery > 0 || m.testing) {
		return fmt.Errorf("%w (without it the state is walked: %w)", &CapabilityError{Missing: "Hash", For: "comparing states"}, err)
	}
	same := func() bool { after, _ := hash(); return after == before }
	if !same() {
		return errors.New("rollback: the Hash of one state is different each time")
	}
	if g := &m.game; g.Save != nil {
		var slot V
		if g.Save(m.s, &slot); m.check(&slot, "saved") != nil {
			return m.lost
		}
		if g.Equal != nil && !g.Equal(m.s, &slot) {
			return errors.New("rollback: a state that has just been saved is not Equal to its slot")
		}
		if g.Restore(m.s, &slot); !same() {
			return errors.New("rollback: Restore does not bring back the Hash of what was saved")
		}
		if g.Slots.Hash != nil && g.Slots.Hash(&slot) != before {
			return errors.New("rollback: Slots.Hash of what was saved is not its Hash")
		}
		g.drop(&slot)
	}
	if err := m.tryMarshal(same); err != nil {
		return err
	}
	if m.game.Init != nil {
		return m.first(nil) // a match begins with what Init makes, not with the state that was tested
	}
	return nil
}

func (m *own[S, V, I]) tryMarshal(same func() bool) error {
	if m.encoder.marshal == nil {
		return nil
	}
	encoded, err := m.encoder.marshal(nil, m.s)
	if err != nil {
		return fmt.Errorf("rollback: Marshal of state 0: %w", err)
	}
	if err := m.encoder.unmarshal(m.s, encoded); err != nil {
		return fmt.Errorf("rollback: Unmarshal of what Marshal has made of state 0: %w", err)
	}
	if !same() {
		return errors.New("rollback: Unmarshal does not bring back the Hash of what was marshalled")
	}
	return nil
}

// hashLive returns the hash of the live game.
func (m *own[S, V, I]) hashLive() (uint64, error) {
	switch {
	case m.game.hash != nil:
		return m.game.hash(m.s)
	case m.game.Hash != nil:
		return m.game.Hash(m.s), nil
	}
	return canon.HashAny(m.s)
}
