package spectate

import (
	"time"

	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// broadcast is what there is to send of a match: its offer, its agreed frames and its end. It decides how much of it
// spectators may see, and whether one that has seen a part elsewhere may continue here.
type broadcast struct {
	shape agreed.Shape
	delay uint32 // how many frames spectators are behind agreement
	spans spans

	offer  *datagram.Offer // the offer of the current match, or nil
	log    agreed.Log
	seen   uint32 // how many frames are agreed
	marks  marks
	ended  bool
	end    End
	closed bool   // nothing follows what there is
	reason string // why
}

// spans are durations in frames of the match.
type spans struct {
	together  uint32 // frames sent at a time, so that a spectator costs 20 datagrams a second
	piled     uint32 // the same while more is waiting than is allowed for a spectator that is up to date
	fresh     uint32 // within this many frames of the start of a match, frames are sent instead of a state
	farBehind uint32 // a spectator this far behind catches up at the shared rate
	ahead     uint32 // how far a spectator that comes from another host may be ahead of us
	reuse     uint32 // maximum age of a state that is sent to another spectator
	keep      uint32 // how many frames before the oldest state are kept, for spectators that come from another host
}

func spansOf(period time.Duration) spans {
	in := func(d time.Duration) uint32 { return uint32(max(d/period, 1)) }
	return spans{
		together: in(50 * time.Millisecond), piled: in(250 * time.Millisecond), fresh: in(2 * time.Second), farBehind: in(5 * time.Second),
		ahead: in(10 * time.Second), reuse: in(2 * time.Second), keep: in(30 * time.Second),
	}
}

// begin begins a match at frame 0 and forgets the previous one.
func (b *broadcast) begin(o *datagram.Offer, logBytes int) error {
	offer := *o
	b.offer, b.ended, b.end, b.marks, b.seen = &offer, false, End{}, marks{}, 0
	return b.log.Init(b.shape, logBytes)
}

// from skips the frames before f.
func (b *broadcast) from(f uint32) {
	b.log.From(f)
	b.seen = f
}

// expects notes that frame f is agreed, and reports whether it is needed.
func (b *broadcast) expects(f uint32) bool {
	if b.offer == nil || b.ended {
		return false
	}
	b.seen = f + 1
	return f >= b.log.Next()
}

// add adds the next frame.
func (b *broadcast) add(f *agreed.Frame) error {
	b.marks.recent.add(f.Number+1, f.Mark.Chain)
	if f.Marked {
		b.marks.add(f.Number+1, f.Mark.Chain)
	}
	return b.log.Append(f)
}

// finish records how the match ended.
func (b *broadcast) finish(e End) {
	if b.offer != nil && !b.ended {
		b.ended, b.end = true, e
	}
}

// close says that nothing follows what there is, and why.
func (b *broadcast) close(reason string) {
	b.closed, b.reason = true, reason[:min(len(reason), maxText)]
}

// hides reports whether newer frames are hidden from a spectator. Newcomers see all that are agreed.
func (b *broadcast) hides(newcomer bool) bool { return b.delay > 0 && !b.ended && !newcomer }

// visible returns how many frames a spectator may see. The log of a host that joined the match starts later than
// those that are agreed.
func (b *broadcast) visible(newcomer bool) uint32 {
	n := min(b.log.Next(), b.seen)
	if b.hides(newcomer) {
		n -= min(n, b.delay)
	}
	return n
}

// fresh reports whether a spectator that has nothing can begin at frame 0, since the match has just begun.
func (b *broadcast) fresh(newcomer bool) bool {
	return b.log.First() == 0 && b.visible(newcomer) <= b.spans.fresh
}

// resumes reports whether a spectator has seen the same match at another host.
func (b *broadcast) resumes(r *request) bool {
	if r.match != b.offer.Match || r.next > b.log.Next()+b.spans.ahead || r.marked > r.next {
		return false
	}
	chain, held := b.marks.at(r.marked) // at 0 nothing is held: it has seen hardly anything
	if m, is := b.marks.recent.at(r.marked); !held && is {
		chain, held = m.chain, true // it began with a state, and has met no comparison since
	}
	return held && chain == r.chain || !held && r.marked > b.log.Next()
}
