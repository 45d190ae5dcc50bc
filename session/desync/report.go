package desync

import (
	"fmt"

	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/rate"
)

// None stands for no frame, no state or no group.
const None = 1<<32 - 1

// Limits of a [Report].
const (
	// MaxReport is the maximum size of a report, in bytes.
	MaxReport = 60 << 10
	// MaxFields is the maximum number of fields in a report.
	MaxFields = 64

	maxState  = 24 << 10 // bytes of the first state
	maxInputs = 16 << 10 // bytes of the inputs
	maxData   = 4 << 10  // bytes of the game's own parameters
	maxName   = 64       // bytes of a game's name, or a build's
	maxValue  = maxItem + 40
)

// Origin says where a peer's state comes from.
type Origin uint8

const (
	// Original means a snapshot that the peer took during the match.
	Original Origin = 1 + iota
	// Resimulated means that the state was resimulated from an earlier snapshot and the inputs, with the same hash
	// as in the match.
	Resimulated
	// NotReproduced means that resimulation gave a different hash. Something outside the state and the inputs has
	// influenced the match, or influences the simulation now.
	NotReproduced
	// Unavailable means that the peer does not have the state.
	Unavailable
)

var sourceNames = [...]string{"unknown", "original", "resimulated", "not reproduced", "unavailable"}

// String returns the name in lower case.
func (s Origin) String() string {
	if int(s) < len(sourceNames) {
		return sourceNames[s]
	}
	return sourceNames[0]
}

// Report says how the states of the peers of a match came to differ. State f is the state before frame f: the
// inputs of frame f-1 led to it.
type Report struct {
	Game, Build string // as given by the peers; equal at all of them
	Match       uint32 // its number in the session
	Shape       agreed.Shape
	TickRate    uint16    // frames per second; the nearest integer, if Rate is given
	Rate        rate.Rate // the exact rate, if it is no integer
	HashEvery   uint32    // the interval at which states are hashed
	Every       uint32    // the interval at which they are compared

	// Seed, Limit (the number of frames; 0: none), Content and Data are the parameters of the match. Unless Whole
	// is true, Data is truncated.
	Seed, Content uint64
	Limit         uint32
	Data          []byte
	Whole         bool

	// Equal is the last state that compared equal, Noticed the one whose comparison showed a difference, and State
	// the first that differs. If HashEvery is above 1, states between the last hashed one before State and State
	// may differ, too.
	Equal, Noticed, State uint32

	Peers  []Peer   // by their lowest player
	Groups []uint64 // the hashes that the peers have for State

	// Fields are the first fields that differ, and Total is their number; AtLeast says that there may be more.
	// There are none unless two groups have the state.
	Fields  []Field
	Total   uint32
	AtLeast bool

	// Inputs has the agreed frames from First to State - 1. Begin is the encoding of state
	// First, or nil if it is not available or too large.
	First  uint32
	Inputs []byte
	Begin  []byte
}

// Peer is one machine.
type Peer struct {
	Players uint16 // bit p for player p
	Machine string // its description of its machine
	// Group is the index in Groups of the hash that the peer recorded for State, or None if it had none.
	Group  uint32
	Origin Origin
	// Base is the state from which it was resimulated, if it was.
	Base uint32
	// Hash is the hash of the state as the peer has it now, if it has one.
	Hash uint64
	// Inputs says whether the peer's inputs of the frames before State are the same as those in the report.
	Inputs Sameness
	// Why says why the state is unavailable. For a resimulated one it says which newer snapshot the peer could not
	// load, and the error; usually it is empty.
	Why string
}

// Sameness is the result of a comparison.
type Sameness uint8

const (
	// Unknown means that there was nothing to compare.
	Unknown Sameness = iota
	// Same means that both sides are equal.
	Same
	// Different means that they differ.
	Different
)

// String returns the outcome in lower case.
func (s Sameness) String() string {
	switch s {
	case Same:
		return "same"
	case Different:
		return "different"
	}
	return "unknown"
}

// Field is a part of the state that differs.
type Field struct {
	Path   string
	Values []Value // by group
}

// Value is a group's value of a field.
type Value struct {
	Text string
	Kind ValueKind
}

// ValueKind says what a [Value] is.
type ValueKind uint8

const (
	// Untold means that no peer of the group sent the value.
	Untold ValueKind = iota
	// Missing means that the state of the group has no such field.
	Missing
	// Present means that Text is the value, truncated if it is long.
	Present
)

// String returns the text, or says why there is none.
func (v Value) String() string {
	switch v.Kind {
	case Missing:
		return "(missing)"
	case Present:
		return v.Text
	}
	return "(not known)"
}

// Members returns the players of a group.
func (r *Report) Members(group int) (players uint16) {
	for _, p := range r.Peers {
		if p.Group == uint32(group) {
			players |= p.Players
		}
	}
	return players
}

// Name returns a file name for a report: "desync-1-4711.tbd" for match 1 and state 4711.
func (r *Report) Name() string { return fmt.Sprintf("desync-%d-%d.tbd", r.Match, r.State) }

// Frames calls each for all frames in Inputs, in order. A frame is valid during the call. The error is the one
// returned by each, or wraps [ErrReport] if the inputs are malformed.
func (r *Report) Frames(each func(f *agreed.Frame) error) error {
	var reader agreed.Reader
	if err := reader.Init(r.Shape, r.First); err != nil {
		return err
	}
	b := r.Inputs
	for n := r.First; n < r.State; n++ {
		f, rest, err := reader.Read(b)
		if err != nil {
			return fmt.Errorf("%w: the inputs of frame %d: %w", ErrReport, n, err)
		}
		if err := each(f); err != nil {
			return err
		}
		b = rest
	}
	if len(b) != 0 {
		return fmt.Errorf("%w: %d bytes after the inputs", ErrReport, len(b))
	}
	return nil
}
