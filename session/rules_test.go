package session

import (
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// A decision of the log takes effect three round trips and a twentieth of a second later, so that
// all know it before; but not so far ahead that inputs would be too early.
func TestHowFarAheadTheLogDecides(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.TickRate, c.Lobby = 100, true })
	tr.reach(Playing)
	m := tr.peers[0]
	a, b := &tr.way(0, 1).RoundTrip, &tr.way(0, 2).RoundTrip
	for _, c := range []struct {
		one, two, deviation time.Duration
		want                Frame
	}{
		{0, 0, 0, 6},
		{10 * time.Millisecond, 0, 0, 9},
		{0, 10 * time.Millisecond, 0, 9},
		{0, 10 * time.Millisecond, 5 * time.Millisecond, 12},
		{100 * time.Millisecond, 10 * time.Millisecond, 0, 36},
		{time.Minute, 0, 0, m.cfg.ahead() / 2},
	} {
		a.Smoothed, a.Deviation, b.Smoothed, b.Deviation = c.one, c.deviation, c.two, c.deviation
		if got := m.lead(); got != c.want {
			t.Errorf("round trips of %v and %v with %v: %d frames ahead, want %d", c.one, c.two, c.deviation, got, c.want)
		}
	}
	a.Smoothed, tr.way(0, 1).state = time.Minute, gone
	b.Smoothed, b.Deviation = 0, 0
	if got := m.lead(); got != 6 {
		t.Errorf("who is gone is waited for: %d frames ahead", got)
	}
}

// At the end of a match the report of one present peer is enough to know which inputs all have,
// whatever has happened to another one.
func TestTheEndIsHeardFromAnybody(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby = true })
	tr.reach(Playing)
	m := tr.peers[0]
	cut := false
	tr.forge = func(from, to int, b []byte) []byte {
		cut = cut || m.sim.Confirmed() >= 100
		if cut && from == 2 && to == 0 {
			return nil // just when its inputs are complete
		}
		return b
	}
	if !tr.until(2500*time.Millisecond, func() bool { return m.Phase() != Playing }) {
		t.Fatalf("%v at frame %d, agreed %d; link %d", m.Phase(), m.frame, m.sim.Agreed(), tr.way(0, 2).confirmed)
	}
	if o, _ := m.Outcome(); tr.way(0, 2).confirmed >= 100 || o.Frames != 100 || o.Left != 0 {
		t.Errorf("%+v", o)
	}
}

// Half of the outbox is for answers to Hellos, and the rest for our own datagrams.
func TestAnswersToHellosHaveHalfOfTheRoom(t *testing.T) {
	tr := newTrio(t, 2, nil)
	m := tr.peers[0]
	m.Update(0)
	tr.sentTo(0, addrOf(1))
	for n := range uint64(200) {
		m.Receive(0, addrOf(1), datagram.Hello{Version: datagram.Version, Nonce: n + 1}.Append(nil))
	}
	if n := m.out.Len(); n != 64 || m.Stats(nil).PendingDatagrams != 64 || m.out.Dropped != 0 {
		t.Errorf("%d answers wait", n)
	}
	for range 64 {
		m.links[0].Hello(0, time.Hour, &m.out)
	}
	if n := m.out.Len(); n != 128 || m.out.Dropped != 0 {
		t.Errorf("%d datagrams wait, %d were dropped", n, m.out.Dropped)
	}
	rejected := m.Stats(nil).Rejected
	m.Receive(0, addrOf(1), datagram.Hello{Version: datagram.Version, Nonce: 7}.Append(nil))
	if m.out.Len() != 128 || m.Stats(nil).DroppedDatagrams != 1 || m.Stats(nil).Rejected != rejected+1 {
		t.Errorf("without room: %d wait, %d dropped", m.out.Len(), m.out.Dropped)
	}
}

// A peer that takes long orders more slowly than they are given makes the match wait when 64 KiB
// are pending, not sooner.
func TestALongQueueMakesAMatchWait(t *testing.T) {
	for _, orders := range []int{0, 300} {
		tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.MaxOrders = true, 300 })
		tr.reach(Playing)
		m, l := tr.peers[0], tr.way(0, 1)
		m.cfg.MaxOrders = orders
		tr.deaf = true
		for l.Channel.Pending() <= 60<<10 {
			if err := l.Channel.Send(make([]byte, 1000)); err != nil {
				t.Fatal(err)
			}
		}
		if m.congested() {
			t.Errorf("it waits with %d bytes in the queue", l.Channel.Pending())
		}
		for l.Channel.Pending() <= 64<<10 {
			if err := l.Channel.Send(make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
		}
		congested := m.congested()
		if waiting, _ := m.pacing.stalls.Waiting(); congested != (orders > 0) || orders > 0 && waiting != 0b10 {
			t.Errorf("orders of %d bytes: with %d bytes in the queue it waits for %v", orders, l.Channel.Pending(), waiting)
		}
		l.state = leaving
		if m.congested() {
			t.Error("it waits for one that leaves")
		}
	}
}

// Frame numbers are transmitted in part. A number from a peer is resolved near its next input
// that is missing here; one from a newcomer, which has none, near the current frame.
func TestNumbersOfFramesAreMeantNearby(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby = true })
	tr.reach(Playing)
	m := tr.peers[0]
	m.inputs.Start(1, 70_000)
	m.inputs.Start(2, 300_000)
	for i, want := range []uint32{70_000, 300_000} {
		l := tr.way(0, i+1)
		if got := m.near(l); got != want {
			t.Errorf("of peer %d it is %d, want %d", i+1, got, want)
		}
		h := datagram.Header{HasPlay: true}
		h.Play.Ends[0] = want + 3
		var got datagram.Header
		if _, err := got.Consume(h.Append(nil, l.Peer.Receive), l.Peer.Receive, m.near(l)); err != nil || got.Play.Ends[0] != want+3 {
			t.Errorf("frame %d comes as %d: %v", want+3, got.Play.Ends[0], err)
		}
		l.notBothMembers = true
		if got := m.near(l); got != uint32(m.frame) {
			t.Errorf("of a newcomer it is %d, now %d", got, m.frame)
		}
	}
}
