package hosted

import (
	"iter"
	"net/netip"
	"time"

	"github.com/tickback/tickback/fleet"
)

// program is the software on a machine.
type program interface {
	Receive(at time.Duration, from netip.AddrPort, b []byte)
	Update(now time.Duration) (next time.Duration)
	Outgoing() iter.Seq2[netip.AddrPort, []byte]
	Urgent() bool
}

// machine is one machine: its address, its clock and its socket.
type machine struct {
	program
	number  int
	lives   int // how often it was switched on
	addr    netip.AddrPort
	clock   fleet.LocalClock
	socket  fleet.Socket
	wake    time.Duration
	off     bool // not yet switched on, or gone
	hung    int  // faults in progress
	stopped int  // the number of these faults in which no arrival times are recorded
	deaf    int
	labour  *fleet.Workload // or nil: its work takes no time
	killed  bool            // by a restart that has not started it again
	stays   bool            // its next program has the address of this one
}

// worker is a program that reports how much it has done: see [fleet.Program].
type worker interface {
	program
	Worked() fleet.Work
}

// addrOf returns the address of a machine in one of its lives.
func addrOf(number, life int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(life), byte(number), 1}), 7000)
}

// switchOn starts a program, at another address than before, unless the machine stays where it is.
func (m *machine) switchOn(p worker, now time.Duration, drift int64, work *fleet.Workload) {
	m.program, m.off, m.killed, m.socket, m.wake, m.labour = p, false, false, nil, now, work
	m.clock = fleet.LocalClock{Late: now, Drift: drift}
	if !m.stays {
		m.addr = addrOf(m.number, m.lives)
	}
	m.stays = false
	m.lives++
}

// idle reports whether the machine currently does nothing by itself.
func (m *machine) idle() bool { return m.off || m.hung > 0 || m.deaf > 0 }

// hear takes a datagram that arrives now, and reports whether the program has received it.
func (m *machine) hear(now time.Duration, from netip.AddrPort, b []byte) bool {
	switch {
	case m.off || m.deaf > 0:
		return false
	case m.hung > 0 || m.labour != nil && m.labour.Busy():
		m.socket.Keep(now, from, b)
		return false
	}
	m.Receive(m.clock.Local(now), from, b)
	return true
}

// due makes the program do what is due. If its work takes time, done is called whenever it has finished.
func (m *machine) due(now time.Duration, done func()) {
	if m.labour == nil {
		m.wake = max(m.clock.Global(m.Update(m.clock.Local(now))), now+1)
		return
	}
	m.wake = m.labour.Update(m.program.(worker), &m.clock, now, done)
}
