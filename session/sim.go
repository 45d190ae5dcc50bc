package session

import (
	"errors"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/session/inputs"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// Hooks are the functions that a session needs from the game besides its step.
type Hooks[S any, I comparable] struct {
	// Sample returns the current input of a local player. It is called exactly once for each local player and new
	// frame, before the frame is tried, and never when a frame is resimulated.
	Sample func(p Player) I
	// Orders, if given, returns the orders of a local player, right after Sample.
	// They are copied.
	Orders func(p Player) []byte
	// Start returns a function that creates state 0 of a match with these parameters, or an error if this machine
	// cannot play it. A nil function stands for the game's own Init, and so does a nil hook, for any parameters.
	Start func(p Parameters) (func(s *S), error)
	// Agreed, if given, is called with every agreed frame, in order. The frame belongs to the engine and is valid
	// during the call.
	Agreed func(a *rollback.Agreed[I])
}

// simulation is the engine as used by the machine, with encoded inputs, so that the machine does not depend on the
// game.
type simulation interface {
	desync.Game
	inputs.Engine
	Frame() Frame
	Confirmed() Frame
	Agreed() Frame
	Final() Frame
	Marshal(b []byte, f Frame) ([]byte, error)
	Next(p Player) Frame
	Tick() error
	Settle() error
	Disconnect(p Player, from Frame) error
	removePlayer(p Player, from Frame) error
	Connect(p Player, at Frame) error
	Load(f Frame, encoded []byte) error
	feed(f *agreed.Frame, record recorder) error
	SetDelay(p Player, frames int) error
	Delay(p Player) (asked, actual int)
	Provisional() (rollback.Outcome, bool)
	Result() (rollback.Outcome, bool)
	reached() *reached
	Stats() rollback.Stats
	Hash() (uint64, error)

	sample(p Player, from Frame) (*sampled, error)
	agree(most Frame, record recorder) (end Frame, err error)
	encode(on bool)
	Marshals() bool
	slow() bool
	capture(e *desync.Evidence, from Frame) (final Frame)
	remember(frames, bytes int) desync.Inputs
	HashOf(f Frame) (uint64, error)
	marshal(b []byte) (encoded []byte, f Frame, err error)
	prepare(p Parameters) error
}

// recorder takes the agreed frames, which it must not keep.
type recorder interface{ takeFrame(f *stream.Frame) }

// reached is how far the engine has got: what every frame asks, so that it need not be called for that. The simulator
// writes it, and the machine reads it.
type reached struct {
	frame  Frame // the next one to run
	ending bool  // see [rollback.Ending]
}

// simulator implements simulation for a game.
type simulator[S any, I comparable] struct {
	*rollback.Engine[S, I]
	plan  *canon.Plan[I]
	hooks Hooks[S, I]

	game       rollback.Definition[S, I]
	layout     *canon.Plan[S] // of a plain state, else nil
	canMarshal bool
	encoder    *stream.Encoder[I] // of agreed frames; nil unless a reader needs them
	agreed     *agreedInputs[I]   // to explain a desync; nil if nothing is kept
	sampled    sampled            // memory for sample
	passed     stream.Frame       // memory for agree
	at         reached
	orders     bool      // whether players can give orders
	removal    []removal // players that leave at a frame, but have yet to come before that
}

// removal is a player that leaves at frame from.
type removal struct {
	player Player
	from   Frame
}

func newSimulator[S any, I comparable](game rollback.Definition[S, I], cfg *Config, hooks Hooks[S, I]) (*simulator[S, I], error) {
	if hooks.Sample == nil {
		return nil, refusef("Hooks.Sample is required: it returns what a local player does")
	}
	if hooks.Orders != nil && cfg.MaxOrders == 0 {
		return nil, refusef("Hooks.Orders is given, but MaxOrders is 0")
	}
	c := cfg.engine()
	c.Snapshots = shownStates(game, &c)
	engine, err := rollback.New(game, c)
	if err != nil {
		return nil, err
	}
	plan, err := canon.PlanFor[I]()
	if err != nil {
		return nil, err
	}
	s := &simulator[S, I]{Engine: engine, plan: plan, hooks: hooks, game: game, orders: cfg.MaxOrders > 0, canMarshal: rollback.CapabilitiesOf(game).Marshal}
	s.note()
	if _, plain := game.(rollback.Game[S, I]); plain {
		s.layout, err = canon.PlanFor[S](canon.AllowFloats) // the engine has checked whether floats are allowed
	}
	return s, err
}

// InputSize returns the size of an encoded input in bytes.
func (s *simulator[S, I]) InputSize() int { return s.plan.Size() }

// reached returns how far the engine has got; it stays up to date.
func (s *simulator[S, I]) reached() *reached { return &s.at }

// note brings reached up to date after frames have run, or another match or state has begun.
func (s *simulator[S, I]) note() { s.at = reached{s.Frame(), rollback.Ending(s.Engine)} }

// sampled is the input of a local player in one frame.
type sampled struct {
	input  []byte // encoded; empty if the game's inputs are
	orders []byte
	more   bool // there are inputs of later frames, too, after a change of the input delay
}

// sample samples a player if that is due, and returns its input in frame from, or nil if the player has none there
// yet. The result is valid until the next call.
func (s *simulator[S, I]) sample(p Player, from Frame) (*sampled, error) {
	next, t := s.Next(p), &s.sampled
	if s.NeedsInput(p) {
		before, in := next, s.hooks.Sample(p)
		var orders []byte
		if s.hooks.Orders != nil {
			orders = s.hooks.Orders(p)
		}
		if err := s.AddLocal(p, in, orders); err != nil {
			return nil, err
		}
		if next = s.Next(p); before == from && next == from+1 { // the usual case: it is this sample
			t.input, t.orders, t.more = s.plan.Append(t.input[:0], &in), orders, false
			return t, nil
		}
	}
	if next == rollback.NoFrame || from >= next {
		return nil, nil
	}
	in, orders, _ := s.Input(p, from)
	t.input, t.orders, t.more = s.plan.Append(t.input[:0], &in), orders, from+1 < next
	return t, nil
}

// removePlayer removes a player from the match. A player that has yet to come back is removed as soon as it has.
func (s *simulator[S, I]) removePlayer(p Player, from Frame) error {
	err := s.Disconnect(p, from)
	if early := (*rollback.PlayerError)(nil); errors.As(err, &early) {
		s.removal = append(s.removal, removal{p, from})
		return nil
	}
	return err
}

// Tick runs a frame, and retries to remove the players that had not come yet.
func (s *simulator[S, I]) Tick() error {
	err := s.Engine.Tick()
	if s.note(); err != nil || len(s.removal) == 0 {
		return err
	}
	list := s.removal
	s.removal = nil
	for _, p := range list {
		if err := s.removePlayer(p.player, p.from); err != nil {
			return err
		}
	}
	return nil
}

// Settle simulates wrong frames again.
func (s *simulator[S, I]) Settle() error {
	defer s.note()
	return s.Engine.Settle()
}

// Load continues from an encoded state.
func (s *simulator[S, I]) Load(f Frame, encoded []byte) error {
	defer s.note()
	return s.Engine.Load(f, encoded)
}

// TakeInput decodes and adds the input and orders of a player for a frame.
func (s *simulator[S, I]) TakeInput(p Player, f Frame, input, orders []byte) error {
	var in I
	if err := s.plan.Decode(&in, input); err != nil {
		return err
	}
	return s.AddInput(p, f, in, orders)
}

// TakePlain does what TakeInput does, for an input without orders: nearly all are, and so many slices do not fit into
// registers.
func (s *simulator[S, I]) TakePlain(p Player, f Frame, input []byte) error {
	var in I
	if err := s.plan.Decode(&in, input); err != nil {
		return err
	}
	return s.AddInput(p, f, in, nil)
}

// AppendInput appends the encoded input of a known frame to b, and returns its orders.
func (s *simulator[S, I]) AppendInput(b []byte, p Player, f Frame) (input, orders []byte) {
	in, orders, _ := s.Input(p, f)
	return s.plan.Append(b, &in), orders
}

// OrdersOf returns the orders of a frame, and whether its input is known and still held.
func (s *simulator[S, I]) OrdersOf(p Player, f Frame) (orders []byte, held bool) {
	_, orders, status := s.Input(p, f)
	return orders, status == rollback.Confirmed
}

// agree advances agreement to the frames confirmed here, at most to most, and passes each agreed frame to record. It
// returns the number of frames after which the match ends, or [rollback.NoFrame] if no agreed frame
// has ended it.
func (s *simulator[S, I]) agree(most Frame, record recorder) (end Frame, err error) {
	n := min(s.Confirmed(), most)
	if agreed := s.Agreed(); n > agreed {
		if err := s.Agree(n); err != nil {
			return rollback.NoFrame, err
		}
	} else {
		n = agreed
	}
	for a := s.NextAgreed(); a != nil; a = s.NextAgreed() {
		if s.hooks.Agreed != nil {
			s.hooks.Agreed(a)
		}
		g := &s.passed
		g.Number, g.Hash, g.Hashed, g.Last, g.Encoded = a.Frame, a.Hash, a.Hashed, a.Finished, nil
		if s.agreed != nil {
			s.agreed.add(a)
		}
		if s.encoder != nil {
			g.Encoded = s.encoder.Encode(a)
		}
		record.takeFrame(g)
		if a.Finished || a.Frame+1 == n {
			break // no agreed frame follows the last one of a match
		}
	}
	if s.at.ending {
		if out, ok := s.Result(); ok {
			return out.Frame + 1, nil
		}
	}
	return rollback.NoFrame, nil
}

// prepare creates state 0 of a match.
func (s *simulator[S, I]) prepare(p Parameters) error {
	var init func(*S)
	if s.hooks.Start != nil {
		var err error
		if init, err = s.hooks.Start(p); err != nil {
			return err
		}
	}
	if s.agreed != nil {
		s.agreed.reset()
	}
	s.removal = nil
	defer s.note()
	return s.Restart(init)
}
