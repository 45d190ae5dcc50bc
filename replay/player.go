package replay

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/wire/agreed"
)

// PlayerOptions configures a player; the zero value plays any recording of the game.
type PlayerOptions[S any] struct {
	// Game is the name of the game in recordings: other recordings are refused. If empty, any is accepted.
	Game string
	// Build and Platform are those of this program. If those of a recording differ, it may play differently: see
	// [Player.Differences]. Empty ones are not compared.
	Build, Platform string
	// Start returns a function that makes state 0 of the match, or the reason why the match cannot be played. Nil, or
	// a nil function, means the game's own Init.
	Start func(h *tbr.Header) (func(s *S), error)
	// Cache is how many bytes of states are kept for jumps back: 0 means 64 MiB, and a negative value none.
	Cache int
	// MaxEffects, EffectTolerance, Clock and Probe are as in [rollback.Config].
	MaxEffects, EffectTolerance int
	Clock                       func() time.Duration
	Probe                       rollback.Probe
}

// DefaultCache is how many bytes of states a [Player] keeps by default.
const DefaultCache = 64 << 20

// Player plays a recording: forwards frame by frame, and from any frame. It is for one goroutine, and reads no clock.
// Its memory does not depend on the length of the recording.
type Player[S any, I comparable] struct {
	r      *tbr.Reader
	game   rollback.Capabilities[S]
	engine *rollback.Engine[S, I]
	plan   *canon.Plan[I]
	init   func(*S)
	inputs []I
	cursor *tbr.Cursor // its next frame is read
	read   uint32
	gone   rollback.PlayerSet
	cache  cache
	sounds sounds
	silent int // frames since effects were last read
	check  expected
	differ []*DifferenceError
	broken error // the reason why the current state is not valid
}

// DifferenceError is a difference between a recording and the game that is to play it.
type DifferenceError struct{ Item, Ours, Recorded string }

// Error names both values.
func (e *DifferenceError) Error() string {
	return fmt.Sprintf("replay: the %s is %s here, and %s in the recording", e.Item, e.Ours, e.Recorded)
}

// NewPlayer plays a recording, from its first frame. The errors are those of the engine,
// a [*DifferenceError] if the recording is not of this game, an error of Start, a
// [*rollback.CapabilityError] if it begins with a state and the game has no Unmarshal,
// and that of the reader if the beginning is damaged.
func NewPlayer[S any, I comparable](game rollback.Definition[S, I], r *tbr.Reader, o PlayerOptions[S]) (*Player[S, I], error) {
	plan, err := canon.PlanFor[I]()
	if err != nil {
		return nil, err
	}
	h := r.Header()
	p := &Player[S, I]{r: r, plan: plan, game: rollback.CapabilitiesOf(game), inputs: make([]I, h.Shape.Players)}
	p.check.wrong = rollback.NoFrame
	if err := p.suits(h, &o); err != nil {
		return nil, err
	}
	c := rollback.Config{
		Players: h.Shape.Players, MaxOrders: h.Shape.MaxOrders,
		MaxEffects: o.MaxEffects, EffectTolerance: o.EffectTolerance, Clock: o.Clock, Probe: o.Probe,
	}
	if p.game.Save {
		c.Snapshots = 2 // two states, to interpolate between them
	}
	if o.Cache == 0 {
		o.Cache = DefaultCache
	}
	if p.game.Save && o.Cache > 0 {
		p.cache = cache{budget: o.Cache, stride: rollback.Frame(h.TickRate)}
	}
	if p.engine, err = rollback.New(game, c); err != nil {
		return nil, err
	}
	if o.Start != nil {
		if p.init, err = o.Start(h); err != nil {
			return nil, err
		}
	}
	return p, p.enter(p.First())
}

// suits returns an error if the recording does not fit the game.
func (p *Player[S, I]) suits(h *tbr.Header, o *PlayerOptions[S]) error {
	quote := func(s string) string { return fmt.Sprintf("%q", s) }
	if o.Game != "" && o.Game != h.Game {
		return &DifferenceError{"game", quote(o.Game), quote(h.Game)}
	}
	if ours := p.plan.Size(); ours != h.Shape.InputSize {
		return &DifferenceError{"size of an input", fmt.Sprintf("%d bytes", ours), fmt.Sprintf("%d", h.Shape.InputSize)}
	}
	if o.Build != "" && o.Build != h.Build {
		p.differ = append(p.differ, &DifferenceError{"build", quote(o.Build), quote(h.Build)})
	}
	if o.Platform != "" && o.Platform != h.Platform {
		p.differ = append(p.differ, &DifferenceError{"platform", quote(o.Platform), quote(h.Platform)})
	}
	return nil
}

// Differences returns the differences between the recording and this program that can make it play differently: the
// build, or the platform.
func (p *Player[S, I]) Differences() []*DifferenceError { return p.differ }

// Reader returns the recording.
func (p *Player[S, I]) Reader() *tbr.Reader { return p.r }

// First returns the first frame of the recording, and Next the one after the last: Seek can go to the states from First
// to Next.
func (p *Player[S, I]) First() rollback.Frame { return rollback.Frame(p.r.First()) }

// Next returns the number of the frame after the last one.
func (p *Player[S, I]) Next() rollback.Frame { return rollback.Frame(p.r.Next()) }

// At returns the number of the current state, which is also that of the next frame to play.
func (p *Player[S, I]) At() rollback.Frame { return p.engine.Frame() }

// State returns the current state, and StateAt the one before it if it is held; see
// [rollback.Engine.StateAt].
func (p *Player[S, I]) State() *S { return p.engine.State() }

// StateAt returns a state, or nil if it is not held.
func (p *Player[S, I]) StateAt(f rollback.Frame) *S { return p.engine.StateAt(f) }

// Inspect returns a read-only view of the player's engine.
func (p *Player[S, I]) Inspect() rollback.Inspector[S, I] { return rollback.Inspect(p.engine) }

// Gone returns the players who were disconnected in the frame that was played last.
func (p *Player[S, I]) Gone() rollback.PlayerSet { return p.gone }

// Step plays the next frame. At the end of the recording, the error is exactly [io.EOF]. If the recording is damaged
// there, it is an error of the reader, and nothing has changed. Otherwise it is an error of the engine, or a
// [*PanicError] of the game, after which only [Player.Seek] helps. Each recorded hash is compared: see
// [Player.Checked].
func (p *Player[S, I]) Step() error {
	if err := p.step(); err != nil {
		return err
	}
	p.compare()
	if p.silent++; p.silent >= deaf {
		p.listen() // the application does not read effects
		p.sounds.landed(effects.Frame(p.At()))
	}
	p.cache.offer(p.engine)
	return nil
}

// deaf is the number of frames after which the player reads effects itself if the application does not, in order to
// know which of them are on. It is less than the engine keeps.
const deaf = rollback.MinHistory

// listen reads effects without reporting them.
func (p *Player[S, I]) listen() {
	p.silent = 0
	p.sounds.hear(p.engine.Effects())
}

// step plays the next frame, and does nothing else.
func (p *Player[S, I]) step() error {
	if p.broken != nil {
		return p.broken
	}
	at := uint32(p.At())
	if at >= p.r.Next() {
		return io.EOF
	}
	if p.cursor == nil || p.read != at {
		c, err := p.r.Frames(at)
		if err != nil {
			p.cursor = nil
			return err
		}
		p.cursor, p.read = c, at
	}
	f, err := p.cursor.Next()
	if err != nil {
		if p.cursor = nil; errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	p.read++
	size := p.plan.Size()
	for i := range p.inputs {
		if err := p.plan.Decode(&p.inputs[i], f.Inputs[i*size:(i+1)*size]); err != nil {
			return fmt.Errorf("replay: frame %d, player %d: %w", at, i, err)
		}
	}
	if p.broken = p.feed(f); p.broken != nil {
		return p.broken
	}
	p.gone = rollback.PlayerSet(f.Gone)
	return nil
}

// feed runs a frame. A frame's content may make the game panic; then the state is no longer valid.
func (p *Player[S, I]) feed(f *agreed.Frame) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = &PanicError{Value: panicked, Site: panicSite()}
		}
	}()
	return p.engine.Feed(p.inputs, f.Orders, rollback.PlayerSet(f.Gone))
}

// Effects returns the changes of effects since the last call, as in the live match. After a jump ([Player.Seek]), it
// returns what to end, move and start so that the sustained effects are right; one-shots are skipped. The events belong
// to the player and are valid until the next call of Step, Seek or Effects.
func (p *Player[S, I]) Effects() []effects.Event {
	p.silent = 0
	return p.sounds.tell(p.engine.Effects())
}

// Result returns the frame and result with which the game finished the match, if it finished in the frames played so
// far.
func (p *Player[S, I]) Result() (rollback.Outcome, bool) { return p.engine.Result() }

// Checked returns how many recorded hashes were compared, and the number of the first state that differed, or
// [rollback.NoFrame]. Frames simulated during a jump are not compared.
func (p *Player[S, I]) Checked() (compared uint64, wrong rollback.Frame) {
	return p.check.compared, p.check.wrong
}
