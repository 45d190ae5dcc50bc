package spectate

import (
	"errors"
	"iter"
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/pipe"
	"github.com/tickback/tickback/wire/datagram"
)

// ViewerConfig is whom a spectator watches, and what it expects. All fields but
// MaxState are required.
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
}

// Viewer is a spectator, as far as the protocol goes.
type Viewer struct {
	cfg     ViewerConfig
	now     time.Duration
	started bool
	updated time.Duration // when Update was called last
	out     pipe.Outbox
	queue   queue
	news    []HostNews
	err     error

	search search
	pipe   *pipe.Pipe // nil until the host has answered
	asked  bool       // what we want is said
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
	strangers uint64
}

// HostNews is a host that was found, or lost.
type HostNews struct {
	Addr  netip.AddrPort
	Found bool
	Why   error // it was lost
}

// maxQueue is how many bytes wait to be taken before no more messages are: the host
// then sends no more.
const maxQueue = 256 << 10

// NewViewer makes a spectator that has done nothing yet.
func NewViewer(cfg ViewerConfig) *Viewer {
	if cfg.MaxState == 0 {
		cfg.MaxState = 64 << 20
	}
	v := &Viewer{cfg: cfg}
	v.out.Most = MaxOutgoing
	v.search.reasons = make([]error, len(cfg.Hosts))
	v.search.final = make([]bool, len(cfg.Hosts))
	v.search.behind = make([]time.Duration, len(cfg.Hosts))
	return v
}

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

// Traffic returns the datagrams that were received from the present host, and those
// that came from nobody we watch.
func (v *Viewer) Traffic() (received, strangers uint64) {
	if v.pipe != nil {
		received = v.pipe.Received
	}
	return received, v.strangers
}

// Live returns how many frames are agreed, as far as is known, and Buffered how many
// wait here.
func (v *Viewer) Live() uint32  { return v.live }
func (v *Viewer) Buffered() int { return v.queue.frames }

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
	// was forgotten.
	v.search.reasons[v.source], v.search.final[v.source] = why, true
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

// Receive takes a datagram that has arrived.
func (v *Viewer) Receive(at time.Duration, from netip.AddrPort, b []byte) {
	v.now = max(v.now, at)
	if len(b) == 0 || v.err != nil || from != v.Host() || !v.started {
		v.strangers++
		return
	}
	switch {
	case b[0] == datagram.KindWelcome:
		v.receiveWelcome(at, b)
	case v.pipe != nil && datagram.IsSession(b):
		v.receiveSession(at, b)
	default:
		v.strangers++
	}
}

func (v *Viewer) receiveSession(at time.Duration, b []byte) {
	ok, err := v.pipe.Receive(at, b)
	switch {
	case err != nil:
		v.lose(err, true)
		return
	case !ok:
		v.strangers++
		return
	}
	if v.take(); v.pipe == nil {
		return
	}
	if !v.heard {
		v.heard, v.useful = true, v.now
		v.news = append(v.news, HostNews{Addr: v.Host(), Found: true})
	}
	if v.unsaid++; v.unsaid >= 2 {
		v.send()
	}
}

// take takes messages, as long as there is room for what they bring.
func (v *Viewer) take() {
	for v.pipe != nil && v.queue.size < maxQueue {
		b, ok := v.pipe.Channel.Next()
		if !ok {
			return
		}
		v.useful = v.now
		if err := v.message(b); err != nil {
			v.lose(err, !errors.Is(err, errBehind))
		}
	}
}

// send sends what is due.
func (v *Viewer) send() {
	if v.out.Full() {
		return
	}
	if !v.heard {
		v.attach()
	}
	v.out.Seal(v.pipe.Append(v.out.Bytes, v.now), v.Host())
	v.unsaid = 0
}

// attach answers the host's Welcome, until it takes us.
func (v *Viewer) attach() {
	s := &v.search
	b := datagram.Attach{Nonce: s.nonce}.Append(v.out.Bytes)
	v.out.Seal(datagram.KeyOf(s.nonce, s.theirs).Seal(b, v.out.Start(), 0), v.Host())
}

// Update sends what is due, and looks for another host if the present one is lost. It
// returns when to call it again.
func (v *Viewer) Update(now time.Duration) (next time.Duration) {
	v.now = max(v.now, now)
	if !v.started {
		v.started = true
		v.search.begin(v)
		v.search.since, v.updated = v.now, v.now
	}
	v.forgive()
	if v.err != nil {
		return v.now + time.Second
	}
	v.take()
	if v.pipe == nil {
		return v.seek()
	}
	if v.now-v.pipe.Heard > v.cfg.Drop {
		v.lose(errSilent, false)
		return v.now
	}
	if v.heard {
		v.search.since = v.now
	}
	if v.idle() {
		v.lose(errIdle, false)
		return v.now
	}
	due := v.pipe.Due(v.now)
	if !v.heard {
		due = min(due, v.search.next)
	}
	if due <= v.now {
		v.search.next = v.now + attachEvery
		v.send()
		due = v.now + v.cfg.Period
	}
	return due
}

// forgive does not hold against the hosts that our own program was asleep.
func (v *Viewer) forgive() {
	if gap := v.now - v.updated; gap > time.Second {
		v.search.since += gap
		v.search.tried += gap
	}
	v.updated = v.now
}

// idle reports whether another host should be tried, because the present one, though
// it is there, has had nothing for us for a while.
func (v *Viewer) idle() bool {
	patience := matchPatience
	if v.match == 0 || v.over {
		patience = lobbyPatience
	}
	return v.heard && len(v.cfg.Hosts) > 1 && v.queue.size < maxQueue && v.now-v.useful > patience
}

const (
	matchPatience = 15 * time.Second
	lobbyPatience = time.Minute
)

// attachEvery is the interval of attempts to be taken.
const attachEvery = 40 * time.Millisecond

// Leave tells the host that we go.
func (v *Viewer) Leave() {
	v.depart()
	v.err = ErrLeft
}

// depart tells the host that we go, once: if it does not hear it, it will notice our
// silence.
func (v *Viewer) depart() {
	if v.pipe != nil && v.pipe.Channel.Send([]byte{messageBye}) == nil {
		v.send()
	}
}
