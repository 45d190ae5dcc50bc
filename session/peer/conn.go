package peer

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Conn is one end of a connection between two machines. It authenticates and numbers
// datagrams, and measures the path. Its owners decide what they carry: a [Link], a [Pipe], or
// both, which tell their datagrams apart by the first byte. It gets the time from them, and is
// not safe for concurrent use.
type Conn struct {
	// Addr is the address of the other end.
	Addr netip.AddrPort
	// Nonce is our nonce for the other end. Theirs is its nonce for us, once it has answered.
	Nonce, Theirs uint64
	// RoundTrip is the measured round trip.
	RoundTrip RoundTrip
	// Counts are the traffic so far.
	Counts Counts
	// In is the key of arriving datagrams, and Out of those sent: see [Conn.Key].
	In, Out datagram.Key
	// Window knows which datagrams have arrived.
	Window Window
	// Period is how long the other end may take to answer.
	Period time.Duration

	next     uint64 // number of the next datagram to send
	newest   uint64 // number of the newest one that arrived
	newestAt time.Duration
	sentAt   []time.Duration // by number, in a ring; nil before the first one
	sentFrom uint64          // the first number that the ring has had since it grew
	sentMost int             // how many it may have
	carried  carried
}

// Counts are numbers of datagrams, and of the bytes of their payload.
type Counts struct {
	Sent, Received           uint64
	SentBytes, ReceivedBytes uint64
	// Lost estimates how many datagrams of the other end did not arrive. It goes down when
	// one arrives late.
	Lost uint64
	// Duplicates had arrived before, or were overtaken by 256 others. Rejected came from
	// the other end's address but were not valid.
	Duplicates, Rejected uint64
}

// sentHeld is for how many datagrams the time of sending is known at most: a second of them at the
// highest tick rate. Older ones give no round trip. There is memory for sentFirst at first, and for as many
// as are sent in sentFor.
const (
	sentHeld, sentFirst = 1024, 64
	sentFor             = 2 * time.Second
)

// Hold bounds for how many datagrams the time of sending is known, a power of two, before one is
// sent. It is for connections on which few are under way, of which there are many.
func (c *Conn) Hold(datagrams int) {
	c.sentMost = min(datagrams, sentHeld)
	c.sentAt = make([]time.Duration, min(datagrams, sentFirst))
}

// noteSent notes when the next datagram is sent, of so many bytes.
func (c *Conn) noteSent(size int, now time.Duration) {
	c.carried.note(c.next, size, now, c.Timeout())
	if c.sentAt == nil {
		c.Hold(sentHeld)
	}
	at := &c.sentAt[c.next&uint64(len(c.sentAt)-1)]
	if c.next >= uint64(len(c.sentAt)) && now-*at < sentFor && len(c.sentAt) < c.sentMost {
		held := c.sentAt
		c.sentAt = make([]time.Duration, 2*len(held))
		c.sentFrom = c.next - uint64(len(held))
		for n := c.sentFrom; n < c.next; n++ {
			c.sentAt[n&uint64(len(c.sentAt)-1)] = held[n&uint64(len(held)-1)]
		}
		at = &c.sentAt[c.next&uint64(len(c.sentAt)-1)]
	}
	*at = now
}

// Key keeps the nonces of both ends, and derives the keys from them.
func (c *Conn) Key(ours, theirs uint64) {
	c.Nonce, c.Theirs = ours, theirs
	c.In, c.Out = datagram.KeyOf(theirs, ours), datagram.KeyOf(ours, theirs)
}

// Next returns the number of the next datagram to send.
func (c *Conn) Next() uint64 { return c.next }

// Datagrams carry the low bits of their numbers. MaxSilence is the longest silence after which the
// whole number of the next datagram is still found, at every tick rate, if the other end has sent
// at most mostPerPeriod datagrams in a tick period meanwhile: a client of a server sends up to
// four, and some answer a datagram at once.
const (
	MaxSilence    = 2 * time.Minute
	mostPerPeriod = 5
)

// rounds returns how many times the low bits of the number can have come round since the newest
// datagram arrived.
//
// It does not depend on how long ago that was: a machine that has slept does not know.
func (c *Conn) rounds() int {
	return int((mostPerPeriod*MaxSilence/max(c.Period, time.Millisecond) + datagram.SequenceRound/2) / datagram.SequenceRound)
}

// Open returns the body of a datagram of the other end, and its number. It changes nothing,
// and does not check whether the datagram has arrived before.
//
// The number is nearly always the nearest one whose low bits are those of the datagram. After a long
// silence it can be a later one, which the tag tells, since the whole number goes into it.
func (c *Conn) Open(b []byte) (body []byte, sequence uint64, ok bool) {
	sequence, ok = datagram.SequenceOf(b, c.Window.Next())
	if ok {
		if body, ok = c.In.Open(b, sequence); ok {
			return body, sequence, true
		}
	} else if len(b) <= datagram.TagSize {
		return nil, 0, false
	}
	for range c.rounds() {
		if sequence += datagram.SequenceRound; int64(sequence) < 0 {
			continue
		}
		if body, ok = c.In.Open(b, sequence); ok {
			return body, sequence, true
		}
	}
	return nil, 0, false
}

// Take reports whether an opened datagram is new, and counts it if it is a duplicate.
func (c *Conn) Take(sequence uint64) bool {
	if c.Window.Take(sequence) {
		return true
	}
	c.Counts.Duplicates++
	return false
}

// Arrive notes when a valid datagram of this size arrived.
func (c *Conn) Arrive(at time.Duration, sequence uint64, size int) {
	n := &c.Counts
	n.ReceivedBytes += uint64(size)
	switch {
	case n.Received == 0 || sequence > c.newest:
		if n.Received > 0 {
			n.Lost += sequence - c.newest - 1
		}
		c.newest, c.newestAt = sequence, at
	case n.Lost > 0:
		n.Lost-- // it was only late
	}
	n.Received++
}

// Sample returns what tells the other end how long its datagrams take.
func (c *Conn) Sample(now time.Duration) datagram.Sample {
	hold := (now - c.newestAt) / datagram.SampleUnit
	return datagram.Sample{Echo: uint16(c.newest), Hold: byte(min(max(hold, 0), datagram.HoldUnknown))}
}

// Measure takes a sample from the other end, and returns which of our datagrams it says has
// arrived.
func (c *Conn) Measure(at time.Duration, s *datagram.Sample) (arrived uint64, ok bool) {
	age := uint64(uint16(c.next) - 1 - s.Echo)
	if age < min(c.next, sentHeld) {
		c.carried.sample(c.next - 1 - age)
	}
	if s.Hold == datagram.HoldUnknown || age >= min(c.next, uint64(len(c.sentAt))) {
		return 0, false
	}
	if arrived = c.next - 1 - age; arrived < c.sentFrom {
		return 0, false
	}
	c.RoundTrip.Add(at - c.sentAt[arrived&uint64(len(c.sentAt)-1)] - time.Duration(s.Hold)*datagram.SampleUnit)
	return arrived, true
}

// Timeout returns how long to wait for an acknowledgement.
func (c *Conn) Timeout() time.Duration { return c.RoundTrip.Timeout(c.Period) }

// Seal completes the datagram that begins at start in b and is sent now.
func (c *Conn) Seal(b []byte, start int, now time.Duration) []byte {
	b = c.Out.Seal(b, start, c.next)
	c.noteSent(len(b)-start, now)
	c.next++
	c.Counts.Sent++
	c.Counts.SentBytes += uint64(len(b) - start)
	return b
}
