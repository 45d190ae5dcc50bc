package peer

import (
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// width is how large the datagrams to the other end may be. At first that is MinSize, which
// every path carries; whoever has much to send finds out whether MaxSize gets there.
type width struct {
	limit  int
	probes probes
	newest uint64 // number of the newest probe,
	sent   bool   // of which there is one
	asked  bool   // the newest datagram of the other end is a probe
}

// probes is when large datagrams are tried: each interval is twice the one before. The
// first ones come soon, for the path may be lossy, not narrow.
type probes struct {
	next  time.Duration // when another one is due
	every time.Duration // and the time from then to the next; 0 before the first
}

const (
	firstProbe = 250 * time.Millisecond
	lastProbe  = 32 * time.Second
)

// sent notes that one was sent, or that it is known from when on they are wanted.
func (p *probes) sent(now time.Duration) {
	if p.every == 0 {
		p.every = firstProbe
	}
	p.next = now + p.every
	p.every = min(2*p.every, lastProbe)
}

// headRoom is enough for a header with a sample, the tag, and what is around a fragment.
const headRoom = 1 + 2 + 2 + 1 + datagram.MaxVarint + datagram.TagSize + reliable.FullRoom - reliable.MaxFragment

// limit says how large datagrams may be from now on.
func (p *Pipe) limit(size int) {
	p.width.limit = size
	p.Channel.SetFragment(size - headRoom)
}

// Limit returns how many bytes a datagram may have, but for probes.
func (p *Pipe) Limit() int { return p.width.limit }

// ProbeDue reports whether a large datagram should be tried: see [Pipe.AppendProbe]. The
// other end must have been heard.
func (p *Pipe) ProbeDue(now time.Duration) bool {
	w := &p.width
	return w.limit < datagram.MaxSize && p.Counts.Received > 0 && now >= w.probes.next
}

// probed notes that a probe is sent.
func (w *width) probed(sequence uint64, now time.Duration) {
	w.newest, w.sent = sequence, true
	w.probes.sent(now)
}

// echoed notes that a datagram of ours has arrived.
func (p *Pipe) echoed(sequence uint64) {
	if w := &p.width; w.sent && sequence == w.newest && w.limit < datagram.MaxSize {
		p.limit(datagram.MaxSize)
	}
}

// Asked reports whether the newest datagram was a probe: then the other end waits for any
// datagram of ours.
func (p *Pipe) Asked() bool { return p.width.asked }
