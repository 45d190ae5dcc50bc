package peer

import (
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

var le = binary.LittleEndian

// Conn is one end of a connection between two machines. It authenticates and numbers datagrams, and measures the
// path. Its owners decide what the datagrams carry: a [Link], a [Pipe], or both, whose datagrams differ in the
// first byte. It gets the time from them, and is not safe for concurrent use.
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
	// Window tracks which datagrams have arrived.
	Window Window
	// Period is how long the other end may take to answer.
	Period time.Duration

	next     uint64 // number of the next datagram to send
	newest   uint64 // number of the newest one that arrived
	newestAt time.Duration
	sentAt   []time.Duration // by number, in a ring; nil before the first one
	sentFrom uint64          // the first number in the ring since it grew
	sentMost int             // its maximum size
	carried  carried
}

// Counts are numbers of datagrams, and of bytes of payload.
type Counts struct {
	Sent, Received           uint64
	SentBytes, ReceivedBytes uint64
	// Lost estimates how many datagrams of the other end did not arrive. It decreases when one arrives late.
	Lost uint64
	// Duplicates counts datagrams that had arrived before, or were overtaken by 256 others. Rejected counts invalid
	// datagrams from the other end's address.
	Duplicates, Rejected uint64
}

// sentHeld is the maximum number of datagrams whose sending time is kept: a second of them at the highest tick
// rate. Older ones give no round trip. At first there is memory for sentFirst, and later for the number sent in
// sentFor.
const (
	sentHeld, sentFirst = 1024, 64
	sentFor             = 2 * time.Second
)

// Hold limits the number of datagrams whose sending time is kept, to a power of two; call it before any is sent. It
// is for servers with many connections that each have few datagrams in flight.
func (c *Conn) Hold(datagrams int) {
	c.sentMost = min(datagrams, sentHeld)
	c.sentAt = make([]time.Duration, min(datagrams, sentFirst))
}

// hold returns the place for the time of the next datagram, after the memory has grown if that is necessary.
func (c *Conn) hold(now time.Duration) *time.Duration {
	if c.sentAt == nil {
		c.Hold(sentHeld)
	}
	held := c.sentAt
	if c.next >= uint64(len(held)) && now-*c.sentAtOf(c.next) < sentFor && len(held) < c.sentMost {
		c.sentAt = make([]time.Duration, 2*len(held))
		c.sentFrom = c.next - uint64(len(held))
		for n := c.sentFrom; n < c.next; n++ {
			*c.sentAtOf(n) = held[n&uint64(len(held)-1)]
		}
	}
	return c.sentAtOf(c.next)
}

// sentAtOf returns the place for the time of a datagram.
func (c *Conn) sentAtOf(n uint64) *time.Duration { return &c.sentAt[n&uint64(len(c.sentAt)-1)] }

// Key stores the nonces of both ends, and derives the keys from them.
func (c *Conn) Key(ours, theirs uint64) {
	c.Nonce, c.Theirs = ours, theirs
	c.In, c.Out = datagram.KeyOf(theirs, ours), datagram.KeyOf(ours, theirs)
}

// Next returns the number of the next datagram to send.
func (c *Conn) Next() uint64 { return c.next }

// Datagrams carry the low bits of their numbers. MaxSilence is the longest silence after which the whole number of
// the next datagram can still be determined, at every tick rate, if the other end has meanwhile sent at most
// mostPerPeriod datagrams per tick period: a client of a server sends up to four, and some answer a datagram at
// once.
const (
	MaxSilence    = 2 * time.Minute
	mostPerPeriod = 5
)

// rounds returns how many times the low bits of the number can have wrapped around since the newest datagram
// arrived.
//
// It does not depend on how long ago that was: a machine that has slept does not know.
func (c *Conn) rounds() int {
	return int((mostPerPeriod*MaxSilence/max(c.Period, time.Millisecond) + datagram.SequenceRound/2) / datagram.SequenceRound)
}

// Open returns the body of a datagram from the other end, and its number. It changes nothing, and does not check
// whether the datagram has arrived before.
//
// The number is nearly always the nearest one with the low bits of the datagram. After a long silence it can be a
// later one; the tag shows that, since it covers the whole number.
func (c *Conn) Open(b []byte) (body []byte, sequence uint64, ok bool) {
	sequence, ok = datagram.SequenceOf(b, c.Window.Next())
	n := len(b) - datagram.TagSize
	if n < 1 {
		return nil, 0, false
	}
	if ok && le.Uint64(b[n:]) == c.In.Tag(b[:n], sequence) { // nearly always, and so without a call of Key.Open
		return b[:n], sequence, true
	}
	return c.openLater(b, sequence)
}

// openLater does the work of Open for a number that is not the nearest one.
func (c *Conn) openLater(b []byte, sequence uint64) (body []byte, later uint64, ok bool) {
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

// Take reports whether an opened datagram is new, and counts it as a duplicate if not.
func (c *Conn) Take(sequence uint64) bool {
	if c.Window.Take(sequence) {
		return true
	}
	c.Counts.Duplicates++
	return false
}

// Arrive records the arrival of a valid datagram of this size.
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

// Sample returns the sample from which the other end measures the round trip.
func (c *Conn) Sample(now time.Duration) datagram.Sample {
	hold := (now - c.newestAt) / datagram.SampleUnit
	return datagram.Sample{Echo: uint16(c.newest), Hold: byte(min(max(hold, 0), datagram.HoldUnknown))}
}

// Measure evaluates a sample from the other end, and returns which of our datagrams it names as arrived.
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
	c.RoundTrip.Add(at - *c.sentAtOf(arrived) - time.Duration(s.Hold)*datagram.SampleUnit)
	return arrived, true
}

// Timeout returns how long to wait for an acknowledgement.
func (c *Conn) Timeout() time.Duration { return c.RoundTrip.Timeout(c.Period) }

// Seal completes the datagram that begins at start in b, to be sent now.
func (c *Conn) Seal(b []byte, start int, now time.Duration) []byte {
	b = le.AppendUint64(b, c.Out.Tag(b[start:], c.next))
	size := len(b) - start
	if size <= datagram.MinSize {
		c.carried.noteSmall(c.next)
	} else {
		c.carried.note(c.next, now, c.Timeout())
	}
	if held := uint64(len(c.sentAt)); held > 0 && now-*c.sentAtOf(c.next) >= sentFor {
		*c.sentAtOf(c.next) = now // nearly always
	} else {
		*c.hold(now) = now
	}
	c.next++
	c.Counts.Sent++
	c.Counts.SentBytes += uint64(size)
	return b
}
