package udp

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"
)

func addr(n int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(n)}), uint16(7000+n>>8))
}

// correspond returns correspondents with the addresses 1 to n.
func correspond(n int) *correspondents {
	c := new(correspondents)
	for i := 1; i <= n; i++ {
		c.add(addr(i))
	}
	return c
}

// held counts what is in a ring, by sender.
func held(r *ring) map[netip.AddrPort]int {
	got, buf := map[netip.AddrPort]int{}, make([]byte, MaxDatagram)
	for {
		_, from, _, ok, _ := r.pop(buf)
		if !ok {
			return got
		}
		got[from]++
	}
}

// A flood of strangers, each from another address, displaces nothing of the addresses to which the socket sends, and
// gets no room if they need all of it.
func TestAFloodOfStrangersTakesNothing(t *testing.T) {
	r := newRing(64, correspond(3))
	for i := range 20 {
		for n := 1; n <= 3; n++ {
			r.push([]byte{byte(i)}, addr(n), someTime)
		}
		for k := range 1000 {
			r.push([]byte{0}, addr(100+k), someTime)
		}
	}
	for range 4 { // 64 from each: no stranger is left
		r.push([]byte{99}, addr(1), someTime)
	}
	if !r.push([]byte{0}, addr(200), someTime) {
		t.Error("a stranger was given the room of a correspondent")
	}
	got := held(r)
	if got[addr(1)] != 24 || got[addr(2)] != 20 || got[addr(3)] != 20 || len(got) != 3 {
		t.Errorf("in the ring are %v", got)
	}
}

// A flood in the name of a correspondent displaces nothing of the others.
func TestAFloodInOneNameTakesNothingFromOthers(t *testing.T) {
	r := newRing(64, correspond(3))
	for i := range byte(15) {
		r.push([]byte{i}, addr(2), someTime)
		r.push([]byte{i}, addr(3), someTime)
		for range 1000 {
			r.push([]byte{0}, addr(1), someTime)
		}
	}
	if got := held(r); got[addr(1)] != 34 || got[addr(2)] != 15 || got[addr(3)] != 15 {
		t.Errorf("in the ring are %v", got)
	}
}

// The ring behaves like a list that implements the rule in the simplest way.
func TestRingAgainstAList(t *testing.T) {
	type entry struct {
		from netip.AddrPort
		id   byte
	}
	const slots, known = 8, 3
	const seed = 7
	random := rand.New(rand.NewPCG(seed, 0))
	r, list, buf := newRing(slots, correspond(known)), []entry(nil), make([]byte, MaxDatagram)
	strange := func(e entry) bool { return e.from.Addr().As4()[3] > known }
	// room removes the victim, and reports whether there is one other than the newcomer.
	room := func(e entry) bool {
		if i := slices.IndexFunc(list, strange); i >= 0 {
			list = slices.Delete(list, i, i+1)
			return true
		}
		if strange(e) {
			return false
		}
		counts := map[netip.AddrPort]int{}
		for _, e := range list {
			counts[e.from]++
		}
		most := e.from // of equal ones the newcomer, then the lowest
		for n := 1; n <= known; n++ {
			if counts[addr(n)] > counts[most] {
				most = addr(n)
			}
		}
		i := slices.IndexFunc(list, func(e entry) bool { return e.from == most })
		list = slices.Delete(list, i, i+1)
		return true
	}
	for step := range 20_000 {
		if random.IntN(5) == 0 {
			_, from, _, ok, _ := r.pop(buf)
			if ok != (len(list) > 0) || ok && (list[0] != entry{from, buf[0]}) {
				t.Fatalf("seed %d, step %d: %v from %v, want the first of %v", seed, step, ok, from, list)
			}
			if ok {
				list = list[1:]
			}
			continue
		}
		e := entry{addr(1 + random.IntN(known+2)), byte(step)}
		full := len(list) == slots
		if !full || room(e) {
			list = append(list, e)
		}
		if dropped := r.push([]byte{e.id}, e.from, someTime); dropped != full {
			t.Fatalf("seed %d, step %d: dropped %v, must be %v", seed, step, dropped, full)
		}
	}
}

// A limited number of addresses that were sent to is remembered: when there are more, all are forgotten, and are added
// again with the next datagram to them.
func TestCorrespondentsAreBounded(t *testing.T) {
	c := correspond(maxCorrespondents)
	for i := 1; i <= maxCorrespondents; i++ {
		if got := c.number(addr(i)); got != byte(i) {
			t.Fatalf("address %d has number %d", i, got)
		}
	}
	c.add(addr(100))
	if n := len(*c.table.Load()); n != 1 || c.number(addr(100)) == stranger || c.number(addr(1)) != stranger {
		t.Errorf("%d are left", n)
	}
	for i := 1; i <= 7; i++ {
		c.add(addr(i))
	}
	if c.number(addr(7)) == stranger {
		t.Error("who is sent to again is not back")
	}
}

// The same over sockets: while nobody receives, a stranger sends ten times what the queue holds, and everything from
// the correspondent is still there.
func TestAStrangersFloodOverSockets(t *testing.T) {
	here, peer, other := listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	send(t, here, peer.LocalAddr(), "we talk")
	sent := uint64(0)
	from := func(c *Conn, text string, times uint64) {
		for range times {
			send(t, c, here.LocalAddr(), text)
		}
		sent += times
		await(t, "it has arrived", func() bool { return here.Stats().Received == sent })
	}
	for range 10 {
		from(peer, "peer", 1)
		for range QueueDatagrams / 32 { // no more at once than any system can hold
			from(other, "flood", 32)
		}
	}
	buf, peers := make([]byte, MaxDatagram), 0
	for range QueueDatagrams {
		if n, _, _, ok := here.Receive(buf); ok && string(buf[:n]) == "peer" {
			peers++
		}
	}
	if peers != 10 {
		t.Errorf("%d of 10 are left", peers)
	}
}

// Measures a datagram that finds the queue full: from a stranger, and in the name of a correspondent.
func BenchmarkFullRing(b *testing.B) {
	for name, from := range map[string]netip.AddrPort{"stranger": addr(9), "correspondent": addr(1)} {
		b.Run(name, func(b *testing.B) {
			r, datagram, at := newRing(QueueDatagrams, correspond(7)), make([]byte, 50), time.Unix(1, 0)
			b.ReportAllocs()
			for b.Loop() {
				r.push(datagram, from, at)
			}
		})
	}
}
