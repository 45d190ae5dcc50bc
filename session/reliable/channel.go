package reliable

import (
	"fmt"
	"time"
)

const (
	// MaxMessage is the most that Config.MaxMessage may be, and its default: the
	// 64 KiB that match parameters may have, and 4 KiB for what goes around them.
	MaxMessage = 68 << 10

	// DefaultBacklog has room for three of the largest messages.
	DefaultBacklog = 256 << 10

	// MaxBacklog bounds Config.Backlog: what is larger belongs in pieces, sent as
	// [Channel.Pending] goes down.
	MaxBacklog = 16 << 20
)

const (
	// InitialTimeout is the retransmission time-out until SetTimeout is called:
	// twice the round trip to the other side of the world.
	InitialTimeout = 500 * time.Millisecond

	// MinTimeout is the shortest time-out. Sections are written about every 16 ms,
	// so a shorter one would find everything lost before it can be acknowledged.
	MinTimeout = 10 * time.Millisecond

	// MaxTimeout is the longest time-out, doubled or not, and so the longest that
	// a channel needs to notice that an interruption is over.
	MaxTimeout = 2 * time.Second

	// maxDoublings brings MinTimeout above MaxTimeout.
	maxDoublings = 8

	// EagerLimit is how many bytes, unacknowledged, are sent again in every
	// section of an eager channel: less than half a datagram.
	EagerLimit = 512
)

// Config is what a channel is made from. The zero value has the defaults.
type Config struct {
	// MaxMessage is the most bytes of a message in either direction, and the same
	// at both ends. 0 means the constant MaxMessage.
	MaxMessage int

	// Backlog is how many bytes of messages may wait to be acknowledged; each
	// message of which something has not been sent once counts 16 more. 0 means
	// DefaultBacklog.
	Backlog int

	// Doublings is how often the time-out of a fragment doubles at most. 0 means as often
	// as it can below MaxTimeout. It is 1 where sections are written all the time and somebody
	// waits for messages: at a loss of 20 %, each way, doubling without end would have a
	// message in a thousand wait for four seconds.
	Doublings int
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

// Stats counts fragments since the channel was made.
type Stats struct {
	Sent       uint64 // written into sections, again or not
	Resent     uint64 // written again
	Received   uint64 // read for the first time
	Duplicates uint64 // read again
	Refused    uint64 // not taken because the application takes no messages
}

// Channel is one end of a reliable, ordered message stream between two peers. It
// is not safe for concurrent use.
type Channel struct {
	sender   sender
	receiver receiver
	stats    Stats
	err      error // that Consume has met
}

// New makes an end. The error wraps [ErrConfig].
func New(config Config) (*Channel, error) {
	if err := config.validate(); err != nil {
		return nil, err
	}
	c := &Channel{}
	c.sender = sender{
		maxMessage: config.MaxMessage, backlog: config.Backlog, doublings: config.Doublings,
		window: Window, largest: MaxFragment, timeout: InitialTimeout, shortest: MaxTimeout, stats: &c.stats,
	}
	c.receiver = receiver{
		maxMessage: config.MaxMessage, bound: 2 * config.MaxMessage,
		stats: &c.stats,
	}
	return c, nil
}

// Send gives the channel a message, of which it keeps a copy. The errors are
// [ErrEmpty], [ErrTooLong] and [ErrFull]; nothing is sent then.
func (c *Channel) Send(msg []byte) error { return c.sender.send(msg) }

// Append appends a section of at most room bytes with what is due at now, and
// nothing if nothing is. Time must not go back. [FullRoom] is enough room for the
// largest fragment: what was cut for more room than there is now waits for a
// section that has it, and with always less the message may never arrive.
func (c *Channel) Append(b []byte, room int, now time.Duration) []byte {
	if !c.receiver.owing && c.sender.idle() {
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

// Due returns when Append will have something to write: now or, for what may have
// to be sent again, later. It is for sending datagrams beside the regular ones.
// When it says now, an Append with [FullRoom] writes something; with less room it
// may write nothing, and Due goes on saying now. The repetitions of an eager
// channel are left out; they are for the regular datagrams.
func (c *Channel) Due(now time.Duration) (at time.Duration, any bool) {
	if c.receiver.owing {
		return now, true
	}
	if c.sender.idle() {
		return 0, false
	}
	return c.sender.due(now)
}

// Consume reads the section at the front of b and returns its length; now is by
// the clock of Append, and when b has arrived. An empty b
// is what an Append with nothing to say has written: no section, no error. After
// an error ([ErrMalformed], [ErrNeverSent], [ErrWindow], [ErrTooLong]) the peer is
// not to be trusted, and Consume returns that error for ever; messages that were
// complete before can still be taken.
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

// Pending returns how many bytes of messages are not acknowledged, counting what
// has arrived ahead of a lost fragment. 0 means that everything has arrived.
func (c *Channel) Pending() int { return c.sender.bytes.len() }

// SetTimeout sets the retransmission time-out, best from the estimate of RFC 6298.
// It is held between MinTimeout and MaxTimeout.
func (c *Channel) SetTimeout(rto time.Duration) {
	c.sender.timeout = min(max(rto, MinTimeout), MaxTimeout)
}

// SetWindow bounds how many fragments, counted from the oldest unacknowledged one,
// are under way: 1 to [Window], which is what it is at first. It is for a sender who
// watches what the way can carry.
func (c *Channel) SetWindow(fragments int) {
	c.sender.window = uint64(min(max(fragments, 1), Window))
}

// SetFragment bounds the bytes of fragments that are cut from now on: MinFragment to
// MaxFragment, which is what it is at first. It is for a path that carries only small
// datagrams: one that is cut stays as it is, and needs this much room, and
// [FullRoom] - MaxFragment, each time that it is sent.
func (c *Channel) SetFragment(bytes int) {
	c.sender.largest = min(max(bytes, MinFragment), MaxFragment)
}

// UnderWay returns how many fragments that is now.
func (c *Channel) UnderWay() int { return int(c.sender.next - c.sender.una) }

// SetEager says whether Append sends everything unacknowledged again each time
// that it is called at a later time, while that is at most EagerLimit bytes: for
// lobby and handshake, where a lost datagram should not cost a time-out.
func (c *Channel) SetEager(on bool) { c.sender.eager = on }

// Stats returns the counts so far.
func (c *Channel) Stats() Stats { return c.stats }
