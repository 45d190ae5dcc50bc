package classic

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/rollback"
)

// linger is how long the last packet is repeated, so that the other side learns that its inputs have all arrived.
const linger = time.Second

// play runs the tick periods that are due.
func (m *Match[S, I]) play(now time.Duration) (next time.Duration) {
	m.schedule.skip(now)
	for m.schedule.next() <= now {
		m.schedule.taken++
		m.period(now)
		if m.phase.ended() {
			return Never
		}
	}
	return m.schedule.next()
}

// period runs one tick period: a frame, if one can run, and a packet in any case.
func (m *Match[S, I]) period(now time.Duration) {
	if m.phase == Lingering && now >= m.until {
		m.becomeOver()
		return
	}
	if m.cfg.Frames == 0 || m.engine.Frame() < m.cfg.Frames {
		m.frame()
	}
	if m.phase == Playing && m.complete() && m.unacknowledged() == 0 {
		if err := m.conclude(); err != nil {
			m.becomeFailed(fmt.Errorf("frame %d: %w", m.engine.Frame(), err))
		}
	}
	if m.phase == Playing && m.ran {
		m.becomeLingering(now)
	}
	if !m.phase.ended() {
		m.send()
	}
}

// frame runs a frame, or stalls.
func (m *Match[S, I]) frame() {
	switch err := m.runFrame().(type) {
	case nil:
		m.stalled = false
		m.sum()
	case *rollback.Stall:
		m.stats.StalledPeriods++
		if !m.stalled {
			m.stats.Stalls++
		}
		m.stalled = true
	default:
		m.becomeFailed(fmt.Errorf("frame %d: %w", m.engine.Frame(), err))
	}
}

// errFull is the stall that occurs when the maximum number of own inputs is unacknowledged.
var errFull = &rollback.Stall{}

// runFrame samples the local player, unless it has already done so for this frame, and runs the frame.
func (m *Match[S, I]) runFrame() error {
	if m.engine.NeedsInput(m.local) {
		in, f := *new(I), m.engine.Frame()+rollback.Frame(m.cfg.Delay)
		if m.cfg.Frames == 0 || f < m.cfg.Frames {
			if m.unacknowledged() >= rbn1.MaxInputs {
				return errFull
			}
			// Use the input in the form in which the other side will see it.
			in = m.cfg.Input(m.cfg.Buttons(m.cfg.Sample(m.local)))
		}
		if err := m.engine.AddLocal(m.local, in, nil); err != nil {
			return err
		}
	}
	if err := m.agree(); err != nil {
		return err
	}
	return m.engine.Tick()
}

// agree sets the number of frames whose inputs both sides have.
func (m *Match[S, I]) agree() error {
	return m.engine.Agree(max(m.engine.Agreed(), min(m.acked, m.engine.Confirmed())))
}

// send sends the inputs that the other side has not acknowledged, or at least the newest one, and acknowledges the
// inputs that have arrived.
func (m *Match[S, I]) send() {
	have := m.have()
	if have == 0 {
		return
	}
	first := min(m.acked, have-1)
	h := rbn1.Header{StartFrame: uint32(first), AckFrame: rbn1.NoFrame}
	if next := m.engine.Next(m.remote); next > 0 {
		h.AckFrame = uint32(next - 1)
	}
	if f, sum, ok := m.sums.newest(m.engine.Confirmed()); ok {
		h.HasChecksum, h.ChecksumFrame, h.Checksum = true, uint32(f), sum
	}
	n := 0
	for f := first; f < have && n < len(m.buttons); f++ {
		in, _, _ := m.engine.Input(m.local, f)
		m.buttons[n] = m.cfg.Buttons(in)
		n++
	}
	slot := m.out.push(m.handshake.peer)
	*slot, _ = rbn1.Append(*slot, h, m.buttons[:n]) // there is no error: n is at least 1
	m.sent(len(*slot))
}

// say sends a datagram of the handshake, unless it is empty.
func (m *Match[S, I]) say(text string) {
	if text == "" {
		return
	}
	if slot := m.out.offer(m.handshake.peer); slot != nil {
		*slot = append(*slot, text...)
		m.sent(len(text))
	}
}

func (m *Match[S, I]) sent(n int) {
	m.stats.PacketsSent++
	m.stats.BytesSent += uint64(n)
}
