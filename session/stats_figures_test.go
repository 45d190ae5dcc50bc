package session

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session/inputs"

	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/spectate"
)

// Figures of the moment are correct to the nanosecond and the frame, for any observer.
func TestFiguresOfTheMoment(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) {
		c.Lobby, c.ChainEvery = true, 10
		if c.Local.Has(0) {
			c.Delay[0] = 2
		}
	})
	tr.reach(Playing)
	m := tr.peers[0]
	before := tr.stats(0)
	if err := m.Send(0b010, make([]byte, 500)); err != nil {
		t.Fatal(err)
	}
	tr.deaf = true
	tr.run(400 * time.Millisecond)
	s := tr.stats(0)
	if d := s.Uptime - before.Uptime; d != 400*time.Millisecond {
		t.Errorf("it has been played %v longer", d)
	}
	// The window is used up, and no frame could run in any tick period since then.
	if s.Frame != s.Confirmed+8 || s.Waiting != 0b110 || s.Stalls != 1 {
		t.Errorf("%+v", s)
	}
	// The first of these has not made anything later yet.
	if lost := time.Duration(s.Blocked-1) * s.Nominal; s.Blocked < 12 || s.Stalled < lost*96/100 || s.Stalled > lost*104/100 {
		t.Errorf("%d periods in %v", s.Blocked, s.Stalled)
	}
	for i, l := range s.Links {
		was := before.Links[i]
		if l.Waited != s.Stalled {
			t.Errorf("link %d was waited for for %v of %v", i, l.Waited, s.Stalled)
		}
		if l.Players != rollback.SetOf(Player(i+1)) || l.Addr != addrOf(i+1) || !l.Connected || l.Limit != 1200 {
			t.Errorf("link %d: %+v", i, l)
		}
		if l.Quiet-was.Quiet != 400*time.Millisecond || l.Received != was.Received || l.Confirmed != was.Confirmed {
			t.Errorf("link %d is quiet for %v, %v before: %+v", i, l.Quiet, was.Quiet, l)
		}
		// All inputs sampled since then, which are in flight: a window, and the delay.
		if want := int(s.Frame-before.Frame) + 1 + was.Unacknowledged; l.Unacknowledged != want || want < 8 {
			t.Errorf("link %d: %d inputs are not acknowledged, want %d", i, l.Unacknowledged, want)
		}
		if grown := l.Pending - was.Pending; (grown >= 500) != (i == 0) {
			t.Errorf("link %d: %d bytes more wait", i, grown)
		}
	}
	if s.Datagrams-before.Datagrams != s.Links[0].Sent+s.Links[1].Sent-before.Links[0].Sent-before.Links[1].Sent ||
		s.Bytes-before.Bytes != s.Links[0].SentBytes+s.Links[1].SentBytes-before.Links[0].SentBytes-before.Links[1].SentBytes {
		t.Errorf("%d datagrams with %d bytes were sent in the match", s.Datagrams-before.Datagrams, s.Bytes-before.Bytes)
	}
	if s.Members != 0b111 || s.Match != 1 || s.Prepared != 1 || s.Delay[0] != 2 || s.Health != Unverified && s.Health != Healthy {
		t.Errorf("%+v", s)
	}
	l := tr.way(0, 2)
	for n := range 5 {
		if err := m.inputs.TakeOrders(inputs.Orders{Player: 2, Frame: m.inputs.Next(2) + Frame(n)}, false); err != nil {
			t.Fatal(err)
		}
	}
	if got := tr.stats(0); got.Links[1].Early != 5 || got.Links[0].Early != 0 {
		t.Errorf("%d and %d wait here", got.Links[0].Early, got.Links[1].Early)
	}
	l.chain = stream.PeerChain{}
	for l.chain.Waiting() < 7 {
		if err := m.stream.Chain.Receive(&l.chain, Frame((l.chain.Waiting()+1)*m.cfg.ChainEvery), 1, NoFrame); err != nil {
			t.Fatal(err)
		}
	}
	if got := tr.stats(0); got.Links[1].Early != 7 {
		t.Errorf("%d wait here", got.Links[1].Early)
	}
	l.chain = stream.PeerChain{}
	if got := tr.stats(0); got.Links[1].Early != 5 {
		t.Errorf("%d wait here", got.Links[1].Early)
	}
	l.state = gone
	if got := tr.stats(0).Links[1]; got.Connected || got.Quiet != 0 || got.Unacknowledged != 0 {
		t.Errorf("of who is gone: %+v", got)
	}
}

// A spectator's figures are those of its host, and of what it shows.
func TestFiguresOfASpectator(t *testing.T) {
	d := watching(t, 300)
	s := d.spectator.Stats(nil)
	l := s.Links[0]
	if s.Phase != Playing || s.Match != 1 || s.Prepared != 1 || s.Members != 0b1 || s.Frame != d.spectator.Frame() || s.Nominal != time.Second/60 || s.Period != s.Nominal {
		t.Errorf("%+v", s)
	}
	if s.Confirmed != 300 || s.Agreed != 300 || s.Engine.Ticks != uint64(s.Frame) || len(s.Links) != 1 {
		t.Errorf("%+v", s)
	}
	if l.Addr != liarAddr || !l.Connected || l.Limit != 512 || l.Sent == 0 || l.SentBytes < 10*l.Sent || l.Received == 0 {
		t.Errorf("%+v", l)
	}
	strangers := s.Strangers
	d.spectator.Receive(d.now, elsewhere, make([]byte, 40))
	links := make([]LinkStats, 1, 4)
	if s := d.spectator.Stats(links); s.Strangers != strangers+1 || len(s.Links) != 2 {
		t.Errorf("%d strangers, %d links", s.Strangers, len(s.Links))
	}
	d.liar.tell(6, uint32(300), make([]byte, 26))
	d.until(20*time.Second, func() bool { _, over := d.spectator.Outcome(); return over })
	if s := d.spectator.Stats(nil); s.Match != 1 || s.Members != 0 || s.Frame != 300 || s.Prepared != 1 {
		t.Errorf("after the match: %+v; %v", s, d.events)
	}
	if have, size := d.spectator.Transfer(); have != 0 || size != 0 {
		t.Errorf("%d of %d bytes are on their way", have, size)
	}
}

// A host reports how many spectators it has, and who comes and goes, with the address and
// the reason.
func TestAHostTellsWhoWatches(t *testing.T) {
	d := newDen(t, true, func(*liar) {})
	d.liar.say = func(l *liar) { l.tell(99) }
	var seen []Event
	d.honest.events.Observe = func(e Event) { seen = append(seen, e) }
	if !d.until(20*time.Second, d.home) {
		t.Fatalf("%v", d.events)
	}
	if n := d.honest.Stats(nil).Spectators; n.Spectators != 1 || n.Newcomers != 0 {
		t.Errorf("%+v", n)
	}
	d.spectator.Leave("")
	d.run(3 * time.Second)
	var texts []string
	for _, e := range seen {
		if e.What == SpectatorJoined || e.What == SpectatorLeft {
			texts = append(texts, e.What.String()+" "+e.Text)
		}
	}
	if len(texts) != 2 || texts[0] != "spectator joined "+spectatorAddr.String() || len(texts[1]) <= len("spectator left : ")+len(spectatorAddr.String()) {
		t.Errorf("%q", texts)
	}
	if n := d.honest.Stats(nil).Spectators; n != (spectate.Stats{Datagrams: n.Datagrams, Bytes: n.Bytes, States: n.States, Log: n.Log, Held: n.Held}) {
		t.Errorf("%+v", n)
	}
}
