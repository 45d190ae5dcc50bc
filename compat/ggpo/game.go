package ggpo

import (
	"fmt"
	"iter"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// input is an input of a size class: the engine needs a type of fixed size, and the rest of it is zero.
type input interface {
	[4]byte | [16]byte | [64]byte
}

// memory stands for the game, which nobody but its callbacks can see.
type memory struct{}

// slot stands for a state that the game has stored.
type slot struct {
	number int // of the state, for the callbacks, and 1 more than that; 0 before it is used
	sum    uint32
	saved  int // the checksum of SaveGameState
	at     rollback.Frame
	full   bool // there is a state in it
	shown  any  // by a Describer
	err    error
}

// Err says why the state could not be saved or restored. The engine asks, and ends the match.
func (s *slot) Err() error { return s.err }

// frame is what SyncInput returns.
type frame struct {
	number  rollback.Frame
	again   bool // it has been simulated before
	gone    int  // bit p for player p
	players int
	inputs  [MaxPlayers][MaxInputSize]byte
}

// request is what a session needs from the game.
type request struct {
	kind  requestKind
	state int  // its number
	again bool // of a frame: it has been simulated before
}

type requestKind uint8

const (
	saving requestKind = iota
	loading
	describing
	stepping
)

// caller lets a session, which calls its game, wait in these calls until the game has done the work on its own
// goroutine. For this the session runs in a coroutine, for the time of one call (a turn). A coroutine of its own for
// each turn costs half a microsecond, and allows the game to lock its goroutine to another thread between turns.
type caller struct {
	yield func(request) bool // of the turn; nil outside of turns, such as while the match is built
	next  func() (request, bool)
	stop  func()
	// dead means that the game is not called any more.
	dead bool
	// clean means that the turn has ended before its own frame, so that the engine is as it was before.
	clean bool

	answer    int            // what SaveGameState returned
	shown     any            // what DescribeGameState returned
	sum       uint32         // the checksum of the present state
	at        rollback.Frame // the number of the present state
	states    int            // how many numbers of states there are
	used      int            // how many of them are in use
	describes bool
	frame     frame

	// In a sync test: what was restored, until a frame is simulated, and what was wrong with a checksum of
	// SaveGameState.
	testing bool
	loaded  *slot
	rewound bool // in this turn
	fault   error
}

// unwound ends the turn of a session whose game does not want the frame any more.
type unwound struct{}

// begin begins a turn: work runs until it makes a request.
func (c *caller) begin(work func()) {
	c.clean, c.rewound = false, false
	c.next, c.stop = iter.Pull(func(yield func(request) bool) {
		c.yield = yield
		defer func() {
			c.yield = nil
			if r := recover(); r != nil {
				if _, ok := r.(unwound); !ok {
					panic(r) // of a transport, or of a clock; it arrives where the turn was resumed
				}
				c.clean = true
			}
		}()
		work()
	})
}

// turning reports whether there is a turn.
func (c *caller) turning() bool { return c.next != nil }

// end ends the turn, which is over or is to be.
func (c *caller) end() {
	stop := c.stop
	c.next, c.stop = nil, nil
	stop()
}

// ask has the game do something. It returns false if the game does not want to.
func (c *caller) ask(r request) bool {
	if c.dead || !c.yield(r) {
		c.dead = true
		return false
	}
	return true
}

// building reports whether the engine only tries what the game can do. Then the game is not called: its state cannot
// have changed, and it may not be ready.
func (c *caller) building() bool { return c.yield == nil && !c.dead }

func (c *caller) save(s *slot) {
	if c.building() {
		s.sum = c.sum
		return
	}
	if s.number == 0 {
		if c.used == c.states {
			s.sum = c.sum // a copy for a comparison, of a state that has a slot
			if c.describes && c.ask(request{kind: describing}) {
				s.shown = c.shown
			}
			return
		}
		c.used++
		s.number = c.used
	}
	again, was := c.testing && s.full && s.at == c.at, s.saved
	if s.err = nil; !c.keep(s) {
		s.err = errInterrupted
		return
	}
	if again && was != s.saved && c.fault == nil {
		c.fault = &SaveError{State: int(c.at), Was: was, Is: s.saved}
	}
	s.err = c.fault
}

// keep has the game store its state in a slot.
func (c *caller) keep(s *slot) bool {
	if c.describes {
		if !c.ask(request{kind: describing}) {
			return false
		}
		s.shown = c.shown
	}
	if !c.ask(request{kind: saving, state: s.number - 1}) {
		return false
	}
	s.sum, s.saved, s.at, s.full = c.sum, c.answer, c.at, true
	return true
}

func (c *caller) restore(s *slot) {
	c.sum = s.sum
	switch {
	case c.building() || c.testing && c.rewound:
		// A sync test goes back once in a turn. If it does so again, it has failed, and the state is not needed.
		return
	case s.number == 0 || !c.ask(request{kind: loading, state: s.number - 1}):
		s.err = errInterrupted
	case c.testing:
		c.loaded = s
	}
	c.at, c.rewound = s.at, true
}

// resave stores a state that was brought back once more, before a frame changes it: this finds a LoadGameState that
// does not bring back everything. It also helps games that give up what they have stored when it is loaded, which
// rarely matters in a match: there hardly any state is needed twice.
func (c *caller) resave() {
	s := c.loaded
	if c.loaded = nil; s == nil {
		return
	}
	if was := s.saved; c.keep(s) && was != s.saved && c.fault == nil {
		c.fault = &LoadError{State: int(c.at), Was: was, Is: s.saved}
	}
}

// LoadError says that a sync test has found a state that is another one after LoadGameState.
type LoadError struct {
	State   int // its frame
	Was, Is int // the checksums of SaveGameState before and after
}

// Error names the checksums.
func (e *LoadError) Error() string {
	return fmt.Sprintf("state %d: SaveGameState gave the checksum %d, and right after LoadGameState it gives %d: LoadGameState does not bring back everything", e.State, e.Was, e.Is)
}

// SaveError says that SaveGameState gave another checksum for a state when the frame before it was simulated again,
// though the checksums of AdvanceFrame are equal.
type SaveError struct {
	State   int // its frame
	Was, Is int // the checksums of SaveGameState
}

// Error names the checksums.
func (e *SaveError) Error() string {
	return fmt.Sprintf("state %d: SaveGameState gave the checksum %d, and %d after frame %d was simulated again", e.State, e.Was, e.Is, e.State-1)
}

// step has the game simulate c.frame.
func (c *caller) step() {
	if c.resave(); c.dead {
		return
	}
	if !c.ask(request{kind: stepping, again: c.frame.again}) && !c.frame.again {
		panic(unwound{}) // the engine has not changed since it stored the state before this frame
	}
	c.at = c.frame.number + 1
}

// define returns the game as the engine sees it. It cannot be encoded, and there is no second one.
func define[I input](c *caller) rollback.OwnMemory[memory, slot, I] {
	return rollback.OwnMemory[memory, slot, I]{
		Init:    func(*memory) {}, // the match begins with the state that the game is in
		Save:    func(_ *memory, s *slot) { c.save(s) },
		Restore: func(_ *memory, s *slot) { c.restore(s) },
		Hash:    func(*memory) uint64 { return uint64(c.sum) },
		Slots:   rollback.Slots[slot]{Diff: diff},
		Step: func(_ *memory, t *rollback.Tick[I]) {
			f := &c.frame
			f.number, f.again, f.gone, f.players = t.Frame(), t.Resimulating(), 0, int(t.Players())
			for p := range t.Players() {
				in := t.Input(p)
				put(&f.inputs[p], &in)
				if t.Status(p) == rollback.Disconnected {
					f.gone |= 1 << p
				}
			}
			c.step()
		},
	}
}

func put[I input](to *[MaxInputSize]byte, in *I) { copy(to[:], bytesOf(in)) }

// bytesOf returns the bytes of an input.
func bytesOf[I input](in *I) []byte {
	switch in := any(in).(type) {
	case *[4]byte:
		return in[:]
	case *[16]byte:
		return in[:]
	case *[64]byte:
		return in[:]
	}
	return nil
}

// diff compares two states: by what the game shows of them, or by their checksums.
func diff(a, b *slot, most int) canon.Report {
	if a.shown != nil || b.shown != nil {
		if r, err := canon.DiffAny(a.shown, b.shown, most); err == nil && r.Total > 0 {
			return r
		}
	}
	if a.sum == b.sum {
		return canon.Report{}
	}
	return canon.Report{Total: 1, Differences: []canon.Difference{{Path: "(checksum of AdvanceFrame)", A: fmt.Sprint(a.sum), B: fmt.Sprint(b.sum)}}}
}
