package fleet

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

var stranger = netip.MustParseAddrPort("203.0.113.9:4242")

// tape is a datagram that was sent.
type tape struct {
	from, to int
	bytes    []byte
}

// record keeps all that is sent.
func (l *lab) tapeAll() *[]tape {
	list := new([]tape)
	l.OnSend = func(from, to int, b []byte) {
		*list = append(*list, tape{from, to, append([]byte(nil), b...)})
	}
	return list
}

// inject delivers a datagram to a peer, as if it came from an address, and sends its
// answers.
func (l *lab) inject(to int, from netip.AddrPort, b []byte) {
	p := l.Peers[to]
	p.Receive(p.clock.Local(l.Now), from, b)
	l.send(p)
}

// attack lets a match run from the start to its end, and often calls a function in
// every phase.
func attack(t *testing.T, players int, act func(l *lab, r *rand.Rand, tapes []tape), options ...option) *lab {
	seed := seedOf(t, 11)
	r := rand.New(rand.NewPCG(seed, 3))
	l := newLab(t, players, append([]option{frames(300), withLoss(25*time.Millisecond, 5*netem.Percent), seeded(seed)}, options...)...)
	tapes := l.tapeAll()
	for !l.phases(session.Lobby) || l.Now < time.Second {
		if l.pass(7 * time.Millisecond); l.Now > time.Minute {
			l.dump()
			t.Fatal("the match does not end")
		}
		act(l, r, *tapes)
	}
	l.same(0, l.Peers...)
	l.healthy()
	for i, p := range l.Peers {
		for _, w := range []session.What{session.Moved, session.Lost, session.Left, session.Desync, session.Closed} {
			if count(p, w) > 0 {
				l.dump()
				t.Fatalf("peer %d: event %v", i, w)
			}
		}
	}
	return l
}

// Garbage of any length, from peers and from strangers, in every phase: nothing
// happens.
func TestGarbageChangesNothing(t *testing.T) {
	attack(t, 3, func(l *lab, r *rand.Rand, _ []tape) {
		for range 4 {
			b := make([]byte, r.IntN(1400))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			if len(b) > 0 && r.IntN(2) == 0 {
				b[0] = byte(r.IntN(8))
			}
			to := r.IntN(3)
			l.inject(to, []netip.AddrPort{stranger, Addr((to + 1) % 3), Addr((to + 2) % 3), Addr(to), {}}[r.IntN(5)], b)
		}
	})
}

// Truncated and damaged copies of every datagram change nothing.
func TestDamagedCopiesChangeNothing(t *testing.T) {
	done := 0
	attack(t, 2, func(l *lab, r *rand.Rand, tapes []tape) {
		for ; done < len(tapes); done++ {
			d := tapes[done]
			for range 3 {
				b := append([]byte(nil), d.bytes[:r.IntN(len(d.bytes)+1)]...)
				l.inject(d.to, Addr(d.from), b)
				b = append([]byte(nil), d.bytes...)
				if b[0] == datagram.KindHello && l.Peers[d.to].Phase() == session.Connecting {
					continue // it has no tag; see TestADamagedHelloGivesNoRoundTrip
				}
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
				l.inject(d.to, Addr(d.from), b)
			}
		}
	})
}

// All earlier datagrams, repeated at any later time, from the right address or from
// another one, change nothing in the match.
func TestReplaysChangeNothing(t *testing.T) {
	for _, from := range []string{"the right address", "a stranger's address"} {
		t.Run(from, func(t *testing.T) {
			attack(t, 3, func(l *lab, r *rand.Rand, tapes []tape) {
				for range min(20, len(tapes)) {
					d := tapes[r.IntN(len(tapes))]
					addr := Addr(d.from)
					if from != "the right address" {
						addr = stranger
					}
					l.inject(d.to, addr, d.bytes)
				}
			})
		})
	}
}

// A replay causes no wrong round trip, and no wrong lag.
func TestReplaysTeachNothingFalse(t *testing.T) {
	l := newLab(t, 2, delay(25*time.Millisecond))
	tapes := l.tapeAll()
	l.play()
	l.pass(3 * time.Second)
	old := append([]tape(nil), *tapes...)
	l.pass(5 * time.Second)
	before := l.Peers[1].Stats(nil).Links[0]
	for range 2 {
		for _, d := range old {
			if d.to == 1 {
				l.inject(1, Addr(d.from), d.bytes)
			}
		}
	}
	after := l.Peers[1].Stats(nil).Links[0]
	if after.RoundTrip != before.RoundTrip || after.Lag != before.Lag || after.RemoteLag != before.RemoteLag {
		t.Errorf("round trip %v, lags %v and %v; after replays %v, %v and %v", before.RoundTrip, before.Lag, before.RemoteLag, after.RoundTrip, after.Lag, after.RemoteLag)
	}
}

// Replayed datagrams do not make a peer that is gone seem alive.
func TestReplaysKeepNobodyAlive(t *testing.T) {
	l := newLab(t, 2, delay(25*time.Millisecond))
	tapes := l.tapeAll()
	l.play()
	l.pass(2 * time.Second)
	l.Peers[1].Down = true
	old := append([]tape(nil), *tapes...)
	for i := 0; l.Peers[0].Phase() == session.Playing && i < 100; i++ {
		l.pass(100 * time.Millisecond)
		if d := old[(i*37)%len(old)]; d.to == 0 {
			l.inject(0, Addr(1), d.bytes)
		}
	}
	if l.Peers[0].Phase() == session.Playing {
		t.Errorf("the peer is gone, and still %v after 10 s", l.Peers[0].Phase())
	}
}

// Datagrams of earlier matches are useless in later ones, even four matches later,
// when the low bits of the number are the same.
func TestReplaysOfAnEarlierMatch(t *testing.T) {
	l := newLab(t, 2, frames(30), delay(25*time.Millisecond), func(s *Setup[ledger, note]) { s.Drift = []int64{200, 0} })
	tapes := l.tapeAll()
	l.end(1, 10*time.Second)
	old := append([]tape(nil), *tapes...)
	for match := uint32(2); match <= 9; match++ {
		l.pass(200 * time.Millisecond)
		if err := l.Peers[0].Propose(session.Parameters{Frames: 30}); err != nil {
			t.Fatal(err)
		}
		l.play()
		for _, d := range old {
			l.inject(d.to, Addr(d.from), d.bytes)
		}
		l.end(match, 10*time.Second)
		l.same(int(match-1), l.Peers...)
		for p := range 2 {
			for f, a := range l.agreed[0][match-1] {
				if got, want := a.inputs[p], l.agreed[0][match-1][0].inputs[p]+note(f); got != want || want <= 30*(note(match)-2) {
					t.Fatalf("match %d, frame %d: player %d does %d, sampled was %d", match, f, p, got, want)
				}
			}
		}
		l.healthy()
	}
}

// Hellos and Welcomes of strangers, with true and false nonces, disturb no match, and
// no answer has more bytes than was sent.
func TestSpoofedHandshakes(t *testing.T) {
	attack(t, 2, func(l *lab, r *rand.Rand, tapes []tape) {
		to := r.IntN(2)
		hello := datagram.Hello{Version: byte(r.IntN(3)), Nonce: r.Uint64(), Attempt: byte(r.Uint32())}
		welcome := datagram.Welcome{Version: datagram.Version, Nonce: r.Uint64(), Attempt: hello.Attempt, Items: datagram.Items{Game: "evil"}}
		for _, from := range []netip.AddrPort{stranger, Addr(1 - to)} {
			if l.Peers[to].Phase() == session.Connecting {
				from = stranger
			}
			sent := 0
			before := l.OnSend
			l.OnSend = func(from, to int, b []byte) { sent += len(b); before(from, to, b) }
			h := hello.Append(nil)
			l.inject(to, from, h)
			if sent > len(h) {
				l.Fatalf("%d bytes answer %d", sent, len(h))
			}
			l.inject(to, from, datagram.Key(hello.Nonce).Seal(welcome.Append(nil), 0, 0))
			for _, d := range tapes[:min(len(tapes), 6)] {
				l.inject(d.to, from, d.bytes)
			}
			l.OnSend = before
		}
	})
}

// A stranger's spoofed Hellos at a high rate do not prevent peers from connecting, and
// are counted.
func TestAFloodOfHellos(t *testing.T) {
	l := attack(t, 2, func(l *lab, r *rand.Rand, _ []tape) {
		for range 100 {
			h := datagram.Hello{Version: datagram.Version, Nonce: r.Uint64()}
			l.inject(0, stranger, h.Append(nil))
		}
	})
	if st := l.Peers[0].Stats(nil); st.Strangers == 0 && l.Peers[0].Phase() != session.Lobby {
		t.Error("nobody has counted them")
	}
}

// A Hello has no tag. One with a damaged attempt must not give a round trip of
// seconds.
func TestADamagedHelloGivesNoRoundTrip(t *testing.T) {
	l := newLab(t, 2, delay(25*time.Millisecond), func(s *Setup[ledger, note]) { s.Late = []time.Duration{0, 3 * time.Second} })
	l.OnSend = func(_, _ int, b []byte) {
		if b[0] == datagram.KindHello {
			h, err := datagram.ConsumeHello(b)
			if err != nil {
				t.Fatal(err)
			}
			h.Attempt += 100
			copy(b, h.Append(nil))
		}
	}
	l.RunUntil(4*time.Second, func() bool { return l.Peers[0].Phase() != session.Connecting })
	for i, p := range l.Peers {
		if rtt := p.Stats(nil).Links[0].RoundTrip; rtt > 500*time.Millisecond {
			t.Errorf("peer %d: the round trip is %v", i, rtt)
		}
	}
}

// A peer that gets another address is followed within a round trip and some datagrams,
// in a match and in the lobby, and nothing is lost.
func TestAMovedPeerIsFollowed(t *testing.T) {
	for _, phase := range []string{"playing", "lobby"} {
		for _, loss := range []netem.PPM{0, 20 * netem.Percent} {
			t.Run(fmt.Sprintf("%s, loss %v", phase, loss), func(t *testing.T) {
				l := newLab(t, 3, frames(600), withLoss(40*time.Millisecond, loss))
				if phase == "lobby" {
					l = newLab(t, 3, inLobby(), withLoss(40*time.Millisecond, loss))
					l.until("the lobby", 5*time.Second, func() bool { return l.phases(session.Lobby) })
				} else {
					l.play()
				}
				l.pass(2 * time.Second)
				addr := netip.MustParseAddrPort("198.51.100.7:5555")
				l.Move(1, addr)
				began, limit := l.Now, 200*time.Millisecond
				if loss > 0 || phase == "lobby" {
					limit = time.Second
				}
				if loss > 0 && phase == "lobby" { // two datagrams pay for a challenge, and there are four in a second
					limit = 2 * time.Second
				}
				l.until("the move", limit, func() bool {
					return count(l.Peers[0], session.Moved) == 1 && count(l.Peers[2], session.Moved) == 1
				})
				t.Log("followed after", l.Now-began)
				if got := l.event(0, session.Moved); got.Players != 0b010 || got.Text != addr.String() {
					t.Errorf("the event is %v", got)
				}
				if phase == "playing" {
					l.end(1, time.Minute)
					l.same(0, l.Peers...)
					l.sampledInOrder(0, 0, 1, 1)
				}
			})
		}
	}
}

// Two machines move at the same time, and either find each other through the third or
// not, but none panics; in a match of two where both move, neither hangs.
func TestBothMove(t *testing.T) {
	l := newLab(t, 2, delay(20*time.Millisecond))
	l.play()
	l.pass(time.Second)
	l.Move(0, netip.MustParseAddrPort("198.51.100.1:1"))
	l.Move(1, netip.MustParseAddrPort("198.51.100.2:2"))
	l.pass(8 * time.Second)
	if !l.all(func(p *Peer[ledger, note]) bool { return p.Phase() != session.Playing || p.Frame() > 400 }) {
		l.dump()
		t.Error("somebody hangs")
	}
}

// An attacker who forwards a peer's datagrams from another address, even in both
// directions, does not become the peer.
func TestAForwarderDoesNotBecomeThePeer(t *testing.T) {
	l := newLab(t, 2, delay(20*time.Millisecond))
	l.OnSend = func(from, to int, b []byte) {
		p := l.Peers[to]
		p.Receive(p.clock.Local(l.Now), stranger, b) // it is even faster
	}
	l.play()
	l.pass(2 * time.Second)
	// Their answers to the stranger are delivered as well.
	forward := func(p *Peer[ledger, note]) {
		other := l.Peers[1-p.Index]
		for to, b := range p.Outgoing() {
			if to == stranger {
				other.Receive(other.clock.Local(l.Now), stranger, b)
			}
		}
	}
	for range 100 {
		for _, p := range l.Peers {
			for to, b := range p.Outgoing() {
				_ = to
				other := l.Peers[1-p.Index]
				other.Receive(other.clock.Local(l.Now), stranger, append([]byte(nil), b...))
			}
			p.wake = p.clock.Global(p.Update(p.clock.Local(l.Now)))
			b := [][]byte(nil)
			for _, d := range p.Outgoing() {
				b = append(b, append([]byte(nil), d...))
			}
			other := l.Peers[1-p.Index]
			for _, d := range b {
				other.Receive(other.clock.Local(l.Now), p.addr, d)
				other.Receive(other.clock.Local(l.Now), stranger, d)
				forward(other)
				forward(p)
			}
		}
		l.Now += 16 * time.Millisecond
	}
	for _, p := range l.Peers {
		p.Events = append(p.Events, p.Session.Events()...)
		if count(p, session.Moved) > 0 {
			t.Errorf("peer %d: %v", p.Index, l.event(p.Index, session.Moved))
		}
	}
}
