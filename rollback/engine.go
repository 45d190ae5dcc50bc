package rollback

import (
	"fmt"

	"github.com/tickback/tickback/rollback/effects"
)

// Engine runs one match of one game on one machine. It is single-threaded, and
// opens nothing, waits for nothing and reads no clock.
//
// In each tick period, the owner
//
//  1. gives the inputs that have arrived: [Engine.AddInput];
//  2. samples the local players who [Engine.NeedsInput]: [Engine.AddLocal];
//  3. runs a frame: [Engine.Tick]. A [*Stall] means: not yet, try again;
//  4. shows the state and the effects: [Engine.State], [Engine.Effects];
//  5. says what all peers have: [Engine.Agree], and reads the agreed frames:
//     [Engine.NextAgreed].
type Engine[S any, I comparable] struct {
	frame   Frame // the next to run; also the number of the current state
	window  Frame
	tail    Frame     // frames below it may run, as far as the owner's reading goes
	reserve Frame     // the frame at which old rows are given to frames ahead
	wrong   Frame     // earliest simulated frame with a wrong input, or NoFrame
	latest  Frame     // latest such frame; meaningful if wrong is not NoFrame
	base    Frame     // oldest frame whose inputs are held
	mask    Frame     // frame f is in row f & mask of the ring
	owed    PlayerSet // local players whose sample for the frame is missing
	all     PlayerSet
	local   PlayerSet
	remote  PlayerSet
	sparse  bool // rows have orders, or players who are away
	extras  bool // something beyond inputs and states is asked for
	players int
	rows    []row
	inputs  []I      // players of them for each row: received ones and predictions
	orders  [][]byte // likewise; nil without orders
	mem     memory[S, I]
	tick    Tick[I]

	agreed Frame
	who    [MaxPlayers]player

	start     Frame // of the match, here
	history   Frame
	snapshots Frame
	maxOrders int
	canStop   bool // a resimulation may stop early
	predict   Predictor[I]

	journal *effects.Journal // nil if the game declares no effects
	fresh   bool             // the journal has something to flush
	depth   Frame            // of the sync test
	stream  bool
	read    Frame // next frame of the agreed stream
	yielded Agreed[I]
	hashing hashing

	results []uint64 // of the rows that finished
	ended   bool     // a frame that is held has finished the match
	judged  Frame    // frames below it have been searched for the one that did
	over    bool
	outcome Outcome
	failure error // the match cannot go on
	stall   Stall
	stats   Stats
	meter   meter
}

// player is what an engine knows of one.
type player struct {
	next  Frame // inputs below are all known
	early int32 // how many are known beyond a gap
	delay Frame // of a local player
	away  absence
}

// New makes an engine with the state 0 of the game: a [Game] or an [OwnMemory].
// Everything that cannot work is refused here, with an error that names it.
func New[S any, I comparable](game Definition[S, I], cfg Config) (*Engine[S, I], error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := checkInput[I](); err != nil {
		return nil, err
	}
	mem, common, err := game.build(&cfg)
	if err != nil {
		return nil, err
	}
	e := &Engine[S, I]{
		mem: mem, predict: common.predict, canStop: mem.canStop(),
		players: cfg.Players, all: everyone(cfg.Players), local: cfg.Local,
		window: Frame(cfg.Window), history: Frame(cfg.History), snapshots: Frame(cfg.Snapshots),
		maxOrders: cfg.MaxOrders, depth: Frame(cfg.SyncTest), stream: cfg.Stream,
	}
	e.remote = e.all &^ e.local
	for p, d := range cfg.Delay {
		e.who[p].delay = Frame(d)
	}
	if err := e.setJournal(common.effects, &cfg); err != nil {
		return nil, err
	}
	e.allocate(&cfg)
	e.begin(0)
	e.mem.init()
	return e, nil
}

// setJournal sets up the journal.
func (e *Engine[S, I]) setJournal(kinds []effects.Declaration, cfg *Config) error {
	if len(kinds) == 0 {
		return nil
	}
	journal, err := effects.NewJournal(effects.Config{Kinds: kinds, MaxPerFrame: cfg.MaxEffects, History: cfg.History})
	if err != nil {
		return fmt.Errorf("rollback: %w", err)
	}
	e.journal, e.tick.emitter = journal, journal.Emitter()
	return nil
}

// allocate makes the ring: the frames held behind the current one, and as many
// ahead of it.
func (e *Engine[S, I]) allocate(cfg *Config) {
	size := 2 * cfg.History
	e.mask = Frame(size - 1)
	e.rows = make([]row, size)
	e.inputs = make([]I, size*e.players)
	if e.maxOrders > 0 {
		e.orders = make([][]byte, size*e.players)
	}
	e.tick.inputs, e.tick.orders, e.tick.players = e.inputs, e.orders, Player(e.players)
	if cfg.Stream && cfg.HashEvery > 0 {
		e.hashing = hashing{every: Frame(cfg.HashEvery), sums: make([]uint64, size)}
	}
	e.sparse = e.maxOrders > 0
	e.results = make([]uint64, size)
	e.extras = e.journal != nil || e.stream || e.depth > 0 || cfg.Clock != nil
	e.stats.Histogram = make([]uint64, max(cfg.Window, cfg.SyncTest)+1)
	e.meter.clock = cfg.Clock
}

// begin sets everything but the state to the beginning of a match, whose first
// frame is start.
func (e *Engine[S, I]) begin(start Frame) {
	e.frame, e.start, e.base, e.wrong = start, start, start, NoFrame
	e.agreed, e.read, e.judged = start, start, start
	e.ended, e.over, e.failure, e.fresh = false, false, nil, false
	clear(e.rows)
	clear(e.inputs)
	for i := range e.orders {
		e.orders[i] = e.orders[i][:0]
	}
	for p := range e.who {
		e.who[p] = player{next: start, delay: e.who[p].delay, away: present}
	}
	e.owed = e.local
	e.reserve = start + e.history
	e.release()
	e.stats.reset()
	if e.journal != nil {
		e.journal.Reset(start)
	}
}

// release lets the ring go on behind what the owner still needs.
func (e *Engine[S, I]) release() {
	if e.stream {
		e.tail = e.read + e.history
	} else {
		e.tail = min(e.agreed, lastFrame) + e.history
	}
}

// Restart begins another match of the same game, at frame 0. Delays stay as
// they are; statistics start over.
func (e *Engine[S, I]) Restart() {
	e.begin(0)
	e.mem.init()
}

// Frame returns the number of the next frame to run, which is also that of the
// current state.
func (e *Engine[S, I]) Frame() Frame { return e.frame }

// Players returns how many players the match has.
func (e *Engine[S, I]) Players() int { return e.players }

// State returns the current state. It is the engine's, valid and unchanged until
// the next call of Tick, Settle, Restart or Load; do not change it.
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

// Confirmed returns how many frames have all their inputs: those of frames below
// it are here. It may be ahead of [Engine.Frame]. It never goes back.
func (e *Engine[S, I]) Confirmed() Frame {
	c := NoFrame
	for p := range e.players & (2*MaxPlayers - 1) {
		c = min(c, e.who[p&(MaxPlayers-1)].next)
	}
	return c
}

// Next returns the first frame of which the input of player p is not known; for
// a player who has left for good, [NoFrame].
func (e *Engine[S, I]) Next(p Player) Frame { return e.who[p].next }

// fail ends the match.
func (e *Engine[S, I]) fail(err error) {
	if e.failure == nil {
		e.failure = err
	}
}
