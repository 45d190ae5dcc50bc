package classic

import (
	"net/netip"
	"time"
)

// The datagrams of the handshake, which are ASCII.
const (
	hello = "HELLO"
	ack   = "ACK"
	start = "START"
)

const (
	// helloEvery is how often the joiner repeats HELLO and START.
	helloEvery = 500 * time.Millisecond

	// forget is how long a host that accepts anybody keeps a joiner that has said HELLO and then nothing: four
	// repetitions.
	forget = 4 * helloEvery
)

// greet repeats the joiner's datagram at every beat. For the host a beat only checks the time.
func (m *Match[S, I]) greet(now time.Duration) (next time.Duration) {
	if now >= m.beat {
		switch m.phase {
		case Greeting:
			m.say(hello)
		case Starting:
			m.say(start)
		}
		m.beat = now + helloEvery
	}
	if m.cfg.Handshake == Never {
		return m.beat
	}
	return min(m.beat, m.news+m.cfg.Handshake)
}

// admit reports whether datagrams from this address count.
func (m *Match[S, I]) admit(now time.Duration, from netip.AddrPort, datagram []byte) bool {
	if from == m.peer && from.IsValid() {
		return true
	}
	vacant := !m.peer.IsValid() || now-m.heard >= forget
	if m.phase != Waiting || m.cfg.Peer.IsValid() || !vacant || string(datagram) != hello || !from.IsValid() {
		return false
	}
	m.peer = from
	return true
}

// Receive takes a datagram that has arrived. The bytes belong to the caller again when it returns. The worst that a
// datagram can do is to be counted.
func (m *Match[S, I]) Receive(now time.Duration, from netip.AddrPort, datagram []byte) {
	now = m.clock(now)
	m.stats.PacketsReceived++
	m.stats.BytesReceived += uint64(len(datagram))
	switch {
	case m.phase.ended():
		m.stats.Ignored.Late++
	case !m.admit(now, unmap(from), datagram):
		m.stats.Ignored.Strangers++
	case !m.handshake(now, datagram):
		m.packet(now, datagram)
	}
}

// handshake takes a datagram of the handshake, at any time, and reports whether it is one. A late or repeated one
// changes nothing: a restarted joiner is answered like any other, but cannot join a match that has begun.
func (m *Match[S, I]) handshake(now time.Duration, datagram []byte) bool {
	switch string(datagram) {
	case hello:
		if !m.cfg.Host {
			m.stats.Ignored.Unexpected++
			return true
		}
		m.heard = now
		m.say(ack)
	case ack:
		switch m.phase {
		case Greeting:
			m.becomeStarting(now)
			m.say(start)
		case Starting:
			m.say(start)
		case Waiting:
			m.stats.Ignored.Unexpected++
		}
	case start:
		switch m.phase {
		case Waiting:
			m.becomePlaying(now)
		case Greeting, Starting:
			m.stats.Ignored.Unexpected++
		}
	default:
		return false
	}
	return true
}
