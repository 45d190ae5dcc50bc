package recording

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// writer encodes and writes batches, on a separate goroutine.
type writer struct {
	out    io.Writer
	header tbr.Header
	queue  *queue
	end    ending        // set before the queue is closed
	err    error         // set before the queue is done
	upTo   atomic.Uint32 // all frames before this one have been written

	// Only the goroutine uses the following fields.
	file           *tbr.Writer
	frame          agreed.Frame
	orders         [agreed.MaxPlayers][]byte
	inputs         int    // bytes of a frame
	block          uint32 // frames of a block
	effects, stats []byte // the data of this block
	hash           uint64 // the hash of the last hashed state
	hashed         uint32
}

// ending is how a recording ends.
type ending struct {
	tbr.End
	members []byte // the data of a chunk
	failed  error
}

// run writes the recording, until the queue is closed or a write fails.
func (w *writer) run() {
	defer close(w.queue.done)
	if w.err = w.survive(); w.err == nil {
		w.err = w.end.failed
	}
}

// survive writes everything. If an io.Writer of the application panics, that ends the recording but not the program:
// only this goroutine can recover.
func (w *writer) survive() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the writer panicked: %v", p)
		}
	}()
	return w.all()
}

func (w *writer) all() (err error) {
	w.block, w.inputs = uint32(w.header.BlockFrames()), w.header.Shape.Players*w.header.Shape.InputSize
	if w.file, err = tbr.NewWriter(w.out, w.header); err != nil {
		return err
	}
	for l := range w.queue.all() {
		if err = w.batch(l); err != nil {
			return err
		}
	}
	return w.close()
}

// batch writes a batch.
func (w *writer) batch(l *batch) error {
	if l.state != nil && w.file.WantsKeyframe() && len(l.state) <= tbr.MaxState {
		if err := w.file.Keyframe(l.state); err != nil {
			return err
		}
	}
	w.effects, w.stats = append(w.effects, l.effects...), append(w.stats, l.stats...)
	b := l.bytes
	for i := range l.frames {
		var err error
		if b, err = w.one(l.first+uint32(i), &l.frames[i], b); err != nil {
			return err
		}
	}
	return w.extras(false)
}

// one writes a frame, and returns the bytes that follow it.
func (w *writer) one(number uint32, g *batchFrame, b []byte) ([]byte, error) {
	f, players := &w.frame, w.header.Shape.Players
	*f = agreed.Frame{Number: number, Inputs: b[:w.inputs], Gone: g.gone, Finished: g.finished, Result: g.result}
	b = b[w.inputs:]
	if g.orders {
		for p := range players {
			n := int(b[0]) | int(b[1])<<8
			w.orders[p], b = b[2:2+n], b[2+n:]
		}
		f.Orders = w.orders[:players]
	}
	if err := w.file.Frame(f); err != nil {
		return nil, err
	}
	if g.hashed {
		w.hash, w.hashed = g.hash, number+1
		if err := w.file.Hash(number+1, g.hash); err != nil {
			return nil, err
		}
	}
	if (number+1)%w.block == 0 {
		w.upTo.Store(number + 1)
		return b, w.extras(true)
	}
	return b, nil
}

// maxExtra is the maximum number of bytes of effects or statistics that wait for the end of a block.
const maxExtra = 1 << 20

// extras writes the data that was recorded besides frames, at the end of a block, or earlier if there is much of it.
func (w *writer) extras(all bool) error {
	for _, x := range []struct {
		kind  tbr.Kind
		bytes *[]byte
	}{{tbr.KindEffects, &w.effects}, {tbr.KindStats, &w.stats}} {
		if n := len(*x.bytes); n == 0 || !all && n < maxExtra {
			continue
		}
		if err := w.file.Optional(x.kind, *x.bytes); err != nil {
			return err
		}
		*x.bytes = (*x.bytes)[:0]
	}
	return nil
}

// close writes the end of the recording.
func (w *writer) close() error {
	if err := w.extras(true); err != nil {
		return err
	}
	if len(w.end.members) > 0 {
		if err := w.file.Optional(tbr.KindMembers, w.end.members); err != nil {
			return err
		}
	}
	e, next := w.end.End, w.file.Next()
	if !e.Hashed && w.hashed == next && next > 0 {
		e.Hashed, e.Hash = true, w.hash
	}
	if err := w.file.Close(e); err != nil {
		return err
	}
	w.upTo.Store(next)
	return nil
}
