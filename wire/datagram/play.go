package datagram

import "encoding/binary"

// Limits of a datagram.
const (
	MaxSize    = 1200 // in bytes; nearly every path carries datagrams of this size unfragmented
	MinSize    = 512  // in bytes; a session needs a path that carries datagrams of this size
	MaxPlayers = 16
)

// Parts of a session datagram, as bits of its first byte. The lowest two bits are the lowest of the number of the
// match.
const (
	session    = 0x80 // only set in session datagrams
	watch      = 0x40 // if session is not set: a datagram between a host and a spectator
	hasPlay    = 0x40 // if session is set: positions of the inputs, and the inputs at the end
	hasSample  = 0x20
	hasControl = 0x10 // a slice of the reliable control stream
	hasBehind  = 0x08 // Confirmed is less than the acknowledgements would allow
	hasBody    = 0x08 // if watch is set: the data of a server's match, up to the end
	hasOrders  = 0x04
	matchBits  = 0x03
)

// Header is a session datagram, or one between a host and a spectator, up to its control
// stream, orders and inputs.
type Header struct {
	Watch                                     bool   // belongs to a spectator's connection: it has at most a sample, a control stream and a body
	HasBody                                   bool   // on such a connection: the bytes after the control stream are a body, not padding
	Sequence                                  uint16 // the low bits of the datagram's number in its direction, counted from 0
	Match                                     byte   // the low two bits of the number of the match
	HasPlay, HasSample, HasControl, HasOrders bool

	Play   Play
	Sample Sample
}

// Play says which inputs a datagram carries and which inputs its sender has. Frames have only their lower 32 bits.
type Play struct {
	// Ends is, for each player of the sender, the frame after the last input in the datagram, and Counts the number of
	// inputs in it.
	Ends   [MaxPlayers]uint32
	Counts [MaxPlayers]uint32
	// Acks is, for each player of the receiver, the first frame for which the sender has no input.
	Acks [MaxPlayers]uint32
	// Confirmed is the number of frames for which the sender has all inputs. It is at most the minimum of Ends and Acks.
	Confirmed uint32
}

// Sample has the measurements that two peers exchange.
type Sample struct {
	Echo uint16 // low bits of the number of the newest datagram received
	Hold byte   // the time since then, in units of SampleUnit; HoldUnknown if longer
	// Lag is how late the receiver's inputs have recently arrived, relative to the frames of the sender, in units of
	// SampleUnit.
	Lag int32
}

// SampleUnit is the resolution of samples: 1/8000 of a second, in nanoseconds.
const SampleUnit = 125_000

// HoldUnknown is the Hold of an echo that carries no information about time.
const HoldUnknown = 255

// Shape says how many players the sender and the receiver of a datagram have. It is known from the handshake.
type Shape struct{ Sender, Receiver int }

// single reports whether there is one player on each side.
func (s Shape) single() bool { return s.Sender == 1 && s.Receiver == 1 }

// SameMatch reports whether two numbers of matches have the same low bits, which are all that a datagram contains.
func SameMatch(a, b uint32) bool { return (a^b)&matchBits == 0 }

// fixedHeader is the length of the part that every header has.
const fixedHeader = 1 + 2

// SequenceRound is the number of datagrams after which the transmitted bits of a sequence number repeat.
const SequenceRound = 1 << 16

// SequenceOf returns the full number of a session datagram, before its tag is checked: the one nearest to near, which
// is wrong if more than half a SequenceRound was lost. The number is returned even if it is less than 0, in two's
// complement; ok is false then.
func SequenceOf(b []byte, near uint64) (sequence uint64, ok bool) {
	if len(b) < fixedHeader {
		return 0, false
	}
	low := binary.LittleEndian.Uint16(b[1:])
	sequence = near + uint64(int64(int16(low-uint16(near))))
	return sequence, int64(sequence) >= 0
}

// IsSession reports whether a datagram is one of a session, judging by its first byte.
func IsSession(b []byte) bool { return len(b) > 0 && b[0]&session != 0 }

// IsWatch reports whether a datagram is one between a host and a spectator, judging by its first byte.
func IsWatch(b []byte) bool { return len(b) > 0 && b[0]&(session|watch) == watch }

// Append appends the header. The caller appends orders, a slice of the control stream and the inputs after it, in this
// order, and the tag.
func (h *Header) Append(b []byte, s Shape) []byte {
	if h.HasPlay && s.single() && !h.Watch {
		p := &h.Play
		end, ack, count := p.Ends[0], p.Acks[0], p.Counts[0]
		if d := zigzag(int32(ack - end)); count|d < 0x80 && p.Confirmed >= min(end, ack) {
			// Nearly all datagrams of a match of two: the numbers have one byte each, and Confirmed is not behind.
			kind := session | hasPlay | h.Match&matchBits | h.flags()
			b = append(b, kind, byte(h.Sequence), byte(h.Sequence>>8), byte(end), byte(end>>8), byte(count), byte(d))
			if h.HasSample {
				b = h.Sample.append(b)
			}
			return b
		}
	}
	return h.append(b, s)
}

// append does the work of Append for any header.
func (h *Header) append(b []byte, s Shape) []byte {
	first := len(b)
	kind := session | h.Match&matchBits
	if h.Watch {
		kind = watch
	}
	b = append(b, 0, byte(h.Sequence), byte(h.Sequence>>8))
	if h.HasPlay {
		kind |= hasPlay
		behind := h.Play.behind(s)
		if behind > 0 {
			kind |= hasBehind
		}
		b = h.Play.append(b, s, behind)
	}
	if h.HasSample {
		b = h.Sample.append(b)
	}
	b[first] = kind | h.flags()
	return b
}

// flags returns the bits of the first byte for the parts that are not positions.
func (h *Header) flags() byte {
	return flag(h.HasSample, hasSample) | flag(h.HasControl, hasControl) | flag(h.HasOrders, hasOrders) | flag(h.HasBody, hasBody)
}

func flag(set bool, bit byte) byte {
	if set {
		return bit
	}
	return 0
}

// behind returns by how much Confirmed is less than the minimum of Ends and Acks.
func (p *Play) behind(s Shape) uint32 {
	least := min(p.Ends[0], p.Acks[0])
	for i := 1; i < s.Sender; i++ {
		least = min(least, p.Ends[i])
	}
	for i := 1; i < s.Receiver; i++ {
		least = min(least, p.Acks[i])
	}
	return least - min(least, p.Confirmed)
}

// append appends the positions for any shape and any numbers.
func (p *Play) append(b []byte, s Shape, behind uint32) []byte {
	end, ack := p.Ends[0], p.Acks[0]
	b = binary.LittleEndian.AppendUint16(b, uint16(end))
	b = AppendUint(b, p.Counts[0])
	for i := 1; i < s.Sender; i++ {
		b = AppendUint(AppendInt(b, int32(p.Ends[i]-end)), p.Counts[i])
	}
	b = AppendInt(b, int32(ack-end))
	for i := 1; i < s.Receiver; i++ {
		b = AppendInt(b, int32(p.Acks[i]-ack))
	}
	if behind > 0 {
		b = AppendUint(b, behind)
	}
	return b
}

// Consume reads a header from the front of a datagram without its tag, and returns the rest. near is the approximate
// value expected for the first of Ends.
func (h *Header) Consume(b []byte, s Shape, near uint32) (rest []byte, err error) {
	if len(b) < fixedHeader {
		return nil, ErrShort
	}
	flags := b[0]
	if flags&^(matchBits|hasSample|hasControl) == session|hasPlay && s.single() && len(b) >= fixedHeader+4 && b[5]|b[6] < 0x80 {
		// Nearly all datagrams of a match of two: as in Append.
		h.Watch, h.HasBody, h.HasOrders, h.HasPlay = false, false, false, true
		h.HasSample, h.HasControl = flags&hasSample != 0, flags&hasControl != 0
		h.Sequence, h.Match = binary.LittleEndian.Uint16(b[1:]), flags&matchBits
		end, count := Widen(near, binary.LittleEndian.Uint16(b[3:])), uint32(b[5])
		ack := end + uint32(unzigzag(uint32(b[6])))
		p := &h.Play
		p.Ends[0], p.Counts[0], p.Acks[0], p.Confirmed = end, count, ack, min(end, ack)
		if count > end {
			return nil, ErrRange
		}
		if b = b[fixedHeader+4:]; h.HasSample {
			return h.Sample.consume(b)
		}
		return b, nil
	}
	return h.consume(b, s, near)
}

// consume does the work of Consume for any header. It has at least fixedHeader bytes.
func (h *Header) consume(b []byte, s Shape, near uint32) (rest []byte, err error) {
	flags := b[0]
	if h.Watch = flags&session == 0; h.Watch {
		if flags&watch == 0 || flags&^(watch|hasSample|hasControl|hasBody) != 0 {
			return nil, ErrKind
		}
		h.HasBody = flags&hasBody != 0
		flags &^= watch | hasBody // these bits are hasPlay and hasBehind in other datagrams
	} else if h.HasBody = false; flags&hasPlay == 0 && flags&(hasBehind|hasOrders) != 0 {
		return nil, ErrKind
	}
	h.Sequence, h.Match = binary.LittleEndian.Uint16(b[1:]), flags&matchBits
	h.HasPlay, h.HasSample = flags&hasPlay != 0, flags&hasSample != 0
	h.HasControl, h.HasOrders = flags&hasControl != 0, flags&hasOrders != 0
	b = b[fixedHeader:]
	if h.HasPlay {
		if b, err = h.Play.consume(b, s, near, flags&hasBehind != 0); err != nil {
			return nil, err
		}
	}
	if h.HasSample {
		return h.Sample.consume(b)
	}
	return b, nil
}

// fields reads numbers one after another, and records whether one was missing.
type fields struct {
	b   []byte
	bad bool
}

func (f *fields) uint() uint32 {
	v, n := ConsumeUint(f.b)
	f.bad = f.bad || n == 0
	f.b = f.b[n:]
	return v
}

func (f *fields) int() uint32 {
	v, n := ConsumeInt(f.b)
	f.bad = f.bad || n == 0
	f.b = f.b[n:]
	return uint32(v)
}

// consume reads the positions for any shape and any numbers.
func (p *Play) consume(b []byte, s Shape, near uint32, behind bool) ([]byte, error) {
	if len(b) < 2 {
		return nil, ErrShort
	}
	end := Widen(near, binary.LittleEndian.Uint16(b))
	f := fields{b: b[2:]}
	p.Ends[0], p.Counts[0] = end, f.uint()
	least := end
	for i := 1; i < s.Sender; i++ {
		p.Ends[i] = end + f.int()
		p.Counts[i] = f.uint()
		least = min(least, p.Ends[i])
	}
	ack := end + f.int()
	p.Acks[0] = ack
	least = min(least, ack)
	for i := 1; i < s.Receiver; i++ {
		p.Acks[i] = ack + f.int()
		least = min(least, p.Acks[i])
	}
	p.Confirmed = least
	if behind {
		d := f.uint()
		if d == 0 || d > least {
			return nil, ErrRange
		}
		p.Confirmed -= d
	}
	if f.bad {
		return nil, ErrVarint
	}
	return f.b, p.check(s)
}

// check returns an error for numbers that an honest sender does not write: more inputs than there are frames before,
// or than a history holds.
func (p *Play) check(s Shape) error {
	for i := range s.Sender {
		if p.Counts[i] > p.Ends[i] || p.Counts[i] >= HistoryFrames {
			return ErrRange
		}
	}
	return nil
}

func (s *Sample) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(b, s.Echo)
	return AppendInt(append(b, s.Hold), s.Lag)
}

func (s *Sample) consume(b []byte) ([]byte, error) {
	if len(b) < 3 {
		return nil, ErrShort
	}
	lag, n := ConsumeInt(b[3:])
	if n == 0 {
		return nil, ErrVarint
	}
	*s = Sample{Echo: binary.LittleEndian.Uint16(b), Hold: b[2], Lag: lag}
	return b[3+n:], nil
}

// MarkControl sets the bit in the first byte of a datagram that says that a slice of the control stream follows the
// header.
func MarkControl(datagram []byte) { datagram[0] |= hasControl }
