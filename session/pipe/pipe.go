package pipe

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// Pipe is one end of a reliable stream of messages, over session datagrams without
// inputs. The nonces of both ends are known. It is for one goroutine.
type Pipe struct {
	// Addr is where the other end is.
	Addr netip.AddrPort
	// Channel is the stream. Its owner sends and takes messages; the rest is the
	// pipe's.
	Channel *reliable.Channel
	// RoundTrip is what is measured.
	RoundTrip RoundTrip
	// Heard is when an authentic datagram came last, and Sent when one was sent.
	Heard, Sent time.Duration
	// Received and Transmitted count datagrams, and Bytes what the latter had.
	Received, Transmitted, Bytes uint64

	in, out  datagram.Key
	header   datagram.Header
	period   time.Duration // between two answers
	sequence uint64        // of the next datagram to send
	window   Window
	newest   uint64
	newestAt time.Duration
	sentAt   [sentHeld]time.Duration
	width    width
}

// sentHeld is for how many datagrams it is known when they were sent.
const sentHeld = 1024

// noShape is that of datagrams without inputs.
var noShape datagram.Shape

// New makes an end. Nonces are ours and theirs; the other end may take so long to
// answer.
func New(addr netip.AddrPort, ours, theirs uint64, period time.Duration, now time.Duration) (*Pipe, error) {
	channel, err := reliable.New(reliable.Config{})
	if err != nil {
		return nil, err
	}
	p := &Pipe{
		Addr: addr, Channel: channel, Heard: now, Sent: now, period: period,
		in: datagram.KeyOf(theirs, ours), out: datagram.KeyOf(ours, theirs),
	}
	p.limit(datagram.MinSize)
	return p, nil
}

// Receive takes a datagram that has arrived. What is not from the other end, or has
// come before, is not looked at: ok is false. An error is final: the other end does
// not follow the protocol.
func (p *Pipe) Receive(at time.Duration, b []byte) (ok bool, err error) {
	sequence, ok := datagram.SequenceOf(b, p.window.Next())
	if !ok {
		return false, nil
	}
	body, ok := p.in.Open(b, sequence)
	if !ok || !p.window.Take(sequence) {
		return false, nil
	}
	if datagram.HasInputs(body) {
		return true, datagram.ErrKind
	}
	h := &p.header
	rest, err := h.Consume(body, noShape, 0)
	if err != nil {
		return true, err
	}
	p.Heard = max(p.Heard, at)
	if p.Received == 0 || sequence > p.newest {
		p.newest, p.newestAt = sequence, at
	}
	p.Received++
	p.width.asked = !h.HasControl && len(b) > datagram.MinSize
	p.measure(at)
	if h.HasControl {
		_, err = p.Channel.Consume(rest, at)
	}
	return true, err
}

// measure takes the sample of the datagram at hand.
func (p *Pipe) measure(at time.Duration) {
	h := &p.header
	if !h.HasSample || h.Sample.Hold == datagram.HoldUnknown {
		return
	}
	if age := uint64(uint16(p.sequence) - 1 - h.Sample.Echo); age < min(p.sequence, sentHeld) {
		p.echoed(p.sequence - 1 - age)
		p.RoundTrip.Add(at - p.sentAt[uint64(h.Sample.Echo)%sentHeld] - time.Duration(h.Sample.Hold)*datagram.SampleUnit)
		p.Channel.SetTimeout(p.RoundTrip.Timeout(p.period))
	}
}

// Append appends a datagram with what is due now, perhaps nothing but a sign of life.
func (p *Pipe) Append(b []byte, now time.Duration) []byte {
	return p.append(b, now, datagram.MaxSize, 0)
}

// AppendSign appends a sign of life: a datagram with an acknowledgement, and no more
// than a few bytes of the stream.
func (p *Pipe) AppendSign(b []byte, now time.Duration) []byte {
	return p.append(b, now, signRoom, 0)
}

// AppendProbe appends a datagram of MaxSize with nothing but padding. The other end
// answers it at once if it gets there, and from then on datagrams may be that large.
func (p *Pipe) AppendProbe(b []byte, now time.Duration) []byte {
	p.width.probed(p.sequence, now)
	return p.append(b, now, 0, datagram.MaxSize)
}

// signRoom is enough for an acknowledgement with all its holes.
const signRoom = 64

// append appends a datagram of which the stream takes at most so many bytes, and which has
// at least so many.
func (p *Pipe) append(b []byte, now time.Duration, most, least int) []byte {
	start := len(b)
	h := &p.header
	*h = datagram.Header{Sequence: uint16(p.sequence)}
	if h.HasSample = p.Received > 0; h.HasSample {
		hold := (now - p.newestAt) / datagram.SampleUnit
		h.Sample = datagram.Sample{Echo: uint16(p.newest), Hold: byte(min(max(hold, 0), datagram.HoldUnknown))}
	}
	b = h.Append(b, noShape)
	n := len(b)
	if b = p.Channel.Append(b, min(most, p.width.limit-datagram.TagSize-(n-start)), now); len(b) > n {
		datagram.MarkControl(b[start:])
	}
	if pad := least - datagram.TagSize - (len(b) - start); pad > 0 {
		b = append(b, make([]byte, pad)...)
	}
	b = p.out.Seal(b, start, p.sequence)
	p.sentAt[p.sequence%sentHeld] = now
	p.sequence++
	p.Transmitted++
	p.Bytes += uint64(len(b) - start)
	p.Sent = now
	return b
}

// KeepAlive is the longest time without a datagram.
const KeepAlive = 250 * time.Millisecond

// Due returns when a datagram is to be sent.
func (p *Pipe) Due(now time.Duration) time.Duration {
	due := p.Sent + KeepAlive
	if at, any := p.Channel.Due(now); any {
		due = min(due, at)
	}
	return max(due, now)
}
