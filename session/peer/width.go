package peer

import (
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// width is the maximum size of datagrams to the other end. At first it is MinSize, which every path carries; an end
// that has much to send probes whether MaxSize gets through.
type width struct {
	limit  int
	probes probes
	newest uint64 // number of the newest probe
	sent   bool   // whether a probe was sent
	asked  bool   // the newest datagram from the other end is a probe
	holes  int    // number of black holes of the path that have been handled: see carried
}

// probes schedules large datagrams as probes: each interval is twice the previous one. The first probes come soon,
// since the path may be lossy rather than narrow.
type probes struct {
	next  time.Duration // when the next probe is due
	every time.Duration // the interval after that; 0 before the first probe
}

const (
	firstProbe = 250 * time.Millisecond
	lastProbe  = 32 * time.Second
	// firstAfterHole is the first interval on a path that no longer carries large datagrams.
	firstAfterHole = 4 * time.Second
)

// sent schedules the next probe. The first call only starts the schedule.
func (p *probes) sent(now time.Duration) {
	if p.every == 0 {
		p.every = firstProbe
	}
	p.next = now + p.every
	p.every = min(2*p.every, lastProbe)
}

// headRoom is enough for a header with a sample, the tag, and the overhead of a fragment.
const headRoom = 1 + 2 + 2 + 1 + datagram.MaxVarint + datagram.TagSize + reliable.FullRoom - reliable.MaxFragment

// Fragments fit into the smallest datagrams, whatever the path carries: a fragment is never split again, and a path
// that has carried large datagrams can stop doing so. A fragment of a pipe has a datagram to itself, one of a link
// leaves room for inputs.
const (
	pipeFragment = datagram.MinSize - headRoom
	linkFragment = 248
)

// Limit returns the maximum size of a datagram, in bytes, except for probes.
func (p *Pipe) Limit() int { return p.width.limit }

// ProbeDue reports whether to send a probe: see [Pipe.AppendProbe]. The other end must have
// been heard.
func (p *Pipe) ProbeDue(now time.Duration) bool {
	w := &p.width
	return w.limit < datagram.MaxSize && p.Counts.Received > 0 && now >= w.probes.next
}

// probed records that a probe is sent.
func (w *width) probed(sequence uint64, now time.Duration) {
	w.newest, w.sent = sequence, true
	w.probes.sent(now)
}

// after schedules the next probe after the given number of black holes: a probe that got through may have done so
// by chance.
func (p *probes) after(holes int, now time.Duration) {
	p.every = min(firstAfterHole<<min(holes-1, 8), lastProbe)
	p.next = now + p.every
}

// narrow reduces the datagram size if the path no longer carries large datagrams. On a path that never has, nothing but
// probes is large, and these keep their schedule.
func (p *Pipe) narrow(now time.Duration) {
	w := &p.width
	if p.carried.narrowed(&w.holes) && w.limit > datagram.MinSize {
		w.limit, w.sent = datagram.MinSize, false
		w.probes.after(w.holes, now)
	}
}

// echoed records that one of our datagrams has arrived.
func (p *Pipe) echoed(sequence uint64) {
	if w := &p.width; w.sent && sequence == w.newest && w.limit < datagram.MaxSize {
		w.limit = datagram.MaxSize
		if p.link != nil {
			p.link.widen(datagram.MaxSize)
		}
	}
}

// Asked reports whether the newest datagram was a probe, which must be answered with any datagram.
func (p *Pipe) Asked() bool { return p.width.asked }
