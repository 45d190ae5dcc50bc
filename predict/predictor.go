package predict

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/tickback/tickback/canon"
)

// Player is the number of a player; the game decides how players are numbered.
type Player uint32

// Frame is the number of a state of the server. Later states have higher numbers.
type Frame uint32

// Tick is the number of a move of one player. Later moves have higher numbers. The first one is 1, unless the server
// continues an earlier count (see [Predictor.Accept]). As an acknowledgement, it covers all moves up to it, and 0 none.
type Tick uint32

// Move is what a player did for some time. It is what a client sends to the server.
type Move[I comparable] struct {
	Tick  Tick
	Input I
	For   time.Duration
}

// Update is a message of the server about one player: the state at its frame, which includes all moves up to Acked, and
// no others.
type Update[S any] struct {
	Player Player
	Frame  Frame
	Acked  Tick
	State  S
}

// Correction is the effect of an update on the prediction.
type Correction[S any] struct {
	// Taken is false for an update that is not newer than the last one: Before and After are the same state.
	Taken bool
	// Before and After are the predicted states without and with the update. If they are equal, the prediction was
	// right. They belong to the predictor, and can be read until the next move, update or rebuild.
	Before, After *S
}

// Limits of [Config.Room].
const (
	DefaultRoom = 128     // the least by default: 6.4 s of moves at 20 a second
	MaxRoom     = 1 << 14 // bounds the cost of a replay
)

// Config configures a [Predictor]. States and inputs are plain values of fixed width, as those of a rollback.Game are:
// an assignment copies them, and they are the same on all machines. Floats are allowed.
type Config[S any, I comparable] struct {
	Motion[S, I]

	// Player is the player whose moves these are. States of other players are refused.
	Player Player

	// Room is how many moves can be pending, 1 to [MaxRoom]: at least the moves of one round trip, and of the longest
	// silence that the player should not notice. The default is 2 s of moves, one for each Cadence, but at least
	// [DefaultRoom].
	Room int
}

// check returns an [ErrConfig] that says what is wrong, or nil.
func (c *Config[S, I]) check() error {
	_, badState := canon.PlanFor[S](canon.AllowFloats)
	_, badInput := canon.PlanFor[I](canon.AllowFloats)
	switch {
	case c.Step == nil:
		return fmt.Errorf("%w: Step is missing", ErrConfig)
	case c.Cadence <= 0:
		return fmt.Errorf("%w: Cadence is %v, and has to be the server's tick, above 0", ErrConfig, c.Cadence)
	case c.Unit < 0 || c.Cadence%c.unit() != 0:
		return fmt.Errorf("%w: Unit is %v, of which Cadence, %v, is no multiple", ErrConfig, c.Unit, c.Cadence)
	case c.longest() < c.Cadence:
		return fmt.Errorf("%w: Longest is %v, less than Cadence, %v", ErrConfig, c.Longest, c.Cadence)
	case c.Room < 0 || c.Room > MaxRoom:
		return fmt.Errorf("%w: Room is %d, not 1 to %d", ErrConfig, c.Room, MaxRoom)
	case badState != nil:
		return fmt.Errorf("%w: the state: %w", ErrConfig, badState)
	case badInput != nil:
		return fmt.Errorf("%w: the input: %w", ErrConfig, badInput)
	}
	return nil
}

// Predictor is a client's own player, ahead of the server: the last state from the server, and on top of it the moves
// that the server has not acknowledged.
type Predictor[S any, I comparable] struct {
	config  Config[S, I]
	base    S         // what the server last said
	now     S         // base, moved by all pending moves
	before  S         // the value of now before the last correction
	pending []Move[I] // oldest first, by ascending tick; allocated once, with a capacity of Room
	account Account

	newest   Tick  // the newest move that was made; before the first one here, the server's newest
	acked    Tick  // the newest acknowledged move
	frame    Frame // of base
	accepted bool  // an update was accepted
}

// New returns a predictor that starts from s, as the server starts the player. The error is [ErrConfig].
func New[S any, I comparable](s S, c Config[S, I]) (*Predictor[S, I], error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c.Room = cmp.Or(c.Room, int(min(max(DefaultRoom, 2*time.Second/c.Cadence), MaxRoom)))
	return &Predictor[S, I]{
		config: c, base: s, now: s, pending: make([]Move[I], 0, c.Room),
		account: Account{Limit: max(DefaultLimit, c.Cadence)}, // with less than Cadence no move would ever be due
	}, nil
}

// Do makes the next move at once, and returns it; send it to the server. A duration of 0 is a move that changes
// nothing, and is acknowledged like any other. The error is [ErrDuration], [ErrFull], or [ErrOrder] after 2^32-1 moves.
func (p *Predictor[S, I]) Do(in I, d time.Duration) (Move[I], error) {
	m := Move[I]{Tick: p.newest + 1, Input: in, For: d} // after the last tick this is 0, which Play refuses
	if err := p.Play(m); err != nil {
		return Move[I]{}, err
	}
	return m, nil
}

// Play makes a move that has a tick already, above that of the move before it: for clients whose ticks are frames of
// the server, some of which they may skip. The error is [ErrDuration], [ErrFull] or [ErrOrder].
func (p *Predictor[S, I]) Play(m Move[I]) error {
	switch err := p.config.Check(m.For); {
	case err != nil:
		return err
	case m.Tick <= p.newest:
		return fmt.Errorf("%w: %d after %d", ErrOrder, m.Tick, p.newest)
	case len(p.pending) == p.config.Room:
		return ErrFull
	}
	p.config.Apply(&p.now, m.Input, m.For)
	p.pending = append(p.pending, m)
	p.newest = m.Tick
	return nil
}

// Advance adds time that has passed to an [Account], when it is called, and yields the moves that are due as it makes
// them. Each is as long as the cadence, with the result of sample as its input. Send each to the server. Time that is
// not enough for a move stays in the account, and so does the rest when the caller stops the iteration, or when there is
// no room for a move: then it yields [ErrFull], and calls no sample.
func (p *Predictor[S, I]) Advance(d time.Duration, sample func() I) iter.Seq2[Move[I], error] {
	p.account.Add(d)
	return func(yield func(Move[I], error) bool) { p.play(sample, yield) }
}

func (p *Predictor[S, I]) play(sample func() I, yield func(Move[I], error) bool) {
	for p.account.Balance() >= p.config.Cadence {
		if len(p.pending) == p.config.Room {
			yield(Move[I]{}, ErrFull)
			return
		}
		p.account.Take(p.config.Cadence)
		if !yield(p.Do(sample(), p.config.Cadence)) {
			return
		}
	}
}

// Accept takes an update from the server: the state, which it copies, becomes the base; the moves that the update
// acknowledges are removed; and all others are replayed on top. These stay pending: a replay does not consume a move.
//
// The first update may come before the first move, from a server that continues an earlier count: it has made moves of
// this player before, from an earlier client. Then the moves made here are numbered from u.Acked+1 on. A client that
// moves before the first update from such a server numbers its moves with [Predictor.Play].
//
// An update that is not later than the last one is ignored, since datagrams are late and doubled. The error is
// [ErrPlayer], [ErrFuture] or [ErrAckBack].
func (p *Predictor[S, I]) Accept(u *Update[S]) (Correction[S], error) {
	none := Correction[S]{Before: &p.now, After: &p.now}
	uncounted := !p.accepted && p.newest == 0 // the number of the next move is not known yet
	switch {
	case u.Player != p.config.Player:
		return none, fmt.Errorf("%w: %d, and this is player %d", ErrPlayer, u.Player, p.config.Player)
	case u.Acked > p.newest && !uncounted:
		return none, fmt.Errorf("%w: %d, and the newest is %d (a server that counts on has to be heard before the first move, or moves be numbered with Play)", ErrFuture, u.Acked, p.newest)
	case u.Acked < p.acked && u.Frame > p.frame:
		return none, fmt.Errorf("%w: up to %d in frame %d, and %d in frame %d", ErrAckBack, u.Acked, u.Frame, p.acked, p.frame)
	case p.accepted && u.Frame <= p.frame:
		return none, nil
	}
	if uncounted {
		p.newest = u.Acked
	}
	p.accepted, p.frame, p.acked, p.base = true, u.Frame, u.Acked, u.State
	p.pending = slices.DeleteFunc(p.pending, func(m Move[I]) bool { return m.Tick <= u.Acked })
	return p.Rebuild(), nil
}

// Rebuild replays all pending moves on top of the last state from the server. The result is the current prediction,
// however often it is called, unless something changed that the step depends on, such as the map.
func (p *Predictor[S, I]) Rebuild() Correction[S] {
	p.before = p.now
	p.now = p.base
	for _, m := range p.pending {
		p.config.Apply(&p.now, m.Input, m.For)
	}
	return Correction[S]{Taken: true, Before: &p.before, After: &p.now}
}

// State returns the predicted state, which belongs to the predictor: only read it, and only until the next call. Its
// address is always the same.
func (p *Predictor[S, I]) State() *S { return &p.now }

// Pending yields the moves that the server has not acknowledged, oldest first. It consumes nothing. Do not make moves
// or accept updates during the iteration.
func (p *Predictor[S, I]) Pending() iter.Seq[Move[I]] { return slices.Values(p.pending) }

// Len returns how many moves are pending, 0 to Config.Room.
func (p *Predictor[S, I]) Len() int { return len(p.pending) }

// Balance returns the time given to [Predictor.Advance] that is not enough for a move yet. Divided by the cadence it is
// how far to interpolate between two states.
func (p *Predictor[S, I]) Balance() time.Duration { return p.account.Balance() }
