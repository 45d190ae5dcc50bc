package desync

import (
	"fmt"

	"github.com/tickback/tickback/wire/agreed"
)

// None is no frame, no state and no group.
const None = 1<<32 - 1

// Bounds of a [Report].
const (
	// MaxReport is the most bytes that a report has.
	MaxReport = 60 << 10
	// MaxFields is how many fields are named at most.
	MaxFields = 64

	maxState  = 24 << 10 // bytes of the state to begin with
	maxInputs = 16 << 10 // bytes of the inputs
	maxData   = 4 << 10  // bytes of the game's own parameters
	maxName   = 64       // bytes of a game's name, or a build's
	maxValue  = maxItem + 40
)

// Source says where a peer's state comes from.
type Source uint8

const (
	// Original: a snapshot that the peer took when the match was there.
	Original Source = 1 + iota
	// Resimulated: simulated again from a snapshot before and the inputs, with the
	// hash that the state had in the match.
	Resimulated
	// NotReproduced: simulated again, and the hash is another one. What is not in the
	// state and the inputs has had an influence, or has one now.
	NotReproduced
	// Unavailable: the peer has no such state.
	Unavailable
)

var sourceNames = [...]string{"unknown", "original", "resimulated", "not reproduced", "unavailable"}

// String names the source in lower case.
func (s Source) String() string {
	if int(s) < len(sourceNames) {
		return sourceNames[s]
	}
	return sourceNames[0]
}

// Report says how the states of the peers of a match came to differ. Numbers of
// states are those of the frames that they are before: state f is what the inputs of
// frame f-1 led to.
type Report struct {
	Game, Build string // as the peers have given them; both the same for all
	Match       uint32 // its number in the session
	Shape       agreed.Shape
	TickRate    uint16
	HashEvery   uint32 // states are hashed in this interval
	Every       uint32 // and compared in this one

	// Seed, Limit (of the frames; 0: none), Content and Data are the parameters of the
	// match. Of Data there is the beginning, if Whole is false.
	Seed, Content uint64
	Limit         uint32
	Data          []byte
	Whole         bool

	// Equal is the last state that was compared and the same for all, Noticed the one
	// whose comparison showed a difference, and State the first that differs. With
	// HashEvery above 1, states between the hashed one before and State may differ as
	// well.
	Equal, Noticed, State uint32

	Peers  []Peer   // by their lowest player
	Groups []uint64 // hashes that the peers have for State

	// Fields are the first that differ, Total how many there are; AtLeast says that
	// there may be more. There are none unless two groups have a state to look at.
	Fields  []Field
	Total   uint32
	AtLeast bool

	// First is the first frame in Inputs, which has the agreed frames up to State - 1.
	// Begin has the encoding of state First, if it fits; else nil.
	First  uint32
	Inputs []byte
	Begin  []byte
}

// Peer is one machine.
type Peer struct {
	Players byte   // bit p for player p
	Machine string // what it runs on, as it says
	// Group is the index in Groups of the hash that it recorded for the state, or None if
	// it could not tell.
	Group  uint32
	Source Source
	// Base is the state from which it was simulated again, if it was.
	Base uint32
	// Hash is that of the state as the peer has it now, unless it has none.
	Hash uint64
	// Inputs says that the inputs of the frames before were compared: whether they
	// are the same as those in the report.
	Inputs Sameness
	Why    string // it is unavailable
}

// Sameness is the outcome of a comparison.
type Sameness uint8

const (
	// Unknown: there was nothing to compare.
	Unknown Sameness = iota
	// Same and Different are what they say.
	Same
	Different
)

// String names it in lower case.
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

// Value is what a group has in a field.
type Value struct {
	Text string
	Kind ValueKind
}

// ValueKind says what a [Value] is.
type ValueKind uint8

const (
	// Untold: no peer of the group has told it.
	Untold ValueKind = iota
	// Missing: there is no such field.
	Missing
	// Present: Text is the value, cut off if it is long.
	Present
)

// String is the text, or says why there is none.
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
func (r *Report) Members(group int) (players byte) {
	for _, p := range r.Peers {
		if p.Group == uint32(group) {
			players |= p.Players
		}
	}
	return players
}

// Name returns a name for the file of a report: "desync-1-4711.tbd" for the first
// match and state 4711.
func (r *Report) Name() string { return fmt.Sprintf("desync-%d-%d.tbd", r.Match, r.State) }

// Frames calls each for all frames in Inputs, in order. A frame is valid during the
// call. The error is that of each, or [ErrReport] for inputs that are none.
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
