package session

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// The epoch of the owner's clock does not matter: a session that begins at a
// negative time, at 0, or after days sends the same bytes at the same moments, from
// the handshake to the end, over a network that takes its time, with a pause.
func TestTheEpochDoesNotMatter(t *testing.T) {
	type flying struct {
		at       time.Duration
		from, to int
		bytes    []byte
	}
	run := func(epoch time.Duration) (digest uint64, o Outcome, events []string) {
		tr := newTrio(t, 3, func(c *Config) { c.Match.Frames = 90 })
		h := xxh3.New()
		var air []flying
		for now := time.Duration(0); now < 6*time.Second; now += 2 * time.Millisecond {
			for len(air) > 0 && air[0].at <= now {
				d := air[0]
				air = air[1:]
				tr.peers[d.to].Receive(epoch+d.at, addrOf(d.from), d.bytes)
			}
			for i, p := range tr.peers {
				if i == 1 && now > 1500*time.Millisecond && now < 2800*time.Millisecond {
					continue // it hangs
				}
				next := p.Update(epoch+now) - epoch
				_, _ = h.Write([]byte{byte(i), byte(now / time.Millisecond), byte(next / time.Microsecond)})
				passed, _ := p.Progress(epoch + now)
				_, _ = h.Write([]byte{byte(passed / time.Microsecond)})
				for to, b := range p.Outgoing() {
					_, _ = h.Write(b)
					air = append(air, flying{now + 30*time.Millisecond, i, int(to.Addr().As4()[3]) - 1, slices.Clone(b)})
				}
				for _, e := range p.Events() {
					events = append(events, e.String())
				}
			}
		}
		o, _ = tr.peers[0].Outcome()
		return h.Sum64(), o, events
	}
	digest, outcome, events := run(0)
	if outcome.Frames != 90 || outcome.Health != Healthy || !slices.ContainsFunc(events, func(s string) bool { return strings.HasPrefix(s, "silent") }) {
		t.Fatalf("the match is %+v, events %v", outcome, events)
	}
	for _, epoch := range []time.Duration{-5 * time.Second, -time.Nanosecond, time.Minute, 1_000_000 * time.Second, -1_000_000 * time.Second} {
		if d, o, e := run(epoch); d != digest || o != outcome || !slices.Equal(e, events) {
			t.Errorf("from %v on the digest is %016x, else %016x; %+v, events\n%v\n%v", epoch, d, digest, o, e, events)
		}
	}
}

// Step sends one datagram to a peer and call at most, in every phase; and what is
// received is not answered with more than one.
func TestStepSendsOneDatagram(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Match.Frames = 200 })
	sent := 0
	for step := range 400 {
		for i, p := range tr.peers {
			p.Step(tr.now)
			counts := [3]int{}
			for to, b := range p.Outgoing() {
				j := int(to.Addr().As4()[3]) - 1
				if datagram.IsSession(b) {
					counts[j]++
					sent++
				}
				tr.peers[j].Receive(tr.now, addrOf(i), slices.Clone(b))
			}
			if slices.Max(counts[:]) > 1 {
				t.Fatalf("step %d: peer %d, %v, has sent %v", step, i, p.Phase(), counts)
			}
			tr.carry()
			p.Events()
		}
		if tr.now += 16 * time.Millisecond; step == 350 {
			tr.peers[2].Leave("")
		}
	}
	if o, ok := tr.peers[0].Outcome(); !ok || o.Frames != 200 || o.Health != Healthy || sent < 6*200 {
		t.Errorf("%v %+v, %d datagrams", ok, o, sent)
	}
}

// A message that somebody leaves is answered with one datagram: the
// acknowledgement.
func TestALeaveIsAnsweredOnce(t *testing.T) {
	for _, players := range []int{2, 3} {
		for _, on := range []OnLeave{End, Continue} {
			for _, phase := range []Phase{Lobby, Starting, Playing, Ending} {
				if on == Continue && players > 2 {
					continue
				}
				tr := newTrio(t, players, func(c *Config) { c.Lobby, c.OnLeave = true, on })
				tr.reach(phase)
				leaver := tr.peers[1]
				leaver.Leave("bye")
				var leave []byte
				for to, b := range leaver.Outgoing() {
					if to == addrOf(0) {
						leave = slices.Clone(b)
					}
				}
				tr.peers[0].Receive(tr.now, addrOf(1), leave)
				n := map[netip.AddrPort]int{}
				for to := range tr.peers[0].Outgoing() {
					n[to]++
				}
				if n[addrOf(1)] != 1 || n[addrOf(2)] > 1 {
					t.Errorf("%d players, %v, %v: %v", players, on, phase, n)
				}
			}
		}
	}
}

// Addresses that are given as IPv4 inside IPv6 are those of IPv4, and so are those
// of what arrives.
func TestMappedAddresses(t *testing.T) {
	mapped := func(a netip.AddrPort) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom16(a.Addr().As16()), a.Port())
	}
	tr := newTrio(t, 2, func(c *Config) {
		if c.Local.Has(0) {
			c.Peers[0].Addr = mapped(c.Peers[0].Addr)
		}
	})
	for range 100 {
		for i, p := range tr.peers {
			p.Update(tr.now)
			for to, b := range p.Outgoing() {
				if to != addrOf(1-i) {
					t.Fatalf("peer %d sends to %v", i, to)
				}
				tr.peers[1-i].Receive(tr.now, mapped(addrOf(i)), slices.Clone(b))
			}
		}
		tr.now += 4 * time.Millisecond
	}
	for i, p := range tr.peers {
		if p.Phase() != Playing || p.Frame() < 10 {
			t.Errorf("peer %d is %v, frame %d, %d strangers", i, p.Phase(), p.Frame(), p.counts.strangers)
		}
	}
	c := Config{Players: 3, Random: func() uint64 { return 4 }, Peers: []Peer{{rollback.SetOf(1), addrOf(1)}, {rollback.SetOf(2), mapped(addrOf(1))}}}
	if err := c.complete(); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "same address") {
		t.Errorf("one address in two guises: %v", err)
	}
}

// DropAfter must leave room for some datagrams to be lost: four keep-alives, and
// four tick periods. Less is refused by name.
func TestDropAfterHasALeast(t *testing.T) {
	for _, c := range []struct {
		rate int
		drop time.Duration
		ok   bool
	}{
		{60, time.Second, true},
		{60, time.Second - 1, false},
		{60, time.Millisecond, false},
		{60, -1, false},
		{1000, time.Second, true},
		{2, 2 * time.Second, true},
		{2, 2*time.Second - 1, false},
		{1, 4 * time.Second, true},
		{1, 3 * time.Second, false},
		{60, MaxDropAfter, true},
		{60, MaxDropAfter + 1, false},
		{1, 0, true}, // the default
	} {
		cfg := Config{Players: 2, TickRate: c.rate, DropAfter: c.drop, Random: func() uint64 { return 4 }, Peers: []Peer{{rollback.SetOf(1), addrOf(1)}}}
		err := cfg.complete()
		switch {
		case c.ok && err != nil:
			t.Errorf("%v at %d ticks a second: %v", c.drop, c.rate, err)
		case !c.ok && (!errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "DropAfter is "+c.drop.String())):
			t.Errorf("%v at %d ticks a second is not refused by name: %v", c.drop, c.rate, err)
		}
	}
}

// A flood of messages of another application pushes out no other event, what is
// held is bounded, and what is not taken is counted.
func TestMessagesPushOutNothing(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	tr.reach(Lobby)
	m := tr.peers[0]
	m.Events()
	m.events.add(Event{What: Silent, Players: 0b10})
	flood := func(n, size int) {
		for range n {
			if err := tr.peers[1].Send(0b01, make([]byte, size)); err != nil {
				t.Fatal(err)
			}
			for tr.way(1, 0).channel.Pending() > 60<<10 {
				tr.exchange()
			}
		}
		for tr.way(1, 0).channel.Pending() > 0 {
			tr.exchange()
		}
	}
	flood(600, 1)
	m.events.add(Event{What: Heard, Players: 0b10})
	if n := len(m.events.list); n > maxEvents {
		t.Errorf("%d events are held", n)
	}
	list := m.Events()
	if list[0].What != Silent || list[len(list)-1].What != Heard || len(list) != maxMessages+2 {
		t.Errorf("of %d events the first is %v, and the last %v", len(list), list[0], list[len(list)-1])
	}
	if d := m.Stats(nil).DroppedEvents; d != 600-maxMessages {
		t.Errorf("%d are counted", d)
	}
	// Large ones are bounded in bytes.
	flood(40, MaxMessage)
	held := 0
	for _, e := range m.events.list {
		held += len(e.Data)
	}
	if held > maxMessageBytes || held < maxMessageBytes/2 {
		t.Errorf("%d bytes are held", held)
	}
	if d := m.Stats(nil).DroppedEvents; d != 600-maxMessages+uint64(40-held/MaxMessage) {
		t.Errorf("%d are counted", d)
	}
	// Once they are taken, there is room again.
	m.Events()
	flood(1, 5)
	if list := m.Events(); len(list) != 1 || len(list[0].Data) != 5 {
		t.Errorf("after that: %v", list)
	}
}

// exchange lets a keep-alive pass, without taking events.
func (tr *trio) exchange() {
	tr.now += 20 * time.Millisecond
	for _, p := range tr.peers {
		p.Update(tr.now)
	}
	tr.carry()
}

// Frozen, while it is not decided where the match ends, nothing moves between two
// states: all of the tick period has passed.
func TestNothingMovesWhileFrozen(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby = true })
	tr.reach(Playing)
	tr.forge = func(from, to int, b []byte) []byte {
		if from == 1 || to == 1 {
			return nil // it does not take part in the decision
		}
		return b
	}
	tr.peers[2].Leave("")
	seen := 0
	for range 100 {
		tr.run(4 * time.Millisecond)
		m := tr.peers[0]
		if !m.end.frozen || m.end.decided || m.Phase() != Playing {
			continue
		}
		seen++
		for ms := range time.Duration(40) {
			if passed, period := m.Progress(tr.now + ms*time.Millisecond); passed != period {
				t.Fatalf("%v of %v have passed", passed, period)
			}
		}
	}
	if seen < 50 {
		t.Errorf("it was frozen %d times", seen)
	}
}
