package dtls

import (
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/peers"
)

const (
	// wantTime is for how long after a Send a connection to its address is attempted.
	wantTime = 3 * time.Second
	// needTime is how long a peer's statement that it wants to be connected remains valid.
	needTime = 2 * time.Second
	// silentTime is how long a peer must be silent before we ask whether it was restarted, or accept its statement
	// that it has lost the connection.
	silentTime = time.Second
	// idleTime is how long a silent peer is kept.
	idleTime = time.Minute
	// strangeTime is how long a stranger that does not connect is kept.
	strangeTime = 5 * time.Second
	// retryTime is the least time between two handshakes with a peer.
	retryTime = 200 * time.Millisecond
	// refuseTime is how long to wait for a peer with another token to come with ours.
	refuseTime = 3 * time.Second
	// answerTime is how long to wait before reporting that nobody answers.
	answerTime = 3 * time.Second
	// maxPlaces limits the addresses of a peer: that of the handshake, the one that it has moved to, and two that an
	// attacker on the path has invented.
	maxPlaces = 4
)

// peer is a machine to connect to. Its fields are guarded by the transport's lock, except
// the atomic ones.
type peer struct {
	t        *Transport
	pair     *pair
	ring     *inbox.Ring
	addr     netip.AddrPort   // where greetings and handshakes go
	places   []netip.AddrPort // all its addresses, the oldest first
	stranger bool             // it contacted us: our owner has sent nothing to it
	wanted   atomic.Int64     // when our owner last sent something, since the start of the transport
	ready    atomic.Pointer[conn]

	theirs  instance  // the newest that has proved its address
	given   cookie    // that it gave us
	givenAt time.Time // when it did
	needs   time.Time // when it last said that it wants to be connected

	conn, pending *conn // conn is also in ready
	attempt       uint32
	retry         time.Time // no handshake begins before
	greeted       time.Time
	greetings     int

	state       peers.State
	since       time.Time
	began       time.Time
	connections int
	obstacle    obstacle
}

// obstacle records why a peer is not connected.
type obstacle struct {
	hint error // not authenticated: anybody can forge it
	// refused is when a machine at the peer's address first said that it has another token, and proved that it knew
	// the cookie that we gave that address. It is the zero time if none has since the peer was last heard.
	refused time.Time
}

// at returns the reason, or nil.
func (t *obstacle) at(now time.Time) error {
	if !t.refused.IsZero() && now.Sub(t.refused) >= refuseTime {
		return errRefused
	}
	return t.hint
}

// insert adds a peer at an address where there is none. It returns nil if there are too many.
func (t *Transport) insert(at netip.AddrPort, pair *pair, now time.Time) *peer {
	if len(t.peers) >= MaxPeers && !t.makeRoom(now) {
		return nil
	}
	p := &peer{
		t: t, pair: pair, addr: at, places: []netip.AddrPort{at}, ring: t.queue.Join(at),
		state: peers.Connecting, since: now, began: now,
	}
	t.peers, t.at[at] = append(t.peers, p), p
	return p
}

// makeRoom removes the peer without a connection whose address has not been wanted for the longest time, or else a
// connected stranger to whom our owner sends nothing: the newest one of the network that has most of them. Peers that
// our owner wants now stay, also while their connection is lost.
func (t *Transport) makeRoom(now time.Time) bool {
	var oldest, idle *peer
	strangers := map[netip.Prefix]int{}
	for _, p := range t.peers {
		switch {
		case p.wantedFor(now) < wantTime:
		case p.conn == nil && p.pending == nil:
			if oldest == nil || p.wanted.Load() < oldest.wanted.Load() {
				oldest = p
			}
		case p.stranger:
			net := network(p.addr.Addr())
			if strangers[net]++; idle == nil || strangers[net] >= strangers[network(idle.addr.Addr())] {
				idle = p
			}
		}
	}
	switch {
	case oldest != nil:
		t.remove(oldest)
	case idle != nil && strangers[network(idle.addr.Addr())] > 1: // a network with only one is not flooding us
		t.remove(idle)
	default:
		return false
	}
	return true
}

// remove removes a peer and ends its connections.
func (t *Transport) remove(p *peer) {
	for _, a := range p.places {
		delete(t.at, a)
	}
	t.peers = slices.DeleteFunc(t.peers, func(o *peer) bool { return o == p })
	p.ready.Store(nil)
	for _, c := range []*conn{p.conn, p.pending} {
		if c != nil {
			c.hangUp(false)
		}
	}
	p.conn, p.pending = nil, nil
	t.queue.Leave(p.ring)
}

// wantedFor returns how long ago our owner last sent something to the peer.
func (p *peer) wantedFor(now time.Time) time.Duration {
	at := p.wanted.Load()
	if at == 0 {
		return idleTime
	}
	return now.Sub(p.t.began) - time.Duration(at)
}

// silentFor returns how long nothing has arrived over a connection.
func (c *conn) silentFor(now time.Time) time.Duration {
	return now.Sub(c.t.began) - time.Duration(c.heard.Load())
}

// sendHello sends a greeting.
func (p *peer) sendHello(flags byte, now time.Time) {
	if p.conn == nil || p.conn.theirs != p.theirs || p.due(now) { // there is no connection, or no working one
		flags |= flagWant
	}
	if flags&flagAsk != 0 {
		p.greeted = now
		p.greetings++
	}
	h := hello{header{flags: flags, from: p.t.self, to: p.theirs}, p.t.cookieMaker.give(p.addr, now)}
	if now.Sub(p.givenAt) < cookieTime {
		h.echo = p.given
	}
	_ = p.t.under.Send(p.addr, h.append(make([]byte, 0, helloSize), p.pair)) // it is repeated
}

// due reports whether a connection should be made.
func (p *peer) due(now time.Time) bool {
	needed := !p.needs.IsZero() && now.Sub(p.needs) < needTime
	switch c := p.conn; {
	case c == nil || c.theirs != p.theirs: // there is none, or the peer was restarted
		return needed || p.wantedFor(now) < wantTime
	default: // the peer may have lost the connection
		return needed && c.silentFor(now) > silentTime
	}
}

// advance begins a handshake, if it is our turn to begin one now.
func (p *peer) advance(now time.Time) {
	t := p.t
	if p.pending != nil || p.theirs == (instance{}) || now.Before(p.retry) || !p.due(now) ||
		!t.self.before(p.theirs) || now.Sub(p.givenAt) > cookieTime {
		return
	}
	p.retry = now.Add(retryTime)
	if p.stranger && !t.admits(p, now) {
		return
	}
	t.attempts++
	p.dial(true, t.attempts)
}

// dial begins a handshake.
func (p *peer) dial(client bool, attempt uint32) {
	c, err := p.newConn(client, attempt)
	if err != nil {
		p.obstacle.hint = err
		return
	}
	p.t.counts.handshakes.Add(1)
	p.pending, p.attempt, p.t.conns[c.id] = c, attempt, c
	p.t.running.Go(c.run)
}

// completed handles the end of a handshake, and reports whether the connection stays open.
func (t *Transport) completed(c *conn, err error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	p, now := c.peer, time.Now()
	if p.pending != c { // it was abandoned
		return false
	}
	p.pending = nil
	if err != nil {
		t.counts.failed.Add(1)
		t.log.Info("dtls: a handshake has failed", "peer", c.addr, "client", c.client, "error", err)
	}
	if err != nil || t.closed {
		delete(t.conns, c.id)
		p.retry = now.Add(retryTime)
		return false
	}
	if old := p.conn; old != nil {
		old.hangUp(true) // the other side has forgotten it
	}
	c.heard.Store(int64(now.Sub(t.began)))
	p.conn = c
	p.ready.Store(c)
	p.connections++
	p.needs, p.obstacle, p.greetings = time.Time{}, obstacle{}, 0
	p.enter(peers.Connected, now)
	return true
}

// ended handles the end of a connection.
func (t *Transport) ended(c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.conns, c.id)
	if p := c.peer; p.conn == c {
		p.conn = nil
		p.ready.Store(nil)
		p.enter(peers.Interrupted, time.Now())
	}
}

func (p *peer) enter(s peers.State, now time.Time) {
	if p.state != s {
		p.state, p.since = s, now
		p.t.log.Info("dtls: peer "+s.String(), "peer", p.addr)
	}
}

// receiveDecrypted handles a datagram that a connection has decrypted.
func (t *Transport) receiveDecrypted(c *conn, b []byte, from netip.AddrPort, at time.Time) {
	c.heard.Store(int64(time.Since(t.began)))
	if len(b) > MaxDatagram {
		t.counts.tooLong.Add(1)
		return
	}
	t.mu.RLock()
	known := t.at[from] == c.peer
	t.mu.RUnlock()
	if !known && !t.moved(c, from) {
		t.counts.misplaced.Add(1)
		return
	}
	t.counts.received.Add(1)
	t.counts.receivedBytes.Add(uint64(len(b)))
	if t.queue.PushFrom(c.peer.ring, from, b, at) {
		t.counts.overflowed.Add(1)
	}
}

// moved adopts a new address of a peer, unless another peer has it.
func (t *Transport) moved(c *conn, to netip.AddrPort) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := c.peer
	if t.at[to] != nil || p.conn != c {
		return false
	}
	t.counts.moves.Add(1)
	if len(p.places) == maxPlaces {
		used := *c.to.Load()
		old := slices.IndexFunc(p.places, func(a netip.AddrPort) bool { return a != p.addr && a != used })
		delete(t.at, p.places[old])
		p.places = slices.Delete(p.places, old, old+1)
	}
	p.places, t.at[to] = append(p.places, to), p
	return true
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
	list := make([]Peer, 0, len(t.peers))
	for _, p := range t.peers {
		status := Peer{p.addr, p.state, p.obstacle.at(now), now.Sub(p.since), p.connections}
		if status.Trouble == nil && p.conn == nil && p.theirs == (instance{}) && now.Sub(p.began) > answerTime {
			status.Trouble = ErrNoAnswer
		}
		list = append(list, status)
	}
	return list
}
