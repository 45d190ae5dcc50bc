package served

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/session/sight"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// ServerHooks are the functions that a server needs from the game besides its step. All of them may be nil.
type ServerHooks[S any, I comparable] struct {
	// Start returns a function that creates state 0, or an error if the match cannot be played; see session.Hooks.
	// It is required if there is a Sight and states contain a random generator.
	Start func(p stream.Parameters) (func(s *S), error)
	// Sight blanks in a copy of a state what player p must not know, and returns the players whose inputs p may
	// get. It must return the same for the same state, and must not change what it has already blanked. What it
	// leaves must not depend on a generator in the state: a client that knows a generator can predict its numbers.
	// With nil everybody may know everything.
	Sight func(s *S, p Player) PlayerSet
	// Correct returns the input to use in place of in, before Check sees it: a wrong claim of the client, such as
	// how late its picture is, can be corrected here. behind is how many ticks the newest state that the client
	// held when it made the input was before the tick of that input, as measured by the server, 0 to 255. The
	// result is played, sent and recorded as the player's input. Correct is also called for inputs that replace
	// missing ones.
	Correct func(s *S, p Player, in I, behind int) I
	// Check reports whether an input is allowed in this state; if not, the zero input is used.
	Check func(s *S, p Player, in I) bool
	// Carry merges an input that arrived too late into the next one of the same player.
	Carry func(late, next I) I
	// StandIn returns the input of a player that has not been heard for a while.
	StandIn func(s *S, p Player) I
	// Agreed is called with every tick, in order, before it is durable in a Journal; ticks that a server runs again from
	// its journal are not among them. The frame belongs to the engine and is valid during the call.
	Agreed func(a *rollback.Agreed[I])
}

// simulation implements world for a game.
type simulation[S any, I comparable] struct {
	*rollback.Engine[S, I]
	game    rollback.Definition[S, I]
	hooks   ServerHooks[S, I]
	plan    *canon.Plan[I]
	truth   *sight.Encoder[S, I]
	encoder *stream.Encoder[I]
	inputs  []I
	frame   stream.Frame // the frame that was agreed last
	stepped Frame        // maximum age of a baseline that is simulated to the newest state, in ticks
	again   bool         // the tick has run before, in another process
	denied  PlayerSet    // players whose inputs in the last tick were invalid, or refused by Check
}

func newSimulation[S any, I comparable](game rollback.Definition[S, I], cfg *ServerConfig, hooks ServerHooks[S, I]) (*simulation[S, I], error) {
	engine, err := rollback.New(game, rollback.Config{
		Players: cfg.Players, MaxOrders: cfg.MaxOrders, Stream: true, HashEvery: cfg.HashEvery, Probe: cfg.Probe,
		MaxEffects: cfg.MaxEffects, EffectTolerance: cfg.EffectTolerance, Clock: cfg.Clock,
	})
	if err != nil {
		return nil, err
	}
	plan, err := canon.PlanFor[I]()
	if err != nil {
		return nil, err
	}
	truth, err := sight.NewTruth(sight.Config[S, I]{Game: game, Players: cfg.Players, MaxOrders: cfg.MaxOrders, Sight: hooks.Sight})
	if err != nil {
		return nil, err
	}
	return &simulation[S, I]{
		Engine: engine, game: game, hooks: hooks, plan: plan, truth: truth, inputs: make([]I, cfg.Players),
		stepped: Frame(max(leastStepped, cfg.TickRate*3/5)),
	}, nil
}

// leastStepped is the minimum age, in ticks, up to which a baseline is simulated; at higher rates it is 0.6 s.
const leastStepped = 12

// InputSize returns the size of an encoded input in bytes.
func (s *simulation[S, I]) InputSize() int { return s.plan.Size() }

// Marshals reports whether the game can encode a state.
func (s *simulation[S, I]) Marshals() bool { return rollback.CapabilitiesOf(s.game).Marshal }

func (s *simulation[S, I]) encode(on bool) {
	switch {
	case !on:
		s.encoder = nil
	case s.encoder == nil:
		s.encoder = stream.NewEncoder(s.plan)
	}
}

func (s *simulation[S, I]) start(p stream.Parameters) error {
	var init func(*S)
	if s.hooks.Start != nil {
		var err error
		if init, err = s.hooks.Start(p); err != nil {
			return err
		}
	}
	if err := s.Restart(init); err != nil {
		return err
	}
	if err := s.checkSecrets(init != nil); err != nil {
		return err
	}
	hash, err := s.Hash()
	if err == nil {
		s.truth.Begin(0, s.State(), hash)
	}
	return err
}

// checkSecrets rejects a game whose state 0 reveals what its generators will produce. made says that state 0 was
// made for this match.
func (s *simulation[S, I]) checkSecrets(made bool) error {
	if s.hooks.Sight == nil {
		return nil
	}
	generators, err := sight.GeneratorsOf[S]()
	if err != nil {
		return err
	}
	if path, any := generators.First(); any && !made {
		return refusef("Start is required with a Sight: else state 0 is that of Init, with the generator %q, and every client can make it and predict what is drawn", path)
	}
	for p := range s.inputs {
		if err := generators.Check(s.hooks.Sight, s.State(), Player(p)); err != nil {
			return refusef("Sight: %w", err)
		}
	}
	return nil
}

func (s *simulation[S, I]) sequencing() (c sequencer.Config) {
	if s.hooks.StandIn != nil {
		c.StandIn = func(p Player, _ Frame, input []byte) {
			in := s.hooks.StandIn(s.State(), p)
			s.plan.Append(input[:0], &in)
		}
	}
	if s.hooks.Carry != nil {
		c.Carry = func(late, next []byte) {
			var l, n I
			if s.plan.Decode(&l, late[:s.plan.Size()]) != nil || s.plan.Decode(&n, next[:s.plan.Size()]) != nil {
				return
			}
			merged := s.hooks.Carry(l, n)
			s.plan.Append(next[:0], &merged)
		}
	}
	return c
}

func (s *simulation[S, I]) run(inputs, orders [][]byte, behind []int, gone PlayerSet, to taker) error {
	s.denied = 0
	for p := range s.inputs {
		var in I
		if !gone.Has(Player(p)) {
			err := s.plan.Decode(&in, inputs[p][:s.plan.Size()])
			if err == nil && s.hooks.Correct != nil {
				in = s.hooks.Correct(s.State(), Player(p), in, behind[p])
			}
			if err != nil || s.hooks.Check != nil && !s.hooks.Check(s.State(), Player(p), in) {
				s.denied |= rollback.SetOf(Player(p))
				in = *new(I)
			}
		}
		s.inputs[p] = in
	}
	return s.advance(orders, gone, to)
}

func (s *simulation[S, I]) feed(f *agreed.Frame, to taker) error {
	if err := stream.Decode(s.plan, s.inputs, f); err != nil {
		return err
	}
	s.again = true
	defer func() { s.again = false }()
	return s.advance(f.Orders, PlayerSet(f.Gone), to)
}

func (s *simulation[S, I]) resume(f Frame, encoded []byte, hash uint64) error {
	if err := s.Load(f, encoded); err != nil {
		return err
	}
	ours, err := s.Hash()
	switch {
	case err != nil:
		return err
	case ours != hash:
		return fmt.Errorf("state %d has the hash %#x here, and had %#x", f, ours, hash)
	}
	s.truth.Begin(f, s.State(), hash)
	return nil
}

// advance runs the next tick with the inputs of all players.
func (s *simulation[S, I]) advance(orders [][]byte, gone PlayerSet, to taker) error {
	if err := s.Feed(s.inputs, orders, gone); err != nil {
		return err
	}
	hash, err := s.Hash()
	if err != nil {
		return err
	}
	s.truth.Add(s.inputs, orders, gone, s.State(), hash)
	for a := s.NextAgreed(); a != nil; a = s.NextAgreed() {
		if s.hooks.Agreed != nil && !s.again {
			s.hooks.Agreed(a)
		}
		f := &s.frame
		*f = stream.Frame{Number: a.Frame, Hash: a.Hash, Hashed: a.Hashed, Last: a.Finished}
		if s.encoder != nil {
			f.Encoded = s.encoder.Encode(a)
		}
		to.take(f)
	}
	return nil
}

func (s *simulation[S, I]) refused() PlayerSet { return s.denied }

// update appends an update of the newest state for a player, relative to a baseline. With partial sight, the
// baseline is simulated to the newest state, unless it is so old that this would be expensive: a client chooses its
// baseline.
func (s *simulation[S, I]) update(b []byte, p Player, base Frame, plain bool, room int) ([]byte, bool) {
	plain = plain || s.hooks.Sight != nil && s.Frame()-base > s.stepped
	b, err := s.truth.Append(b, p, base, plain, room)
	return b, err == nil
}

func (s *simulation[S, I]) whole(b []byte, p Player) []byte {
	b, err := s.truth.AppendWhole(b, p, func(b []byte) ([]byte, error) { return s.Marshal(b, s.Frame()) })
	if err != nil {
		return nil
	}
	return b
}

func (s *simulation[S, I]) known(b []byte, p Player, f Frame) []byte {
	b, err := s.truth.AppendState(b, p, f)
	if err != nil {
		return nil
	}
	return b
}
