package fleet

import (
	"net/netip"
	"time"
)

// place is a machine's address, clock and socket.
type place struct {
	addr    netip.AddrPort
	drift   int64
	shift   time.Duration // of the clock, by all its jumps
	late    time.Duration
	wake    time.Duration // when it next does something
	hung    bool
	stopped bool      // it will read what has arrived only when it goes on
	socket  []waiting // what has arrived while it hung
}

// waiting is a datagram in the socket of a machine that does not look.
type waiting struct {
	at       time.Duration
	from     netip.AddrPort
	datagram []byte
}

// maxWaiting is how many datagrams a socket holds: about as many as 200 KiB on common systems, which count
// more than the bytes of a datagram.
const maxWaiting = 256

// local returns what the machine's own clock shows.
func (p *place) local(t time.Duration) time.Duration {
	t -= p.late
	return p.shift + t + t/1_000_000*time.Duration(p.drift) + t%1_000_000*time.Duration(p.drift)/1_000_000
}

// global returns when the machine's own clock shows a time, or just after that.
func (p *place) global(local time.Duration) time.Duration {
	local -= p.shift
	t := local - local/1_000_000*time.Duration(p.drift) + p.late
	local += p.shift
	for p.local(t) < local {
		t += max(local-p.local(t), 1)
	}
	return t
}

// keep puts a datagram into the socket.
func (p *place) keep(at time.Duration, from netip.AddrPort, datagram []byte) {
	if len(p.socket) < maxWaiting {
		p.socket = append(p.socket, waiting{at, from, append([]byte(nil), datagram...)})
	}
}
