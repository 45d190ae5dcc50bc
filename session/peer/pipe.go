package peer

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// Pipe is one end of a connection between a host and a spectator, or a server and a client, that carries a control
// stream and optionally bodies of its owners. The nonces of both ends are known.
type Pipe struct {
	*Conn
	// Channel is the control stream. The owner sends and receives messages.
	Channel *reliable.Channel
	// Heard is when a datagram of the pipe last arrived, and Sent when one was last sent. Those of its link do not
	// count.
	Heard, Sent time.Duration
	// Body is the body of the datagram that [Pipe.Receive] last handled, or nil if it had none. It is a part of the
	// datagram.
	Body []byte
	// Streamed reports whether the datagram that [Pipe.Receive] last handled had a part of the control stream.
	// Otherwise the stream has no new message.
	Streamed bool
	// Path is another address at which the other end may be: see [Pipe.Challenge].
	Path Path
	// Overtaken is how many numbers the newest datagram that has arrived is ahead of the one that [Pipe.Receive]
	// last handled.
	Overtaken uint64

	header  datagram.Header
	width   width
	sampled time.Duration // when a sample was sent
	samples int           // how many were sent, up to firstSamples
	link    *Link         // the link of a spectator that is going to play
}

// noShape is the shape of datagrams without inputs.
var noShape datagram.Shape

// NewPipe creates one end from its own nonce and the other's. The other end may take a period to answer.
func NewPipe(addr netip.AddrPort, ours, theirs uint64, period time.Duration, now time.Duration) *Pipe {
	p := &Pipe{Conn: &Conn{Addr: addr, Period: period}, Channel: channel(reliable.Config{Fragment: pipeFragment}), Heard: now, Sent: now}
	p.Key(ours, theirs)
	p.width.limit = datagram.MinSize
	return p
}

// LimitBackoff makes the time-out of a fragment double at most once. It is for ends that send all the time, and
// wait for messages; call it before anything is sent.
func (p *Pipe) LimitBackoff() {
	p.Channel = channel(reliable.Config{Doublings: 1, Fragment: pipeFragment})
}

// Link creates the link to a spectator that is going to play, or to the host that it watches, on the same
// connection, with a control stream of its own. From the second call on it returns nil: a later link begins with a
// handshake, since it is unknown what the other end still has of the first one. If no datagram of the link arrives
// within a time-out, the other end may not have created its link, and Hellos are sent to it.
func (p *Pipe) Link(now time.Duration) *Link {
	if p.link != nil {
		return nil
	}
	l := linkOn(p.Conn, now)
	l.shared = true
	l.widen(p.Limit())
	l.Channel.SetTimeout(l.Timeout())
	l.HelloAt(now + l.Timeout())
	p.link = l
	return l
}

// Receive handles a datagram. It ignores those that are not from the other end or have arrived before: ok is false.
// An error is final: the other end violates the protocol.
func (p *Pipe) Receive(at time.Duration, b []byte) (ok bool, err error) {
	if !datagram.IsWatch(b) {
		return false, nil
	}
	p.Body, p.Streamed = nil, false
	body, sequence, ok := p.Open(b)
	if !ok || !p.Take(sequence) {
		return false, nil
	}
	h := &p.header
	rest, err := h.Consume(body, noShape, 0)
	if err != nil {
		return true, err
	}
	p.Arrive(at, sequence, len(b))
	p.Overtaken = p.newest - sequence
	p.Heard = max(p.Heard, at)
	p.width.asked = !h.HasControl && !h.HasBody && len(b) > datagram.MinSize
	if h.HasSample {
		if arrived, ok := p.Measure(at, &h.Sample); ok {
			p.echoed(arrived)
			p.Channel.SetTimeout(p.Timeout())
		}
	}
	if h.HasControl {
		p.Streamed = true
		n, err := p.Channel.Consume(rest, at)
		if err != nil {
			return true, err
		}
		rest = rest[n:]
	}
	if h.HasBody {
		p.Body = rest
	}
	return true, nil
}

// Append appends a datagram with what is due now, which may be only a keep-alive.
func (p *Pipe) Append(b []byte, now time.Duration) []byte {
	return p.append(b, now, datagram.MaxSize, 0, nil)
}

// AppendBody appends a datagram with a body of at most [Pipe.Room] bytes, and as much of the stream as is due and
// fits.
func (p *Pipe) AppendBody(b []byte, now time.Duration, body []byte) []byte {
	return p.append(b, now, datagram.MaxSize, 0, body)
}

// Room returns the maximum size of the next body, in bytes. It leaves room for an acknowledgement of the stream.
func (p *Pipe) Room() int { return p.carried.most(p.width.limit) - bodyHead }

// bodyHead is enough for a header with a sample, the tag, and an acknowledgement.
const bodyHead = 1 + 2 + 2 + 1 + datagram.MaxVarint + datagram.TagSize + signRoom

// AppendSign appends a keep-alive: a datagram with an acknowledgement and at most a few bytes of the stream.
func (p *Pipe) AppendSign(b []byte, now time.Duration) []byte {
	return p.append(b, now, signRoom, 0, nil)
}

// AppendProbe appends a datagram of MaxSize that consists of padding. If it arrives, the other end answers it at
// once, and from then on datagrams may be that large.
func (p *Pipe) AppendProbe(b []byte, now time.Duration) []byte {
	p.width.probed(p.Next(), now)
	return p.append(b, now, 0, datagram.MaxSize, nil)
}

// signRoom is enough for an acknowledgement with all its gaps.
const signRoom = 64

// append appends a datagram in which the stream takes at most most bytes, padded to least bytes, or with a body if
// that is not nil.
func (p *Pipe) append(b []byte, now time.Duration, most, least int, body []byte) []byte {
	start := len(b)
	h := &p.header
	*h = datagram.Header{Watch: true, Sequence: uint16(p.Next()), HasBody: body != nil}
	h.HasSample = p.Counts.Received > 0 && (body == nil || p.sampleDue(now))
	if h.HasSample {
		h.Sample, p.sampled = p.Sample(now), now
		p.samples = min(p.samples+1, firstSamples)
	}
	b = h.Append(b, noShape)
	n := len(b)
	if b = p.Channel.Append(b, min(most, p.carried.most(p.width.limit)-datagram.TagSize-len(body)-(n-start)), now); len(b) > n {
		datagram.MarkControl(b[start:])
	}
	b = append(b, body...)
	if pad := least - datagram.TagSize - (len(b) - start); pad > 0 {
		b = append(b, make([]byte, pad)...)
	}
	p.Sent = now
	b = p.Seal(b, start, now)
	p.narrow(now)
	return b
}

// Minimum intervals between samples in datagrams with bodies, of which there are many: for the first samples, from
// which the round trip is learnt, and for later ones.
const (
	firstSamples     = 10
	firstSampleEvery = 200 * time.Millisecond
	sampleEvery      = time.Second
)

func (p *Pipe) sampleDue(now time.Duration) bool {
	every := sampleEvery
	if p.samples < firstSamples {
		every = firstSampleEvery
	}
	return now-p.sampled >= every
}

// KeepAlive is the maximum time between two datagrams.
const KeepAlive = 250 * time.Millisecond

// Due returns when to send the next datagram.
func (p *Pipe) Due(now time.Duration) time.Duration {
	due := p.Sent + KeepAlive
	if at, any := p.Channel.Due(now); any {
		due = min(due, at)
	}
	return max(due, now)
}
