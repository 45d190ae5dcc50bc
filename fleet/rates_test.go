package fleet

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// rates counts datagrams by direction, and the longest pause.
type rates struct {
	sent    map[[2]int]int
	bytes   map[[2]int]int
	last    map[[2]int]time.Duration
	longest map[[2]int]time.Duration
	largest int
}

func (l *lab) rates() *rates {
	r := &rates{map[[2]int]int{}, map[[2]int]int{}, map[[2]int]time.Duration{}, map[[2]int]time.Duration{}, 0}
	l.OnSend = func(from, to int, b []byte) {
		k := [2]int{from, to}
		if r.sent[k] > 0 {
			r.longest[k] = max(r.longest[k], l.Now-r.last[k])
		}
		r.sent[k]++
		r.bytes[k] += len(b)
		r.last[k] = l.Now
		r.largest = max(r.largest, len(b))
	}
	return r
}

// check checks the rate of every direction: datagrams in a second and the longest pause.
func (r *rates) check(tb testing.TB, d time.Duration, least, most float64, pause time.Duration) {
	tb.Helper()
	for k, n := range r.sent {
		rate := float64(n) / d.Seconds()
		if rate < least || rate > most {
			tb.Errorf("%d to %d: %.1f datagrams a second, must be %.1f to %.1f", k[0], k[1], rate, least, most)
		}
		if r.longest[k] > pause {
			tb.Errorf("%d to %d: a pause of %v", k[0], k[1], r.longest[k])
		}
	}
	if r.largest > 1200 {
		tb.Errorf("a datagram of %d bytes", r.largest)
	}
}

// Everybody sends one datagram per tick period and peer, also while loss makes them
// wait.
func TestOneDatagramPerTickPeriod(t *testing.T) {
	for _, players := range few(2, 4, 8, 16) {
		for _, link := range []netem.Link{
			{},
			{Delay: 60 * time.Millisecond},
			{Delay: 60 * time.Millisecond, Loss: 20 * netem.Percent},
			{Delay: 250 * time.Millisecond}, // stalls all the time
			{Delay: 30 * time.Millisecond, Jitter: 40 * time.Millisecond, Distribution: netem.Exponential, Reorder: true},
		} {
			for _, frame := range []bool{false, true} {
				l := newLab(t, players, over(link), func(s *Setup[ledger, note]) { s.Frame = frame })
				l.play()
				l.pass(2 * time.Second)
				r := l.rates()
				l.pass(10 * time.Second)
				r.check(t, 10*time.Second, 55, 66, 50*time.Millisecond)
			}
		}
	}
}

// While a peer is gone the others go on sending at the same rate, until it is lost.
func TestTheRateWhileStalled(t *testing.T) {
	l := newLab(t, 3, delay(30*time.Millisecond))
	l.play()
	l.pass(2 * time.Second)
	l.Peers[2].Down = true
	l.pass(time.Second)
	r := l.rates()
	l.pass(3 * time.Second)
	r.check(t, 3*time.Second, 38, 66, 50*time.Millisecond)
}

// In the lobby there are keep-alives only: 4 a second, and acknowledgements.
func TestTheRateInTheLobby(t *testing.T) {
	l := lobbyOf(t, 3, delay(30*time.Millisecond))
	l.pass(2 * time.Second)
	r := l.rates()
	l.pass(10 * time.Second)
	r.check(t, 10*time.Second, 3.5, 6, 300*time.Millisecond)
}

// A program that only polls keeps the match alive; when it updates again, nothing has been
// lost.
func TestPollAloneKeepsAlive(t *testing.T) {
	l := newLab(t, 2)
	a, b := l.Peers[0], l.Peers[1]
	sent := 0
	run := func(d time.Duration, act func(now time.Duration)) {
		for end := l.Now + d; l.Now < end; l.Now += 4 * time.Millisecond {
			a.Update(l.Now)
			act(l.Now)
			for _, d := range a.Outgoing() {
				b.Receive(l.Now, a.addr, d)
			}
			for _, d := range b.Outgoing() {
				sent++
				a.Receive(l.Now, b.addr, d)
			}
		}
	}
	run(time.Second, func(now time.Duration) { b.Update(now) })
	sent = 0
	const length = 8 * time.Second
	run(length, func(now time.Duration) { b.Poll(now) })
	if rate := sent / int(length.Seconds()); rate < 35 || rate > 70 {
		t.Errorf("%d datagrams a second", rate)
	}
	frame := b.Frame()
	run(2*time.Second, func(now time.Duration) { b.Update(now) })
	if b.Frame() < frame+60 || a.Phase() != session.Playing {
		t.Errorf("%v, frame %d before, %d after", a.Phase(), frame, b.Frame())
	}
	l.same(0, l.Peers...)
	l.sampledInOrder(0, 0, 1, 1)
}

// big is an input of the largest size.
type big [64]byte

// bigLedger mixes every byte of every input into its state.
func bigLedger() rollback.Game[ledger, big] {
	return rollback.Game[ledger, big]{Step: func(l *ledger, tick *rollback.Tick[big]) {
		l.Frame++
		for p := range tick.Players() {
			for _, b := range tick.Input(p) {
				l.Mix[p] = (l.Mix[p] ^ uint64(b)) * prime
			}
		}
	}}
}

// Large inputs, long ways and orders never make a datagram too large, and the match goes on.
func TestDatagramsStaySmall(t *testing.T) {
	for _, seats := range [][]rollback.PlayerSet{{0b01, 0b10}, {0b0111, 0b1000}} {
		for _, way := range []time.Duration{20 * time.Millisecond, 120 * time.Millisecond} {
			t.Run(fmt.Sprintf("%v, %v", seats, way), func(t *testing.T) {
				players := 0
				for _, s := range seats {
					players += s.Len()
				}
				f, err := New(Setup[ledger, big]{
					Game: bigLedger(), Players: players, Seats: seats, Seed: 1, Link: netem.Link{Delay: way},
					Input: func(p rollback.Player, n int) (in big) {
						for i := range in {
							in[i] = byte(n*31 + i*int(p+1))
						}
						return in
					},
					Orders:    func(p rollback.Player, n int) []byte { return make([]byte, 120) },
					Configure: func(_ int, c *session.Config) { c.MaxOrders, c.Match.Frames = 128, 300 },
				})
				if err != nil {
					t.Fatal(err)
				}
				largest := 0
				f.OnSend = func(_, _ int, b []byte) { largest = max(largest, len(b)) }
				done := f.RunUntil(40*time.Second, func() bool {
					for _, p := range f.Peers {
						if _, ok := p.Outcome(); !ok {
							return false
						}
					}
					return true
				})
				// Some 15 inputs of that size fit into a datagram, so a machine can send only
				// that many per round trip: the match is slow, but goes on.
				slow := len(seats) == 2 && seats[0].Len() == 3 && way > 100*time.Millisecond
				if !done && !(slow && f.Peers[0].Frame() > 100) || largest > 1200 {
					t.Errorf("the match has ended: %v, after %v, at frames %d and %d; the largest datagram has %d bytes", done, f.Now, f.Peers[0].Frame(), f.Peers[1].Frame(), largest)
				}
				t.Log(f.Now, largest)
			})
		}
	}
}

// A peer that hangs for as long as the longest time-out allows costs the others no
// memory, and can still come back.
func TestAHungPeerCostsNoMemory(t *testing.T) {
	l := newLab(t, 2, delay(20*time.Millisecond), configure(func(_ int, c *session.Config) {
		c.DropAfter, c.WarnAfter = 2*time.Minute, 2*time.Minute
	}))
	l.play()
	l.pass(5 * time.Second)
	l.Peers[1].Down = true
	messages := 0
	hang := func() uint64 {
		for range 50 {
			l.pass(time.Second)
			for l.Peers[0].Send(0b10, make([]byte, 1000)) == nil {
				messages++
			}
			l.Peers[0].Events = l.Peers[0].Events[:0]
		}
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	before := hang()
	after := hang()
	if after > before+100<<10 {
		t.Errorf("%d bytes, and 50 s later %d", before, after)
	}
	if messages > 300 {
		t.Errorf("%d messages of 1000 bytes wait", messages)
	}
	l.Peers[1].Down = false
	frame := l.Peers[0].Frame()
	l.pass(10 * time.Second)
	if got := l.Peers[0].Frame(); got < frame+100 {
		l.dump()
		t.Errorf("after the pause it does not go on: frame %d, then %d", frame, got)
	}
	if n := count(l.Peers[1], session.Message); n != messages {
		t.Errorf("%d messages arrived, %d were sent", n, messages)
	}
}

// Events are not numerous: in minutes of play on a bad network there are few of each kind.
func TestEventsAreFew(t *testing.T) {
	l := newLab(t, 4, over(netem.Link{Delay: 60 * time.Millisecond, Jitter: 30 * time.Millisecond, Distribution: netem.Exponential, Loss: 20 * netem.Percent, Reorder: true}), frames(60*120))
	l.end(1, 10*time.Minute)
	for i, p := range l.Peers {
		kinds := map[session.What]int{}
		for _, e := range p.Events {
			kinds[e.What]++
		}
		for w, n := range kinds {
			if most := 3; n > most {
				t.Errorf("peer %d: %d events %v", i, n, w)
			}
		}
		if st := p.Stats(nil); st.DroppedEvents > 0 || st.DroppedDatagrams > 0 {
			t.Errorf("peer %d: %d events and %d datagrams dropped", i, st.DroppedEvents, st.DroppedDatagrams)
		}
	}
	// While a peer hangs: one warning, and one reminder in a second.
	l = newLab(t, 3, delay(20*time.Millisecond))
	l.play()
	l.pass(time.Second)
	l.Peers[2].Down = true
	l.pass(4 * time.Second)
	for i, p := range l.up() {
		if s, w := count(p, session.Silent), count(p, session.Waiting); s != 1 || w < 2 || w > 5 {
			t.Errorf("peer %d: %d times silent, %d times waiting in 4 s", i, s, w)
		}
	}
}

// In steady play Receive, Update and Outgoing allocate nothing.
func TestNoAllocations(t *testing.T) {
	for _, players := range few(2, 8) {
		for _, orders := range []bool{false, true} {
			options := []option{delay(30 * time.Millisecond)}
			if orders {
				options = append(options, configure(func(_ int, c *session.Config) { c.MaxOrders = 100 }), func(s *Setup[ledger, note]) {
					b := make([]byte, 20)
					s.Orders = func(rollback.Player, int) []byte { return b }
				})
			}
			l := newLab(t, players, append(options, func(s *Setup[ledger, note]) {
				s.Hooks = func(_ int, h *session.Hooks[ledger, note]) { h.Agreed = nil }
			})...)
			l.play()
			l.Run(70 * time.Second) // until every slot of the control stream has been used
			if n := testing.AllocsPerRun(20, func() { l.Run(time.Second) }); n > 0 {
				t.Errorf("%d players, orders %v: %v allocations in a second", players, orders, n)
			}
		}
	}
}

// Sixteen players with inputs of the largest size play a match, each on a machine of its own.
func TestSixteenPlayersWithTheLargestInputs(t *testing.T) {
	var seats []rollback.PlayerSet
	for p := range rollback.Player(rollback.MaxPlayers) {
		seats = append(seats, rollback.SetOf(p))
	}
	f, err := New(Setup[ledger, big]{
		Game: bigLedger(), Players: rollback.MaxPlayers, Seats: seats, Seed: 1, Link: netem.Link{Delay: 20 * time.Millisecond},
		Input: func(p rollback.Player, n int) (in big) {
			for i := range in {
				in[i] = byte(n*31 + i*int(p+1))
			}
			return in
		},
		Configure: func(_ int, c *session.Config) { c.Match.Frames = 120 },
	})
	if err != nil {
		t.Fatal(err)
	}
	largest := 0
	f.OnSend = func(_, _ int, b []byte) { largest = max(largest, len(b)) }
	if !f.RunUntil(20*time.Second, func() bool {
		return !slices.ContainsFunc(f.Peers, func(p *Peer[ledger, big]) bool { _, ended := p.Outcome(); return !ended })
	}) || largest > 1200 {
		t.Errorf("after %v the first one is at frame %d; the largest datagram has %d bytes", f.Now, f.Peers[0].Frame(), largest)
	}
	first := f.Peers[0].Final()
	for i, p := range f.Peers {
		if last := p.Final(); last == nil || first == nil || *last != *first || last.Frame != 120 {
			t.Errorf("machine %d ends with another state, at frame %d", i, p.Frame())
		}
	}
}
