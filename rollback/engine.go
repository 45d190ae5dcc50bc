package rollback

import (
	"fmt"

	"github.com/tickback/tickback/rollback/effects"
)

// Engine runs one match of one game on one machine. It is single-threaded. It opens nothing, never waits and reads no
// clock.
//
// In each tick period, the owner
//
//  1. adds the inputs that have arrived: [Engine.AddInput];
//  2. samples the local players that need it ([Engine.NeedsInput]): [Engine.AddLocal];
//  3. runs a frame: [Engine.Tick]. A [*Stall] means: not yet, try again;
//  4. says what all peers have: [Engine.Agree], and reads the agreed frames, if it
//     asked for them: [Engine.NextAgreed];
//  5. shows the state and the effects: [Engine.State], [Engine.Effects].
type Engine[S any, I comparable] struct {
	core[I]
	mem memory[S, I] // the states of core, as values
}

// core is all of an engine that does not know the type of its states. It is compiled once for each type of inputs, and
// not for each game.
type core[I comparable] struct {
	inputs    inputs[I]   // what the players do, and which frame runs next
	sampling  sampling[I] // when local players are sampled
	agreement agreement   // what all peers have, or why the match cannot go on
	steps     steps[I]    // what steps see and say
	states    states[I]   // what they have made

	window  Frame // how many frames may run beyond the confirmed ones
	depth   Frame // of the sync test
	watched bool  // something beyond inputs and states is needed
	yielded Agreed[I]
	stall   Stall
	stalls  uint64
}

// New makes an engine with state 0 of the game: a [Game] or an [OwnMemory]. A configuration that cannot work is refused
// with an error that names the problem.
func New[S any, I comparable](game Definition[S, I], cfg Config) (*Engine[S, I], error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := checkInput[I](); err != nil {
		return nil, err
	}
	cfg.HashEvery = orDefault(cfg.HashEvery, DefaultHashInterval(game, mostHashInterval))
	mem, common, err := game.build(&cfg)
	if err != nil {
		return nil, err
	}
	e := &Engine[S, I]{mem: mem}
	if err := e.open(mem, common, &cfg); err != nil {
		return nil, err
	}
	return e, nil
}

// open makes an engine with these states, where it is. The current one is state 0.
func (e *core[I]) open(mem store[I], common common[I], cfg *Config) (err error) {
	if err := common.admit(cfg.Players); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	*e = core[I]{
		inputs: newInputs(cfg, common.predict), sampling: newSampling[I](cfg), states: newStates(mem, cfg),
		window: Frame(cfg.Window), depth: Frame(cfg.SyncTest),
	}
	e.agreement = agreement{history: Frame(cfg.History), stream: cfg.Stream, alone: e.inputs.remote == 0}
	if e.steps, err = newSteps(&e.inputs, common.effects, cfg); err != nil {
		return err
	}
	e.watched = e.steps.effects.journal != nil || e.depth > 0 || cfg.Clock != nil || cfg.Probe != nil
	e.begin(0, nil)
	return nil
}

// begin resets everything except the state to the beginning of a match whose first frame is start. The owner still has
// to read the missed effects.
func (e *core[I]) begin(start Frame, missed []effects.Event) {
	e.inputs.reset(start)
	e.sampling.next(0)
	e.agreement.reset(start)
	e.steps.reset(start, missed)
	e.states.reset(start)
	e.stalls = 0
}

// Restart begins another match of the same game, at frame 0, in the memory of this one. With init, state 0 is what
// init turns a zero state into (or the live one, for a game with its own memory); with nil it is what the game's Init
// makes. Delays stay and statistics are reset. The engine forgets the effects that are shown: stop them. A game with
// its own memory that has neither Init nor New gets a [*CapabilityError] once a frame has run, and the match
// continues.
func (e *Engine[S, I]) Restart(init func(s *S)) error {
	if err := e.mem.init(init); err != nil {
		return err
	}
	e.begin(0, nil)
	return nil
}

// Frame returns the number of the next frame to run, which is also the number of the
// current state.
func (e *core[I]) Frame() Frame { return e.inputs.frame }

// Players returns how many players the match has.
func (e *core[I]) Players() int { return e.inputs.ring.players }

// State returns the current state. It belongs to the engine and is valid and unchanged until the next call of Tick,
// Settle, Correct, Restart or Load. Do not change it.
func (e *Engine[S, I]) State() *S { return e.mem.state(e.inputs.frame) }

// StateAt returns state f, or nil if the engine does not hold it as a value: it
// holds the newest [Config.Snapshots] states of a plain game, and the current
// one of a game with its own memory. The rules of [Engine.State] apply.
func (e *Engine[S, I]) StateAt(f Frame) *S {
	if f > e.inputs.frame || f < e.states.oldest(e.inputs.frame) {
		return nil
	}
	return e.mem.state(f)
}

// Confirmed returns how many frames have all their inputs: this engine has the inputs of all frames below that number.
// It may be ahead of [Engine.Frame]. It never decreases, with one exception: [Engine.Connect] sets it back to the frame
// in which a player returns. That frame is not below [Engine.Frame] or [Engine.Agreed], so nothing that has run or was
// agreed changes. An owner that reports the confirmed count to others must not have reported a larger one. When all
// players have left, Confirmed is the frame at which the last of them left or failed to come back, or the current
// frame.
func (e *core[I]) Confirmed() Frame {
	if e.inputs.known != NoFrame {
		return e.inputs.known
	}
	return e.inputs.away.lastCut(e.inputs.frame, e.inputs.ring.players)
}

// Next returns the first frame for which the input of player p is not known. It is
// [NoFrame] for a player that does not come back, or is not in the match.
func (e *core[I]) Next(p Player) Frame {
	if !e.inputs.roster.all.Has(p) {
		return NoFrame
	}
	return e.inputs.next[p]
}
