package peer

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// Pipe is one end of a connection that carries a control stream and nothing else, between a
// host and a spectator. The nonces of both ends are known.
type Pipe struct {
	Conn
	header datagram.Header
	width  width
}

// noShape is that of datagrams without inputs.
var noShape datagram.Shape

// NewPipe makes an end. Nonces are ours and theirs; the other end may take a period to
// answer.
func NewPipe(addr netip.AddrPort, ours, theirs uint64, period time.Duration, now time.Duration) (*Pipe, error) {
	channel, err := reliable.New(reliable.Config{})
	if err != nil {
		return nil, err
	}
	p := &Pipe{Conn: Conn{Addr: addr, Channel: channel, Heard: now, Sent: now, Period: period}}
	p.Key(ours, theirs)
	p.limit(datagram.MinSize)
	return p, nil
}

// Receive takes a datagram that has arrived. What is not from the other end, or has
// come before, is not looked at: ok is false. An error is final: the other end does
// not follow the protocol.
func (p *Pipe) Receive(at time.Duration, b []byte) (ok bool, err error) {
	body, sequence, ok := p.Open(b)
	if !ok || !p.Take(sequence) {
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
	p.Arrive(at, sequence, len(b))
	p.width.asked = !h.HasControl && len(b) > datagram.MinSize
	if h.HasSample {
		if arrived, ok := p.Measure(at, &h.Sample); ok {
			p.echoed(arrived)
		}
	}
	if h.HasControl {
		_, err = p.Channel.Consume(rest, at)
	}
	return true, err
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
	p.width.probed(p.Next(), now)
	return p.append(b, now, 0, datagram.MaxSize)
}

// signRoom is enough for an acknowledgement with all its holes.
const signRoom = 64

// append appends a datagram of which the stream takes at most so many bytes, and which has
// at least so many.
func (p *Pipe) append(b []byte, now time.Duration, most, least int) []byte {
	start := len(b)
	h := &p.header
	*h = datagram.Header{Sequence: uint16(p.Next())}
	if h.HasSample = p.Counts.Received > 0; h.HasSample {
		h.Sample = p.Sample(now)
	}
	b = h.Append(b, noShape)
	n := len(b)
	if b = p.Channel.Append(b, min(most, p.width.limit-datagram.TagSize-(n-start)), now); len(b) > n {
		datagram.MarkControl(b[start:])
	}
	if pad := least - datagram.TagSize - (len(b) - start); pad > 0 {
		b = append(b, make([]byte, pad)...)
	}
	return p.Seal(b, start, now)
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
