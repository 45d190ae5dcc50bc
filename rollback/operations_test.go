package rollback_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/tickback/tickback/rollback"
)

// doable is a possible operation, and how often it is chosen.
type doable struct {
	weight int
	do     func(m *match) error
}

// operations are the possible operations, in any order, each chosen with
// its frequency.
var operations = []doable{
	{40, (*match).doTick},
	{40, (*match).deliverNext},
	{6, (*match).deliverAll},
	{5, (*match).deliverEarly},
	{3, (*match).sendAgain},
	{2, (*match).sendOutside},
	{2, (*match).sendWrong},
	{2, (*match).doSample},
	{2, (*match).doDelay},
	{1, (*match).doMember},
	{2, (*match).doSettle},
	{12, (*match).doAgree},
	{12, (*match).doRead},
	{6, (*match).doEffects},
	{2, (*match).doMarshal},
	{1, (*match).doInput},
	{1, (*match).doBegin},
}

// operation does one thing to both, and compares.
func (m *match) operation() error {
	total, list := 0, operations
	if m.client {
		list = clientOperations
	}
	for _, o := range list {
		total += o.weight
	}
	n := m.c.IntN(total)
	for _, o := range list {
		if n -= o.weight; n < 0 {
			if err := o.do(m); err != nil {
				return err
			}
			break
		}
	}
	return m.check()
}

// outcome compares the result of a call with the allowed results.
func outcome(call string, err error, want verdict) error {
	if verdictOf(err)&want == 0 {
		return fmt.Errorf("%s: %v; wanted %b", call, err, want)
	}
	return nil
}

func (m *match) doTick() error {
	for p := range Player(m.r.cfg.Players) {
		if m.r.owed(p) && m.c.IntN(60) > 0 {
			if err := m.sample(p, m.button(p), m.orders()); err != nil {
				return err
			}
		}
	}
	want, waiting := m.r.mayRun()
	from, had := m.r.wrong(), m.r.frame
	ended := m.r.looksOver()
	err := m.Tick()
	if e := outcome("tick", err, want); e != nil {
		return e
	}
	var stall *rollback.Stall
	switch {
	case errors.As(err, &stall):
		m.r.stats.Stalls++
		if stall.Waiting != waiting || stall.Frame != m.r.frame {
			return fmt.Errorf("stall: %+v, not %v", stall, waiting)
		}
		m.seen[map[bool]int{true: stallsForOwner, false: stallsForPlayers}[waiting == 0]]++
	case errors.Is(err, rollback.ErrFrames):
		m.seen[ends]++
	case err != nil:
		m.seen[missingSamples]++
	default:
		if from == 0 && had > 0 {
			m.seen[toFrameZero]++
		}
		m.r.tick()
		if _, still := m.r.provisional(); ended && !still {
			m.seen[takenBack]++
		}
	}
	return m.checkRuns()
}

// button returns what a player does next: mostly the same as before.
func (m *match) button(p Player) button {
	n := m.r.next(p)
	if m.c.IntN(3) > 0 && n != rollback.NoFrame && n > m.r.start && !m.r.who[p].gone(n-1) {
		return m.r.fact(p, n-1).in
	}
	return button(m.c.IntN(16))
}

func (m *match) orders() string {
	if m.r.cfg.MaxOrders == 0 || m.c.IntN(12) > 0 {
		return ""
	}
	return "abcd"[m.c.IntN(2) : 2+m.c.IntN(2)]
}

func (m *match) sample(p Player, in button, orders string) error {
	want := m.r.addLocal(p, in, orders)
	return outcome("local", m.AddLocal(p, in, []byte(orders)), want)
}

// doSample samples a local player who may have been sampled already.
func (m *match) doSample() error {
	for p := range m.r.cfg.Local.All() {
		if m.c.IntN(2) == 0 {
			if !m.r.owed(p) {
				m.seen[secondSamples]++
			}
			if err := m.sample(p, m.button(p), m.orders()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *match) doDelay() error {
	for p := range m.r.cfg.Local.All() {
		if m.c.IntN(3) > 0 {
			continue
		}
		d := []int{0, 0, 1, 2, 3, 5, 12, 60}[m.c.IntN(8)]
		m.seen[map[bool]int{true: delaysUp, false: delaysDown}[d > m.r.who[p].delay]]++
		m.r.who[p].delay = d
		if err := m.SetDelay(p, d); err != nil {
			return err
		}
	}
	return nil
}

func (m *match) doSettle() error {
	m.r.settle()
	if err := m.Settle(); err != nil {
		return err
	}
	m.seen[settled]++
	return m.checkRuns()
}

func (m *match) doMarshal() error {
	f := m.r.frame - min(Frame(m.c.IntN(m.r.cfg.Snapshots+1)), m.r.frame-m.r.start)
	b, err := m.Marshal([]byte("x"), f)
	if int(m.r.frame-f) >= m.r.cfg.Snapshots {
		if !errors.Is(err, rollback.ErrNotHeld) || string(b) != "x" {
			return fmt.Errorf("state %d: %v", f, err)
		}
		return nil
	}
	want, _ := m.encode(m.r.states[f-m.r.start])
	if err != nil || !bytes.Equal(b[1:], want) {
		return fmt.Errorf("encoding of state %d: %x, not %x: %v", f, b, want, err)
	}
	got, err := m.Hash()
	if sum, _ := m.sum(m.r.states[m.r.frame-m.r.start]); err != nil || got != sum {
		return fmt.Errorf("hash of state %d: %x, %v", m.r.frame, got, err)
	}
	return nil
}

func (m *match) doInput() error {
	p := Player(m.c.IntN(m.r.cfg.Players))
	f := recent(m.c, m.r.frame, 60)
	if f < m.r.start || f > m.r.frame+100 {
		return nil
	}
	in, orders, status := m.Input(p, f)
	known := status != rollback.Predicted
	if known && (status == rollback.Disconnected) != m.r.who[p].gone(f) {
		return fmt.Errorf("player %d in frame %d is %v", p, f, status)
	}
	var want fact
	if want.known = m.r.known(p, f); want.known && !m.r.who[p].gone(f) {
		want = *m.r.fact(p, f)
	}
	if got := (fact{known, in, string(orders)}); got != want {
		return fmt.Errorf("input of player %d in frame %d: %v, not %v", p, f, got, want)
	}
	return nil
}

// doBegin begins another match, at frame 0 or with an encoded state.
func (m *match) doBegin() error {
	if m.c.IntN(8) > 0 {
		return nil
	}
	if err := m.checkAll(); err != nil {
		return err
	}
	if m.c.IntN(3) == 0 {
		m.again()
		m.r.begin(0, m.r.first)
		m.seen[restarts]++
		return m.checkStates()
	}
	b, err := m.Marshal(nil, m.r.frame)
	if err != nil {
		return err
	}
	if m.Load(m.r.frame+7, b[1:]) == nil {
		return errors.New("a short encoding was loaded")
	}
	at := slices.Max([]Frame{m.r.frame, 1000, Frame(m.c.IntN(1 << 30))})
	if at >= lastFrame || m.c.IntN(8) == 0 {
		at = lastFrame - 1 - Frame(m.c.IntN(600))
	}
	s := m.r.states[m.r.frame-m.r.start]
	m.r.begin(at, s)
	m.seen[loads]++
	if err := m.Load(at, b); err != nil {
		return err
	}
	return m.checkStates()
}
