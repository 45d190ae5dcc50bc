package peer

import (
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// width is how large the datagrams to the other end may be. At first that is MinSize, which
// every path carries; whoever has much to send finds out whether MaxSize gets there.
type width struct {
	limit int
	probe uint64        // number of the newest probe,
	sent  bool          // of which there is one
	next  time.Duration // when another one is due
	every time.Duration // and the time from then to the next
	asked bool          // the newest datagram of the other end is a probe
}

// The first probes come soon, for the path may be lossy, not narrow.
const (
	firstProbe = 250 * time.Millisecond
	lastProbe  = 32 * time.Second
)

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
	return w.limit < datagram.MaxSize && p.Counts.Received > 0 && now >= w.next
}

// probed notes that a probe is sent.
func (w *width) probed(sequence uint64, now time.Duration) {
	if w.every == 0 {
		w.every = firstProbe
	}
	w.probe, w.sent, w.next = sequence, true, now+w.every
	w.every = min(2*w.every, lastProbe)
}

// echoed notes that a datagram of ours has arrived.
func (p *Pipe) echoed(sequence uint64) {
	if w := &p.width; w.sent && sequence == w.probe && w.limit < datagram.MaxSize {
		p.limit(datagram.MaxSize)
	}
}

// Asked reports whether the newest datagram was a probe: then the other end waits for any
// datagram of ours.
func (p *Pipe) Asked() bool { return p.width.asked }
