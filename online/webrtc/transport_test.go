//go:build !js

package webrtc

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Datagrams sent by one transport arrive at the other, with their address and a time, in both directions.
func TestDatagrams(t *testing.T) {
	x := newExchange()
	a, b := x.open(t, 1, 1, 2, 0), x.open(t, 2, 1)
	eventually(t, "connected", func() bool { return connected(a, 1) && connected(b, 1) })
	var buf [2048]byte
	for _, c := range []struct{ from, to *Transport }{{a, b}, {b, a}} {
		want := bytes.Repeat([]byte{byte(c.from.Self())}, MaxDatagram)
		before := time.Now()
		if err := c.from.Send(AddrOf(c.to.Self()), want); err != nil {
			t.Fatal(err)
		}
		clear(want)
		eventually(t, "a datagram", func() bool {
			n, from, at, ok := c.to.Receive(buf[:])
			if ok && (n != MaxDatagram || from != AddrOf(c.from.Self()) || buf[n-1] != byte(c.from.Self()) || at.Before(before)) {
				t.Fatalf("%d bytes from %v at %v", n, from, at)
			}
			return ok
		})
	}
	if s := a.Stats(); s.Sent != 1 || s.Received != 1 || s.SentBytes != MaxDatagram || s.Attempts != 1 {
		t.Errorf("%+v", s)
	}
	if sent, received := a.Framed(); sent < MaxDatagram || received < MaxDatagram {
		t.Errorf("by UDP %d bytes were sent, and %d received", sent, received)
	}
	p := a.Peers()
	if len(p) != 1 || p[0].ID != 2 || p[0].Addr != AddrOf(2) || p[0].Connections != 1 || p[0].Reason != NoReason {
		t.Errorf("%+v", p)
	}
}

// Datagrams that cannot be sent are refused, counted, and do not block.
func TestWhatCannotBeSent(t *testing.T) {
	x := newExchange()
	a := x.open(t, 1, 2)
	eventually(t, "a peer", func() bool { return len(a.Peers()) == 1 })
	for to, want := range map[netip.AddrPort]error{AddrOf(2): ErrNotConnected, AddrOf(3): ErrNoPeer, {}: ErrNoPeer} {
		if err := a.Send(to, []byte("x")); !errors.Is(err, want) {
			t.Errorf("to %v: %v, want %v", to, err, want)
		}
	}
	if err := a.Send(AddrOf(2), make([]byte, MaxDatagram+1)); !errors.Is(err, ErrTooLong) {
		t.Errorf("a long one: %v", err)
	}
	if s := a.Stats(); s.Unconnected != 3 || s.TooLong != 1 || s.Sent != 0 {
		t.Errorf("%+v", s)
	}
	a.Close()
	a.Close()
	if err := a.Send(AddrOf(2), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := New(Config{Signaler: desk{x, 0}}); !errors.Is(err, ErrConfig) {
		t.Errorf("without a number: %v", err)
	}
	if _, err := New(Config{Self: 1}); !errors.Is(err, ErrConfig) {
		t.Errorf("without a signaler: %v", err)
	}
}

// Lost signals are repeated: here the first of every kind is lost, in each direction.
func TestSignalsAreLost(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it waits for 5 s")
	}
	x := newExchange()
	lost := map[string]int{}
	x.lose = func(from, _ uint32, m *message) bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		if m.Kind == sayCandidate {
			return false // each candidate is sent once: those of the other side are enough
		}
		key := m.Kind + string(rune('0'+from))
		lost[key]++
		return lost[key] <= 1
	}
	a, b := x.open(t, 1, 2), x.open(t, 2, 1)
	eventually(t, "connected", func() bool { return connected(a, 1) && connected(b, 1) })
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(lost) != 4 {
		t.Errorf("lost were %v", lost)
	}
}

// A transport that is started again, the higher or the lower one, is connected again, and is not taken for the
// previous one.
func TestAPeerIsStartedAgain(t *testing.T) {
	t.Parallel()
	x := newExchange()
	both := map[uint32]*Transport{1: x.open(t, 1, 2), 2: x.open(t, 2, 1)}
	var buf [MaxDatagram]byte
	for _, again := range []uint32{1, 2} {
		eventually(t, "connected", func() bool { return connected(both[1], 1) && connected(both[2], 1) })
		both[again].Close()
		both[again] = x.open(t, again, 3-again)
		eventually(t, "its datagrams", func() bool {
			both[again].Send(AddrOf(3-again), []byte{byte(again)})
			n, from, _, ok := both[3-again].Receive(buf[:])
			return ok && n == 1 && buf[0] == byte(again) && from == AddrOf(again)
		})
	}
}

// For an interrupted path another one is searched and found, without another connection.
func TestAnInterruption(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it waits for 4 s")
	}
	for _, who := range []uint32{1, 2} {
		x := newExchange()
		all := map[uint32]*Transport{1: x.open(t, 1, 2), 2: x.open(t, 2, 1)}
		eventually(t, "connected", func() bool { return connected(all[1], 1) && connected(all[2], 1) })
		c := all[who]
		eventually(t, "time for another way", func() bool { return c.Peers()[0].For > restartEvery })
		l := c.links[AddrOf(3-who)]
		c.mail.add(letter{kind: forPath, link: l, dial: l.dial, path: pathInterrupted})
		eventually(t, "a look for ways", func() bool { return all[1].Stats().Restarts > 0 })
		eventually(t, "connected again", func() bool { return connected(all[1], 1) && connected(all[2], 1) })
		if s := all[1].Stats(); s.Attempts != 1 || s.Restarts == 0 {
			t.Errorf("%d is interrupted: %+v", who, s)
		}
	}
}

// connectedTwo returns one of two connected transports, and the other one's connection to it.
func connectedTwo(t *testing.T) (*Transport, *nativeConnection) {
	t.Helper()
	x := newExchange()
	a, b := x.open(t, 1, 2), x.open(t, 2, 1)
	eventually(t, "connected", func() bool { return connected(a, 1) && connected(b, 1) })
	ready := b.links[AddrOf(1)].ready.Load()
	if ready == nil {
		t.Fatal("there is no connection")
	}
	return a, (*ready).(*nativeConnection)
}

// A peer that opens channels of its own loses the connection, and has no other effect.
func TestMoreChannelsThanOne(t *testing.T) {
	t.Parallel()
	a, connection := connectedTwo(t)
	peer := connection.peer
	for i := range 20 {
		if _, err := peer.CreateDataChannel("another", nil); err != nil {
			if i == 0 {
				t.Fatal(err)
			}
			break // because of the first ones it has already lost the connection
		}
	}
	eventually(t, "another connection", func() bool { return a.Peers()[0].Connections >= 2 })
}

// A connection whose channel is closed no longer counts, even though its path exists: another one is made.
func TestAChannelIsClosed(t *testing.T) {
	t.Parallel()
	a, connection := connectedTwo(t)
	if err := connection.channel.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "another connection", func() bool { return a.Peers()[0].Connections >= 2 && connected(a, 1) })
}

// A peer that cannot be reached has failed, and the reason is reported; and it is reached when that becomes possible.
func TestFailures(t *testing.T) {
	x := newExchange()
	a, err := New(Config{Self: 1, Signaler: desk{x, 1}, Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.failAfter = 50 * time.Millisecond
	x.all[1] = a
	a.SetPeers(2, 3)
	// Only paths through a server may be used, and there is none.
	b, err := New(Config{Self: 2, Signaler: desk{x, 2}, Loopback: true, RelayOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	x.mu.Lock()
	x.all[2] = b
	x.lose = func(from, _ uint32, m *message) bool { return from == 1 && m.Kind == sayCandidate }
	x.mu.Unlock()
	b.SetPeers(1)
	is := func(i int, r Reason) func() bool {
		return func() bool { p := a.Peers(); return len(p) == 2 && p[i].State == Failed && p[i].Reason == r }
	}
	eventually(t, "3 does not answer", is(1, NoAnswer))
	eventually(t, "2 is blocked", is(0, Blocked))
	x.open(t, 3, 1)
	eventually(t, "3 is there", func() bool { return a.Peers()[1].State == Connected })
	if text := Blocked.String(); !strings.Contains(text, "TURN") || Interrupted.String() != "interrupted" {
		t.Error(text)
	}
}

// Anything may be signalled, by anybody.
func TestSignalsThatMakeNoSense(t *testing.T) {
	x := newExchange()
	a, b := x.open(t, 1, 2), x.open(t, 2, 1)
	eventually(t, "connected", func() bool { return connected(a, 1) && connected(b, 1) })
	for _, c := range []*Transport{a, b} {
		from := 3 - c.Self()
		for _, text := range []string{
			"", "{", "[]", `{"k":"hello"}`, `{"k":"offer","f":"x","n":1}`, strings.Repeat("x", MaxSignal+1),
			`{"k":"answer","f":"` + x.all[from].instance + `","n":1,"sdp":"v=0"}`,
			`{"k":"candidate","f":"` + x.all[from].instance + `","n":1,"c":{"candidate":"nonsense"}}`,
		} {
			c.Deliver(from, text)
			c.Deliver(99, text)
		}
	}
	eventually(t, "connected still", func() bool { return connected(a, 1) && connected(b, 1) && a.Stats().BadSignals >= 12 })
}

// A connected peer sends candidates endlessly: only a limited number is accepted, and it stays connected.
func TestWaysWithoutEnd(t *testing.T) {
	x := newExchange()
	a, b := x.open(t, 1, 2), x.open(t, 2, 1)
	eventually(t, "connected", func() bool { return connected(a, 1) && connected(b, 1) })
	line := uint16(0)
	for i := range 200 {
		text := fmt.Sprintf("candidate:%d 1 udp 2130706431 127.0.0.2 %d typ host", i+1, 2000+i)
		m := message{Kind: sayCandidate, From: b.instance, To: a.instance, Attempt: 1, Candidate: &candidate{Text: text, Mid: new("0"), Line: &line}}
		a.Deliver(2, m.encode())
	}
	eventually(t, "the rest to be refused", func() bool { return a.Stats().BadSignals >= 200-maxCandidates })
	if !connected(a, 1) || !connected(b, 1) {
		t.Error("they are not connected any more")
	}
}

// A transport that is closed has nothing more to receive, not even what has arrived before.
func TestNothingIsReceivedAfterTheEnd(t *testing.T) {
	x := newExchange()
	a := x.open(t, 1, 2)
	eventually(t, "a peer", func() bool { return len(a.Peers()) == 1 })
	a.mu.RLock()
	ring := a.links[AddrOf(2)].ring
	a.mu.RUnlock()
	a.queue.Push(ring, AddrOf(2), []byte("too late"), time.Now())
	a.Close()
	if n, from, _, ok := a.Receive(make([]byte, 64)); ok {
		t.Errorf("%d bytes from %v", n, from)
	}
}

// A connection takes no more than it can send soon: further datagrams are refused, and counted, until there is room again.
func TestACongestedConnection(t *testing.T) {
	t.Parallel()
	a, _ := connectedTwo(t)
	datagram := make([]byte, MaxDatagram)
	eventually(t, "it is congested", func() bool {
		for range 200 { // faster than any path
			if err := a.Send(AddrOf(2), datagram); err != nil {
				return errors.Is(err, ErrCongested)
			}
		}
		return false
	})
	if n := a.Stats().Congested; n != 1 {
		t.Errorf("%d are counted", n)
	}
	eventually(t, "there is room again", func() bool { return a.Send(AddrOf(2), datagram) == nil })
}

// Nothing of a transport is left after Close.
func TestCloseLeavesNothing(t *testing.T) {
	x := newExchange()
	x.open(t, 8, 9).Close() // what is made once in a program, is
	before := runtime.NumGoroutine()
	a, b, c := x.open(t, 1, 2, 3), x.open(t, 2, 1, 3), x.open(t, 3, 1, 2)
	eventually(t, "connected", func() bool { return connected(a, 2) && connected(b, 2) && connected(c, 2) })
	a.SetPeers(3) // and one is given up
	for _, c := range []*Transport{a, b, c} {
		c.Close()
	}
	stacks := make([]byte, 1<<20)
	defer func() {
		if t.Failed() {
			t.Logf("%s", stacks[:runtime.Stack(stacks, true)])
		}
	}()
	eventually(t, "no goroutines", func() bool { return runtime.NumGoroutine() <= before })
}

// Unusable servers are refused when they are replaced, just as at the beginning, and the others stay. Usable ones also
// apply to an existing connection, for the next time that it looks for paths.
func TestServersAreReplaced(t *testing.T) {
	x := newExchange()
	a, b := x.open(t, 1, 2), x.open(t, 2, 1)
	eventually(t, "connected", func() bool { return connected(a, 1) && connected(b, 1) })
	ready := a.links[AddrOf(2)].ready.Load()
	if ready == nil {
		t.Fatal("there is no connection any more")
	}
	// The library's connection has no lock for its configuration, so the test looks at it only while the transport's
	// goroutine leaves it alone: before anything is reported, and after the end.
	servers := func() int { return len((*ready).(*nativeConnection).peer.GetConfiguration().ICEServers) }
	if n := servers(); n != 0 {
		t.Errorf("it begins with %d servers", n)
	}
	if err := a.SetICE([]ICEServer{{URLs: []string{"nonsense:there"}}}); !errors.Is(err, ErrConfig) {
		t.Errorf("%v", err)
	}
	if err := a.SetICE([]ICEServer{{URLs: []string{"stun:192.0.2.1:3478"}}}); err != nil {
		t.Error(err)
	}
	a.Close() // everything reported before is read first
	if n := servers(); n != 1 {
		t.Errorf("it ends with %d servers", n)
	}
}

// The UDP traffic is that of all connected peers, whichever others are looked for.
func TestWhatUDPHasCarried(t *testing.T) {
	t.Parallel()
	x := newExchange()
	a, b := x.open(t, 1, 2, 3, 4, 5, 6, 7, 8, 9), x.open(t, 2, 1)
	eventually(t, "connected", func() bool { p := a.Peers(); return len(p) == 8 && p[0].State == Connected && connected(b, 1) })
	for range 20 {
		sent, received := a.Framed()
		if sent < 500 || received < 500 || sent > 1<<30 || received > 1<<30 {
			t.Fatalf("%d bytes were sent, and %d have come", sent, received)
		}
	}
}
