// Package air is the network of the comparison: in memory, in virtual time, the same for all libraries. What happens to a
// datagram depends on the seed, on who sends it to whom, in which tick, and how many datagrams went the same way before
// it in that tick, and on nothing else. So the weather is the same for a library that sends much and for one that sends
// little. The programs in Rust have the same network; testdata/air.txt is what both must do to datagrams.
package air

import "fmt"

const (
	// Rate is how many ticks there are in a second.
	Rate = 60
	// MaxDatagram is the largest datagram, in bytes.
	MaxDatagram = 4096
	// ring is for how many ticks ahead there are boxes: two seconds.
	ring = 128
)

// Weather is what a network does to datagrams, in each direction.
type Weather struct {
	Seed     uint64
	DelayUS  int // the time from one peer to another, in microseconds
	JitterUS int // at most so much more or less, each value as likely as any other
	LossPPM  int // how many of a million datagrams are lost
}

// Air is a network of some peers, which are numbers from 0 on.
type Air struct {
	w     Weather
	peers int
	tick  int
	boxes [ring][]*box // by tick in which they arrive, and by receiver; nil is empty
	free  []*box       // the one that was used last is the next, so that it is in the cache
	sent  []uint32     // in this tick, by sender and receiver

	// Datagrams and Bytes count what was sent, lost or not, without the headers of UDP and IP.
	Datagrams, Bytes uint64
}

// box holds the datagrams that arrive at one peer in one tick.
type box struct {
	parcels []parcel
	bytes   []byte
}

type parcel struct{ from, start, end int }

// New returns a network. It has room for what a match usually sends, so that nothing is allocated later.
func New(w Weather, peers int) *Air {
	a := &Air{w: w, peers: peers, sent: make([]uint32, peers*peers)}
	for i := range a.boxes {
		a.boxes[i] = make([]*box, peers)
	}
	for range 16 * peers {
		a.free = append(a.free, &box{parcels: make([]parcel, 0, 4*peers), bytes: make([]byte, 0, 512*peers)})
	}
	return a
}

// Tick begins the next tick, and returns its number. All peers act at the same moment in a tick.
func (a *Air) Tick() int {
	a.tick++
	clear(a.sent)
	return a.tick
}

// Send sends a datagram, which is copied. It arrives in the first tick that is later than now and the delay: in the next
// one if there is no delay.
func (a *Air) Send(from, to int, b []byte) {
	if len(b) > MaxDatagram || to < 0 || to >= a.peers {
		panic(fmt.Sprintf("air: a datagram of %d bytes from %d to %d of %d peers", len(b), from, to, a.peers))
	}
	a.Datagrams++
	a.Bytes += uint64(len(b))
	nth := a.sent[from*a.peers+to]
	a.sent[from*a.peers+to]++
	after, lost := a.w.Fate(from, to, a.tick, nth)
	if lost {
		return
	}
	at := &a.boxes[(a.tick+after)%ring][to]
	if *at == nil {
		*at = a.empty()
	}
	x := *at
	start := len(x.bytes)
	x.bytes = append(x.bytes, b...)
	x.parcels = append(x.parcels, parcel{from, start, len(x.bytes)})
}

// empty returns a box that nobody uses.
func (a *Air) empty() *box {
	last := len(a.free) - 1
	if last < 0 {
		return new(box)
	}
	x := a.free[last]
	a.free = a.free[:last]
	return x
}

// Receive calls f with each datagram that arrives at a peer in this tick, in the order in which they were sent.
func (a *Air) Receive(to int, f func(from int, b []byte)) {
	at := &a.boxes[a.tick%ring][to]
	x := *at
	if x == nil {
		return
	}
	for _, p := range x.parcels {
		f(p.from, x.bytes[p.start:p.end])
	}
	x.parcels, x.bytes = x.parcels[:0], x.bytes[:0]
	a.free, *at = append(a.free, x), nil
}

// Fate returns after how many ticks a datagram arrives, 1 or more, or that it is lost. It is the nth, from 0 on, that
// goes that way in its tick.
func (w Weather) Fate(from, to, tick int, nth uint32) (after int, lost bool) {
	x := mix(w.Seed ^ uint64(from)<<56 ^ uint64(to)<<48 ^ uint64(nth)<<40 ^ uint64(tick))
	if x>>32%1_000_000 < uint64(w.LossPPM) {
		return 0, true
	}
	delay := w.DelayUS
	if w.JitterUS > 0 {
		delay += int(x&0xffffffff%uint64(2*w.JitterUS+1)) - w.JitterUS
	}
	return min(1+max(delay, 0)*Rate/1_000_000, ring-1), false
}

// mix is the output function of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
