package replay

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Sim simulates the match of a recording on this build, for any game. It holds one state and is not safe for
// concurrent use. It does not recover panics of the game: see [Survive].
type Sim interface {
	// Init makes state 0 the live one, with the parameters of the match in the recording.
	Init() error
	// Load makes an encoded state with its number the live one. On an error the live state does not change. For a game
	// that cannot marshal, the error is a [*rollback.CapabilityError].
	Load(state uint32, encoded []byte) error
	// State returns the number of the live state, which is also that of the next frame.
	State() uint32
	// Run runs frames without orders. The inputs are those of all players, frame by frame, as in [agreed.Frame]; gone are
	// the players who are disconnected in all of these frames.
	Run(inputs []byte, gone uint16) error
	// Step runs one frame.
	Step(f *agreed.Frame) error
	// Result returns the first frame since Init or Load that finished the match, and the result that the game gave.
	Result() (frame uint32, result uint64, ok bool)
	// Hash, Marshal (which appends to b) and Text (a line for each field, as [canon.Plan.AppendText] and
	// [canon.AppendTextAny] make them) describe the live state.
	Hash() (uint64, error)
	Marshal(b []byte) ([]byte, error)
	Text() ([]byte, error)
	// Differences returns how an encoded state (A) differs from the live one (B), in at most the given number of
	// fields.
	Differences(encoded []byte, most int) (canon.Report, error)
	// Fields returns the numbers and bools of the live state by name, for tables: in the same order for all states. It
	// returns nil for a game with its own memory.
	Fields() []Field
	// Inputs returns the numbers and bools of one player's input by name. A name is empty if the input itself is a number.
	Inputs(encoded []byte) ([]Field, error)
}

// StateOf returns the live state of a simulation of a game whose states are of this type; ok is false for another game.
// The state belongs to the simulation: do not change it.
func StateOf[S any](s Sim) (live *S, ok bool) {
	holder, ok := s.(interface{ live() *S })
	if !ok {
		return nil, false
	}
	return holder.live(), true
}

// Field is a number or bool by name, such as P[1].Vy, and its value as text. Plain says whether the text is a number or
// bool in JSON syntax.
type Field struct {
	Path, Text string
	Plain      bool
}

// batch is how many frames are stepped at a time: their inputs must fit into the nearest cache.
const batch = 1024

// sim is a Sim of a game.
type sim[S any, I comparable] struct {
	game    *typed[S, I]
	init    func(*S)
	stepper *rollback.Stepper[S, I]
	inputs  []I // the inputs of batch frames
	players int
	size    int // bytes of an input
	ready   bool
}

// Init implements [Sim].
func (s *sim[S, I]) Init() error {
	if s.init == nil && !s.ready {
		s.ready = true // the live state is state 0 already, and the game may not be able to make it twice
		return nil
	}
	s.ready = true
	return s.stepper.Restart(s.init)
}

// Load implements [Sim].
func (s *sim[S, I]) Load(state uint32, encoded []byte) error {
	err := s.stepper.Load(rollback.Frame(state), encoded)
	s.ready = s.ready || err == nil
	return err
}

func (s *sim[S, I]) live() *S { return s.stepper.State() }

// State implements [Sim].
func (s *sim[S, I]) State() uint32 { return uint32(s.stepper.Frame()) }

// Run implements [Sim].
func (s *sim[S, I]) Run(inputs []byte, gone uint16) error {
	if s.size == 0 {
		return fmt.Errorf("replay: inputs without bytes have no number of frames; use Step")
	}
	row := s.players * s.size
	for len(inputs) > 0 {
		n := min(batch, (len(inputs)+row-1)/row)
		b := inputs[:min(n*row, len(inputs))]
		inputs = inputs[len(b):]
		in := s.inputs[:n*s.players]
		if err := s.game.inputs.DecodeAll(in, b); err != nil {
			return fmt.Errorf("replay: inputs from frame %d on: %w", s.State(), err)
		}
		if err := s.stepper.Run(in, rollback.PlayerSet(gone)); err != nil {
			return err
		}
	}
	return nil
}

// Step implements [Sim].
func (s *sim[S, I]) Step(f *agreed.Frame) error {
	if f.Number != s.State() {
		return fmt.Errorf("replay: frame %d does not follow state %d", f.Number, s.State())
	}
	in := s.inputs[:s.players]
	if err := s.game.inputs.DecodeAll(in, f.Inputs); err != nil {
		return fmt.Errorf("replay: the inputs of frame %d: %w", f.Number, err)
	}
	orders := f.Orders
	for len(orders) > 0 && len(orders) < s.players {
		orders = append(orders[:len(orders):len(orders)], nil) // the other players have none
	}
	return s.stepper.Step(in, orders, rollback.PlayerSet(f.Gone))
}

// Result implements [Sim].
func (s *sim[S, I]) Result() (frame uint32, result uint64, ok bool) {
	o, ok := s.stepper.Result()
	return uint32(o.Frame), o.Result, ok
}

// Hash implements [Sim].
func (s *sim[S, I]) Hash() (uint64, error) { return s.stepper.Hash() }

// Marshal implements [Sim].
func (s *sim[S, I]) Marshal(b []byte) ([]byte, error) { return s.stepper.Marshal(b) }

// Text implements [Sim].
func (s *sim[S, I]) Text() ([]byte, error) {
	live := s.stepper.State()
	if s.game.state != nil {
		return s.game.state.AppendText(nil, live), nil
	}
	var shown any = live
	if describe := s.game.can.Describe; describe != nil {
		shown = describe(live)
	}
	return canon.AppendTextAny(nil, shown)
}

// Differences implements [Sim].
func (s *sim[S, I]) Differences(encoded []byte, most int) (canon.Report, error) {
	return s.stepper.Differences(encoded, most)
}

// Fields implements [Sim].
func (s *sim[S, I]) Fields() []Field {
	if s.game.state == nil {
		return nil
	}
	return fields(s.game.state, s.game.state.Append(nil, s.stepper.State()))
}

// Inputs implements [Sim].
func (s *sim[S, I]) Inputs(encoded []byte) ([]Field, error) {
	if err := s.game.inputs.Decode(new(I), encoded); err != nil {
		return nil, err
	}
	return fields(s.game.inputs, encoded), nil
}

// fields splits an encoding into its fields.
func fields[T any](p *canon.Plan[T], encoded []byte) []Field {
	var list []Field
	for at := 0; at < len(encoded); {
		s := p.ScalarAt(at)
		b := encoded[s.Offset : s.Offset+s.Len]
		text := string(s.AppendText(nil, b))
		list = append(list, Field{s.Path, text, plain(text)})
		at = s.Offset + s.Len
	}
	return list
}

// plain reports whether a text is an integer or a bool in JSON syntax.
func plain(text string) bool {
	if text == "true" || text == "false" || text == "0" {
		return true
	}
	digits := text
	if len(digits) > 1 && digits[0] == '-' {
		digits = digits[1:]
	}
	for i, c := range []byte(digits) {
		if c < '0' || c > '9' || i == 0 && c == '0' {
			return false
		}
	}
	return digits != ""
}
