package dtls

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/tickback/tickback/transport/udp"
)

// pipeDatagrams is how many datagrams of one connection may wait to be decrypted: 50 ms of a peer at 60 frames a
// second that sends ten times as much as it should. The rest is dropped.
const pipeDatagrams = 32

// errMark is not a failure: a read returns it after everything that one datagram contained.
var errMark = errors.New("dtls: the end of a datagram")

// parcel is a datagram on its way to the connection.
type parcel struct {
	from  netip.AddrPort
	at    time.Time
	n     int
	bytes [udp.MaxDatagram]byte
}

// pipe is the socket of one connection of pion: the demultiplexer puts in the datagrams for it.
//
// The connection returns decrypted data without saying which datagram it was in, and therefore without its source. The
// source has to be exact, because an attacker on the path may send a copy of a datagram from another address. So, once
// marks are on, the pipe returns one datagram, then errMark as the error of a read. The connection passes both on in
// the same order, and the pipe returns nothing more until the mark has come out at the other end.
type pipe struct {
	send func(records []byte)

	mu       sync.Mutex
	wake     sync.Cond
	slots    [pipeDatagrams]parcel
	first, n int
	from     netip.AddrPort // the source of the datagram returned last
	at       time.Time
	marks    bool // marks are on
	mark     bool // a mark is due
	out      bool // a mark is on its way
	expired  bool // the read deadline has passed
	closed   bool
}

func newPipe(send func(records []byte)) *pipe {
	p := &pipe{send: send}
	p.wake.L = &p.mu
	return p
}

// put adds a datagram, or reports that there is no room.
func (p *pipe) put(b []byte, from netip.AddrPort, at time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.n == len(p.slots) || len(b) > udp.MaxDatagram {
		return false
	}
	s := &p.slots[(p.first+p.n)%len(p.slots)]
	s.from, s.at, s.n = from, at, copy(s.bytes[:], b)
	p.n++
	p.wake.Broadcast()
	return true
}

// ReadFrom returns the next datagram, or a mark.
func (p *pipe) ReadFrom(b []byte) (int, net.Addr, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		switch {
		case p.closed:
			return 0, nil, net.ErrClosed
		case p.expired:
			return 0, nil, os.ErrDeadlineExceeded
		case p.mark:
			p.mark, p.out = false, true
			return 0, nowhere, errMark
		case p.n > 0 && !p.out:
			s := &p.slots[p.first]
			p.first = (p.first + 1) % len(p.slots)
			p.n--
			p.from, p.at, p.mark = s.from, s.at, p.marks
			return copy(b, s.bytes[:s.n]), nowhere, nil
		}
		p.wake.Wait()
	}
}

// begin turns marks on. The first mark comes after everything that was returned before.
func (p *pipe) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.marks, p.mark = true, true
	p.wake.Broadcast()
}

// marked lets the pipe continue after the mark has come out at the other end.
func (p *pipe) marked() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out = false
	p.wake.Broadcast()
}

// origin returns the source and the arrival time of what comes out before the next mark.
func (p *pipe) origin() (netip.AddrPort, time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.from, p.at
}

// WriteTo sends the connection's output to the address that its owner wants.
func (p *pipe) WriteTo(b []byte, _ net.Addr) (int, error) {
	p.send(b)
	return len(b), nil
}

// Close ends all reads.
func (p *pipe) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.wake.Broadcast()
	return nil
}

// SetReadDeadline ends reads, or, with the zero time, lets them wait again. It is only called with a time in the past,
// and then with the zero time.
func (p *pipe) SetReadDeadline(t time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expired = !t.IsZero()
	p.wake.Broadcast()
	return nil
}

// SetDeadline sets the read deadline: a write never waits.
func (p *pipe) SetDeadline(t time.Time) error { return p.SetReadDeadline(t) }

// SetWriteDeadline does nothing: a write never waits.
func (*pipe) SetWriteDeadline(time.Time) error { return nil }

// LocalAddr returns a placeholder, which nothing uses.
func (*pipe) LocalAddr() net.Addr { return nowhere }

// nowhere is the address of both sides as the connection sees it, which has no use for addresses.
var nowhere net.Addr = &net.UDPAddr{}
