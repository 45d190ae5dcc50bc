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
	// The fields that every tick needs come first; they are computed beforehand.
	frame     Frame     // the next to run; also the number of the current state
	window    Frame     // how many frames may run beyond the confirmed ones
	tail      Frame     // frames below it may run; later ones wait until the owner has agreed on or read frames
	reserve   Frame     // the frame at which old rows are given to frames ahead
	wrong     Frame     // earliest simulated frame with a wrong input, or NoFrame
	latest    Frame     // latest such frame; meaningful if wrong is not NoFrame
	base      Frame     // oldest frame whose inputs are held
	mask      Frame     // frame f is in row f & mask of the ring
	ahead     Frame     // this many frames from the current one on certainly have a row
	agreed    Frame     // frames below it are known to all peers
	sure      Frame     // counts below it can be agreed without checking the players; see Agree
	owed      PlayerSet // local players whose sample for the frame is missing
	all       PlayerSet
	local     PlayerSet
	remote    PlayerSet
	irregular PlayerSet // players with inputs beyond a gap, or with an absence to come
	sparse    bool      // rows have orders or absent players
	extras    bool      // something beyond inputs and states is needed
	careful   bool      // frames need more than a copy and a step
	players   int
	rows      []row
	inputs    []I               // one for each player in each row: received or predicted
	next      [MaxPlayers]Frame // inputs below are all known
	delay     [MaxPlayers]Frame // of local players
	mem       memory[S, I]
	tick      Tick[I]

	orders    [][]byte          // like inputs; nil without orders
	early     [MaxPlayers]int32 // how many inputs are known beyond a gap
	away      [MaxPlayers]absence
	start     Frame     // the first frame that this engine runs
	given     Frame     // the newest state that was set by Load, Restore, Restart or Correct
	supposing PlayerSet // players of whom an input has been supposed
	history   Frame
	snapshots Frame
	maxOrders int
	canStop   bool // a resimulation may stop early
	predict   Predictor[I]

	journal *effects.Journal // nil if the game declares no effects
	fresh   bool             // the journal has something to flush
	missed  []effects.Event  // from flushes that the engine did by itself; the owner has not read them yet
	flushed Frame            // the frame of the last flush
	depth   Frame            // of the sync test
	stream  bool
	read    Frame // next frame of the agreed stream
	yielded Agreed[I]
	hashing hashing

	results []uint64 // of the rows that finished
	ended   bool     // a frame that is held finished the match
	judged  Frame    // frames below it have been searched for the one that finished the match
	over    bool
	outcome Outcome
	failure error // the match cannot go on
	stall   Stall
	stats   Stats
	meter   meter
	probe   Probe // or nil
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
	cfg.HashEvery = orDefault(cfg.HashEvery, DefaultHashInterval(game, MostHashInterval))
	mem, common, err := game.build(&cfg)
	if err != nil {
		return nil, err
	}
	if err := common.admit(cfg.Players); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	e := &Engine[S, I]{
		mem: mem, predict: common.predict, canStop: mem.canStop(),
		players: cfg.Players, all: everyone(cfg.Players), local: cfg.Local,
		window: Frame(cfg.Window), history: Frame(cfg.History), snapshots: Frame(cfg.Snapshots),
		maxOrders: cfg.MaxOrders, depth: Frame(cfg.SyncTest), stream: cfg.Stream,
	}
	e.remote = e.all &^ e.local
	for p, d := range cfg.Delay {
		e.delay[p] = Frame(d)
	}
	if err := e.setJournal(common.effects, &cfg); err != nil {
		return nil, err
	}
	e.allocate(&cfg)
	e.begin(0)
	return e, nil
}

// setJournal makes the journal, if the game declares effects.
func (e *Engine[S, I]) setJournal(kinds []effects.Declaration, cfg *Config) error {
	if len(kinds) == 0 {
		return nil
	}
	journal, err := effects.NewJournal(effects.Config{
		Kinds: kinds, MaxPerFrame: cfg.MaxEffects, Tolerance: cfg.EffectTolerance,
		History: 2*cfg.History + 1, // frames not agreed yet, and frames whose events were not read
	})
	if err != nil {
		return fmt.Errorf("rollback: %w", err)
	}
	e.journal, e.tick.emitter = journal, journal.Emitter()
	return nil
}

// allocate makes the ring: rows for the frames held behind the current one, and for as many frames ahead.
func (e *Engine[S, I]) allocate(cfg *Config) {
	size := 2 * cfg.History
	e.mask = Frame(size - 1)
	e.ahead = e.mask - e.history - e.history/reserveShare - 1
	e.rows = make([]row, size)
	e.inputs = make([]I, size*e.players)
	if e.maxOrders > 0 {
		e.orders = make([][]byte, size*e.players)
	}
	t := &e.tick
	t.inputs, t.orders, t.rows, t.mask, t.next = e.inputs, e.orders, e.rows, e.mask, &e.next
	t.newest, t.players, t.testing = &e.frame, Player(e.players), e.depth > 0
	if cfg.Stream && cfg.HashEvery > 0 {
		e.hashing = hashing{every: Frame(cfg.HashEvery), sums: make([]uint64, size)}
	}
	e.results = make([]uint64, size)
	e.extras = e.journal != nil || e.stream || e.depth > 0 || cfg.Clock != nil || cfg.Probe != nil
	e.probe = cfg.Probe
	e.stats.Histogram = make([]uint64, max(cfg.Window, cfg.SyncTest)+1)
	e.meter.clock = cfg.Clock
}

// begin resets everything except the state to the beginning of a match whose first frame is start.
func (e *Engine[S, I]) begin(start Frame) {
	e.frame, e.start, e.given, e.base, e.wrong = start, start, start, start, NoFrame
	e.agreed, e.read, e.judged, e.flushed = start, start, start, start
	e.ended, e.over, e.failure, e.fresh, e.missed = false, false, nil, false, e.missed[:0]
	clear(e.rows)
	clear(e.inputs)
	for i := range e.orders {
		e.orders[i] = emptied(e.orders[i])
	}
	for p := range e.next {
		e.next[p], e.early[p], e.away[p] = start, 0, present
	}
	e.owed, e.irregular, e.supposing, e.sparse = e.local, 0, 0, e.maxOrders > 0
	e.updateFast()
	e.reserve = start + e.history
	e.release()
	e.stats.reset()
	if e.journal != nil {
		e.journal.Reset(start)
	}
}

// updateFast notes whether frames need more than a copy and a step.
func (e *Engine[S, I]) updateFast() {
	e.careful = e.snapshots == 1 || e.journal != nil || e.depth > 0 || e.tick.meter != nil || e.ended
}

// release lets the ring reuse the rows that the owner no longer needs.
func (e *Engine[S, I]) release() {
	e.sure = 0
	switch {
	case e.failure != nil:
		e.tail = 0
	case e.stream:
		e.tail = min(e.read+e.history, lastFrame)
	case e.remote == 0:
		e.tail = lastFrame
	default:
		e.tail = min(e.agreed+e.history, lastFrame)
	}
}

// Restart begins another match of the same game, at frame 0, in the memory of this one. With init, state 0 is what init
// makes of a zero state (or, for a game with its own memory, of the live one); with nil it is what the game's Init
// makes. Delays stay and statistics are reset. The engine forgets the effects that are shown: stop them. A game with
// its own memory that has neither Init nor New gets a [*CapabilityError] once a frame has run, and the match goes on.
func (e *Engine[S, I]) Restart(init func(s *S)) error {
	if err := e.mem.init(init); err != nil {
		return err
	}
	e.begin(0)
	return nil
}

// Frame returns the number of the next frame to run, which is also the number of the
// current state.
func (e *Engine[S, I]) Frame() Frame { return e.frame }

// Players returns how many players the match has.
func (e *Engine[S, I]) Players() int { return e.players }

// State returns the current state. It belongs to the engine and is valid and unchanged until the next call of Tick,
// Settle, Correct, Restart or Load. Do not change it.
func (e *Engine[S, I]) State() *S { return e.mem.state(e.frame) }

// StateAt returns state f, or nil if the engine does not hold it as a value: it
// holds the newest [Config.Snapshots] states of a plain game, and the current
// one of a game with its own memory. The rules of [Engine.State] apply.
func (e *Engine[S, I]) StateAt(f Frame) *S {
	if f > e.frame || f < e.oldest() {
		return nil
	}
	return e.mem.state(f)
}

// oldest returns the number of the oldest state held.
func (e *Engine[S, I]) oldest() Frame {
	if e.frame-e.start < e.snapshots {
		return e.start
	}
	return e.frame - e.snapshots + 1
}

// Confirmed returns how many frames have all their inputs: this engine has the inputs of all frames below that number.
// It may be ahead of [Engine.Frame]. It never decreases, with one exception: [Engine.Connect] sets it back to the frame
// in which a player returns. That frame is not below [Engine.Frame] or [Engine.Agreed], so nothing that has run or was
// agreed changes. An owner that reports the confirmed count to others must not have reported a larger one. When all
// players have left, Confirmed is the frame at which the last of them left or failed to come back, or the current
// frame.
func (e *Engine[S, I]) Confirmed() Frame {
	c := e.known()
	if c == NoFrame {
		c = e.frame
		for p := range e.players {
			c = max(c, e.away[p].cut)
		}
	}
	return c
}

// known returns how many frames have all their inputs, or [NoFrame] if no player is left.
func (e *Engine[S, I]) known() Frame {
	c := e.next[0]
	for p := 1; p < e.players; p++ {
		c = min(c, e.next[Player(p).index()])
	}
	return c
}

// Next returns the first frame for which the input of player p is not known. It is
// [NoFrame] for a player that does not come back, or is not in the match.
func (e *Engine[S, I]) Next(p Player) Frame {
	if !e.all.Has(p) {
		return NoFrame
	}
	return e.next[p]
}

// fail ends the match.
func (e *Engine[S, I]) fail(err error) {
	if e.failure == nil {
		e.failure = err
		e.release()
	}
}
