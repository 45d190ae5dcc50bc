package webrtc

import (
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/internal/links"
)

// Intervals and time-outs.
const (
	helloEvery   = time.Second     // between hellos while nothing comes back
	attemptTime  = 8 * time.Second // for a connection to open
	restartTime  = 5 * time.Second // for finding new paths
	restartEvery = 2 * time.Second // between two searches for new paths
	answerTime   = 2 * time.Second // for an offer to arrive after a hello
	openEvery    = time.Second / 2 // minimum between two new connections, whatever the other side sends
)

// maxCandidates is the maximum number of candidates for one description, and of those that arrive before it.
const maxCandidates = 64

// dial is one connection to a peer, from its creation to its end.
type dial struct {
	number    uint32 // the number of the attempt
	conn      connection
	began     time.Time
	restarted time.Time // when the last search for new paths began
	described bool      // the other side's description is known
	waiting   []candidate
	taken     int  // the number of candidates for this description
	open      bool // the data channel is open
	path      pathState
}

func (d *dial) connected() bool { return d.open && d.path == pathConnected }

// link is a peer, and the connection to it. Only the transport's goroutine uses it, except for the status and ready.
type link struct {
	t       *Transport
	status  *links.Status
	id      uint32
	addr    netip.AddrPort
	ring    *inbox.Ring
	offers  bool   // this side makes the offers
	remote  string // the other side's instance; "" if it is not known
	attempt uint32 // the number of the newest connection
	dial    *dial  // nil if there is none
	hello   time.Time
	opened  time.Time                  // when the newest connection was begun
	ready   atomic.Pointer[connection] // the connection over which datagrams may be sent
}

func newLink(t *Transport, id uint32, now time.Time) *link {
	return &link{t: t, status: links.NewStatus(id, now), id: id, addr: AddrOf(id), ring: t.queue.Join(), offers: t.cfg.Self < id}
}

// enter sets the state, and logs it if that is news.
func (l *link) enter(s State, r Reason, now time.Time) {
	if l.status.Enter(s, r, now) {
		l.log(now)
	}
}

func (l *link) log(now time.Time) {
	p := l.status.Peer(now)
	l.t.cfg.Log.Info("webrtc: peer "+p.State.String(), "peer", l.id, "reason", p.Reason.String())
}

func (l *link) say(m message) {
	m.From = l.t.instance
	_ = l.t.cfg.Signaler.Signal(l.id, m.encode()) // lost signals are sent again
}

func (l *link) sendHello(now time.Time) {
	l.hello = now
	l.say(message{Kind: sayHello, Want: l.dial == nil || !l.dial.connected()})
}

// signalled handles a signal from the other side.
func (l *link) signalled(m *message, now time.Time) {
	if m.From != l.remote && (m.Kind == sayHello || m.Kind == sayOffer) {
		l.hangUp() // the other side was restarted
		l.remote = m.From
		if !l.offers {
			l.attempt = 0 // it counts anew
		}
	}
	if m.From != l.remote || m.To != "" && m.To != l.t.instance {
		return
	}
	switch m.Kind {
	case sayHello:
		l.greeted(m.Want, now)
	case sayOffer:
		if !l.offers && m.To == l.t.instance {
			l.offered(m, now)
		}
	case sayAnswer:
		if d := l.dial; l.offers && d != nil && d.number == m.Attempt && !d.described {
			l.described(d.conn.accept(m.SDP), now)
		}
	case sayCandidate:
		if d := l.dial; d != nil && d.number == m.Attempt {
			l.way(m.Candidate)
		}
	}
}

// greeted handles a hello of the instance that we know.
func (l *link) greeted(wants bool, now time.Time) {
	switch d := l.dial; {
	case !l.offers:
		l.sendHello(now) // the other side may not know us yet
	case d == nil:
		l.begin(now)
	case wants && d.connected():
		l.restart(now) // the other side was the first to notice
	case wants && !d.open && now.Sub(d.began) > answerTime: // our offer was lost, or its answer failed
		l.begin(now)
	}
}

// begin makes a connection, and offers it.
func (l *link) begin(now time.Time) {
	if !l.open(l.attempt+1, now) {
		return
	}
	sdp, err := l.dial.conn.offer(false)
	if err != nil {
		l.hangUp()
		return
	}
	l.say(message{Kind: sayOffer, To: l.remote, Attempt: l.dial.number, SDP: sdp})
}

// restart searches for new paths for a connection that has lost its path.
func (l *link) restart(now time.Time) {
	d := l.dial
	if now.Sub(d.restarted) < restartEvery || now.Sub(d.began) < restartEvery {
		return
	}
	d.restarted, d.described = now, false
	l.t.counts.restarts.Add(1)
	sdp, err := d.conn.offer(true)
	if err != nil {
		l.hangUp()
		return
	}
	l.say(message{Kind: sayOffer, To: l.remote, Attempt: d.number, SDP: sdp})
}

// offered handles an offer: of a new connection, or of new paths for the current one.
func (l *link) offered(m *message, now time.Time) {
	if m.Attempt < l.attempt {
		return
	}
	if l.dial == nil || m.Attempt > l.attempt {
		if !l.open(m.Attempt, now) {
			return
		}
	} else {
		l.dial.restarted = now
	}
	d := l.dial
	sdp, err := d.conn.answer(m.SDP)
	l.described(err, now)
	if l.dial == d {
		l.say(message{Kind: sayAnswer, To: l.remote, Attempt: d.number, SDP: sdp})
	}
}

// described handles the result of applying a description of the other side.
func (l *link) described(err error, now time.Time) {
	if err != nil {
		l.t.counts.badSignals.Add(1)
		l.hangUp()
		l.sendHello(now)
		return
	}
	d := l.dial
	d.described, d.taken = true, 0
	for i := range d.waiting {
		l.add(&d.waiting[i])
	}
	d.waiting = nil
}

// way handles a candidate from the other side.
func (l *link) way(c *candidate) {
	switch d := l.dial; {
	case d.described:
		l.add(c)
	case len(d.waiting) < maxCandidates:
		d.waiting = append(d.waiting, *c)
	}
}

func (l *link) add(c *candidate) {
	if l.dial.taken++; l.dial.taken > maxCandidates {
		l.t.counts.badSignals.Add(1)
		return
	}
	if l.dial.conn.add(c) != nil {
		l.t.counts.badSignals.Add(1) // other candidates may work
	}
}

// open makes a connection that replaces the current one.
func (l *link) open(number uint32, now time.Time) bool {
	l.hangUp()
	if now.Sub(l.opened) < openEvery {
		return false
	}
	l.opened = now
	d := &dial{number: number, began: now}
	tell := func(m letter) {
		m.link, m.dial = l, d
		l.t.mail.add(m)
	}
	conn, err := l.t.maker.connect(callbacks{
		candidate: func(c candidate) { tell(letter{kind: forCandidate, candidate: c}) },
		state:     func(s pathState) { tell(letter{kind: forPath, path: s}) },
		open:      func(open bool) { tell(letter{kind: forChannel, open: open}) },
		datagram:  func(b []byte, at time.Time) { l.t.queue.Push(l.ring, l.addr, b, at) },
	})
	if err != nil {
		l.enter(Failed, Unsupported, now)
		return false
	}
	l.t.counts.attempts.Add(1)
	d.conn = conn
	l.dial, l.attempt = d, number
	return true
}

// hangUp closes the connection.
func (l *link) hangUp() {
	if l.dial == nil {
		return
	}
	l.ready.Store(nil)
	l.t.closeLater(l.dial.conn)
	l.dial = nil
	if l.status.State() == Connected {
		l.enter(Interrupted, NoReason, time.Now())
	}
}
