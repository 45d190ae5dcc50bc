package spectate

import (
	"fmt"
	"iter"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// ViewerConfig is whom a spectator watches, and what it expects. All fields but
// MaxState, Out and Seat are required.
type ViewerConfig struct {
	// Hosts are tried in turn.
	Hosts []netip.AddrPort
	// Items are what a host must have in common with us; Own is not looked at.
	Items datagram.Items
	// Compare returns why a host with other items cannot be watched, or nil.
	Compare func(host netip.AddrPort, version byte, theirs *datagram.Items) error
	// Period is that of a tick.
	Period time.Duration
	// Timeout is how long no host at all may answer, and Drop how long the present one
	// may be silent before the next is tried.
	Timeout, Drop time.Duration
	// Random gives random numbers.
	Random func() uint64
	// MaxState is the most bytes of a state that are taken; 0 is 64 MiB.
	MaxState int
	// Out, if given, is where datagrams to send go, and somebody else takes them;
	// otherwise [Viewer.Outgoing] has them.
	Out *peer.Outbox
	// Seat, if given, is asked for at each host. The token has to be one: [CheckToken].
	Seat *Seat
}

// Viewer is a spectator, as far as the protocol goes.
type Viewer struct {
	cfg     ViewerConfig
	now     time.Duration
	started bool
	updated time.Duration // when Update was called last
	out     *peer.Outbox
	queue   queue
	news    []HostNews
	err     error

	search search
	pipe   *peer.Pipe // nil until the host has answered
	heard  bool       // the host has taken us
	unsaid int        // datagrams since we have sent one

	match     uint32 // that is played, or 0
	offer     *datagram.Offer
	source    int           // host of the item that was popped last
	useful    time.Duration // when the host last sent what we need
	next      uint32        // frame that comes next
	at        uint32        // frame that the host sends next
	following bool          // it has said where it begins
	live      uint32        // the newest that there is
	marked    uint32        // of the newest comparison that was told of
	chain     uint64
	over      bool // the match has ended
	partial   partial
	traffic   Traffic  // with the hosts before
	seat      [][]byte // what the host has said to a newcomer
}

// HostNews is a host that was found, or lost.
type HostNews struct {
	Addr  netip.AddrPort
	Found bool
	Why   error // it was lost
	Over  bool  // all of the match had come by then, with its end
}

// maxQueue is how many bytes wait to be taken before no more messages are: the host
// then sends no more.
const maxQueue = 256 << 10

// NewViewer makes a spectator that has done nothing yet.
func NewViewer(cfg ViewerConfig) *Viewer {
	if cfg.MaxState == 0 {
		cfg.MaxState = 64 << 20
	}
	v := &Viewer{cfg: cfg, out: cfg.Out}
	if v.out == nil {
		v.out = &peer.Outbox{Most: MaxOutgoing}
	}
	v.search.reasons = make([]error, len(cfg.Hosts))
	v.search.final = make([]bool, len(cfg.Hosts))
	v.search.behind = make([]time.Duration, len(cfg.Hosts))
	return v
}

// AddHost adds a host to those that are tried, unless it is one of them, or there are
// [MaxHosts].
func (v *Viewer) AddHost(addr netip.AddrPort) {
	if slices.Contains(v.cfg.Hosts, addr) || len(v.cfg.Hosts) >= MaxHosts {
		return
	}
	v.cfg.Hosts = append(slices.Clip(v.cfg.Hosts), addr)
	v.search.reasons, v.search.final, v.search.behind = append(v.search.reasons, nil), append(v.search.final, false), append(v.search.behind, 0)
}

// MaxHosts is the most hosts with those that are added.
const MaxHosts = 32

// Err returns why nothing more will come: [ErrEnd], or [*HostsError].
func (v *Viewer) Err() error { return v.err }

// Host returns the host that is watched, or tried.
func (v *Viewer) Host() netip.AddrPort { return v.cfg.Hosts[v.search.host] }

// Over reports whether the end of the match has come.
func (v *Viewer) Over() bool { return v.over }

// Attached reports whether a host has taken us.
func (v *Viewer) Attached() bool { return v.heard }

// RoundTrip returns what is measured of the way to the host.
func (v *Viewer) RoundTrip() (smoothed, deviation time.Duration) {
	if v.pipe == nil {
		return 0, 0
	}
	return v.pipe.RoundTrip.Smoothed, v.pipe.RoundTrip.Deviation
}

// Traffic counts datagrams since the viewer was made.
type Traffic struct {
	Sent, SentBytes uint64 // to hosts, without handshakes
	Received        uint64 // from hosts
	Strangers       uint64 // from nobody we watch
}

// Traffic returns the counts.
func (v *Viewer) Traffic() Traffic {
	t := v.traffic
	if p := v.pipe; p != nil {
		t.add(p)
	}
	return t
}

// add adds what went to and fro a host.
func (t *Traffic) add(p *peer.Pipe) {
	t.Sent += p.Counts.Sent
	t.SentBytes += p.Counts.SentBytes
	t.Received += p.Counts.Received
}

// Limit returns how many bytes the datagrams may have that are sent to the present host, or
// 0 if none has answered.
func (v *Viewer) Limit() int {
	if v.pipe == nil {
		return 0
	}
	return v.pipe.Limit()
}

// Live returns how many frames are agreed, as far as is known.
func (v *Viewer) Live() uint32 { return v.live }

// Buffered returns how many frames wait here.
func (v *Viewer) Buffered() int { return v.queue.frames }

// Full reports whether no more is taken from the host until something is popped.
func (v *Viewer) Full() bool { return v.queue.size >= maxQueue }

// Transfer returns how many bytes of a state have come, and how many it has; zeros if
// none is on its way.
func (v *Viewer) Transfer() (have, size int) { return len(v.partial.bytes), int(v.partial.size) }

// Front returns what comes next, or nil. It is valid until [Viewer.Pop], which goes on
// to what follows.
func (v *Viewer) Front() *Item { return v.queue.front() }

// Pop goes on to what follows. The frames of the item before the one that is popped
// must not be used any more.
func (v *Viewer) Pop() {
	v.source = v.queue.front().host
	v.queue.pop()
}

// Reject gives up the host that has sent what was popped last, and forgets what is not
// taken yet. A host has to go on in this match (0 is none) at this frame.
func (v *Viewer) Reject(why error, match, next uint32) {
	v.resume(match, next)
	if v.source == v.search.host {
		v.lose(why, true)
		return
	}
	// The host before is found out only now. The present one has to send again what
	// was forgotten: it is left, and asked anew.
	v.search.reasons[v.source], v.search.final[v.source] = why, true
	v.tellLost(fmt.Errorf("it is asked again, since %v has sent what cannot be used: %w", v.cfg.Hosts[v.source], why))
	v.depart()
	v.search.begin(v)
}

// Forget forgets everything: the next host has to begin anew.
func (v *Viewer) Forget() { v.resume(0, 0) }

// resume forgets what is not taken yet.
func (v *Viewer) resume(match, next uint32) {
	v.queue = queue{}
	v.match, v.next, v.over, v.partial, v.following = match, next, false, partial{}, false
	if match == 0 {
		v.marked, v.chain = 0, 0
	}
	if v.offer != nil && v.offer.Match != match {
		v.offer = nil
	}
}

// News returns which hosts were found and lost since the last call, valid until the
// next one.
func (v *Viewer) News() []HostNews {
	n := v.news
	v.news = v.news[:0]
	return n
}

// Outgoing yields the datagrams to send, each with its destination, and forgets them.
func (v *Viewer) Outgoing() iter.Seq2[netip.AddrPort, []byte] { return v.out.All() }
