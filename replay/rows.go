package replay

import (
	"context"
	"iter"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// Row is a frame of a recording, and what it led to. It is valid until the iterator yields the next one.
type Row struct {
	Frame *agreed.Frame
	// Recorded is the recorded hash of state Frame.Number + 1; its Bits is 0 if there is none.
	Recorded tbr.Hash
	// Sim has state Frame.Number + 1 as its live state; it is nil if nothing is simulated.
	Sim Sim
}

// Rows yields the frames of a recording from from to before to, with the recorded hashes. With a game, they are also
// simulated, from the nearest keyframe before them. An error ends the iteration.
func Rows(ctx context.Context, r *tbr.Reader, g Game, from, to uint32) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		if err := rows(ctx, r, g, from, to, func(row *Row) bool { return yield(row, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

func rows(ctx context.Context, r *tbr.Reader, g Game, from, to uint32, yield func(*Row) bool) error {
	row := &Row{}
	if g != nil {
		sim, err := At(ctx, r, g, from)
		if err != nil {
			return err
		}
		row.Sim = sim
	}
	cursor, err := r.Frames(from)
	if err != nil {
		return err
	}
	next, stop := iter.Pull2(r.Hashes(from + 1))
	defer stop()
	h, err, more := next()
	for at := from; at < to; at++ {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if row.Frame, err = cursor.Next(); err != nil {
			return readError(err)
		}
		if row.Sim != nil {
			if err := row.Sim.Step(row.Frame); err != nil {
				return err
			}
		}
		if row.Recorded = (tbr.Hash{}); more && h.State == at+1 {
			row.Recorded = h
			h, err, more = next()
		}
		if !yield(row) {
			return nil
		}
	}
	return nil
}

// At returns a simulation whose live state is the given state of a recording, simulated from the nearest keyframe
// before it. Recorded hashes on the way are not compared.
func At(ctx context.Context, r *tbr.Reader, g Game, state uint32) (Sim, error) {
	sim, err := g.Sim(r.Header())
	if err != nil {
		return nil, err
	}
	w, err := nearest(r, sim, state)
	if err != nil {
		return nil, err
	}
	if err := w.to(ctx, state); err != nil {
		return nil, err
	}
	return sim, nil
}
