package served

import (
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/session/sight"
	"github.com/tickback/tickback/session/stream"
)

// ServerHooks are what a server asks of the game besides its step. All of them may be nil.
type ServerHooks[S any, I comparable] struct {
	// Start returns what makes state 0, or why the match cannot be played; see session.Hooks. It is
	// required if there is a Sight and states hold a random generator.
	Start func(p stream.Parameters) (func(s *S), error)
	// Sight blanks in a copy of a state what player p must not know, and returns whose inputs p may
	// be told. It must give the same for the same state, and change nothing that it has blanked
	// already. What it leaves must not depend on a generator of the state: whoever knows one predicts
	// what is drawn. Nil: everybody may know everything.
	Sight func(s *S, p Player) PlayerSet
	// Correct returns what counts in the place of an input, before Check looks at it: what is wrong with a
	// claim of the client, such as how late its picture is, can be put right. behind is how many
	// ticks before the tick of the input the newest state was that the client held when it made it, as
	// the server has measured it, 0 to 255. What it returns is played, told and recorded as the
	// player's input. It is called for what replaces missing inputs, too.
	Correct func(s *S, p Player, in I, behind int) I
	// Check reports whether a player may do that in this state; otherwise it does nothing.
	Check func(s *S, p Player, in I) bool
	// Carry merges an input that came too late into the next one of its player.
	Carry func(late, next I) I
	// StandIn plays for a player that has not been heard of for a while.
	StandIn func(s *S, p Player) I
	// Agreed sees every tick, in order. It is the engine's, valid during the call.
	Agreed func(a *rollback.Agreed[I])
}

// simulation is the world of a game.
type simulation[S any, I comparable] struct {
	*rollback.Engine[S, I]
	game    rollback.Definition[S, I]
	hooks   ServerHooks[S, I]
	plan    *canon.Plan[I]
	truth   *sight.Encoder[S, I]
	encoder *stream.Encoder[I]
	inputs  []I
	frame   stream.Frame // that was agreed last
	stepped Frame        // the oldest baseline that is run on, in ticks
	denied  PlayerSet    // whose inputs of the last tick were no inputs, or were refused by Check
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

// leastStepped is for how many ticks a baseline is run on at least; at higher rates it is 0.6 s.
const leastStepped = 12

func (s *simulation[S, I]) InputSize() int { return s.plan.Size() }

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

// checkSecrets refuses a game that gives away, with state 0, what its generators will draw. made says that
// state 0 was made for this match.
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
	if err := s.Feed(s.inputs, orders, gone); err != nil {
		return err
	}
	hash, err := s.Hash()
	if err != nil {
		return err
	}
	s.truth.Add(s.inputs, orders, gone, s.State(), hash)
	for a := s.NextAgreed(); a != nil; a = s.NextAgreed() {
		if s.hooks.Agreed != nil {
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

// update appends an update of the newest state for a player, from a baseline. With partial sight,
// that is run on to the newest state, unless it is so old that this would cost much: a client chooses
// its baseline.
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
