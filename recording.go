package tickback

import (
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/agreed"
)

var (
	errSlow  = errors.New("the writer of the recording is too slow")
	errHangs = errors.New("the writer of the recording hangs: it has not taken the end")
)

const (
	// maxQueued is how many bytes may wait to be written, and maxStates how many states among
	// them; a writer that falls further behind is too slow.
	maxQueued = 8 << 20
	maxStates = 2
	// maxBatches is how many batches may wait.
	maxBatches = 1 << 14
	// spareBatches is how many are kept for reuse.
	spareBatches = 16
	// batchesPerSecond is how often frames are handed to the writer. A crash loses the frames
	// of one batch, besides those of a block.
	batchesPerSecond = 4
)

// patience is how long the writer may take for a batch while others wait: a disk that sleeps
// takes some seconds. A crash would lose more the longer this is.
var patience = 15 * time.Second

// recording is a match on its way to a writer. The goroutine that plays copies frames into
// batches; another goroutine encodes and writes them.
type recording struct {
	out      io.Writer
	patience time.Duration
	header   tbr.Header
	now      func() time.Time
	stats    bool
	wait     bool // for the writer
	effect   bool

	// Used by the goroutine that plays.
	batch    *batch
	most     int // frames of a batch
	inputs   int // bytes of a frame
	begun    bool
	ended    bool
	closing  bool // it has ended, and the queue is still to be closed
	looked   bool // since then
	endedAt  time.Time
	statsDue time.Duration

	queue  chan *batch
	spare  chan *batch
	queued atomic.Int64 // bytes in the queue
	states atomic.Int32 // in the queue
	failed atomic.Bool  // the writer has
	slow   bool
	end    ending        // set before the queue is closed
	done   chan struct{} // closed when all is written, and err is set
	err    error
	upTo   atomic.Uint32 // frames before it are written
	moved  atomic.Int64  // when the last batch was written, since made
	made   time.Time
}

// batch is some frames.
type batch struct {
	first   uint32
	frames  []batchFrame
	bytes   []byte // inputs of each frame, and its orders: two bytes of length for each player
	state   []byte // of the first frame, or nil
	effects []byte // of chunks
	stats   []byte
}

type batchFrame struct {
	hash, result             uint64
	gone                     byte
	hashed, orders, finished bool
}

// ending is how a recording ends.
type ending struct {
	tbr.End
	members []byte // of a chunk
	failed  error
}

func newRecording(w io.Writer, h tbr.Header, o RecordOptions) *recording {
	waiting := maxBatches
	if o.Wait {
		waiting = spareBatches
	}
	return &recording{
		out: w, patience: patience, wait: o.Wait, header: h, stats: o.Stats, effect: o.Effects, most: max(h.TickRate/batchesPerSecond, 1),
		queue: make(chan *batch, waiting), spare: make(chan *batch, spareBatches), done: make(chan struct{}),
	}
}

// wants is what the recording needs from the session.
func (r *recording) wants() session.RecordWants {
	w := session.RecordWants{Hashes: session.Frame(r.header.HashEvery)}
	if k := r.header.KeyframeEvery; k >= 0 {
		if every := uint64(r.header.SegmentFrames()) * uint64(max(k, 1)); every < uint64(session.NoFrame) {
			w.States = session.Frame(every)
		}
	}
	return w
}

func (r *recording) Begin(b *session.RecordBegin) {
	h, p := &r.header, &b.Parameters
	h.Shape, h.Seed, h.Content, h.Length, h.State0 = b.Shape, p.Seed, p.Content, uint32(p.Frames), b.Initial
	h.Data = append([]byte(nil), p.Data...)
	h.Match, h.First, h.Created = b.Match, uint32(b.First), max(r.now().UnixMilli(), 0)
	r.inputs = b.Shape.Players * b.Shape.InputSize
	r.batch, r.begun = new(batch), true
	r.batch.first, r.batch.state = h.First, b.State
	r.upTo.Store(h.First)
	r.made = time.Now()
	go r.write()
}

func (r *recording) State(f session.Frame, encoded []byte) {
	if r.ended {
		return
	}
	r.hand(uint32(f))
	if r.slow = r.slow || r.states.Load() >= maxStates && !r.wait; r.slow {
		return
	}
	r.states.Add(1)
	r.batch.state = encoded
}

func (r *recording) Frame(f *agreed.Frame, hash uint64, hashed bool) {
	l := r.batch
	if r.slow || r.ended || l == nil {
		return
	}
	l.bytes = append(l.bytes, f.Inputs...)
	for _, o := range f.Orders {
		l.bytes = append(append(l.bytes, byte(len(o)), byte(len(o)>>8)), o...)
	}
	l.frames = append(l.frames, batchFrame{hash, f.Result, f.Gone, hashed, f.Orders != nil, f.Finished})
	if len(l.frames) >= r.most {
		r.hand(f.Number + 1)
	}
}

// hand passes a batch on, and takes another one for the frames from next on.
func (r *recording) hand(next uint32) {
	l := r.batch
	if l == nil || r.slow || len(l.frames) == 0 && len(l.effects)+len(l.stats) == 0 && l.state == nil {
		if l != nil {
			l.first = next
		}
		return
	}
	r.batch = nil
	if r.wait {
		r.handSlowly(l, next)
		return
	}
	if r.late() || r.queued.Add(l.size()) > maxQueued {
		r.slow = true
		return
	}
	select {
	case r.queue <- l:
	default:
		r.slow = true
		return
	}
	r.another(next)
}

// late reports whether the writer has been busy with one batch for too long.
func (r *recording) late() bool {
	now := time.Since(r.made)
	if r.queued.Load() == 0 {
		r.moved.Store(int64(now)) // it has nothing to do
		return false
	}
	return now-time.Duration(r.moved.Load()) > r.patience
}

// handSlowly waits until there is room, or the writer has failed.
func (r *recording) handSlowly(l *batch, next uint32) {
	r.queued.Add(l.size())
	select {
	case r.queue <- l:
	case <-r.done:
	}
	r.another(next)
}

// another takes a batch for the frames from next on.
func (r *recording) another(next uint32) {
	select {
	case r.batch = <-r.spare:
	default:
		r.batch = new(batch)
	}
	r.batch.first = next
}

// size is about how many bytes a batch takes, without its state.
func (l *batch) size() int64 {
	return int64(len(l.bytes)+len(l.effects)+len(l.stats)) + 32*int64(len(l.frames)) + 64
}

// effects records what has happened to effects.
func (r *recording) effects(list []effects.Event) {
	if !r.effect || !r.begun || r.slow || r.ended && !r.closing {
		return
	}
	for i := range list {
		r.batch.effects = replay.AppendEffect(r.batch.effects, &list[i])
	}
}

// stat records the statistics.
func (r *recording) stat(s *Stats) {
	if r.slow || r.ended {
		return
	}
	t := replay.Stat{
		At: r.now().UnixMilli(), Frame: uint32(s.Frame), Agreed: uint32(s.Agreed),
		Rollbacks: s.Engine.Rollbacks, Resimulated: s.Engine.Resimulated,
		Stalls: s.Stalls, Blocked: s.Blocked, Stalled: s.Stalled,
	}
	for i := range s.Links {
		l := &s.Links[i]
		t.Links = append(t.Links, replay.StatLink{
			Players: byte(l.Players), Connected: l.Connected, RoundTrip: l.RoundTrip, Deviation: l.Deviation, Jitter: l.Jitter,
			Sent: l.Sent, Received: l.Received, Lost: l.Lost,
		})
	}
	r.batch.stats = replay.AppendStat(r.batch.stats, &t)
}
