package recording

import (
	"io"
	"time"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/agreed"
)

// batchesPerSecond is how often per second frames are passed to the writer. A crash loses the frames of one batch, in
// addition to those of a block.
const batchesPerSecond = 4

// recording is a match that is being recorded, in the goroutine that plays. The session calls it as a
// [session.Recorder].
type recording struct {
	now      func() time.Time
	effects  bool // effects are recorded
	stats    bool // statistics are recorded
	statsDue time.Time
	most     int // the number of frames in a batch
	queue    *queue
	writer   *writer
	batch    *batch
	slow     bool // the writer is too slow
	begun    bool
	ended    bool
	closing  bool // it has ended, but the queue is not closed yet
	watched  bool // Watch has been called since it ended
	endedAt  time.Time
}

func newRecording(w io.Writer, h tbr.Header, o Options, now func() time.Time, patience time.Duration) *recording {
	q := newQueue(o.Wait, patience)
	return &recording{
		now: now, effects: o.Effects, stats: o.Stats, most: max(h.TickRate/batchesPerSecond, 1),
		queue: q, writer: &writer{out: w, header: h, queue: q},
	}
}

// Begin completes the header with what the match has decided, and starts the goroutine that writes.
func (r *recording) Begin(b *session.RecordBegin) {
	h, p := &r.writer.header, &b.Parameters
	h.Shape, h.Seed, h.Content, h.Length, h.State0 = b.Shape, p.Seed, p.Content, uint32(p.Frames), b.Initial
	h.Data = append([]byte(nil), p.Data...)
	h.Match, h.First, h.Created = b.Match, uint32(b.First), max(r.now().UnixMilli(), 0)
	r.batch, r.begun = &batch{first: h.First, state: b.State}, true
	r.writer.upTo.Store(h.First)
	go r.writer.run()
}

// State begins a batch with the encoded state f, which it keeps. If too many states wait, the writer counts as too
// slow.
func (r *recording) State(f session.Frame, encoded []byte) {
	if r.ended {
		return
	}
	r.hand(uint32(f))
	r.slow = r.slow || !r.queue.putState(r.batch, encoded)
}

// Frame adds an agreed frame to the batch, and passes the batch on once it is full. It does nothing before Begin,
// after End, or once the writer was too slow.
func (r *recording) Frame(f *agreed.Frame, hash uint64, hashed bool) {
	if r.slow || r.ended || !r.begun {
		return
	}
	if r.batch.add(f, hash, hashed); len(r.batch.frames) >= r.most {
		r.hand(f.Number + 1)
	}
}

// CatchUp makes frames and states wait for the writer, or no longer.
func (r *recording) CatchUp(on bool) { r.queue.catching = on }

// hand passes the batch on, and gets a new one for the frames from next on.
func (r *recording) hand(next uint32) {
	switch {
	case r.slow:
	case r.batch.empty():
		r.batch.first = next
	case r.queue.put(r.batch):
		r.batch = r.queue.another(next)
	default:
		r.slow = true
	}
}

// addEffects records events about effects.
func (r *recording) addEffects(list []effects.Event) {
	if !r.effects || !r.begun || r.slow || r.ended && !r.closing {
		return
	}
	for i := range list {
		r.batch.effects = replay.AppendEffect(r.batch.effects, &list[i])
	}
}

// wantsStats reports whether statistics are due, which is the case once a second.
func (r *recording) wantsStats() bool {
	if !r.stats || !r.begun || r.slow {
		return false
	}
	now := r.now()
	due := !now.Before(r.statsDue)
	if due {
		r.statsDue = now.Add(time.Second)
	}
	return due
}

// addStats records the statistics.
func (r *recording) addStats(s *session.Stats) {
	t := replay.Stat{
		At: r.now().UnixMilli(), Frame: uint32(s.Frame), Agreed: uint32(s.Agreed),
		Rollbacks: s.Engine.Rollbacks, Resimulated: s.Engine.Resimulated,
		Stalls: s.Stalls, Blocked: s.Blocked, Stalled: s.Stalled,
	}
	for i := range s.Links {
		l := &s.Links[i]
		t.Links = append(t.Links, replay.StatLink{
			Players: uint16(l.Players), Connected: l.Connected, RoundTrip: l.RoundTrip, Deviation: l.Deviation, Jitter: l.Jitter,
			Sent: l.Sent, Received: l.Received, Lost: l.Lost,
		})
	}
	r.batch.stats = replay.AppendStat(r.batch.stats, r.writer.header.Shape, &t)
}
