package dtls

import (
	"log/slog"
	"net/netip"
	"time"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/transport/udp"
)

const (
	// idleTime is how long a silent peer is kept.
	idleTime = time.Minute
	// strangeTime is how long a stranger that does not connect is kept.
	strangeTime = 5 * time.Second
	// refuseTime is how long to wait for a peer with another token to come with ours.
	refuseTime = 3 * time.Second
	// answerTime is how long to wait before reporting that nobody answers.
	answerTime = 3 * time.Second
)

// peer is a machine to connect to. The transport's lock guards it, except what is atomic.
type peer struct {
	pair      *pair
	ring      *inbox.Ring
	stranger  bool // the peer contacted us: our owner has sent nothing to it
	handshake handshake
	status    status
	obstacle  obstacle
}

// status is how the connection to a peer stands.
type status struct {
	log         *slog.Logger
	state       peers.State
	since       time.Time // when the state began
	began       time.Time // when the search for the peer began
	connections int       // how often it was connected
}

func (s *status) enter(state peers.State, addr netip.AddrPort, now time.Time) {
	if s.state != state {
		s.state, s.since = state, now
		s.log.Info("dtls: peer "+state.String(), "peer", addr)
	}
}

// connected enters Connected over another connection.
func (s *status) connected(addr netip.AddrPort, now time.Time) {
	s.connections++
	s.enter(peers.Connected, addr, now)
}

// obstacle records the reason why a peer is not connected.
type obstacle struct {
	hint error // not authenticated: anybody can forge it
	// refused is when a machine at the peer's address first said that it has another token, and proved that it knew
	// the cookie that we gave that address. It is the zero time if no machine has done so since the last datagram of
	// the peer.
	refused time.Time
}

// suspect stores a reason that is not proved.
func (o *obstacle) suspect(why error) { o.hint = why }

// refuse stores that a machine which has proved its address has another token. It reports whether it is the first one.
func (o *obstacle) refuse(now time.Time) (first bool) {
	if first = o.refused.IsZero(); first {
		o.refused = now
	}
	return first
}

// at returns the reason, or nil.
func (o *obstacle) at(now time.Time) error {
	if !o.refused.IsZero() && now.Sub(o.refused) >= refuseTime {
		return errRefused
	}
	return o.hint
}

// insert adds a peer at an address where there is none. It returns nil if there are too many, and counts a stranger
// that is refused for that.
func (t *Transport) insert(at netip.AddrPort, pair *pair, stranger bool, now time.Time) *peer {
	if len(t.roster.list) >= MaxPeers {
		old := t.roster.expendable(now)
		if old == nil {
			if stranger {
				t.counts.refused.Add(1)
			}
			return nil
		}
		t.remove(old)
	}
	var needs time.Time
	if stranger {
		needs = now
	}
	p := &peer{
		pair: pair, ring: t.queue.Join(), stranger: stranger,
		handshake: handshake{addr: at, wanted: moment{began: t.began}, needs: needs},
		status:    status{log: t.log, state: peers.Connecting, since: now, began: now},
	}
	t.roster.add(p, at)
	return p
}

// remove removes a peer and ends its connections.
func (t *Transport) remove(p *peer) {
	t.roster.remove(p)
	current, pending := p.handshake.end()
	t.conns.hangUp(current, false)
	t.conns.hangUp(pending, false)
	t.queue.Leave(p.ring)
}

// greet sends a greeting to a peer.
func (t *Transport) greet(p *peer, flags byte, now time.Time) {
	t.greeter.send(p.handshake.greeting(flags, now), p.pair, p.handshake.addr, now)
}

// dial begins an attempt, of a number that its client has given it, unless there are too many with strangers. It
// reports whether it has begun.
func (t *Transport) dial(p *peer, flags byte, attempt uint32, now time.Time) bool {
	if p.stranger && !t.admits(p, now) {
		t.counts.refused.Add(1)
		return false
	}
	e := envelope{header: header{flags: flags, from: t.greeter.self, to: p.handshake.theirs, echo: p.handshake.given}, attempt: attempt}
	c, err := t.conns.open(t.keys.own, p.pair, e, p.handshake.addr, t.began)
	if err != nil {
		p.obstacle.suspect(err)
		return false
	}
	t.counts.handshakes.Add(1)
	t.conns.hangUp(p.handshake.begin(c, now), true)
	t.conns.running.Go(func() { t.serve(p, c) })
	return true
}

// admits reports whether a handshake with a stranger may begin now, beside those that take place.
func (t *Transport) admits(p *peer, now time.Time) bool {
	all, near := t.roster.halfOpen(p)
	return all < maxHalfOpen && near < maxHalfOpenNear && t.strangers.take(now)
}

// serve performs the handshake of a connection, and queues what arrives over it until it ends.
func (t *Transport) serve(p *peer, c *conn) {
	defer c.pion.Close()
	if !t.completed(p, c, c.handshake()) {
		return
	}
	c.pipe.begin()
	buf := make([]byte, udp.MaxDatagram)
	for {
		n, from, at, ok := c.read(buf)
		if !ok {
			break
		}
		t.decrypted(p, c, buf[:n], from, at)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.conns.forget(c)
	if p.handshake.lost(c) {
		p.status.enter(peers.Interrupted, p.handshake.addr, time.Now())
	}
}

// completed handles the end of a handshake, and reports whether the connection stays open.
func (t *Transport) completed(p *peer, c *conn, err error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if p.handshake.pending != c { // the attempt was abandoned
		return false
	}
	if err != nil {
		t.counts.failed.Add(1)
		t.log.Info("dtls: a handshake has failed", "peer", c.addr, "client", c.opening.flags&flagClient != 0, "error", err)
	}
	if err != nil || t.closed {
		t.conns.forget(c)
		p.handshake.finish(false, now)
		return false
	}
	c.heard.set(now)
	t.conns.hangUp(p.handshake.finish(true, now), true)
	p.obstacle = obstacle{}
	p.status.connected(p.handshake.addr, now)
	return true
}

// decrypted handles a datagram that a connection has decrypted. Its source is an address of the peer from now on,
// unless it belongs to another one.
func (t *Transport) decrypted(p *peer, c *conn, b []byte, from netip.AddrPort, at time.Time) {
	c.heard.set(time.Now())
	t.mu.RLock()
	known := t.roster.at[from] == p
	t.mu.RUnlock()
	if !known {
		t.mu.Lock()
		moved := p.handshake.conn.Load() == c && t.roster.move(p, from, p.handshake.addr, *c.to.Load())
		t.mu.Unlock()
		if !moved {
			t.counts.misplaced.Add(1)
			return
		}
		t.counts.moves.Add(1)
	}
	t.queue.Push(p.ring, from, b, at)
}

// Peer is the state of a peer, as the transport sees it.
type Peer struct {
	Addr        netip.AddrPort // the most recent address of a connection
	State       peers.State
	Trouble     error         // what prevents the connection, or nil: ErrOtherToken, which may wrap a *tickback.TokenError, ErrPlain, ErrNoAnswer, or an error of DTLS
	For         time.Duration // for how long it has been in this state
	Connections int           // how often it was connected
}

// Peers returns the state of each peer, in the order in which they were added.
func (t *Transport) Peers() []Peer {
	t.mu.RLock()
	defer t.mu.RUnlock()
	now := time.Now()
	list := make([]Peer, 0, len(t.roster.list))
	for _, p := range t.roster.list {
		s := &p.status
		peer := Peer{p.handshake.addr, s.state, p.obstacle.at(now), now.Sub(s.since), s.connections}
		if peer.Trouble == nil && p.handshake.theirs == (instance{}) && now.Sub(s.began) > answerTime { // then there is no connection either
			peer.Trouble = ErrNoAnswer
		}
		list = append(list, peer)
	}
	return list
}
