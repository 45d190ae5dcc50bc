package classic

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/rollback"
)

// Receive takes a datagram that has arrived. The bytes belong to the caller again when it returns. An invalid datagram
// is counted, and has no other effect.
func (m *Match[S, I]) Receive(now time.Duration, from netip.AddrPort, datagram []byte) {
	now = m.wait.clock(now)
	m.stats.PacketsReceived++
	m.stats.BytesReceived += uint64(len(datagram))
	switch {
	case m.phase.ended():
		m.stats.Ignored.Late++
		return
	case !m.handshake.admits(now, m.phase, unmap(from), datagram):
		m.stats.Ignored.Strangers++
		return
	}
	if a, ok := m.handshake.receive(now, m.phase, datagram); ok {
		m.follow(now, a)
	} else {
		m.packet(now, datagram)
	}
}

// follow does what the handshake has decided.
func (m *Match[S, I]) follow(now time.Duration, a answer) {
	switch {
	case a.vain:
		m.stats.Ignored.Unexpected++
	case a.phase == m.phase:
	case a.phase == Starting:
		m.becomeStarting()
	case a.phase == Playing:
		m.becomePlaying(now)
	}
	m.say(a.say)
}

// packet handles a datagram that does not belong to the handshake.
func (m *Match[S, I]) packet(now time.Duration, datagram []byte) {
	h, n, err := rbn1.DecodeInto(m.buttons[:], datagram)
	if err != nil {
		m.stats.Ignored.Malformed++
		return
	}
	if !m.phase.live() {
		if !opens(m.phase, h) {
			m.stats.Ignored.Unexpected++
			return
		}
		m.becomePlaying(now)
	}
	if counter := m.implausible(h, n); counter != nil {
		*counter++
		return
	}
	m.accept(now, h, n)
}

// implausible checks whether anything in a packet of n inputs is impossible, before its content is used. It returns
// the counter to increment, or nil.
func (m *Match[S, I]) implausible(h rbn1.Header, n int) *uint64 {
	first, next := rollback.Frame(h.StartFrame), m.engine.Next(m.remote)
	if h.AckFrame != rbn1.NoFrame && rollback.Frame(h.AckFrame) >= m.have() {
		return &m.stats.Ignored.BadAcks
	}
	// A packet begins with the oldest input that, as far as the other side knows, has not arrived here, which is not
	// above next. So it ends at most 32 frames above next: that is how far the other side may run ahead.
	if first > next {
		return &m.stats.Ignored.Ahead
	}
	for i, pressed := range m.buttons[:n] {
		f := first + rollback.Frame(i)
		if f >= next {
			break
		}
		switch known, _, status := m.engine.Input(m.remote, f); {
		case status != rollback.Confirmed:
			return &m.stats.Ignored.Stale // too old to be compared
		case known != m.cfg.Input(pressed):
			return &m.stats.Ignored.Conflicts
		}
	}
	return nil
}

// accept uses the content of a packet that has been checked.
func (m *Match[S, I]) accept(now time.Duration, h rbn1.Header, n int) {
	before, acked := m.engine.Next(m.remote), m.acked
	for i, pressed := range m.buttons[:n] {
		f := rollback.Frame(h.StartFrame) + rollback.Frame(i)
		if f < before {
			continue
		}
		if m.cfg.Frames != 0 && f >= m.cfg.Frames {
			m.stats.Ignored.Beyond++
			break
		}
		// The only possible error is that there is no room yet, because this side is behind. Then the input is not
		// acknowledged, so it will be sent again.
		if m.engine.AddInput(m.remote, f, m.cfg.Input(pressed), nil) != nil {
			break
		}
	}
	if h.AckFrame != rbn1.NoFrame {
		m.acked = max(m.acked, rollback.Frame(h.AckFrame)+1)
	}
	if m.engine.Next(m.remote) > before || m.acked > acked {
		m.wait.restart()
	}
	if h.HasChecksum {
		m.claim(rollback.Frame(h.ChecksumFrame), h.Checksum)
	}
}
