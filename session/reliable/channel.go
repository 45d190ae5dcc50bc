package reliable

import (
	"fmt"
	"time"
)

const (
	// MaxMessage is the upper bound of Config.MaxMessage, and its default: the 64 KiB that match parameters may
	// have, plus 4 KiB for overhead.
	MaxMessage = 68 << 10

	// DefaultBacklog has room for three messages of maximum size.
	DefaultBacklog = 256 << 10

	// MaxBacklog is the upper bound of Config.Backlog. Send larger amounts in pieces, as [Channel.Pending] goes
	// down.
	MaxBacklog = 16 << 20
)

const (
	// InitialTimeout is the retransmission time-out until SetTimeout is called:
	// twice the round trip to the other side of the world.
	InitialTimeout = 500 * time.Millisecond

	// MinTimeout is the shortest time-out. Sections are written about every 16 ms, so with
	// a shorter one everything would count as lost before it can be acknowledged.
	MinTimeout = 10 * time.Millisecond

	// MaxTimeout is the longest time-out, even doubled, and so the longest that a channel
	// needs to notice that an interruption is over.
	MaxTimeout = 2 * time.Second

	// maxDoublings is enough to bring MinTimeout above MaxTimeout.
	maxDoublings = 8

	// EagerLimit is the maximum number of unacknowledged bytes that an eager channel repeats in every section: less
	// than half a datagram.
	EagerLimit = 512
)

// Config configures a channel. The zero value means the defaults.
type Config struct {
	// MaxMessage is the maximum size of a message in bytes, in both directions, and must be the same at both ends.
	// 0 means the constant MaxMessage.
	MaxMessage int

	// Backlog is how many bytes of messages may be unacknowledged. Each message that has not been sent in full
	// counts for 16 more bytes. 0 means DefaultBacklog.
	Backlog int

	// Doublings is how often the time-out of a fragment can double. 0 means until it reaches MaxTimeout. Use 1
	// where sections are written all the time and messages are urgent: with a loss of 20 % each way, unlimited
	// doubling would make one message in a thousand wait for four seconds.
	Doublings int

	// Fragment is the maximum size of a fragment in bytes: MinFragment to MaxFragment; 0 means MaxFragment. A
	// fragment is never split again: each time it is sent, it needs room for this many bytes and [FullRoom] -
	// MaxFragment more.
	Fragment int
}

func (c *Config) validate() error {
	if c.MaxMessage == 0 {
		c.MaxMessage = MaxMessage
	}
	if c.Backlog == 0 {
		c.Backlog = DefaultBacklog
	}
	if c.Doublings == 0 {
		c.Doublings = maxDoublings
	}
	if c.Fragment == 0 {
		c.Fragment = MaxFragment
	}
	if c.Fragment < MinFragment || c.Fragment > MaxFragment {
		return fmt.Errorf("%w: Fragment is %d, must be %d to %d", ErrConfig, c.Fragment, MinFragment, MaxFragment)
	}
	if c.Doublings < 0 || c.Doublings > maxDoublings {
		return fmt.Errorf("%w: Doublings is %d, must be 0 to %d", ErrConfig, c.Doublings, maxDoublings)
	}
	if c.MaxMessage < 1 || c.MaxMessage > MaxMessage {
		return fmt.Errorf("%w: MaxMessage is %d, must be 1 to %d", ErrConfig, c.MaxMessage, MaxMessage)
	}
	if least := c.MaxMessage + messageCost; c.Backlog < least || c.Backlog > MaxBacklog {
		return fmt.Errorf("%w: Backlog is %d, must be %d (one message of MaxMessage) to %d",
			ErrConfig, c.Backlog, least, MaxBacklog)
	}
	return nil
}

// Stats counts fragments since the channel was created.
type Stats struct {
	Sent       uint64 // written into sections, including repetitions
	Resent     uint64 // repetitions
	Received   uint64 // read for the first time
	Duplicates uint64 // read again
	Refused    uint64 // not accepted, because the application does not take its messages
}

// Channel is one end of a reliable, ordered message stream between two peers. It
// is not safe for concurrent use.
type Channel struct {
	sender   sender
	receiver receiver
	stats    Stats
	err      error // the first one from Consume
}

// New creates one end of a channel. The error wraps [ErrConfig].
func New(config Config) (*Channel, error) {
	if err := config.validate(); err != nil {
		return nil, err
	}
	c := &Channel{}
	c.sender = sender{
		maxMessage: config.MaxMessage, backlog: config.Backlog, doublings: config.Doublings,
		window: Window, largest: config.Fragment, timeout: InitialTimeout, shortest: MaxTimeout, stats: &c.stats,
	}
	c.receiver = receiver{maxMessage: config.MaxMessage, bound: 2 * config.MaxMessage, stats: &c.stats}
	return c, nil
}

// Send queues a copy of a message. The errors are [ErrEmpty], [ErrTooLong] and [ErrFull]; in these cases nothing is
// queued.
func (c *Channel) Send(msg []byte) error { return c.sender.send(msg) }

// Idle reports whether nothing is due, and nothing waits to be acknowledged: then [Channel.Append] appends nothing, and
// need not be called.
func (c *Channel) Idle() bool { return !c.receiver.owing && c.sender.idle() }

// Append appends a section of at most room bytes with what is due at now, or nothing if nothing is due. Time must
// not go back. [FullRoom] is enough room for the largest fragment. A fragment that was cut when there was more room
// waits for a section with that much room; if there never is one, the message never arrives.
func (c *Channel) Append(b []byte, room int, now time.Duration) []byte {
	if c.Idle() {
		return b
	}
	w := newSectionWriter(b, room)
	if c.receiver.owing {
		a := c.receiver.acknowledgement()
		c.receiver.owing = !w.acknowledge(&a)
	}
	c.sender.write(&w, now)
	return w.finish()
}

// Due returns when Append will have something to write: now, or later for fragments that may have to be sent again.
// Use it to decide whether to send extra datagrams. When it returns now, an Append with [FullRoom] writes
// something; with less room it may write nothing, and Due keeps returning now. It ignores the repetitions of an
// eager channel, which are meant for the regular datagrams.
func (c *Channel) Due(now time.Duration) (at time.Duration, any bool) {
	if c.receiver.owing {
		return now, true
	}
	if c.sender.idle() {
		return 0, false
	}
	return c.sender.due(now)
}

// Consume reads the section at the front of b and returns its length. now is when b arrived, by the same clock as
// for Append. An empty b, written by an Append that had nothing to send, is no section and no error. An error
// ([ErrMalformed], [ErrNeverSent], [ErrWindow], [ErrTooLong]) means that the peer cannot be trusted; from then on
// Consume always returns it. Messages that were complete before can still be taken.
func (c *Channel) Consume(b []byte, now time.Duration) (n int, err error) {
	if c.err != nil || len(b) == 0 {
		return 0, c.err
	}
	n, c.err = c.consume(b, now)
	return n, c.err
}

func (c *Channel) consume(b []byte, now time.Duration) (int, error) {
	var r sectionReader
	if err := r.start(b); err != nil {
		return 0, err
	}
	if r.flags&ackFlag != 0 {
		a, err := r.acknowledgement()
		if err == nil {
			err = c.sender.acknowledge(&a, now)
		}
		if err != nil {
			return 0, err
		}
	}
	for r.count > 0 {
		f, err := r.fragment()
		if err == nil {
			err = c.receiver.accept(f)
		}
		if err != nil {
			return 0, err
		}
		c.receiver.gather()
	}
	return len(b) - len(r.rest), nil
}

// Next returns the next complete message, if there is one. It is valid until the
// next call of Next or Consume.
func (c *Channel) Next() (msg []byte, ok bool) { return c.receiver.next() }

// Pending returns how many bytes of messages are not acknowledged, including fragments that have arrived after a
// lost one. 0 means that everything has arrived.
func (c *Channel) Pending() int { return c.sender.bytes.len() }

// SetTimeout sets the retransmission time-out, which should be the estimate of RFC 6298. It is limited to the range
// from MinTimeout to MaxTimeout.
func (c *Channel) SetTimeout(rto time.Duration) {
	c.sender.timeout = min(max(rto, MinTimeout), MaxTimeout)
}

// SetWindow limits how many fragments, counted from the oldest unacknowledged one, are in flight: 1 to [Window],
// which is the default. It is for senders that monitor the capacity of the path.
func (c *Channel) SetWindow(fragments int) {
	c.sender.window = uint64(min(max(fragments, 1), Window))
}

// UnderWay returns how many fragments are in flight.
func (c *Channel) UnderWay() int { return int(c.sender.next - c.sender.una) }

// SetEager sets whether Append repeats everything unacknowledged whenever time has passed since the last call, as
// long as that is at most EagerLimit bytes. It is for the lobby and the handshake, where a lost datagram should not
// cost a time-out.
func (c *Channel) SetEager(on bool) { c.sender.eager = on }

// Stats returns the counters.
func (c *Channel) Stats() Stats { return c.stats }
