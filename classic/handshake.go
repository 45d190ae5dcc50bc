package classic

import (
	"math"
	"net/netip"
	"time"

	"github.com/tickback/tickback/classic/rbn1"
)

// The datagrams of the handshake, in ASCII.
const (
	hello = "HELLO"
	ack   = "ACK"
	start = "START"
)

const (
	// helloEvery is how often the joiner repeats HELLO and START.
	helloEvery = 500 * time.Millisecond

	// forget is how long a host that accepts anybody keeps a joiner that has sent HELLO and then nothing: the time of
	// four repetitions.
	forget = 4 * helloEvery
)

// handshake knows whose datagrams count, what to say to the other side, and when the match begins. It is told the phase
// and the time, and sends nothing itself.
type handshake struct {
	host  bool
	fixed bool           // the peer was given, and stays
	peer  netip.AddrPort // not valid while a host accepts anybody
	heard time.Duration  // on the host: when the peer last sent HELLO
	beat  time.Duration  // the next repetition
}

// newHandshake makes the handshake of the host or the joiner. The first beat is due immediately.
func newHandshake(host bool, peer netip.AddrPort) handshake {
	return handshake{host: host, fixed: peer.IsValid(), peer: peer, beat: math.MinInt64}
}

// first returns the phase in which the handshake begins.
func (h *handshake) first() Phase {
	if h.host {
		return Waiting
	}
	return Greeting
}

// repeat returns the datagram to repeat now, if any, and when to call it again. On the host, a beat only checks the time.
func (h *handshake) repeat(now time.Duration, phase Phase) (say string, next time.Duration) {
	if now >= h.beat {
		switch phase {
		case Greeting:
			say = hello
		case Starting:
			say = start
		}
		h.beat = now + helloEvery
	}
	return say, h.beat
}

// admits reports whether datagrams from this address count. A HELLO may make it the peer's address.
func (h *handshake) admits(now time.Duration, phase Phase, from netip.AddrPort, datagram []byte) bool {
	if from == h.peer && from.IsValid() {
		return true
	}
	vacant := !h.peer.IsValid() || now-h.heard >= forget
	if phase != Waiting || h.fixed || !vacant || string(datagram) != hello || !from.IsValid() {
		return false
	}
	h.peer = from
	return true
}

// answer is how a side reacts to a datagram of the handshake.
type answer struct {
	say   string // the datagram to send; empty if none
	phase Phase  // the phase from now on
	vain  bool   // the datagram is of no use in its phase or on this side
}

// receive takes a datagram at any time, and reports whether it belongs to the handshake. A late or repeated one changes
// nothing: a restarted joiner gets an answer like any other, but cannot join a match that has begun.
func (h *handshake) receive(now time.Duration, phase Phase, datagram []byte) (a answer, ok bool) {
	a.phase = phase
	switch string(datagram) {
	case hello:
		if a.vain = !h.host; h.host {
			h.heard, a.say = now, ack
		}
	case ack:
		switch phase {
		case Greeting:
			h.beat = now + helloEvery
			a.phase, a.say = Starting, start
		case Starting:
			a.say = start
		case Waiting:
			a.vain = true
		}
	case start:
		switch phase {
		case Waiting:
			a.phase = Playing
		case Greeting, Starting:
			a.vain = true
		}
	default:
		return a, false
	}
	return a, true
}

// opens reports whether a packet can be the other side's first. Since that side has received no inputs, its first
// packet acknowledges none, and begins with its oldest input. Neither is true of a packet left over from an earlier
// match.
func opens(phase Phase, h rbn1.Header) bool {
	expected := phase == Starting || phase == Waiting
	return expected && h.StartFrame == 0 && h.AckFrame == rbn1.NoFrame
}
