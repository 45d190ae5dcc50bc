package predict

import (
	"fmt"
	"iter"
	"math"
	"time"
)

// Predictor is a client's own player, ahead of the server: the last state from the server, and on top of it the moves
// that the server has not acknowledged.
type Predictor[S any, I comparable] struct {
	config  Config[S, I]
	base    S // what the server last said
	now     S // base, moved by all pending moves
	before  S // the value of now before the last correction
	pending queue[I]
	account Account

	newest   Tick  // the newest move that was made; before the first one here, the server's newest
	acked    Tick  // the newest acknowledged move
	frame    Frame // of base
	accepted bool  // an update was accepted

	full  error // made once, since it may be returned in every tick
	stats Stats
}

// Stats counts what a predictor has done.
type Stats struct {
	Moves    uint64 // made
	Accepted uint64 // updates
	Old      uint64 // updates that came after later ones, and were ignored
	Repeated uint64 // updates that were repeated, and were ignored
	Refused  uint64 // updates that were errors
	Replayed uint64 // moves replayed
}

// New returns a predictor that starts from s, which it copies: the state in which
// the server starts the player. The error is [ErrConfig].
func New[S any, I comparable](s S, c Config[S, I]) (*Predictor[S, I], error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	p := &Predictor[S, I]{config: c, pending: newQueue[I](c.Room), account: Account{Limit: c.Hitch}}
	for _, dst := range []*S{&p.base, &p.now, &p.before} {
		c.copy(dst, &s)
	}
	p.full = fmt.Errorf("%w: %d, which is Config.Room", ErrFull, c.Room)
	return p, nil
}

// Do makes the next move at once, and returns it; send it to the server. A duration of 0 is a move that changes
// nothing, and is acknowledged like any other. The error is [ErrDuration], [ErrFull], or [ErrOrder] after 2^32-1 moves.
func (p *Predictor[S, I]) Do(in I, d time.Duration) (Move[I], error) {
	if p.newest == math.MaxUint32 {
		return Move[I]{}, fmt.Errorf("%w: %d was the last", ErrOrder, p.newest)
	}
	m := Move[I]{Tick: p.newest + 1, Input: in, For: d}
	if err := p.Play(m); err != nil {
		return Move[I]{}, err
	}
	return m, nil
}

// Play makes a move that has a tick already, above that of the move before it: for
// clients whose ticks are frames of the server, some of which they may skip. The
// error is [ErrDuration], [ErrFull] or [ErrOrder].
func (p *Predictor[S, I]) Play(m Move[I]) error {
	switch err := p.config.Check(m.For); {
	case err != nil:
		return err
	case m.Tick <= p.newest:
		return fmt.Errorf("%w: %d after %d", ErrOrder, m.Tick, p.newest)
	case p.pending.full():
		return p.full
	}
	p.config.Apply(&p.now, m.Input, m.For)
	p.pending.push(m)
	p.newest = m.Tick
	p.stats.Moves++
	return nil
}

// Advance adds time that has passed, when it is called, and yields the moves that are due as it makes them. Each is as
// long as the cadence, with the result of sample as its input. Send each to the server. Time that is not enough for a
// move stays in the account, and so does the rest when the caller stops the iteration.
//
// If there is no room for a move it yields [ErrFull], calls no sample, and ends; the time stays in the account, up to
// Config.Hitch.
func (p *Predictor[S, I]) Advance(d time.Duration, sample func() I) iter.Seq2[Move[I], error] {
	p.account.Add(d)
	return func(yield func(Move[I], error) bool) { p.play(sample, yield) }
}

func (p *Predictor[S, I]) play(sample func() I, yield func(Move[I], error) bool) {
	for p.account.Has(p.config.Cadence) {
		if p.pending.full() {
			yield(Move[I]{}, p.full)
			return
		}
		p.account.Take(p.config.Cadence)
		if !yield(p.Do(sample(), p.config.Cadence)) {
			return
		}
	}
}

// State returns the predicted state, which belongs to the predictor: only read it, and only until the next call. Its
// address is always the same.
func (p *Predictor[S, I]) State() *S { return &p.now }

// Base returns the last state from the server, or the initial state. The rules of State apply.
func (p *Predictor[S, I]) Base() *S { return &p.base }

// Pending yields the moves that the server has not acknowledged, oldest first. It consumes nothing. Do not make moves
// or accept updates during the iteration.
func (p *Predictor[S, I]) Pending() iter.Seq[Move[I]] { return p.pending.all() }

// Len returns how many moves are pending, 0 to Config.Room.
func (p *Predictor[S, I]) Len() int { return p.pending.count }

// Acked returns the newest tick that the server has acknowledged, or 0.
func (p *Predictor[S, I]) Acked() Tick { return p.acked }

// Newest returns the tick of the newest move, here or at a server that continues an earlier count, or 0.
func (p *Predictor[S, I]) Newest() Tick { return p.newest }

// Balance returns the time given to [Predictor.Advance] that is not enough for a move yet. Divided by the cadence it is
// how far to interpolate between two states.
func (p *Predictor[S, I]) Balance() time.Duration { return p.account.Balance() }

// Dropped returns how much time has been dropped after hitches; see [Account].
func (p *Predictor[S, I]) Dropped() time.Duration { return p.account.Dropped() }

// Stats returns the counts so far.
func (p *Predictor[S, I]) Stats() Stats { return p.stats }
