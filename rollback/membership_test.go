package rollback_test

import (
	"fmt"
	"slices"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// doMember lets a player leave or come back.
func (m *match) doMember() error {
	p := Player(m.c.IntN(m.r.cfg.Players + 1))
	away := int(p) < m.r.cfg.Players && m.r.who[p].leaving()
	if m.c.IntN(3) == 0 != away {
		at := recent(m.c, m.r.frame+4, 6)
		if m.c.IntN(4) == 0 {
			at += Frame(m.r.cfg.History * 2)
		}
		want := m.r.connect(p, at)
		err := m.Connect(p, at)
		if err == nil {
			m.seen[connects]++
		}
		return outcome(fmt.Sprintf("connect %d at %d", p, at), err, want)
	}
	return m.leave(p)
}

func (m *match) leave(p Player) error {
	from := m.r.frame
	if int(p) < m.r.cfg.Players && !m.r.who[p].leaving() {
		from = m.r.next(p)
	}
	switch m.c.IntN(6) {
	case 0:
		from = recent(m.c, from, 3)
	case 1:
		from += Frame(m.c.IntN(40))
	case 2:
		from = Frame(m.c.IntN(int(min(m.r.frame, 1<<30)) + 1))
	}
	past := from < m.r.frame
	want := m.r.disconnect(p, from)
	err := m.Disconnect(p, from)
	switch verdictOf(err) {
	case fine:
		m.seen[disconnects]++
		if past {
			m.seen[disconnectsInThePast]++
		}
	case conflict, tooOld:
		m.seen[cutsRefused]++
	}
	return outcome(fmt.Sprintf("disconnect %d from %d", p, from), err, want)
}

func (m *match) doAgree() error {
	if m.c.IntN(m.lazy) > 0 {
		return nil
	}
	n := m.r.confirmed()
	switch m.c.IntN(8) {
	case 0:
		n = recent(m.c, n, 3)
	case 1:
		n = recent(m.c, m.r.agreed(), 2)
	case 2:
		n = m.r.agreed()
	}
	err := m.Agree(n)
	if want := n >= m.r.agreed() && n <= m.r.confirmed(); (err == nil) != want {
		return fmt.Errorf("agree %d, of %d to %d: %v", n, m.r.agreed(), m.r.confirmed(), err)
	}
	if err != nil {
		m.seen[badAgreements]++
		return nil
	}
	m.r.agreedTo = n
	m.r.fresh = m.r.journal != nil
	return nil
}

func (m *match) doRead() error {
	if m.c.IntN(m.lazy) > 0 {
		return nil
	}
	for range m.c.IntN(20) {
		a := m.NextAgreed()
		if more := m.r.cfg.Stream && m.r.read < m.r.right(min(m.r.agreed(), m.r.frame)); more != (a != nil) {
			return fmt.Errorf("frame %d of the stream: %v, not %v", m.r.read, a, more)
		}
		if a == nil {
			return nil
		}
		if err := m.checkAgreed(a); err != nil {
			return err
		}
	}
	return nil
}

// checkAgreed compares the next frame of the stream.
func (m *match) checkAgreed(a *rollback.Agreed[button]) error {
	r, f := m.r, m.r.read
	r.read++
	m.seen[agreedFrames]++
	want, known := r.now(f)
	n := r.cfg.Players
	if a.Frame != f || known != 1<<n-1 || !slices.Equal(a.Inputs, want.in[:n]) {
		return fmt.Errorf("agreed: %+v, not %d %+v", a, f, want)
	}
	if orders := clone(a.Orders); orders != want.orders || (a.Orders == nil) != (r.cfg.MaxOrders == 0) {
		return fmt.Errorf("agreed: orders %q, not %q", orders, want.orders)
	}
	if a.Gone != want.gone {
		return fmt.Errorf("agreed: %v are gone, not %v", a.Gone, want.gone)
	}
	for p, s := range a.Statuses {
		if (s == rollback.Disconnected) != want.gone.Has(Player(p)) || s == rollback.Predicted || len(a.Statuses) != n {
			return fmt.Errorf("agreed: statuses %v, and %v are gone", a.Statuses, want.gone)
		}
	}
	r.judge()
	if final := r.over && r.outcome.Frame == f; a.Finished != final || final && a.Result != r.outcome.Result {
		return fmt.Errorf("agreed: %+v, and the result is %v %v", a, r.outcome, r.over)
	}
	if a.Finished {
		m.seen[results]++
	}
	return m.checkHash(a)
}

func (m *match) checkHash(a *rollback.Agreed[button]) error {
	every := m.r.cfg.HashEvery
	if due := every > 0 && uint64(a.Frame+1)%uint64(every) == 0; a.Hashed != due {
		return fmt.Errorf("frame %d is hashed: %v", a.Frame, a.Hashed)
	}
	if !a.Hashed {
		return nil
	}
	m.seen[hashedFrames]++
	if want, _ := m.sum(m.r.states[a.Frame+1-m.r.start]); a.Hash != want {
		return fmt.Errorf("the hash of state %d is %x, not %x", a.Frame+1, a.Hash, want)
	}
	return nil
}

// settled is what the journal is told: what the sync test is to run again is not
// final for it.
func (r *reference) settled() (confirmed, agreed Frame) {
	tested := rollback.NoFrame
	if depth := Frame(r.cfg.SyncTest); depth > 0 {
		tested = r.frame - min(depth, r.frame-r.given)
	}
	return r.right(r.confirmed()), r.right(min(r.agreed(), tested))
}

// lose forgets what nobody has asked for in a whole history of frames.
func (r *reference) lose() {
	if r.journal != nil && r.frame-r.asked >= Frame(r.cfg.History) {
		r.news()
	}
}

func (r *reference) news() []effects.Event {
	r.fresh, r.asked = false, r.frame
	events := append(r.missed, r.journal.Flush(r.settled())...)
	r.missed = nil
	return events
}

func (m *match) doEffects() error {
	got, r := m.Effects(), m.r
	if !r.fresh {
		if len(got) > 0 {
			return fmt.Errorf("effects without news: %v", got)
		}
		return nil
	}
	want := r.news()
	if !slices.Equal(got, want) {
		return fmt.Errorf("effects: %v, not %v", got, want)
	}
	m.seen[events] += len(got)
	return nil
}
