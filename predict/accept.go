package predict

import "fmt"

// Correction is the effect of an update on the prediction.
type Correction[S any] struct {
	// Taken is false for an update that is not newer than the last one. Then Before and After are the same state.
	Taken        bool
	Acknowledged int // moves that are no longer pending
	Replayed     int // moves that were replayed

	// Before and After are the predicted states without and with the update. If they
	// are equal, the prediction was right. They belong to the predictor, and can be
	// read until the next move, update or rebuild.
	Before, After *S
}

// Accept takes an update from the server: the state, which it copies, becomes the base; the moves that the update
// acknowledges are removed; and all others are replayed on top. These stay pending: replaying a move does not consume
// it.
//
// The first update may come before the first move, from a server that continues an earlier count: it has made moves of
// this player before, from an earlier client. Then the moves made here are numbered from u.Acked+1 on. A client that
// moves before the first update from such a server numbers its moves with [Predictor.Play].
//
// An update that is not later than the last one is ignored and counted. The error is [ErrPlayer], [ErrFuture] or
// [ErrAckBack], and then nothing has changed.
func (p *Predictor[S, I]) Accept(u *Update[S]) (Correction[S], error) {
	if err := p.refuse(u); err != nil {
		p.stats.Refused++
		return p.untouched(), err
	}
	if p.accepted && u.Frame <= p.frame {
		if u.Frame == p.frame {
			p.stats.Repeated++
		} else {
			p.stats.Old++
		}
		return p.untouched(), nil
	}
	p.stats.Accepted++
	if p.untold() {
		p.newest = u.Acked
	}
	p.accepted, p.frame, p.acked = true, u.Frame, u.Acked
	acknowledged := p.pending.acknowledge(u.Acked)
	p.config.copy(&p.base, &u.State)
	c := p.Rebuild()
	c.Acknowledged = acknowledged
	return c, nil
}

// untold reports whether the number of the next move is not known yet.
func (p *Predictor[S, I]) untold() bool { return !p.accepted && p.newest == 0 }

// refuse returns what is wrong with an update, unless the update is too late to matter.
func (p *Predictor[S, I]) refuse(u *Update[S]) error {
	switch {
	case u.Player != p.config.Player:
		return fmt.Errorf("%w: %d, and this is player %d", ErrPlayer, u.Player, p.config.Player)
	case u.Acked > p.newest && !p.untold():
		return fmt.Errorf("%w: %d, and the newest is %d (a server that counts on has to be heard before the first move, or moves be numbered with Play)", ErrFuture, u.Acked, p.newest)
	case u.Acked < p.acked && u.Frame > p.frame:
		return fmt.Errorf("%w: up to %d in frame %d, and %d in frame %d", ErrAckBack, u.Acked, u.Frame, p.acked, p.frame)
	}
	return nil
}

// untouched returns the correction that changes nothing.
func (p *Predictor[S, I]) untouched() Correction[S] {
	return Correction[S]{Before: &p.now, After: &p.now}
}

// Rebuild replays all pending moves on top of the last state from the server. The result is the current prediction,
// however often it is called, unless something changed that the step depends on, such as the map.
func (p *Predictor[S, I]) Rebuild() Correction[S] {
	p.config.copy(&p.before, &p.now)
	p.config.copy(&p.now, &p.base)
	for i := range p.pending.count {
		m := p.pending.at(i)
		p.config.Apply(&p.now, m.Input, m.For)
	}
	p.stats.Replayed += uint64(p.pending.count)
	return Correction[S]{Taken: true, Replayed: p.pending.count, Before: &p.before, After: &p.now}
}
