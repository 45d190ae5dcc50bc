package webrtc

import (
	"crypto/rand"
	"encoding/base64"
	"net/netip"
	"sync"
	"time"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/internal/links"
)

// Transport is a tickback.Transport over WebRTC. Its methods may be called by several goroutines at once. Make one
// with [New], and close it.
type Transport struct {
	cfg      Config
	maker    *maker
	instance string
	queue    *inbox.Queue
	counts   counters
	mail     mailbox

	failAfter time.Duration

	mu     sync.RWMutex
	links  map[netip.AddrPort]*link
	closed bool

	done    chan struct{}
	closing sync.WaitGroup // connections that are being closed
}

// New makes a transport without peers. The error wraps [ErrConfig], or says that WebRTC
// does not work here.
func New(cfg Config) (*Transport, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	maker, err := newMaker(&cfg)
	if err != nil {
		return nil, err
	}
	var b [9]byte
	rand.Read(b[:]) // never fails
	t := &Transport{
		cfg: cfg, maker: maker, instance: base64.RawURLEncoding.EncodeToString(b[:]), queue: inbox.New(),
		links: map[netip.AddrPort]*link{}, done: make(chan struct{}),
		mail: newMailbox(), failAfter: links.FailAfter,
	}
	go t.run()
	return t, nil
}

// Send sends one datagram of at most MaxDatagram bytes. It never blocks: a datagram that cannot be sent now is dropped
// and counted, and the error is ErrTooLong, ErrNoPeer, ErrNotConnected, ErrCongested or ErrClosed. The caller may
// reuse datagram afterwards.
func (t *Transport) Send(to netip.AddrPort, datagram []byte) error {
	if len(datagram) > MaxDatagram {
		t.counts.tooLong.Add(1)
		return ErrTooLong
	}
	t.mu.RLock()
	l, closed := t.links[to], t.closed
	t.mu.RUnlock()
	switch {
	case closed:
		return ErrClosed
	case l == nil:
		t.counts.unconnected.Add(1)
		return ErrNoPeer
	}
	c := l.ready.Load()
	if c == nil {
		t.counts.unconnected.Add(1)
		return ErrNotConnected
	}
	if err := (*c).send(datagram); err != nil {
		if err == ErrCongested {
			t.counts.congested.Add(1)
		} else {
			t.counts.unconnected.Add(1)
		}
		return err
	}
	t.counts.sent.Add(1)
	t.counts.sentBytes.Add(uint64(len(datagram)))
	return nil
}

// Receive copies the next datagram that has arrived into buf, and returns which peer it came from ([AddrOf]) and when
// it arrived. It never blocks; ok is false if there is none, and after Close. A datagram that does not fit is dropped
// and counted. It allocates nothing.
func (t *Transport) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	return t.queue.Receive(buf)
}

// Notify returns a channel, always the same, that gets a value when a datagram has
// arrived since the last Receive that returned false.
func (t *Transport) Notify() <-chan struct{} { return t.queue.Notify() }

// MaxPeers is the maximum number of peers of a transport: fifteen players and the spectators of one room, times two.
const MaxPeers = 94

// SetPeers sets the peers, by their numbers: connections to others end, and connections to new ones begin. Our own
// number, 0, and peers beyond MaxPeers are ignored.
func (t *Transport) SetPeers(ids ...uint32) {
	t.mail.add(letter{kind: forPeers, peers: links.Others(t.cfg.Self, ids, MaxPeers)})
}

// SetICE replaces the STUN and TURN servers, whose credentials may expire: connections that are made or repaired from
// now on use these; existing ones are unaffected. The error wraps [ErrConfig]; in that case nothing has changed.
func (t *Transport) SetICE(servers []ICEServer) error {
	cfg := t.cfg
	cfg.ICE = servers
	m, err := newMaker(&cfg)
	if err != nil {
		return err
	}
	t.mail.add(letter{kind: forServers, maker: m})
	return nil
}

// Deliver handles a signal from a peer, whose content is not trusted.
func (t *Transport) Deliver(from uint32, data string) {
	m, err := decodeSignal(data)
	if err != nil {
		t.counts.badSignals.Add(1)
		return
	}
	t.mail.add(letter{kind: forSignal, from: from, message: m})
}

// Peers returns the state of the connection to each peer, ordered by number.
func (t *Transport) Peers() []Peer {
	t.mu.RLock()
	defer t.mu.RUnlock()
	now, list := time.Now(), make([]Peer, 0, len(t.links))
	for _, l := range t.links {
		list = append(list, l.status.Peer(now))
	}
	links.Sort(list)
	return list
}

// Self returns our own number.
func (t *Transport) Self() uint32 { return t.cfg.Self }

// Close ends all connections, which the other sides notice. When it returns, nothing of the transport is running.
// Closing twice is no error.
func (t *Transport) Close() error {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.queue.Close()
	t.mail.add(letter{kind: forClose})
	<-t.done
	return nil
}
