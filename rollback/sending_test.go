package rollback_test

import (
	"fmt"

	"github.com/tickback/tickback/rollback"
)

// send gives an input to both.
func (m *match) send(p Player, f Frame, in button, orders string) error {
	want := m.r.addInput(p, f, in, orders)
	err := m.AddInput(p, f, in, []byte(orders))
	if e := outcome(fmt.Sprintf("input of player %d for frame %d, %d %q", p, f, in, orders), err, want); e != nil {
		return e
	}
	switch verdictOf(err) {
	case fine:
		m.r.accept(p, f, in, orders)
	case conflict:
		c := err.(*rollback.ConflictError)
		if k := m.r.fact(p, f); c.Player != p || c.Frame != f || c.What != map[bool]string{true: "orders", false: "input"}[k.in == in] {
			return fmt.Errorf("%+v, and known is %v", c, k)
		}
		m.seen[conflicts]++
		if c.What == "orders" {
			m.seen[orderConflicts]++
		}
	case tooOld:
		m.seen[olds]++
		if e := err.(*rollback.TooOldError); e.Player != p || e.Frame != f || e.Oldest <= f || (e.Setting == "") != (f < m.r.start) {
			return fmt.Errorf("%+v", e)
		}
	case tooEarly:
		m.seen[earlies]++
		if e := err.(*rollback.TooEarlyError); e.Player != p || e.Frame != f || e.Newest >= f {
			return fmt.Errorf("%+v", e)
		}
	case longOrders:
		m.seen[overlongOrders]++
	case noSuchPlayer:
		m.seen[wrongPlayers]++
	case disconnected:
		m.seen[goneInputs]++
	}
	return nil
}

// remote draws a player who is not local.
func (m *match) remote() (p Player, ok bool) {
	p = Player(m.c.IntN(m.r.cfg.Players))
	return p, !m.r.cfg.Local.Has(p)
}

// deliverNext does what a network does all the time, for about half of the
// players.
func (m *match) deliverNext() error {
	for p := range Player(m.r.cfg.Players) {
		n := m.r.next(p)
		if m.r.cfg.Local.Has(p) || n > m.r.frame+30 || m.c.IntN(1+m.slow) > 0 {
			continue
		}
		if err := m.send(p, n, m.button(p), m.orders()); err != nil {
			return err
		}
	}
	return nil
}

func (m *match) deliverAll() error {
	for p := range Player(m.r.cfg.Players) {
		for !m.r.cfg.Local.Has(p) && m.r.next(p) < m.r.frame+1 {
			if err := m.send(p, m.r.next(p), m.button(p), m.orders()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *match) deliverEarly() error {
	p, ok := m.remote()
	if !ok {
		return nil
	}
	n := min(m.r.next(p), m.r.frame+Frame(m.c.IntN(60)))
	return m.send(p, n+Frame(m.c.IntN(6)), m.button(p), m.orders())
}

// sendAgain repeats known inputs, or ones that are almost the same.
func (m *match) sendAgain() error {
	p, ok := m.remote()
	f := recent(m.c, m.r.frame, 40)
	if !ok || f < m.r.start || f > m.r.frame+100 || !m.r.known(p, f) {
		return nil
	}
	k := *m.r.fact(p, f)
	switch m.c.IntN(4) {
	case 0:
		k.in ^= 1
	case 1:
		if m.r.cfg.MaxOrders > 0 {
			k.orders = "zz"
		}
	}
	return m.send(p, f, k.in, k.orders)
}

// sendOutside sends inputs that are too old, too early, or nearly so.
func (m *match) sendOutside() error {
	p, ok := m.remote()
	if !ok {
		return nil
	}
	h := m.r.cfg.History
	f := m.r.frame
	switch m.c.IntN(5) {
	case 0:
		f += Frame(2*h + m.c.IntN(3*h))
	case 1:
		f = recent(m.c, f+Frame(h), 20)
	case 2:
		f = recent(m.c, f-Frame(h), 20)
	case 3:
		f = Frame(m.c.IntN(int(min(f, 1<<30)) + 1))
	default:
		f = rollback.NoFrame - Frame(m.c.IntN(3))
	}
	in, orders := button(3), ""
	if int64(f) >= int64(m.r.start) && f < m.r.frame && m.r.known(p, f) {
		in, orders = m.r.fact(p, f).in, m.r.fact(p, f).orders
	}
	return m.send(p, f, in, orders)
}

// sendWrong makes calls with players and orders that do not exist.
func (m *match) sendWrong() error {
	p := Player(m.c.IntN(18))
	if p == 17 {
		p = 255
	}
	long := string(make([]byte, m.r.cfg.MaxOrders+1+m.c.IntN(3)))
	switch m.c.IntN(4) {
	case 0:
		if !m.r.cfg.Local.Has(p) {
			return m.sample(p, 1, "")
		}
		return m.send(p, m.r.frame, 1, "")
	case 1:
		if p = p % Player(m.r.cfg.Players); m.r.cfg.Local.Has(p) {
			return m.sample(p, 1, long)
		}
		return m.send(p, m.r.frame, 1, long)
	case 2:
		if int(p) >= m.r.cfg.Players {
			return m.send(p, m.r.frame, 1, "")
		}
	}
	if err := outcome("delay", m.SetDelay(17, 1), noSuchPlayer); err != nil {
		return err
	}
	return outcome("delay", m.SetDelay(p, rollback.MaxDelay+1), noSuchPlayer|other)
}
