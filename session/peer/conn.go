package peer

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// Conn is one end of a connection between two machines: what authenticates datagrams, numbers
// them, and measures the way. What they carry is for its owner. It knows no time but what it
// is told, and is for one goroutine.
type Conn struct {
	// Addr is where the other end is.
	Addr netip.AddrPort
	// Channel is the control stream. Its owner sends and takes messages.
	Channel *reliable.Channel
	// RoundTrip is what is measured.
	RoundTrip RoundTrip
	// Heard is when an authentic datagram came last, and Sent when one was sent.
	Heard, Sent time.Duration
	// Counts are of the datagrams that went and came.
	Counts Counts
	// In is the key of what comes, and Out of what goes: see [Conn.Key].
	In, Out datagram.Key
	// Window is which datagrams have come.
	Window Window
	// Period is in which time the other end answers.
	Period time.Duration

	next     uint64 // number of the next datagram to send
	newest   uint64 // number of the newest one that came,
	newestAt time.Duration
	sentAt   [sentHeld]time.Duration // by number, in a ring
}

// Counts are datagrams, and the bytes of their payload.
type Counts struct {
	Sent, Received           uint64
	SentBytes, ReceivedBytes uint64
	// Lost estimates those of the other end that did not arrive. It goes down when one
	// arrives after all.
	Lost uint64
	// Duplicates had come before, or came later than 256 others, and Rejected are those
	// from the address of the other end that were no good.
	Duplicates, Rejected uint64
}

// sentHeld is for how many datagrams it is known when they were sent: a second of
// them at the highest tick rate. Older ones give no round trip.
const sentHeld = 1024

// Key sets the keys, which the nonces of both ends give.
func (c *Conn) Key(ours, theirs uint64) {
	c.In, c.Out = datagram.KeyOf(theirs, ours), datagram.KeyOf(ours, theirs)
}

// Next returns the number of the next datagram to send.
func (c *Conn) Next() uint64 { return c.next }

// Open returns the body of a datagram of the other end, and its number, which may have come
// before. It changes nothing.
func (c *Conn) Open(b []byte) (body []byte, sequence uint64, ok bool) {
	sequence, ok = datagram.SequenceOf(b, c.Window.Next())
	if !ok {
		return nil, 0, false
	}
	body, ok = c.In.Open(b, sequence)
	return body, sequence, ok
}

// Take reports whether a datagram that was opened is new, and counts it if it is not.
func (c *Conn) Take(sequence uint64) bool {
	if c.Window.Take(sequence) {
		return true
	}
	c.Counts.Duplicates++
	return false
}

// Arrive notes when a datagram of so many bytes came, which follows the protocol.
func (c *Conn) Arrive(at time.Duration, sequence uint64, size int) {
	n := &c.Counts
	n.ReceivedBytes += uint64(size)
	c.Heard = max(c.Heard, at)
	switch {
	case n.Received == 0 || sequence > c.newest:
		if n.Received > 0 {
			n.Lost += sequence - c.newest - 1
		}
		c.newest, c.newestAt = sequence, at
	case n.Lost > 0:
		n.Lost-- // it was late, not lost
	}
	n.Received++
}

// Sample is what tells the other end how long its datagrams take.
func (c *Conn) Sample(now time.Duration) datagram.Sample {
	hold := (now - c.newestAt) / datagram.SampleUnit
	return datagram.Sample{Echo: uint16(c.newest), Hold: byte(min(max(hold, 0), datagram.HoldUnknown))}
}

// Measure takes a sample of the other end, and returns which datagram of ours has arrived, if
// it says so.
func (c *Conn) Measure(at time.Duration, s *datagram.Sample) (arrived uint64, ok bool) {
	age := uint64(uint16(c.next) - 1 - s.Echo)
	if s.Hold == datagram.HoldUnknown || age >= min(c.next, sentHeld) {
		return 0, false
	}
	arrived = c.next - 1 - age
	c.RoundTrip.Add(at - c.sentAt[arrived%sentHeld] - time.Duration(s.Hold)*datagram.SampleUnit)
	c.Channel.SetTimeout(c.RoundTrip.Timeout(c.Period))
	return arrived, true
}

// Seal closes the datagram that begins at start in b, which is sent now.
func (c *Conn) Seal(b []byte, start int, now time.Duration) []byte {
	b = c.Out.Seal(b, start, c.next)
	c.sentAt[c.next%sentHeld] = now
	c.next++
	c.Sent = now
	c.Counts.Sent++
	c.Counts.SentBytes += uint64(len(b) - start)
	return b
}
