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
	errSlow  = errors.New("the writer of the recording takes too little, too slowly")
	errHangs = errors.New("the writer of the recording has not taken the end of it: it hangs")
)

const (
	// maxQueued is how many bytes wait to be written, and maxStates how many states among
	// them; a writer that lets more pile up is too slow.
	maxQueued = 8 << 20
	maxStates = 2
	// maxReels is how many reels wait.
	maxReels = 1 << 14
	// spareReels is how many are kept to be used again.
	spareReels = 16
	// reelsPerSecond is how often frames are handed on: so many are lost in a crash
	// besides those of a block.
	reelsPerSecond = 4
)

// patience is how long the writer may take for a reel, while others wait: a disk that
// sleeps takes some seconds. All that time more would be lost in a crash.
var patience = 15 * time.Second

// recording is a match on its way to a writer. What plays copies frames into reels;
// a goroutine of its own encodes and writes them.
type recording struct {
	out      io.Writer
	patience time.Duration
	header   tbr.Header
	now      func() time.Time
	stats    bool
	wait     bool // for the writer
	effect   bool

	// Of the goroutine that plays.
	reel     *reel
	most     int // frames of a reel
	inputs   int // bytes of a frame
	begun    bool
	ended    bool
	closing  bool // it has ended, and the queue is still to be closed
	looked   bool // since then
	endedAt  time.Time
	statsDue time.Duration

	queue  chan *reel
	spare  chan *reel
	queued atomic.Int64 // bytes in the queue
	states atomic.Int32 // in the queue
	failed atomic.Bool  // the writer has
	slow   bool
	end    ending        // set before the queue is closed
	done   chan struct{} // all is written, and err is set
	err    error
	upTo   atomic.Uint32 // frames before it are written
	moved  atomic.Int64  // when the last reel was done with, after made
	made   time.Time
}

// reel is some frames.
type reel struct {
	first   uint32
	frames  []reelFrame
	bytes   []byte // inputs of each frame, and its orders: two bytes of length for each player
	state   []byte // of the first frame, or nil
	effects []byte // of chunks
	stats   []byte
}

type reelFrame struct {
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
	waiting := maxReels
	if o.Wait {
		waiting = spareReels
	}
	return &recording{
		out: w, patience: patience, wait: o.Wait, header: h, stats: o.Stats, effect: o.Effects, most: max(h.TickRate/reelsPerSecond, 1),
		queue: make(chan *reel, waiting), spare: make(chan *reel, spareReels), done: make(chan struct{}),
	}
}

// wants is what the session has to give.
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
	r.reel, r.begun = new(reel), true
	r.reel.first, r.reel.state = h.First, b.State
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
	r.reel.state = encoded
}

func (r *recording) Frame(f *agreed.Frame, hash uint64, hashed bool) {
	l := r.reel
	if r.slow || r.ended || l == nil {
		return
	}
	l.bytes = append(l.bytes, f.Inputs...)
	for _, o := range f.Orders {
		l.bytes = append(append(l.bytes, byte(len(o)), byte(len(o)>>8)), o...)
	}
	l.frames = append(l.frames, reelFrame{hash, f.Result, f.Gone, hashed, f.Orders != nil, f.Finished})
	if len(l.frames) >= r.most {
		r.hand(f.Number + 1)
	}
}

// hand hands a reel on, and takes another one for the frames from next on.
func (r *recording) hand(next uint32) {
	l := r.reel
	if l == nil || r.slow || len(l.frames) == 0 && len(l.effects)+len(l.stats) == 0 && l.state == nil {
		if l != nil {
			l.first = next
		}
		return
	}
	r.reel = nil
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

// late reports whether the writer has been busy with one reel for too long.
func (r *recording) late() bool {
	now := time.Since(r.made)
	if r.queued.Load() == 0 {
		r.moved.Store(int64(now)) // it has nothing to do
		return false
	}
	return now-time.Duration(r.moved.Load()) > r.patience
}

// handSlowly waits until there is room, or the writer has failed.
func (r *recording) handSlowly(l *reel, next uint32) {
	r.queued.Add(l.size())
	select {
	case r.queue <- l:
	case <-r.done:
	}
	r.another(next)
}

// another takes a reel for the frames from next on.
func (r *recording) another(next uint32) {
	select {
	case r.reel = <-r.spare:
	default:
		r.reel = new(reel)
	}
	r.reel.first = next
}

// size is how many bytes a reel takes, about, without its state.
func (l *reel) size() int64 {
	return int64(len(l.bytes)+len(l.effects)+len(l.stats)) + 32*int64(len(l.frames)) + 64
}

// effects records what has become of effects.
func (r *recording) effects(list []effects.Event) {
	if !r.effect || !r.begun || r.slow || r.ended && !r.closing {
		return
	}
	for i := range list {
		r.reel.effects = replay.AppendEffect(r.reel.effects, &list[i])
	}
}

// stat records how the session does.
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
	r.reel.stats = replay.AppendStat(r.reel.stats, &t)
}
