package lan

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/online/internal/links"
	"github.com/tickback/tickback/online/peers"
)

// wires is a network of two links in virtual time: greetings arrive at once, and so do probes from and to addresses
// that are not blocked.
type wires struct {
	now   time.Time
	links [2]*link
	addrs [2][]netip.AddrPort
	cut   map[netip.AddrPort]bool // where nothing arrives
	deaf  bool                    // greetings get lost
	mail  []func()
	sent  [2]int
}

type end struct {
	w  *wires
	me int
}

func (e end) greet(_ uint32, g *greeting) {
	if to := e.w.links[1-e.me]; to != nil && !e.w.deaf {
		text := g.encode()
		e.w.mail = append(e.w.mail, func() {
			if g, err := decodeGreeting(text); err == nil {
				e.w.links[1-e.me].hears(&g, g.ways, e.w.now)
			}
		})
	}
}

func (e end) send(to netip.AddrPort, p probe) {
	e.w.sent[e.me]++
	if e.w.cut[to] || !slices.Contains(e.w.addrs[1-e.me], to) {
		return
	}
	from := e.w.addrs[e.me][slices.Index(e.w.addrs[1-e.me], to)] // of the same network
	e.w.mail = append(e.w.mail, func() {
		if l := e.w.links[1-e.me]; p.to == l.mine {
			l.probed(p, from, e.w.now)
		}
	})
}

func newWires() *wires {
	w := &wires{now: time.Unix(0, 0), cut: map[netip.AddrPort]bool{}}
	w.addrs = [2][]netip.AddrPort{ways("10.0.0.1:1", "10.1.0.1:1"), ways("10.0.0.2:2", "10.1.0.2:2")}
	for i := range w.links {
		w.restart(i, key(i+1))
	}
	return w
}

// restart gives a peer a new transport, as for the next match.
func (w *wires) restart(i int, k key) {
	w.links[i] = newLink(uint32(2-i), k, w.addrs[i], end{w, i}, w.now)
}

func (w *wires) pass(d time.Duration) {
	for until := w.now.Add(d); w.now.Before(until); w.now = w.now.Add(lookEvery) {
		for _, l := range w.links {
			l.look(w.now)
		}
		for n := 0; len(w.mail) > 0 && n < 1000; n++ {
			m := w.mail[0]
			w.mail = w.mail[1:]
			m()
		}
	}
}

func (w *wires) states() string {
	return fmt.Sprint(w.links[0].status.State(), " ", w.links[1].status.State())
}

func (w *wires) expect(t *testing.T, want string) {
	t.Helper()
	if got := w.states(); got != want {
		t.Errorf("they are %s, want %s", got, want)
	}
}

// Two peers that can reach each other at one of their addresses use that one.
func TestTheWayThatAnswersIsTaken(t *testing.T) {
	w := newWires()
	w.cut[w.addrs[1][0]] = true
	w.pass(2 * time.Second)
	w.expect(t, "connected connected")
	if w.links[0].best != w.addrs[1][1] || w.links[0].status.Peer(time.Time{}).Connections != 1 {
		t.Errorf("%v is used, connected %d times", w.links[0].best, w.links[0].status.Peer(time.Time{}).Connections)
	}
	before := w.sent
	w.pass(10 * time.Second)
	for i, n := range w.sent {
		if n -= before[i]; n < 10 || n > 30 { // its own, and answers
			t.Errorf("%d probes in ten seconds of peace", n)
		}
	}
	if greeted := w.now.Sub(w.links[0].greeted); greeted < 9*time.Second {
		t.Errorf("it still greets: %v ago", greeted)
	}
}

// A path that has become silent is reported as interrupted, another one is found, and after some time without any the
// peer has failed.
func TestAnInterruptionIsNoticedAndMended(t *testing.T) {
	w := newWires()
	w.pass(time.Second)
	for _, a := range append(slices.Clone(w.addrs[0]), w.addrs[1]...) {
		w.cut[a] = true
	}
	w.pass(silence + time.Second)
	w.expect(t, "interrupted interrupted")
	w.cut = map[netip.AddrPort]bool{}
	w.pass(time.Second)
	w.expect(t, "connected connected")
	w.cut[w.addrs[0][0]], w.cut[w.addrs[0][1]] = true, true
	w.pass(silence + links.FailAfter + time.Second)
	w.expect(t, "failed failed")
	if r := w.links[1].status.Peer(time.Time{}).Reason; r != peers.Gone {
		t.Errorf("because %v", r)
	}
	w.cut = map[netip.AddrPort]bool{}
	w.pass(time.Second)
	w.expect(t, "connected connected")
}

// The reasons why a peer was never reached are distinguished: it sends nothing, or nothing gets through.
func TestFailuresAreToldApart(t *testing.T) {
	w := newWires()
	w.deaf = true
	w.pass(links.FailAfter + time.Second)
	if w.expect(t, "failed failed"); w.links[0].status.Peer(time.Time{}).Reason != peers.NoAnswer {
		t.Errorf("because %v", w.links[0].status.Peer(time.Time{}).Reason)
	}
	w = newWires()
	for _, a := range append(slices.Clone(w.addrs[0]), w.addrs[1]...) {
		w.cut[a] = true
	}
	w.pass(links.FailAfter + time.Second)
	if w.expect(t, "failed failed"); w.links[0].status.Peer(time.Time{}).Reason != peers.Firewalled {
		t.Errorf("because %v", w.links[0].status.Peer(time.Time{}).Reason)
	}
}

// A new transport has another key, and is connected to again; datagrams with the old key no longer count.
func TestTheTransportOfTheNextMatch(t *testing.T) {
	w := newWires()
	w.pass(time.Second)
	old := probe{answers, w.links[1].mine, w.links[0].mine}
	w.restart(1, 77)
	w.pass(time.Second)
	w.expect(t, "connected connected")
	if w.links[0].theirs != 77 {
		t.Errorf("the key is %d", w.links[0].theirs)
	}
	if w.links[0].probed(old, netip.MustParseAddrPort("10.9.9.9:9"), w.now) {
		t.Error("the old key is still good")
	}
}

// However many addresses a peer sends from, only a limited number is remembered.
func TestWaysAreBounded(t *testing.T) {
	w := newWires()
	w.pass(time.Second)
	l := w.links[0]
	for i := range 1000 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 2, byte(i >> 8), byte(i)}), 5)
		if !l.probed(probe{asks, l.theirs, l.mine}, from, w.now) {
			t.Fatal("refused")
		}
	}
	if len(l.ways) > maxWays || len(l.routes) > maxRoutes {
		t.Errorf("%d ways, %d routes", len(l.ways), len(l.routes))
	}
	w.expect(t, "connected connected")
}

// Of the addresses from which datagrams are accepted, the newest eight are remembered, each once.
func TestRoutesAreRememberedOnce(t *testing.T) {
	l := newLink(7, 1, nil, &count{}, time.Unix(0, 0))
	var all []netip.AddrPort
	for i := range 16 {
		all = append(all, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 2, 0, byte(i)}), 5))
		newest := all[max(len(all)-8, 0):]
		for _, from := range newest {
			l.route(from)
		}
		if !slices.Equal(l.routes, newest) {
			t.Fatalf("after %d addresses: %v, want %v", len(all), l.routes, newest)
		}
	}
}

// A probe that asks is answered where it comes from, with both keys; an answer is not, and neither is a probe of
// somebody else or for somebody else.
func TestWhichProbesAreAnswered(t *testing.T) {
	now := time.Unix(0, 0)
	for _, c := range []struct {
		theirs key
		probe
		taken, answered bool
	}{
		{7, probe{asks, 7, 1}, true, true},
		{7, probe{answers, 7, 1}, true, false},
		{7, probe{asks, 8, 1}, false, false},
		{7, probe{asks, 7, 2}, false, false},
		{7, probe{asks, 0, 1}, false, false},
		{0, probe{asks, 0, 1}, false, false}, // before the peer has said which key it has
		{0, probe{answers, 0, 1}, false, false},
	} {
		out := &heard{}
		l := newLink(2, 1, nil, out, now)
		l.theirs = c.theirs
		from := ways("10.0.0.2:2")[0]
		if got := l.probed(c.probe, from, now); got != c.taken || slices.Contains(l.routes, from) != c.taken {
			t.Errorf("%+v to a link that knows key %d: taken %v, routes %v", c.probe, c.theirs, got, l.routes)
		}
		if c.answered != (len(out.probes) == 1) || c.answered && (out.probes[0] != probe{answers, 1, 7} || out.to[0] != from) {
			t.Errorf("%+v to a link that knows key %d: answered with %+v to %v", c.probe, c.theirs, out.probes, out.to)
		}
	}
}

// heard has the probes of a link.
type heard struct {
	count
	to     []netip.AddrPort
	probes []probe
}

func (h *heard) send(to netip.AddrPort, p probe) {
	h.to, h.probes = append(h.to, to), append(h.probes, p)
}

// A connection stays at its address while that answers, however many others do.
func TestAConnectionStaysAtItsAddress(t *testing.T) {
	now, at := time.Unix(0, 0), ways("10.0.0.2:2", "10.1.0.2:2")
	l := newLink(2, 1, nil, &count{}, now)
	l.hears(&greeting{mine: 7, yours: 1}, at, now)
	l.probed(probe{answers, 7, 1}, at[0], now)
	later := now.Add(silence)
	l.probed(probe{answers, 7, 1}, at[1], later)
	if l.best != at[0] || l.heard != now {
		t.Errorf("it is at %v, heard after %v", l.best, l.heard.Sub(now))
	}
	if l.probed(probe{answers, 7, 1}, at[0], later); l.best != at[0] || l.heard != later {
		t.Errorf("it is at %v, heard after %v", l.best, l.heard.Sub(now))
	}
}

// While no address answers, all are probed every 200 ms.
func TestHowOftenAllAreAsked(t *testing.T) {
	w := newWires()
	for _, a := range append(slices.Clone(w.addrs[0]), w.addrs[1]...) {
		w.cut[a] = true
	}
	w.pass(time.Second)
	before := w.sent
	w.deaf = true // each greeting would cause another probe
	w.pass(10 * time.Second)
	for i, n := range w.sent {
		if n -= before[i]; n != 10*5*2 {
			t.Errorf("%d probes in ten seconds, want five a second to each of two addresses", n)
		}
	}
}

// count counts greetings, and questions.
type count struct{ greetings, questions int }

func (c *count) greet(uint32, *greeting) { c.greetings++ }
func (c *count) send(_ netip.AddrPort, p probe) {
	if p.kind == asks {
		c.questions++
	}
}

// A peer that sends something new all the time is greeted once in 100 ms.
func TestGreetingsAreBounded(t *testing.T) {
	now, c := time.Unix(0, 0), &count{}
	l := newLink(2, 1, nil, c, now)
	k := key(100)
	for _, s := range []struct {
		after time.Duration
		want  int
	}{{0, 1}, {100*time.Millisecond - 1, 1}, {100 * time.Millisecond, 2}, {200*time.Millisecond - 1, 2}, {200 * time.Millisecond, 3}} {
		for range 50 {
			k++
			l.hears(&greeting{mine: k}, nil, now.Add(s.after))
		}
		if c.greetings != s.want {
			t.Errorf("%d greetings after %v, want %d", c.greetings, s.after, s.want)
		}
	}
}

// A peer that greets with our key is probed at once, at each of its addresses, and again with each such greeting; once
// it is connected a greeting causes no probe, nor does one of a peer that does not know our key yet.
func TestWhoKnowsUsIsAskedAtOnce(t *testing.T) {
	now, c := time.Unix(0, 0), &count{}
	l := newLink(2, 1, nil, c, now)
	theirs := ways("10.0.0.2:2", "10.1.0.2:2")
	for i, s := range []struct {
		yours key
		want  int
	}{{0, 0}, {1, 2}, {1, 4}} {
		if l.hears(&greeting{mine: 7, yours: s.yours}, theirs, now); c.questions != s.want {
			t.Errorf("after greeting %d there are %d questions, want %d", i+1, c.questions, s.want)
		}
	}
	if !l.probed(probe{answers, 7, 1}, theirs[1], now) || l.status.State() != peers.Connected {
		t.Fatalf("it is %v", l.status.State())
	}
	if l.hears(&greeting{mine: 7, yours: 1}, theirs, now); c.questions != 4 {
		t.Errorf("a peer that is connected is asked %d times more", c.questions-4)
	}
}

// The times of a link's actions, to the nanosecond: everything in turn, nothing early, and each when it is due.
func TestWhenALinkActs(t *testing.T) {
	connected := func() (*link, *count) {
		c := &count{}
		l := newLink(2, 1, nil, c, time.Unix(0, 0))
		l.hears(&greeting{mine: 7, yours: 1}, ways("10.0.0.2:2"), time.Unix(0, 0))
		l.probed(probe{answers, 7, 1}, ways("10.0.0.2:2")[0], time.Unix(0, 0))
		return l, c
	}
	alone := func() (*link, *count) {
		c := &count{}
		l := newLink(2, 1, nil, c, time.Unix(0, 0))
		l.look(time.Unix(0, 0))
		return l, c
	}
	searched := func() (*link, *count) {
		l, c := alone()
		l.hears(&greeting{mine: 7, yours: 1}, ways("10.0.0.2:2"), time.Unix(0, 0))
		return l, c
	}
	forgotten := func() (*link, *count) {
		l, c := connected()
		l.hears(&greeting{mine: 7}, ways("10.0.0.2:2"), time.Unix(0, 0))
		return l, c
	}
	for what, s := range map[string]struct {
		link  func() (*link, *count)
		after time.Duration
		acts  func(l *link, c *count) int
	}{
		"a peer that is connected is asked every second":    {connected, time.Second, func(_ *link, c *count) int { return c.questions }},
		"a way is looked for every 200 ms":                  {searched, 200 * time.Millisecond, func(_ *link, c *count) int { return c.questions }},
		"who is not connected is greeted every second":      {alone, time.Second, func(_ *link, c *count) int { return c.greetings }},
		"who is not reached is greeted every second, too":   {searched, time.Second, func(_ *link, c *count) int { return c.greetings }},
		"who does not know us is greeted every second":      {forgotten, time.Second, func(_ *link, c *count) int { return c.greetings }},
		"who is silent for 3.5 s is interrupted after that": {connected, 3500*time.Millisecond + 1, func(l *link, _ *count) int { return int(l.status.State()) }},
		"who has not answered for 12 s has failed":          {alone, 12 * time.Second, func(l *link, _ *count) int { return int(l.status.State()) }},
		"who cannot be reached for 12 s has failed as well": {searched, 12 * time.Second, func(l *link, _ *count) int { return int(l.status.State()) }},
	} {
		for _, early := range []bool{true, false} {
			l, c := s.link()
			before := s.acts(l, c)
			at := time.Unix(0, 0).Add(s.after)
			if early {
				at = at.Add(-1)
			}
			if l.look(at); early != (s.acts(l, c) == before) {
				t.Errorf("%s: %v after it, what is due was done: %v", what, at.Sub(time.Unix(0, 0)), early)
			}
		}
	}
	l, _ := connected()
	l.look(time.Unix(0, 0).Add(silence + 1)) // its time without a connection begins here
	for _, s := range []struct {
		after time.Duration
		want  peers.State
	}{{links.FailAfter - 1, peers.Interrupted}, {links.FailAfter, peers.Failed}} {
		if l.look(time.Unix(0, 0).Add(silence + 1 + s.after)); l.status.State() != s.want {
			t.Errorf("%v after it was interrupted a peer is %v, want %v", s.after, l.status.State(), s.want)
		}
	}
}

// A peer that has another key is no longer connected: it is another transport.
func TestAnotherKeyEndsTheConnection(t *testing.T) {
	now := time.Unix(0, 0)
	l := newLink(2, 1, nil, &count{}, now)
	for i, k := range []key{7, 8} {
		l.hears(&greeting{mine: k, yours: 1}, ways("10.0.0.2:2"), now)
		if l.status.State() != peers.Connecting || l.best.IsValid() || len(l.routes) != 0 {
			t.Fatalf("with key %d it is %v at %v, and heard from %v", k, l.status.State(), l.best, l.routes)
		}
		l.probed(probe{answers, k, 1}, ways("10.0.0.2:2")[0], now)
		if l.status.State() != peers.Connected || l.status.Peer(time.Time{}).Connections != i+1 {
			t.Fatalf("with key %d it is %v, and was connected %d times", k, l.status.State(), l.status.Peer(time.Time{}).Connections)
		}
	}
}

// A peer that probes from an address that it has not announced can be reached there, and is probed there, once, as long
// as there is room.
func TestWhereOneAsksFromItCanBeReached(t *testing.T) {
	now := time.Unix(0, 0)
	l := newLink(2, 1, nil, &count{}, now)
	told := ways("10.0.0.2:2")
	l.hears(&greeting{mine: 7, yours: 1}, told, now)
	for i := range 20 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 2, 0, byte(i)}), 5)
		for range 2 {
			l.probed(probe{asks, 7, 1}, from, now)
		}
		told = append(told, from)
		if want := told[:min(len(told), 16)]; !slices.Equal(l.ways, want) {
			t.Fatalf("it is asked at %v, want %v", l.ways, want)
		}
	}
}
