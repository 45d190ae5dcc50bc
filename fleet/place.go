package fleet

import (
	"net/netip"
	"time"
)

// place is a machine's address, clock and socket.
type place struct {
	clock   LocalClock
	addr    netip.AddrPort
	wake    time.Duration // when it next does something
	hung    bool
	stopped bool      // it reads what has arrived only after it goes on
	socket  Socket    // what has arrived while it hung, or worked
	labour  *Workload // or nil: its work takes no time
}

// listens reports whether a machine currently receives datagrams: it does not hang, and does not work.
func (p *place) listens() bool {
	return !p.hung && (p.labour == nil || !p.labour.Busy())
}

// LocalClock is the clock of a machine in virtual time. It shows 0 when the machine is switched on.
type LocalClock struct {
	Late  time.Duration // when the machine is switched on
	Drift int64         // the deviation of the clock, in parts per million, positive if it is fast
	Shift time.Duration // the sum of all its jumps
}

// Local returns what the clock shows at a time.
func (c *LocalClock) Local(t time.Duration) time.Duration {
	t -= c.Late
	return c.Shift + t + t/1_000_000*time.Duration(c.Drift) + t%1_000_000*time.Duration(c.Drift)/1_000_000
}

// Global returns the time when the clock shows a given time, or just after that.
func (c *LocalClock) Global(local time.Duration) time.Duration {
	local -= c.Shift
	t := local - local/1_000_000*time.Duration(c.Drift) + c.Late
	local += c.Shift
	for c.Local(t) < local {
		t += max(local-c.Local(t), 1)
	}
	return t
}

// Socket holds the datagrams that have arrived at a machine that is not reading.
type Socket []Waiting

// Waiting is a datagram in a [Socket].
type Waiting struct {
	At       time.Duration
	From     netip.AddrPort
	Datagram []byte
}

// maxWaiting is the maximum number of datagrams that a socket holds: about as many as fit into 200 KiB on common
// systems, which count more than just the bytes of a datagram.
const maxWaiting = 256

// Keep puts a copy of a datagram into the socket, if there is room.
func (s *Socket) Keep(at time.Duration, from netip.AddrPort, datagram []byte) {
	if len(*s) < maxWaiting {
		*s = append(*s, Waiting{at, from, append([]byte(nil), datagram...)})
	}
}
