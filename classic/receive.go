package classic

import (
	"time"

	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/rollback"
)

// packet takes a datagram that is not of the handshake.
func (m *Match[S, I]) packet(now time.Duration, datagram []byte) {
	h, n, err := rbn1.DecodeInto(m.buttons[:], datagram)
	if err != nil {
		m.stats.Ignored.Malformed++
		return
	}
	if !m.phase.live() {
		if !m.opens(h) {
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

// opens reports whether a packet can be the other side's first: it has received no inputs, so it acknowledges none, and
// begins with its oldest input. A leftover packet from an earlier match does neither.
func (m *Match[S, I]) opens(h rbn1.Header) bool {
	expected := m.phase == Starting || m.phase == Waiting
	return expected && h.StartFrame == 0 && h.AckFrame == rbn1.NoFrame
}

// implausible checks a packet of n inputs for anything impossible, before anything in it is used. It returns the
// counter to increment, or nil.
func (m *Match[S, I]) implausible(h rbn1.Header, n int) *uint64 {
	first, next := rollback.Frame(h.StartFrame), m.engine.Next(m.remote)
	if h.AckFrame != rbn1.NoFrame && rollback.Frame(h.AckFrame) >= m.have() {
		return &m.stats.Ignored.BadAcks
	}
	// A packet begins with the oldest input that, as far as the other side knows, is not here yet, and that is not above
	// next. So it ends at most 32 frames above: no farther than the other side may run ahead.
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

// accept uses the content of a packet.
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
		// acknowledged, and will be sent again.
		if m.engine.AddInput(m.remote, f, m.cfg.Input(pressed), nil) != nil {
			break
		}
	}
	if h.AckFrame != rbn1.NoFrame {
		m.acked = max(m.acked, rollback.Frame(h.AckFrame)+1)
	}
	if m.engine.Next(m.remote) > before || m.acked > acked {
		m.news = now
	}
	if h.HasChecksum {
		m.claim(rollback.Frame(h.ChecksumFrame), h.Checksum)
	}
}
