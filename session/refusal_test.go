package session

import (
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// read opens a datagram that a peer has sent just now.
func (tr *trio) read(from, to int, b []byte) (h datagram.Header, ok bool) {
	tr.Helper()
	l := tr.way(from, to)
	if !datagram.IsSession(b) {
		return h, false
	}
	sequence, _ := datagram.SequenceOf(b, l.Next())
	body, ok := l.Out.Open(b, sequence)
	if _, err := h.Consume(body, l.Peer.Send, uint32(tr.peers[from].inputs.Sampled())); !ok || err != nil {
		tr.Fatalf("%v: %v", ok, err)
	}
	return h, true
}

// A refusal must name other players than the reader's; otherwise it counts as the sender's. A reason is truncated to 256 bytes.
func TestWhoIsSaidToRefuse(t *testing.T) {
	for said, want := range map[byte]PlayerSet{0: 0b100, 0b100: 0b100, 0b010: 0b010, 0b110: 0b110, 0b001: 0b100, 0b011: 0b010} {
		tr := inLobby(t, 3)
		if err := tr.peers[0].Propose(Parameters{}); err != nil {
			t.Fatal(err)
		}
		tr.run(100 * time.Millisecond)
		reason := strings.Repeat("no", 150)
		tr.lie(2, 0, append(about(messageRefuse, 1, said), reason...))
		tr.run(100 * time.Millisecond)
		for i := range 2 {
			var e Event
			for _, s := range tr.seen[i] {
				if s.What == Refused {
					e = s
				}
			}
			if i == 1 && want.Has(1) {
				continue // to it that is its own
			}
			if e.Players != want || e.Match != 1 || e.Text != reason[:256] || tr.count(i, Refused) != 1 || tr.peers[i].Phase() != Lobby {
				t.Errorf("%08b are said to refuse: peer %d hears %v, and is %v", said, i, e, tr.peers[i].Phase())
			}
		}
	}
}

// A host that has given up waiting tells machines that play already, because they have heard from the others that all
// are ready: as long as nothing is agreed, they go back to the lobby. Nobody else can end a match like that.
func TestAMatchThatTheHostHasGivenUp(t *testing.T) {
	for _, c := range []struct {
		from   int
		agreed bool
		back   bool
	}{{0, false, true}, {2, false, false}, {0, true, false}} {
		tr := inLobby(t, 3)
		if err := tr.peers[0].Propose(Parameters{}); err != nil {
			t.Fatal(err)
		}
		tr.run(100 * time.Millisecond)
		for _, p := range tr.peers[1:] {
			if err := p.Accept(); err != nil {
				t.Fatal(err)
			}
			if err := p.Ready(); err != nil {
				t.Fatal(err)
			}
		}
		tr.forge = func(from, to int, b []byte) []byte {
			if h, ok := tr.read(from, to, b); ok && h.HasPlay && !c.agreed {
				return nil
			}
			return b
		}
		m, r := tr.peers[1], new(Reel)
		if err := m.Record(r, EveryFrame); err != nil {
			t.Fatal(err)
		}
		tr.until(time.Second, func() bool { return m.Phase() == Playing && (m.sim.Agreed() > 0) == c.agreed })
		tr.abused = true
		before := tr.stats(1)
		if err := m.receiveMessage(tr.way(1, c.from), append(about(messageRefuse, 1, byte(0b100)), "late"...)); err != nil || before.Phase != Playing {
			t.Fatalf("%v: %v", before.Phase, err)
		}
		if got := m.Phase() == Lobby && tr.proposal(1) == 0; got != c.back {
			t.Errorf("%+v: it is %v", c, m.Phase())
		}
		if !c.back {
			continue
		}
		if s := tr.stats(1); s.Match != 1 || s.Uptime != before.Uptime {
			t.Errorf("%+v: %+v", c, s)
		}
		// Its recording ends when another match is about to begin.
		o := datagram.Offer{Match: 2, State: m.items.State, Frames: 50}
		if r.Start == nil || r.Done != nil {
			t.Errorf("%+v: it is recorded from %v to %v", c, r.Start, r.Done)
		}
		if err := m.receiveMessage(tr.way(1, 0), o.Append([]byte{messageOffer, 0b111})); err != nil {
			t.Fatal(err)
		}
		if err := m.Accept(); err != nil {
			t.Fatal(err)
		}
		if e := r.Done; e == nil || e.Ended || e.Failed != stream.ErrUnrecorded || e.Next != 0 {
			t.Errorf("%+v: the recording ends with %+v", c, e)
		}
	}
}

// A machine that hears nothing more about the match that it is to play gives up by itself, a little later than the host
// would have: it is not ready, or the host is not.
func TestAGuestGivesUpAfterTheHost(t *testing.T) {
	for _, ready := range []bool{false, true} {
		tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.ReadyTimeout, c.Linger = true, 2*time.Second, 500*time.Millisecond })
		tr.reach(Starting)
		tr.abused = true
		tr.forge = func(from, to int, b []byte) []byte {
			if h, ok := tr.read(from, to, b); ok && (h.HasControl || h.HasPlay) {
				return nil
			}
			return b
		}
		m := tr.peers[1]
		if err := m.Accept(); err != nil {
			t.Fatal(err)
		}
		want := PlayerSet(0b10)
		if ready {
			if err := m.Ready(); err != nil {
				t.Fatal(err)
			}
			want = 0b01
			p := *m.lobby.At()
			m.lobby = lobby.Lobby{}
			m.lobby.Offer(p)
			m.lobby.Accept(0)
			m.lobby.Ready(m.now)
		}
		began := tr.now - (m.now - m.since)
		if !tr.until(4*time.Second, func() bool { return tr.count(1, Refused) > 0 }) {
			t.Fatalf("ready %v: it is %v", ready, m.Phase())
		}
		if took := tr.now - began; took <= 2500*time.Millisecond || took > 2570*time.Millisecond {
			t.Errorf("ready %v: it gives up after %v", ready, took)
		}
		for _, e := range tr.seen[1] {
			if e.What == Refused && (e.Players != want || e.Match != 1 || !strings.Contains(e.Text, "readiness")) {
				t.Errorf("ready %v: it says %v", ready, e)
			}
		}
		if m.Phase() != Lobby {
			t.Errorf("ready %v: it is %v", ready, m.Phase())
		}
	}
}
