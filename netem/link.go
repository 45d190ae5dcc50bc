package netem

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Limits of a [Link], which keep all sums of times far from an overflow.
const (
	// MaxDelay is the maximum of Delay, of Jitter, and of the time to send a full queue. No network that people play
	// games on is that slow.
	MaxDelay = time.Hour
	// MaxBandwidth is the maximum of Bandwidth: a terabyte per second.
	MaxBandwidth = 1 << 40
	// MaxQueue is the maximum of Queue: a gigabyte.
	MaxQueue = 1 << 30
	// MaxOverhead is the maximum of Overhead in bytes, with room for headers within headers.
	MaxOverhead = 1 << 10
	// MaxSize is the maximum size of a datagram in bytes: that of an IP packet.
	MaxSize = 1<<16 - 1
)

// The bytes that each datagram has on the wire in addition to its payload: the headers of IP and of UDP.
const (
	OverheadIPv4 = 20 + 8
	OverheadIPv6 = 40 + 8
)

// DefaultQueueTime is the time to send a full queue if Link.Queue is 0. Queues of 100 to 300 ms are usual at the edge
// of the internet.
const DefaultQueueTime = 200 * time.Millisecond

// Link describes the behaviour of one direction of a connection. The zero value is perfect: everything arrives at once.
// The fields are in the order in which they affect a datagram.
type Link struct {
	// Down makes the link lose everything that is sent.
	Down bool `json:",omitzero"`
	// MTU is the maximum size in bytes of a datagram that the link carries, Overhead included; larger ones are dropped
	// silently. With 0 there is no limit.
	MTU int `json:",omitzero"`

	// Bandwidth is how many bytes are sent per second; with 0 there is no limit. Datagrams are sent one after the other,
	// and those that wait are in a queue.
	Bandwidth int64 `json:",omitzero"`
	// Queue is how many bytes may wait, including the datagram that is being sent and the new one. A datagram for
	// which there is no room is dropped, but an idle link accepts one of any size. With 0 the queue has room for what
	// Bandwidth carries in [DefaultQueueTime].
	Queue int `json:",omitzero"`
	// Overhead is how many bytes each datagram has besides its size, for Bandwidth and Queue: for example [OverheadIPv4].
	Overhead int `json:",omitzero"`

	// Loss is the probability that a datagram is lost outside of a burst. It is lost after it was sent, so it has used
	// bandwidth.
	Loss PPM `json:",omitzero"`
	// Burst makes losses come in bursts.
	Burst Burst `json:",omitzero"`

	// Delay is the minimum time from sending to arrival.
	Delay time.Duration `json:",omitzero"`
	// Jitter is the average time in addition to Delay, and Distribution says how it varies.
	Jitter       time.Duration `json:",omitzero"`
	Distribution Distribution  `json:",omitzero"`
	// Reorder allows a datagram to arrive before an earlier one, if its jitter is sufficiently smaller. Without it, a
	// datagram that would overtake arrives at the same time as the earlier one, after it.
	Reorder bool `json:",omitzero"`

	// Duplicate is the probability that a datagram arrives twice. The copy has its own jitter, uses no bandwidth, and
	// without Reorder comes after the original.
	Duplicate PPM `json:",omitzero"`
	// Corrupt is the probability that some bits of a datagram, or of its copy, are flipped. On real networks checksums
	// detect nearly all of this, and turn it into a loss.
	Corrupt PPM `json:",omitzero"`
}

// Burst is the model of Gilbert and Elliott: a link is either in a good state, in which datagrams are lost with the
// probability Link.Loss, or in a bad state, a burst. Before each datagram the state may change. The mean length of a
// burst is 1/End datagrams, and the share of datagrams in bursts Begin / (Begin + End). The zero value has no bursts.
type Burst struct {
	Begin PPM `json:",omitzero"` // the probability that a burst begins, before each datagram
	End   PPM `json:",omitzero"` // the probability that the burst ends, before each datagram in it
	Loss  PPM `json:",omitzero"` // the probability that a datagram is lost in a burst
}

// ErrLink is wrapped by every error about a [Link].
var ErrLink = errors.New("invalid netem.Link")

func linkError(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrLink, fmt.Errorf(format, args...))
}

// Validate returns an error if a field has an impossible value: it names the first such field and its value, and says
// what to do.
func (l Link) Validate() error {
	return cmp.Or(l.checkProbabilities(), l.checkTimes(), l.checkBandwidth())
}

func (l *Link) checkProbabilities() error {
	for _, p := range [...]struct {
		field string
		value PPM
	}{
		{"Loss", l.Loss},
		{"Burst.Begin", l.Burst.Begin},
		{"Burst.End", l.Burst.End},
		{"Burst.Loss", l.Burst.Loss},
		{"Duplicate", l.Duplicate},
		{"Corrupt", l.Corrupt},
	} {
		if p.value > Always {
			return linkError("%s is %d, more than %d: give parts per million, 2*netem.Percent for 2%%", p.field, p.value, Always)
		}
	}
	switch b := l.Burst; {
	case b.Begin > 0 && b.End == 0:
		return linkError("Burst.Begin is %d and Burst.End is 0: a burst would never end; set Burst.End", b.Begin)
	case b.Begin == 0 && (b.End > 0 || b.Loss > 0):
		return linkError("Burst.Begin is 0 and Burst.End is %d, Burst.Loss is %d: a burst would never begin; set Burst.Begin", b.End, b.Loss)
	}
	return nil
}

func (l *Link) checkTimes() error {
	switch {
	case l.Delay < 0 || l.Delay > MaxDelay:
		return linkError("Delay is %v: give 0 to %v", l.Delay, MaxDelay)
	case l.Jitter < 0 || l.Jitter > MaxDelay:
		return linkError("Jitter is %v: give 0 to %v", l.Jitter, MaxDelay)
	case l.Distribution >= distributions:
		return linkError("Distribution is %d: give one of the constants, up to %d", l.Distribution, distributions-1)
	case l.Jitter > 0 && l.Distribution == None:
		return linkError("Jitter is %v and Distribution is none: set Distribution as well", l.Jitter)
	}
	return nil
}

func (l *Link) checkBandwidth() error {
	switch {
	case l.Bandwidth < 0 || l.Bandwidth > MaxBandwidth:
		return linkError("Bandwidth is %d: give 0 (no limit) to %d bytes per second", l.Bandwidth, int64(MaxBandwidth))
	case l.Queue < 0 || l.Queue > MaxQueue:
		return linkError("Queue is %d: give 0 (%v) to %d bytes", l.Queue, DefaultQueueTime, MaxQueue)
	case l.Queue > 0 && l.Bandwidth == 0:
		return linkError("Queue is %d and Bandwidth is 0: nothing would wait; set Bandwidth as well", l.Queue)
	case l.MTU < 0 || l.MTU > MaxSize+MaxOverhead:
		return linkError("MTU is %d: give 0 (no limit) to %d bytes", l.MTU, MaxSize+MaxOverhead)
	case l.Overhead < 0 || l.Overhead > MaxOverhead:
		return linkError("Overhead is %d: give 0 to %d bytes", l.Overhead, MaxOverhead)
	case l.queueTime() > MaxDelay:
		return linkError("Queue is %d, which takes %v at a Bandwidth of %d: make it less than %v", l.Queue, l.queueTime(), l.Bandwidth, MaxDelay)
	}
	return nil
}

// queueTime returns the time that it takes to send a full queue.
func (l *Link) queueTime() time.Duration {
	if l.Queue == 0 || l.Bandwidth == 0 {
		return DefaultQueueTime
	}
	return time.Duration(int64(l.Queue) * int64(time.Second) / l.Bandwidth)
}

// perByte returns the time that it takes to send a byte, in units of 2^-32 ns, rounded up; 0 if there is no limit.
func (l *Link) perByte() uint64 {
	if l.Bandwidth == 0 {
		return 0
	}
	return (uint64(time.Second)<<32 + uint64(l.Bandwidth) - 1) / uint64(l.Bandwidth)
}
