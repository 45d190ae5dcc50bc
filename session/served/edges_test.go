package served

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
)

// mapped is an IPv4 address in the form in which a socket for IPv6 reports it.
func mapped(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(a.Addr().As16()), a.Port())
}

// Rule: an IPv4 address counts as the same when a socket for IPv6 reports it, for a server and for a client.
func TestAnAddressIsTheSameInIPv6(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	there, here := f.server.clients.of[p].pipe, f.other.server.pipe
	heard, told := there.Counts.Received, here.Counts.Received
	strangers := f.server.counts.strangers + f.other.server.strangers
	for range 200 {
		f.now += time.Millisecond
		updateAll(f.server, f.now)
		for to, b := range f.server.Outgoing() {
			if to == otherAddr {
				f.other.Receive(f.now, mapped(serverAddr), b)
			}
		}
		updateAll(f.other, f.now)
		for _, b := range f.other.Outgoing() {
			f.server.Receive(f.now, mapped(otherAddr), bytes.Clone(b))
		}
	}
	if there.Counts.Received-heard < 8 || here.Counts.Received-told < 8 || f.server.counts.strangers+f.other.server.strangers != strangers {
		t.Errorf("the server has heard %d datagrams, and the client %d", there.Counts.Received-heard, here.Counts.Received-told)
	}
}

// Rule: a server that has no time for all its ticks says by how many periods they are due later, and its clients do not take
// that for a longer path: when it is on time again, they are in time, and no farther ahead than before.
func TestASlowServerSaysByHowMuch(t *testing.T) {
	f := newFixture(t)
	ahead := f.other.engine.Frame() - f.server.Frame()
	for range 5000 {
		f.now += time.Millisecond
		if f.now%(50*time.Millisecond) == 0 { // two fifths of its ticks
			f.server.Update(f.now)
		}
		for to, b := range f.server.Outgoing() {
			switch to {
			case otherAddr:
				f.other.Receive(f.now, serverAddr, b)
			case honestAddr:
				f.honest.Receive(f.now, serverAddr, b)
			}
		}
		for at, c := range map[netip.AddrPort]*Client[count, uint16]{otherAddr: f.other, honestAddr: f.honest} {
			updateAll(c, f.now)
			for _, b := range c.Outgoing() {
				f.server.Receive(f.now, at, bytes.Clone(b))
			}
		}
	}
	f.run(14 * time.Second) // until the measurements from when it was slow are forgotten
	slipped := time.Duration(f.server.counts.skipped) * f.server.cfg.nominal()
	for _, c := range []*Client[count, uint16]{f.honest, f.other} {
		if slipped < 2*time.Second || c.timing.slip != slipped {
			t.Errorf("ticks are due later by %v, and a client knows of %v", slipped, c.timing.slip)
		}
		if now := c.engine.Frame() - f.server.Frame(); now > ahead+3 {
			t.Errorf("it is %d ticks ahead, and was %d", now, ahead)
		}
	}
	p, _ := f.other.Player()
	before, _ := f.server.Client(p)
	f.run(2 * time.Second)
	if after, _ := f.server.Client(p); after.Replaced != before.Replaced || after.Inputs-before.Inputs < 95 {
		t.Errorf("of 100 inputs %d come in time", after.Inputs-before.Inputs)
	}
}

// Rule: a server ends once, however often it is closed; it has no last state if its match has not reached an end, and
// nothing is recorded once it is over.
func TestAServerEndsOnce(t *testing.T) {
	f := newFixture(t)
	if f.server.Final() != nil {
		t.Error("there is a last state before the end")
	}
	f.server.Events()
	f.server.Leave("it closes")
	f.server.Leave("again")
	closed := 0
	for _, e := range f.server.Events() {
		if e.What == event.Closed {
			closed++
		}
	}
	if closed != 1 || f.server.Final() != nil || f.server.Phase() != session.Over {
		t.Errorf("it says %d times that it is over: %v", closed, f.server.Phase())
	}
	if err := f.server.Record(new(silent), stream.Wants{}); err == nil {
		t.Error("a match that is over is recorded")
	}
}

// Rule: a game whose states cannot be encoded is recorded from its first tick on, and not from a later one.
func TestAGameWithoutMarshalIsRecordedFromItsBegin(t *testing.T) {
	mute := ownGame()
	mute.Marshal, mute.Unmarshal = nil, nil
	for _, late := range []bool{false, true} {
		server, err := NewServer(mute, ServerConfig{Game: countAbout, Random: func() uint64 { return 7 }}, ServerHooks[count, uint16]{})
		if err != nil {
			t.Fatal(err)
		}
		if late {
			server.Update(0)
			server.Update(time.Second)
		}
		var lacks *rollback.CapabilityError
		err = server.Record(new(silent), stream.Wants{})
		if late != errors.As(err, &lacks) || !late && err != nil {
			t.Errorf("at tick %d: %v", server.Frame(), err)
		}
	}
}

// Rule: Poll keeps the connection of a server and of a client alive, and runs no tick.
func TestPollRunsNoTick(t *testing.T) {
	f := newFixture(t)
	server, client := f.server.Frame(), f.other.Frame()
	heard := f.server.clients.at(otherAddr).pipe.Heard
	for range 1000 {
		f.now += time.Millisecond
		f.server.Poll(f.now)
		f.other.Poll(f.now)
		for to, b := range f.server.Outgoing() {
			if to == otherAddr {
				f.other.Receive(f.now, serverAddr, b)
			}
		}
		for _, b := range f.other.Outgoing() {
			f.server.Receive(f.now, otherAddr, bytes.Clone(b))
		}
	}
	c := f.server.clients.at(otherAddr)
	if f.server.Frame() != server || f.other.Frame() != client || c == nil || c.pipe.Heard <= heard || f.other.Err() != nil {
		t.Errorf("the server is at tick %d, was at %d; the client at %d, was at %d: %v", f.server.Frame(), server, f.other.Frame(), client, f.other.Err())
	}
}

// Rule: a client that makes another first state than its server from the same parameters does not play: it says what
// differs.
func TestAnotherFirstStateIsRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	start := func(stream.Parameters) (func(s *count), error) { return func(s *count) { s.Sum[0] = 5 }, nil }
	for _, same := range []bool{true, false} {
		server, err := NewServer(countGame(), ServerConfig{Game: countAbout, Random: r.Uint64}, ServerHooks[count, uint16]{Start: start})
		if err != nil {
			t.Fatal(err)
		}
		hooks := ClientHooks[count, uint16]{Sample: func(Player) uint16 { return 1 }}
		if hooks.Start = start; !same {
			hooks.Start = func(stream.Parameters) (func(s *count), error) { return func(s *count) { s.Sum[0] = 6 }, nil }
		}
		c, err := NewClient(countGame(), ClientConfig{Game: countAbout, Server: serverAddr, Random: r.Uint64}, hooks)
		if err != nil {
			t.Fatal(err)
		}
		for now := time.Duration(0); now < 2*time.Second; now += time.Millisecond {
			server.Update(now)
			for _, b := range server.Outgoing() {
				c.Receive(now, serverAddr, b)
			}
			c.Update(now)
			for _, b := range c.Outgoing() {
				server.Receive(now, otherAddr, bytes.Clone(b))
			}
		}
		var differs *session.MismatchError
		if same != (c.Phase() == session.Playing) || !same && (!errors.As(c.Err(), &differs) || differs.Item != "hash of state 0 of the match") {
			t.Errorf("the same first state: %v; %v, %v", same, c.Phase(), c.Err())
		}
	}
}

// Rule: a client whose ticks take two and a half periods can still play: its inputs are in time, it gets whole states, at
// most one per second, and when its ticks are fast again, it is soon where it would be.
func TestAClientWithoutTimeIsInTime(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	slow := func(d time.Duration) {
		for until := f.now + d; f.now < until; f.now += time.Millisecond {
			updateAll(f.server, f.now)
			for to, b := range f.server.Outgoing() {
				if to == otherAddr {
					f.other.Receive(f.now, serverAddr, b)
				} else if to == honestAddr {
					f.honest.Receive(f.now, serverAddr, b)
				}
			}
			updateAll(f.honest, f.now)
			if f.now%(50*time.Millisecond) == 0 {
				f.other.Update(f.now) // one tick
			}
			for at, c := range map[netip.AddrPort]*Client[count, uint16]{otherAddr: f.other, honestAddr: f.honest} {
				for _, b := range c.Outgoing() {
					f.server.Receive(f.now, at, bytes.Clone(b))
				}
			}
		}
	}
	slow(4 * time.Second)
	before, _ := f.server.Client(p)
	wholes := f.other.clientMatch.counts.fullStates
	slow(10 * time.Second)
	after, _ := f.server.Client(p)
	wholes = f.other.clientMatch.counts.fullStates - wholes
	in, missing := after.Inputs-before.Inputs, after.Replaced-before.Replaced
	const made = 200 // of 500
	if f.other.Err() != nil || f.other.timing.skipped < 250 || wholes < 3 || wholes > 11 || in < made-10 || in+missing < 490 {
		t.Errorf("%d in time, %d missing, %d whole states: %v", in, missing, wholes, f.other.Err())
	}
	f.run(20 * time.Second)
	if behind := lag(f.other); behind != 0 || f.other.clientMatch.newest+5 < f.server.Frame() {
		t.Errorf("it is %d ticks behind, and knows state %d of %d", behind, f.other.clientMatch.newest, f.server.Frame())
	}
	f.unharmed()
}

// Rule: a client that is 250 ms and eight ticks behind what it receives requests a whole state: once a second, or in the time in which a
// server sends as many bytes as the last one had; and at once if it cannot even predict as far as it is behind.
func TestWhenAWholeStateIsAskedFor(t *testing.T) {
	f := newFixture(t) // 50 ticks a second
	c := f.other
	if !c.clientMatch.full {
		t.Fatal("it is not told everything")
	}
	at := c.engine.Frame()
	for _, s := range []struct {
		behind Frame
		size   int
		since  time.Duration // that it has asked
		want   bool
	}{
		{0, 0, time.Hour, false},
		{12, 0, time.Hour, false},
		{13, 0, time.Hour, true},
		{13, 0, time.Second - 1, false},
		{13, 0, time.Second, true},
		{13, 2 * anewRate, 2*time.Second - 1, false},
		{13, 2 * anewRate, 2 * time.Second, true},
		{Frame(c.cfg.MaxAhead), 0, 0, false},
		{Frame(c.cfg.MaxAhead) + 1, 0, 0, true},
	} {
		c.clientMatch.anew, c.clientMatch.newest, c.server.whole.size = false, at+s.behind, s.size
		c.timing.asked = c.now - s.since
		if renew(c); c.clientMatch.anew != s.want || s.want && c.timing.asked != c.now {
			t.Errorf("%d ticks behind, %v after it has asked for one of %d bytes: it asks: %v", s.behind, s.since, s.size, c.clientMatch.anew)
		}
	}
	c.server.whole.size, c.timing.asked = 0, c.now-time.Hour
	for _, s := range []struct {
		rate, behind Frame
		want         bool
	}{{40, 9, false}, {40, 10, true}, {20, 7, false}, {20, 8, true}, {250, 62, false}, {250, 63, true}} {
		c.clientMatch.anew, c.clientMatch.newest, c.timing.nominal = false, at+s.behind, time.Second/time.Duration(s.rate)
		c.cfg.MaxAhead = rollback.MaxWindow
		if renew(c); c.clientMatch.anew != s.want {
			t.Errorf("%d ticks behind, of %d a second: it asks: %v", s.behind, s.rate, c.clientMatch.anew)
		}
		c.timing.asked = c.now - time.Hour
	}
}

// Rule: a server that has been silent for 400 ms is asked who it is, and again at random intervals of 100 to 300 ms, until it
// answers.
func TestWhenASilentServerIsAsked(t *testing.T) {
	f := newFixture(t)
	r := &f.other.server
	heard := r.pipe.Heard
	asked := func() (n int) {
		for range f.other.Outgoing() {
			n++
		}
		return n
	}
	asked()
	for _, after := range []time.Duration{0, 399 * time.Millisecond} {
		if next := r.askAgain(heard + after); asked() != 0 || next != heard+askAfter {
			t.Errorf("%v after it was heard it is asked, and again %v after that", after, next-heard)
		}
	}
	apart := map[time.Duration]bool{}
	for at, n := heard+askAfter, 0; n < 8; n++ {
		next := r.askAgain(at)
		if asked() != 1 || next < at+askEvery/2 || next >= at+askEvery*3/2 {
			t.Errorf("question %d, %v after it was heard: the next one is due %v later", n, at-heard, next-at)
		}
		if r.askAgain(next - 1); asked() != 0 {
			t.Errorf("question %d is asked again before it is due", n)
		}
		apart[next-at], at = true, next
	}
	if len(apart) < 4 {
		t.Errorf("they are %v apart", apart)
	}
	r.pipe.Heard = heard + 900*time.Millisecond
	if next := r.askAgain(heard + 1200*time.Millisecond); asked() != 0 || r.again.on || next != heard+1300*time.Millisecond {
		t.Error("it is asked although it was heard")
	}
}

// Rule: the shown moment follows the time: at up to half or one and a half times the speed, until it is where it should be, at
// once if that is more than half a second away, and never beyond what is known.
func TestWhatIsShownFollowsTheTime(t *testing.T) {
	const all = time.Hour
	for _, c := range []struct {
		ahead time.Duration // where it should be, of where it is
		want  time.Duration // how far it goes in 20 ms
	}{
		{0, 20}, {4, 24}, {10, 30}, {100, 30}, {500, 30}, {501, 521}, {-4, 16}, {-10, 10}, {-500, 10}, {-501, -481},
	} {
		p := playout{any: true, at: 10 * time.Second, now: time.Second}
		passed := 20 * time.Millisecond
		at := p.move(p.at+passed+c.ahead*time.Millisecond, p.now+passed, all)
		if got := at - 10*time.Second; got != c.want*time.Millisecond || p.at != at || p.now != time.Second+passed {
			t.Errorf("%d ms too early it goes by %v, want %d ms", c.ahead, got, c.want)
		}
	}
	p := playout{any: true, at: 10 * time.Second, now: time.Second}
	if at := p.move(10100*time.Millisecond, 1100*time.Millisecond, 10050*time.Millisecond); at != 10050*time.Millisecond {
		t.Errorf("it goes beyond what is known, to %v", at)
	}
	p = playout{any: true, at: 10 * time.Second, now: time.Second}
	if at := p.move(9*time.Second, time.Second-1, all); at != 9*time.Second {
		t.Errorf("when the time goes back it is at %v", at)
	}
}

// Rule: the ticks of a server have hashes at the interval of the configuration, by default each of them, and none without
// an interval.
func TestWhichTicksHaveHashes(t *testing.T) {
	for every, want := range map[int]int{0: 110, 1: 110, 7: 15, -1: 0, -9: 0} {
		hashed := 0
		newFixtureOf(t, countGame(), func(c *ServerConfig, h *ServerHooks[count, uint16]) {
			c.HashEvery, c.Match.Frames = every, 110
			h.Agreed = func(a *rollback.Agreed[uint16]) {
				if a.Hashed {
					hashed++
				}
			}
		}).run(6 * second)
		if hashed != want {
			t.Errorf("every %d: %d of 110 ticks", every, hashed)
		}
	}
}
