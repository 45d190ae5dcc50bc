package spectate

import (
	"iter"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// FollowerConfig configures a [Follower]. All fields except MaxState, Out, Token and Seat are required.
type FollowerConfig struct {
	// Hosts are tried in turn.
	Hosts []netip.AddrPort
	// Items are what a host must share with us; Own is not compared.
	Items datagram.Items
	// Compare returns why a host with other items cannot be watched, or nil.
	Compare func(host netip.AddrPort, version byte, theirs *datagram.Items) error
	// Period is the length of a tick.
	Period time.Duration
	// Timeout is how long the search for a host that answers may take. Drop is how long
	// the present host may be silent before the next one is tried.
	Timeout, Drop time.Duration
	// Random gives random numbers.
	Random func() uint64
	// MaxState is the most bytes that a state may have; 0 means 64 MiB.
	MaxState int
	// Out, if given, takes the datagrams to send, and its owner sends them; otherwise
	// [Follower.Outgoing] has them.
	Out *peer.Outbox
	// Token, if given, is shown to hosts that let only those watch who know one.
	Token []byte
	// Join, if given, is asked for at each host. Its token must pass [admission.CheckToken].
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

	match      uint32 // the match that is played, or 0
	offer      *datagram.Offer
	source     int           // the host of the item that was popped last
	useful     time.Duration // when the host last sent something that we need
	next       uint32        // the frame that comes next
	at         uint32        // the frame that the host sends next
	following  bool          // whether the host has said where its frames begin
	live       uint32        // how many frames there are, as far as is known
	over       bool          // whether the match has ended
	trust      trust
	partial    partial
	traffic    Traffic // with earlier hosts
	memberList []byte  // the newest roll of the host, to a newcomer
}

// HostNews is a host that was found, or lost.
type HostNews struct {
	Addr  netip.AddrPort
	Found bool
	Why   error // why it was lost
	Over  bool  // whether the whole match had come by then, with its end
}

// maxQueue is how many bytes may wait to be taken before no more messages are read. The
// host then sends no more.
const maxQueue = 256 << 10

// NewViewer makes a spectator that has not started yet.
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

// AddHost adds a host to try, unless it is one already or there are [MaxHosts].
func (v *Follower) AddHost(addr netip.AddrPort) {
	if slices.Contains(v.cfg.Hosts, addr) || len(v.cfg.Hosts) >= MaxHosts {
		return
	}
	v.cfg.Hosts = append(slices.Clip(v.cfg.Hosts), addr)
	v.search.reasons, v.search.final = append(v.search.reasons, nil), append(v.search.final, false)
	v.search.behind, v.search.tokenRefused = append(v.search.behind, 0), append(v.search.tokenRefused, 0)
	v.search.runs = append(v.search.runs, 0)
}

// MaxHosts is the most hosts, including added ones.
const MaxHosts = 32

// Err returns why nothing more will come: [ErrEnd], or [*HostsError].
func (v *Follower) Err() error { return v.err }

// Host returns the host that is watched, or tried.
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

// Traffic counts datagrams since the follower was made.
type Traffic struct {
	Sent, SentBytes uint64 // to hosts, without handshakes
	Received        uint64 // from hosts
	Strangers       uint64 // from others
}

// Traffic returns the counts.
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

// Limit returns how large datagrams to the present host may be, in bytes, or 0 if no host
// has answered.
func (v *Follower) Limit() int {
	if v.pipe == nil {
		return 0
	}
	return v.pipe.Limit()
}

// Live returns how many frames are known to be agreed.
func (v *Follower) Live() uint32 { return v.live }

// Buffered returns how many frames wait to be taken.
func (v *Follower) Buffered() int { return v.queue.frames }

// Full reports whether nothing more is taken from the host until an item is popped.
func (v *Follower) Full() bool { return v.queue.size >= maxQueue }

// Transfer returns how many bytes of a state have arrived, and how many it has; zeros if no
// state is on its way.
func (v *Follower) Transfer() (have, size int) { return len(v.partial.bytes), int(v.partial.size) }

// Front returns the next item, or nil. It is valid until [Follower.Pop].
func (v *Follower) Front() *Item { return v.queue.front() }

// Pop moves on to the next item. The frames of the item popped before this one must not be
// used any more.
func (v *Follower) Pop() {
	v.source = v.queue.front().host
	v.queue.pop()
}

// News returns which hosts were found and lost since the last call; it is valid until the
// next one.
func (v *Follower) News() []HostNews {
	n := v.news
	v.news = v.news[:0]
	return n
}

// Outgoing yields the datagrams to send, each with its destination, and forgets them.
func (v *Follower) Outgoing() iter.Seq2[netip.AddrPort, []byte] { return v.out.All() }
