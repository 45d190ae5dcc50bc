package spectate

import (
	"iter"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// FollowerConfig configures a [Follower]. All fields except MaxState, Out, Token and Join are required.
type FollowerConfig struct {
	// Hosts are tried in turn.
	Hosts []netip.AddrPort
	// Items are what must be equal at the host; Own is not compared.
	Items datagram.Items
	// Compare returns an error if a host with other items cannot be watched.
	Compare func(host netip.AddrPort, version byte, theirs *datagram.Items) error
	// Period is the tick period.
	Period time.Duration
	// Timeout limits the search for a host that answers. Drop is how long the current host may be silent before the
	// next one is tried.
	Timeout, Drop time.Duration
	// Random returns random numbers.
	Random func() uint64
	// MaxState is the maximum size of a state in bytes; 0 means 64 MiB.
	MaxState int
	// Out, if given, is the outbox for datagrams, and its owner sends them; otherwise [Follower.Outgoing] yields
	// them.
	Out *peer.Outbox
	// Token, if given, is proved to hosts that require one of spectators.
	Token []byte
	// Join, if given, is the request made at each host. Its token must pass [admission.CheckToken].
	Join *JoinRequest
}

// Follower is the spectator's side of the protocol.
type Follower struct {
	cfg     FollowerConfig
	now     time.Duration
	started bool
	updated time.Duration // when Update was last called
	out     *peer.Outbox
	queue   queue
	news    []HostNews
	err     error

	search search
	pipe   *peer.Pipe // nil until the host has answered
	heard  bool       // whether the host has accepted us
	unsaid int        // datagrams received since we last sent one

	match      uint32 // the current match, or 0
	offer      *datagram.Offer
	source     int           // the host that sent the item popped last
	useful     time.Duration // when the host last sent something that we need
	next       uint32        // the frame expected next
	at         uint32        // the frame that the host sends next
	following  bool          // whether the host has announced where its frames begin
	live       uint32        // how many frames are agreed, as far as is known
	over       bool          // whether the match has ended
	trust      trust
	partial    partial
	traffic    Traffic // traffic with earlier hosts
	memberList []byte  // for a newcomer: the newest member list from the host
}

// HostNews reports that a host was found or lost.
type HostNews struct {
	Addr  netip.AddrPort
	Found bool
	Why   error // why it was lost
	Over  bool  // whether the whole match, with its end, had arrived by then
}

// maxQueue is how many bytes may be waiting before no more messages are read. The host then stops sending.
const maxQueue = 256 << 10

// NewViewer creates a follower that has not started yet.
func NewViewer(cfg FollowerConfig) *Follower {
	if cfg.MaxState == 0 {
		cfg.MaxState = 64 << 20
	}
	v := &Follower{cfg: cfg, out: cfg.Out}
	if v.out == nil {
		v.out = &peer.Outbox{Most: MaxOutgoing}
	}
	v.search.reasons = make([]error, len(cfg.Hosts))
	v.search.final = make([]bool, len(cfg.Hosts))
	v.search.behind = make([]time.Duration, len(cfg.Hosts))
	v.search.tokenRefused = make([]time.Duration, len(cfg.Hosts))
	v.search.runs = make([]uint64, len(cfg.Hosts))
	return v
}

// AddHost adds a host to try, unless it is in the list or there are [MaxHosts] already.
func (v *Follower) AddHost(addr netip.AddrPort) {
	if slices.Contains(v.cfg.Hosts, addr) || len(v.cfg.Hosts) >= MaxHosts {
		return
	}
	v.cfg.Hosts = append(slices.Clip(v.cfg.Hosts), addr)
	v.search.reasons, v.search.final = append(v.search.reasons, nil), append(v.search.final, false)
	v.search.behind, v.search.tokenRefused = append(v.search.behind, 0), append(v.search.tokenRefused, 0)
	v.search.runs = append(v.search.runs, 0)
}

// MaxHosts is the maximum number of hosts, including added ones.
const MaxHosts = 32

// Err returns why nothing more will come: [ErrEnd], or [*HostsError].
func (v *Follower) Err() error { return v.err }

// Host returns the host that is being watched or tried.
func (v *Follower) Host() netip.AddrPort { return v.cfg.Hosts[v.search.host] }

// Over reports whether the match has arrived in full, with its end.
func (v *Follower) Over() bool { return v.over }

// Attached reports whether a host has accepted us.
func (v *Follower) Attached() bool { return v.heard }

// RoundTrip returns the measured round trip to the host.
func (v *Follower) RoundTrip() (smoothed, deviation time.Duration) {
	if v.pipe == nil {
		return 0, 0
	}
	return v.pipe.RoundTrip.Smoothed, v.pipe.RoundTrip.Deviation
}

// Traffic counts datagrams since the follower was created.
type Traffic struct {
	Sent, SentBytes uint64 // to hosts, without handshakes
	Received        uint64 // from hosts
	Strangers       uint64 // from others
}

// Traffic returns the counters.
func (v *Follower) Traffic() Traffic {
	t := v.traffic
	if p := v.pipe; p != nil {
		t.add(p)
	}
	return t
}

// add adds the traffic with a host.
func (t *Traffic) add(p *peer.Pipe) {
	t.Sent += p.Counts.Sent
	t.SentBytes += p.Counts.SentBytes
	t.Received += p.Counts.Received
}

// Limit returns the maximum size of datagrams to the current host, in bytes, or 0 if no host has answered.
func (v *Follower) Limit() int {
	if v.pipe == nil {
		return 0
	}
	return v.pipe.Limit()
}

// Live returns how many frames are agreed, as far as is known.
func (v *Follower) Live() uint32 { return v.live }

// Buffered returns how many frames are waiting in the queue.
func (v *Follower) Buffered() int { return v.queue.frames }

// Full reports whether the queue is full, so that nothing is read from the host until an item is popped.
func (v *Follower) Full() bool { return v.queue.size >= maxQueue }

// Transfer returns how many bytes of a state have arrived, and its size; both are 0 if no state is being
// transferred.
func (v *Follower) Transfer() (have, size int) { return len(v.partial.bytes), int(v.partial.size) }

// Front returns the next item, or nil. It is valid until [Follower.Pop].
func (v *Follower) Front() *Item { return v.queue.front() }

// Pop moves on to the next item. The frames of the item popped before this one must not be used any more.
func (v *Follower) Pop() {
	v.source = v.queue.front().host
	v.queue.pop()
}

// News returns which hosts were found and lost since the last call. The result is valid until the next call.
func (v *Follower) News() []HostNews {
	n := v.news
	v.news = v.news[:0]
	return n
}

// Outgoing yields the datagrams to send, each with its destination, and removes them from the outbox.
func (v *Follower) Outgoing() iter.Seq2[netip.AddrPort, []byte] { return v.out.All() }
