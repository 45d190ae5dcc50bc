package tickback

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// batchWriter writes batches, in a goroutine of its own.
type batchWriter struct {
	r      *recording
	w      *tbr.Writer
	frame  agreed.Frame
	orders [agreed.MaxPlayers][]byte
	block  uint32 // frames of a block

	effects, stats []byte // of this block
	hash           uint64 // of state hashed
	hashed         uint32
}

// write writes the recording, until the queue is closed or a write fails.
func (r *recording) write() {
	defer close(r.done)
	t := batchWriter{r: r, block: uint32(r.header.BlockFrames())}
	if r.err = t.survive(); r.err == nil {
		r.err = r.end.failed
	}
}

// survive writes everything. If an io.Writer of the application panics, that ends the recording
// and not the program: only this goroutine could recover.
func (t *batchWriter) survive() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the writer panicked: %v", p)
			t.r.failed.Store(true)
		}
	}()
	return t.all()
}

func (t *batchWriter) all() (err error) {
	r := t.r
	fail := func() error {
		r.failed.Store(true)
		return err
	}
	if t.w, err = tbr.NewWriter(r.out, r.header); err != nil {
		return fail()
	}
	for l := range r.queue {
		if l.state != nil && l.first != r.header.First {
			r.states.Add(-1)
		}
		if err = t.write(l); err != nil {
			return fail()
		}
		r.moved.Store(int64(time.Since(r.made)))
		r.queued.Add(-l.size())
		*l = batch{frames: l.frames[:0], bytes: l.bytes[:0], effects: l.effects[:0], stats: l.stats[:0]}
		select {
		case r.spare <- l:
		default:
		}
	}
	if err = t.close(); err != nil {
		return fail()
	}
	return nil
}

// write writes a batch.
func (t *batchWriter) write(l *batch) error {
	if l.state != nil && t.w.WantsKeyframe() {
		if len(l.state) > tbr.MaxState {
			l.state = nil // then there is none
		} else if err := t.w.Keyframe(l.state); err != nil {
			return err
		}
	}
	t.effects, t.stats = append(t.effects, l.effects...), append(t.stats, l.stats...)
	b := l.bytes
	for i := range l.frames {
		var err error
		if b, err = t.one(l.first+uint32(i), &l.frames[i], b); err != nil {
			return err
		}
	}
	return t.extras(false)
}

// one writes a frame, and returns the bytes that follow it.
func (t *batchWriter) one(number uint32, g *batchFrame, b []byte) ([]byte, error) {
	f, size, players := &t.frame, t.r.inputs, t.r.header.Shape.Players
	*f = agreed.Frame{Number: number, Inputs: b[:size], Gone: g.gone, Finished: g.finished, Result: g.result}
	b = b[size:]
	if g.orders {
		for p := range players {
			n := int(b[0]) | int(b[1])<<8
			t.orders[p], b = b[2:2+n], b[2+n:]
		}
		f.Orders = t.orders[:players]
	}
	if err := t.w.Frame(f); err != nil {
		return nil, err
	}
	if g.hashed {
		t.hash, t.hashed = g.hash, number+1
		if err := t.w.Hash(number+1, g.hash); err != nil {
			return nil, err
		}
	}
	if (number+1)%t.block == 0 {
		t.r.upTo.Store(number + 1)
		return b, t.extras(true)
	}
	return b, nil
}

// maxExtra is how many bytes of effects or statistics wait for the end of a block.
const maxExtra = 1 << 20

// extras writes what was recorded besides frames, at the end of a block, or earlier if there is
// much of it.
func (t *batchWriter) extras(all bool) error {
	for _, x := range []struct {
		kind  tbr.Kind
		bytes *[]byte
	}{{tbr.KindEffects, &t.effects}, {tbr.KindStats, &t.stats}} {
		if n := len(*x.bytes); n == 0 || !all && n < maxExtra {
			continue
		}
		if err := t.w.Optional(x.kind, *x.bytes); err != nil {
			return err
		}
		*x.bytes = (*x.bytes)[:0]
	}
	return nil
}

// close writes the end.
func (t *batchWriter) close() error {
	if err := t.extras(true); err != nil {
		return err
	}
	r := t.r
	if len(r.end.members) > 0 {
		if err := t.w.Optional(tbr.KindMembers, r.end.members); err != nil {
			return err
		}
	}
	e, next := r.end.End, t.w.Next()
	if !e.Hashed && t.hashed == next && next > 0 {
		e.Hashed, e.Hash = true, t.hash
	}
	if err := t.w.Close(e); err != nil {
		return err
	}
	r.upTo.Store(next)
	return nil
}
