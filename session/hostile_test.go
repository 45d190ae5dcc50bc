package session

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/session/inputs"
	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/wire/datagram"
)

// about builds a message about a match: its kind, the number, and bytes or frames.
func about(kind byte, match uint32, parts ...any) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{kind}, match)
	for _, p := range parts {
		switch p := p.(type) {
		case byte:
			b = append(b, p)
		case Frame:
			b = binary.LittleEndian.AppendUint32(b, uint32(p))
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, p)
		}
	}
	return b
}

// chained returns the newest state whose chain a peer has sent, if everything that could be compared
// was equal.
func chained(l *link, every Frame) Frame { return l.chain.Equal() + Frame(l.chain.Waiting())*every }

// A peer that lies about frames is lost: about where it has stopped, where the match ends, which
// frames it has agreed on, or which states it has compared. The others end at the same frame, with the
// same states.
func TestLiarsAreLost(t *testing.T) {
	const every = 10
	ready := func(t *testing.T) *trio {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.ChainEvery = true, every })
		tr.reach(Playing)
		if chained(tr.way(0, 2), every) == 0 || tr.peers[0].sim.Agreed() < 12 || tr.way(1, 2).confirmed < 12 {
			t.Fatal("the match has not gone far enough for a lie")
		}
		return tr
	}
	for name, lie := range map[string]func(m *Session[sum, uint16], l *link) []byte{
		"it resets with more than a reason": func(*Session[sum, uint16], *link) []byte {
			return append([]byte{messageReset}, make([]byte, maxReason+1)...)
		},
		"it is done with frames that nobody agreed on": func(m *Session[sum, uint16], _ *link) []byte {
			return about(messageDone, 1, m.confirmedToTell()+1, uint64(1), uint64(2), uint64(0), byte(Healthy))
		},
		"it is done with no frame": func(*Session[sum, uint16], *link) []byte {
			return about(messageDone, 1, NoFrame, uint64(1), uint64(2), uint64(0), byte(Healthy))
		},
		"it is done with a health that does not exist": func(*Session[sum, uint16], *link) []byte {
			return about(messageDone, 1, Frame(1), uint64(1), uint64(2), uint64(0), byte(Desynced+1))
		},
		"it is done in short": func(*Session[sum, uint16], *link) []byte {
			return about(messageDone, 1, Frame(1), uint64(1), uint64(2), uint64(0))
		},
		"a chain again": func(_ *Session[sum, uint16], l *link) []byte {
			return about(messageChain, 1, chained(l, every), uint64(1))
		},
		"a chain that leaves one out": func(_ *Session[sum, uint16], l *link) []byte {
			return about(messageChain, 1, chained(l, every)+2*every, uint64(1))
		},
		"a chain between two intervals": func(_ *Session[sum, uint16], l *link) []byte {
			return about(messageChain, 1, chained(l, every)+every/2, uint64(1))
		},
		"a chain of the beginning": func(*Session[sum, uint16], *link) []byte {
			return about(messageChain, 1, Frame(0), uint64(1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			for to := range 2 {
				tr := ready(t)
				m := tr.peers[to]
				tr.lie(2, to, lie(m, tr.way(to, 2)))
				tr.run(3 * time.Second)
				tr.lost(to, 2)
				tr.agreeOnTheEnd(0, 1)
			}
		})
	}
	// Negative control: true messages, and messages about another match, change nothing.
	tr := ready(t)
	tr.lie(2, 0, about(messageDone, 0, NoFrame, uint64(1), uint64(2), uint64(0), byte(9)))
	tr.undisturbed()
}

// A chain value for frames that we have not even sampled is a lie.
func TestAChainCannotBeAhead(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true }) // compared every 60 frames
	tr.reach(Playing)
	if tr.peers[0].inputs.Sampled() >= 60 {
		t.Fatal("the match has gone too far")
	}
	tr.lie(1, 0, about(messageChain, 1, Frame(60), uint64(1)))
	tr.run(20 * time.Millisecond)
	tr.lost(0, 1)
}

// Hellos at any rate, from a peer's address or from elsewhere, leave room for the datagrams of the
// match, even if the outbox is not emptied in between.
func TestHellosLeaveRoom(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	tr.reach(Playing)
	hello := datagram.Hello{Version: datagram.Version, Nonce: 9}.Append(nil)
	for range 50 {
		for range 500 {
			tr.peers[0].Receive(tr.now, addrOf(1), hello)
			tr.peers[0].Receive(tr.now, addrOf(77), hello)
		}
		sent := tr.way(0, 1).Next()
		tr.now += 17 * time.Millisecond
		for _, p := range tr.peers {
			p.Update(tr.now)
		}
		if tr.peers[0].out.Dropped != 0 || tr.way(0, 1).Next() == sent && tr.peers[0].Phase() == Playing {
			t.Fatalf("%d datagrams had no room", tr.peers[0].out.Dropped)
		}
		tr.carry()
	}
}

// lost checks that a peer has lost another one, once.
func (tr *trio) lost(peer, other int) {
	tr.Helper()
	n := 0
	for _, e := range tr.seen[peer] {
		if e.What == Lost && e.Players.Has(Player(other)) {
			n++
		}
	}
	if n != 1 {
		tr.Fatalf("peer %d has lost peer %d %d times; it is %v, %v, events %v", peer, other, n, tr.peers[peer].Phase(), tr.peers[peer].Err(), tr.seen[peer])
	}
}

// agreeOnTheEnd checks that some peers have ended the match at the same frame,
// with the same states.
func (tr *trio) agreeOnTheEnd(list ...int) {
	tr.Helper()
	first, _ := tr.peers[list[0]].Outcome()
	for _, i := range list {
		o, ok := tr.peers[i].Outcome()
		if !ok || o.Frames != first.Frames || o.Chain != first.Chain || o.Hash != first.Hash || o.Frames == 0 {
			tr.Fatalf("peer %d: %v, outcome %v %+v, elsewhere %+v; events %v", i, tr.peers[i].Phase(), ok, o.Summary, first.Summary, tr.seen[i])
		}
	}
}

// A match is never healthy for a machine that hears that another one has ended elsewhere, or with
// another state.
func TestDifferentEndsAreNeverHealthy(t *testing.T) {
	for name, change := range map[string]func(s *Summary){
		"the same":                nil,
		"fewer frames":            func(s *Summary) { s.Frames-- },
		"none":                    func(s *Summary) { s.Frames = 0 },
		"another state":           func(s *Summary) { s.Hash++ },
		"another chain":           func(s *Summary) { s.Chain++ },
		"it says that it differs": func(s *Summary) { s.Health = Desynced },
	} {
		t.Run(name, func(t *testing.T) {
			tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.Linger = true, 200*time.Millisecond })
			tr.reach(Playing)
			m := tr.peers[0]
			for m.Phase() == Playing { // from the moment of the end on, the other one is no longer heard
				tr.run(4 * time.Millisecond)
				if m.frame >= m.match.Limit() && tr.way(0, 1).confirmed < m.match.Limit() {
					tr.forge = func(from, _ int, b []byte) []byte { return tr.withoutControl(from, b) }
				}
			}
			tr.deaf = true
			if tr.way(0, 1).done {
				t.Fatal("the true end has come before the lie")
			}
			o, _ := m.Outcome()
			s := o.Summary
			if change != nil {
				change(&s)
			}
			if err := m.receiveMessage(tr.way(0, 1), about(messageDone, 1, s.Frames, s.Hash, s.Chain, s.Resimulated, byte(s.Health))); err != nil {
				t.Fatal(err)
			}
			tr.run(2 * m.cfg.Linger)
			if waits := m.Phase() == Ending; waits != (strings.HasPrefix(name, "another") || name == "fewer frames") {
				t.Errorf("it waits for an explanation: %v", waits)
			}
			tr.run(m.cfg.Linger + 100*time.Millisecond)
			o, ok := m.Outcome()
			if want := map[bool]Health{true: Healthy, false: Desynced}[change == nil]; !ok || o.Health != want || m.Health() != want {
				t.Errorf("the outcome is %v, %v, must be %v", ok, o.Health, want)
			}
			if n := tr.count(0, Desync); (change == nil) != (n == 0) {
				t.Errorf("%d events", n)
			}
		})
	}
}

// header opens a datagram that peer 1 or 2 has sent to peer 0.
func (tr *trio) header(from int, b []byte) (h datagram.Header, rest []byte, sequence uint64) {
	tr.Helper()
	l := tr.way(from, 0)
	sequence, _ = datagram.SequenceOf(b, l.Next())
	body, ok := l.Out.Open(b, sequence)
	if !ok {
		tr.Fatal("the tag is wrong")
	}
	rest, err := h.Consume(body, l.Peer.Send, uint32(tr.peers[from].inputs.Sampled()))
	if err != nil {
		tr.Fatal(err)
	}
	return h, rest, sequence
}

// withoutControl drops datagrams with a slice of the control stream.
func (tr *trio) withoutControl(from int, b []byte) []byte {
	if from != 0 && datagram.IsSession(b) {
		if h, _, _ := tr.header(from, b); h.HasControl {
			return nil
		}
	}
	return b
}

// acknowledgesNothing changes what peer 1 or 2 sends to peer 0, as if it had received no inputs.
func (tr *trio) acknowledgesNothing(from, to int, b []byte) []byte {
	if from == 0 || to != 0 || !datagram.IsSession(b) {
		return b
	}
	h, rest, sequence := tr.header(from, b)
	if !h.HasPlay {
		return b
	}
	h.Play.Acks, h.Play.Confirmed = [MaxPlayers]uint32{}, 0
	l := tr.way(from, 0)
	out := h.Append(nil, l.Peer.Send)
	if h.HasControl {
		datagram.MarkControl(out)
	}
	return l.Out.Seal(append(out, rest...), 0, sequence)
}

// A peer that acknowledges no input, but is not silent, makes the match wait, with an event every
// second, and nothing grows without bound. When it falls silent, it is lost as usual.
func TestAPeerThatAcknowledgesNothing(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.DropAfter = true, 2*time.Second })
	tr.reach(Starting)
	tr.forge = tr.acknowledgesNothing
	if err := tr.peers[1].Accept(); err != nil {
		t.Fatal(err)
	}
	poke(&tr.peers[0].match, "limit", NoFrame)
	poke(&tr.peers[1].match, "limit", NoFrame)
	if err := tr.peers[1].Ready(); err != nil {
		t.Fatal(err)
	}
	tr.run(12 * time.Second)
	m := tr.peers[0]
	if m.Phase() != Playing {
		t.Fatalf("it is %v: %v, events %v", m.Phase(), m.Err(), tr.seen[0])
	}
	if n := m.inputs.Next(0); n < 100 || n > inputs.MaxUnacknowledged+2 {
		t.Errorf("%d inputs wait for their acknowledgement", n)
	}
	before, waited := m.frame, tr.count(0, Waiting)
	tr.run(5 * time.Second)
	if got := tr.count(0, Waiting) - waited; got < 4 || got > 6 {
		t.Errorf("%d events in 5 s of waiting", got)
	}
	if e := tr.seen[0][len(tr.seen[0])-1]; e.What != Waiting || e.Players != 0b10 {
		t.Errorf("the last event is %v", e)
	}
	if m.frame != before || m.out.Dropped != 0 {
		t.Errorf("frame %d, and %d before; %d datagrams dropped", m.frame, before, m.out.Dropped)
	}
	tr.deaf = true
	tr.run(1900 * time.Millisecond)
	if m.Phase() != Playing {
		t.Errorf("it is %v before DropAfter", m.Phase())
	}
	tr.run(300 * time.Millisecond)
	tr.lost(0, 1)
}

// A flood of chain values costs no more than its bytes: the number of values that wait for comparison
// is bounded, and a peer that exceeds it is lost.
func TestAFloodOfChains(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.ChainEvery = true, 1 })
	tr.reach(Starting)
	tr.forge = func(from, to int, b []byte) []byte {
		if from == 0 {
			return nil // it hears nothing, so it sends no values of its own
		}
		return tr.acknowledgesNothing(from, to, b)
	}
	_ = tr.peers[1].Accept()
	_ = tr.peers[1].Ready()
	poke(&tr.peers[0].match, "limit", NoFrame)
	tr.run(100 * time.Millisecond)
	m, l := tr.peers[0], tr.way(0, 1)
	if m.Phase() != Playing {
		t.Fatal(m.Phase())
	}
	// As if it had sent inputs, but confirms none.
	m.inputs.Start(0, 0)
	for range 500 {
		m.inputs.Append(0, []byte{1, 2})
	}
	taken := 0
	for l.state == connected && taken < 1000 {
		if err := m.receiveMessage(l, about(messageChain, 1, Frame(taken)+1, uint64(taken))); err != nil {
			m.lose(l, err.Error())
			break
		}
		taken++
		if n := l.chain.Waiting(); n > stream.Kept {
			t.Fatalf("%d values wait", n)
		}
	}
	if l.state != gone || taken < stream.Kept || taken > stream.Kept+20 {
		t.Errorf("%d values were taken, and the peer is %v", taken, l.state)
	}
}
