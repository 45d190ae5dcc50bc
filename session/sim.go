package session

import (
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// Hooks are what a session asks of the game besides its step.
type Hooks[S any, I comparable] struct {
	// Sample returns what a local player does now. It is called exactly once for
	// each local player and new frame, before the frame is tried; never for a frame
	// that is simulated again.
	Sample func(p Player) I
	// Orders, if given, returns the orders of a local player, right after Sample.
	// They are copied.
	Orders func(p Player) []byte
	// Start returns what makes state 0 of a match with these parameters, or why
	// this machine cannot play it. A nil function is the game's own Init, and a nil
	// hook returns that for any parameters.
	Start func(p Parameters) (func(s *S), error)
	// Agreed, if given, sees every agreed frame, in order. The frame is the
	// engine's, valid during the call.
	Agreed func(a *rollback.Agreed[I])
}

// simulation is an engine as the machine sees it, with inputs as they are sent:
// what the machine does depends on no game.
type simulation interface {
	desync.Game
	Frame() Frame
	Confirmed() Frame
	Agreed() Frame
	Final() Frame
	Marshal(b []byte, f Frame) ([]byte, error)
	Next(p Player) Frame
	Tick() error
	Settle() error
	Disconnect(p Player, from Frame) error
	Connect(p Player, at Frame) error
	load(f Frame, encoded []byte) error
	feed(f *agreed.Frame, record func(stream.Frame)) error
	SetDelay(p Player, frames int) error
	Delay(p Player) (asked, actual int)
	Provisional() (rollback.Outcome, bool)
	Result() (rollback.Outcome, bool)
	Stats() rollback.Stats
	Hash() (uint64, error)

	inputSize() int
	sample(p Player) (next Frame, err error)
	receive(p Player, f Frame, input, orders []byte) error
	input(b []byte, p Player, f Frame) (input, orders []byte)
	has(p Player, f Frame) bool
	ordersOf(p Player, f Frame) []byte
	agree(most Frame, record func(stream.Frame)) error
	encode(on bool)
	Marshals() bool
	slow() bool
	capture(e *desync.Evidence, from Frame) (final Frame)
	remember(frames, bytes int) desync.Inputs
	marshal(b []byte) (encoded []byte, f Frame, err error)
	prepare(p Parameters) error
}

// simulator is the simulation of a game.
type simulator[S any, I comparable] struct {
	*rollback.Engine[S, I]
	plan  *canon.Plan[I]
	hooks Hooks[S, I]

	game       rollback.Definition[S, I]
	layout     *canon.Plan[S] // of a plain state, else nil
	canMarshal bool
	encoder    *encoder[I] // of agreed frames, if somebody wants them
	past       *past[I]    // to explain a desync; nil if nothing is kept
	orders     bool        // there can be some
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
	if _, plain := game.(rollback.Game[S, I]); plain {
		s.layout, err = canon.PlanFor[S](canon.AllowFloats) // the engine has checked whether there may be any
	}
	return s, err
}

func (s *simulator[S, I]) inputSize() int { return s.plan.Size() }

// sample samples a player who needs it, and returns the first frame that has no
// input of the player yet.
func (s *simulator[S, I]) sample(p Player) (next Frame, err error) {
	if !s.NeedsInput(p) {
		return s.Next(p), nil
	}
	in := s.hooks.Sample(p)
	var orders []byte
	if s.hooks.Orders != nil {
		orders = s.hooks.Orders(p)
	}
	err = s.AddLocal(p, in, orders)
	return s.Next(p), err
}

func (s *simulator[S, I]) receive(p Player, f Frame, input, orders []byte) error {
	var in I
	if err := s.plan.Decode(&in, input); err != nil {
		return err
	}
	return s.AddInput(p, f, in, orders)
}

// input appends the input of a frame that is known.
func (s *simulator[S, I]) input(b []byte, p Player, f Frame) (input, orders []byte) {
	in, orders, _ := s.Input(p, f)
	return s.plan.Append(b, &in), orders
}

// has reports whether the input of a frame is known, and held.
func (s *simulator[S, I]) has(p Player, f Frame) bool {
	_, _, status := s.Input(p, f)
	return status == rollback.Confirmed
}

// ordersOf returns the orders of a frame that is known.
func (s *simulator[S, I]) ordersOf(p Player, f Frame) []byte {
	_, orders, _ := s.Input(p, f)
	return orders
}

// agree moves agreement to what is confirmed here, and to most at most, and reads
// what is agreed.
func (s *simulator[S, I]) agree(most Frame, record func(stream.Frame)) error {
	n := min(s.Confirmed(), most)
	if n > s.Agreed() {
		if err := s.Agree(n); err != nil {
			return err
		}
	}
	for a := s.NextAgreed(); a != nil; a = s.NextAgreed() {
		if s.hooks.Agreed != nil {
			s.hooks.Agreed(a)
		}
		g := stream.Frame{Number: a.Frame, Hash: a.Hash, Hashed: a.Hashed, Last: a.Finished}
		if s.past != nil {
			s.past.add(a)
		}
		if s.encoder != nil {
			g.Encoded = s.encoder.encode(a)
		}
		record(g)
		if a.Finished || a.Frame+1 == n {
			break // once the match is over, what follows belongs to nobody
		}
	}
	return nil
}

// prepare makes state 0 of a match.
func (s *simulator[S, I]) prepare(p Parameters) error {
	var init func(*S)
	if s.hooks.Start != nil {
		var err error
		if init, err = s.hooks.Start(p); err != nil {
			return err
		}
	}
	if s.past != nil {
		s.past.reset()
	}
	return s.Restart(init)
}
