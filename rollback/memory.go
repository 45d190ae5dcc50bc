package rollback

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback/effects"
)

// Definition is a game that an engine can run: a [Game] or an [OwnMemory].
type Definition[S any, I comparable] interface {
	build(cfg *Config) (memory[S, I], common[I], error)
	sandbox(slots int, try bool) (box[S, I], common[I], error)
	capabilities() Capabilities[S]
	// hashed returns how many bytes hashing a state reads, or 0 if that is not known.
	hashed() int
	floats() Floats
}

// common is what both kinds of games have in common, besides their state.
type common[I any] struct {
	predict Predictor[I]
	effects []effects.Declaration
	players func(n int) error
}

// admit returns an error if the game cannot have that number of players.
func (c *common[I]) admit(players int) error {
	if players < 1 || players > MaxPlayers {
		return fmt.Errorf("rollback: %d players, not 1 to %d", players, MaxPlayers)
	}
	if c.players == nil {
		return nil
	}
	if err := c.players(players); err != nil {
		return fmt.Errorf("%w: %w", ErrPlayers, err)
	}
	return nil
}

// memory holds the states of a match, as values of their type.
type memory[S any, I comparable] interface {
	store[I]
	// init turns the current state into state 0, with the given function or the game's own.
	init(by func(*S)) error
	// state returns state f, or nil if it is not held as a value.
	state(f Frame) *S
	// is reports whether state f, which is held, equals s exactly.
	is(f Frame, s *S) bool
	// correct replaces state f, which is held, by s.
	correct(f Frame, s *S)
	// adopt makes s the current state, as state f, and drops all other states.
	adopt(f Frame, s *S)
}

// store holds the states of a match: the current one, and those to which the
// engine can go back. The engine says which state is which. Only the frame of the
// current state can run.
type store[I comparable] interface {
	// run runs the frames from the current one up to end, and holds the states
	// before them. It tells s if a state could not be held.
	run(s *steps[I], from, end Frame)
	// rewind makes state f, which is held, the current one. With hold, the state that was current before remains held.
	rewind(f Frame, hold bool)
	// canStop reports whether recheck can ever return true.
	canStop() bool
	// recheck runs the frame of the tick over states that are held from an earlier simulation.
	// It reports whether the result is exactly the one held.
	recheck(t *Tick[I]) bool
	// forward makes state end, held by rewind, the current one.
	forward(end Frame)
	// keep holds state f, the result of recheck, if it is not held yet.
	keep(f Frame)
	// again runs the frame of the tick a second time, and reports whether the result is the state that is held. The
	// error says that a state cannot be compared.
	again(t *Tick[I]) (bool, error)
	// differences compares the state f that is held with the one that again has made. If they are equal, it compares state
	// f with what its snapshot has become.
	differences(f Frame, most int) (r canon.Report, snapshot bool, err error)

	// hash returns the hash of state f. That must be the current state, or one that is held and was due for a hash
	// when the engine went on to the next state.
	hash(f Frame) (uint64, error)
	// marshal appends the encoding of state f, which is held.
	marshal(b []byte, f Frame) ([]byte, error)
	// load makes an encoded state the current one, as state f. On an error the
	// memory is as it was.
	load(f Frame, encoded []byte) error
	// correctable returns an error for a game whose states cannot be replaced or compared with another state.
	correctable() error
	// save stores the current state, which is state f, in s; bring makes a stored state
	// the current one.
	save(s *Saved, f Frame) error
	restoreSaved(s *Saved) error
}
