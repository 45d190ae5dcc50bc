package inputs

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// at is a player in a frame.
type at struct {
	p Player
	f Frame
}

// given is an input with its orders.
type given struct{ input, orders []byte }

// script is an engine with given inputs of its own, which records the inputs that it
// takes.
type script struct {
	t     testing.TB
	size  int
	all   map[at]given
	taken []at
	fault error // of the next input
}

func newScript(t testing.TB, size int) *script {
	return &script{t: t, size: size, all: map[at]given{}}
}

func (e *script) InputSize() int { return e.size }

func (e *script) AppendInput(b []byte, p Player, f Frame) (input, orders []byte) {
	g, known := e.all[at{p, f}]
	if !known {
		e.t.Fatalf("frame %d of player %d is not known", f, p)
	}
	return append(b, g.input...), g.orders
}

func (e *script) OrdersOf(p Player, f Frame) (orders []byte, held bool) {
	g, held := e.all[at{p, f}]
	return g.orders, held
}

func (e *script) TakePlain(p Player, f Frame, input []byte) error {
	return e.TakeInput(p, f, input, nil)
}

func (e *script) TakeInput(p Player, f Frame, input, orders []byte) error {
	if e.fault != nil {
		return e.fault
	}
	if _, known := e.all[at{p, f}]; known || len(input) != e.size {
		e.t.Fatalf("frame %d of player %d comes again, or has %d bytes", f, p, len(input))
	}
	e.all[at{p, f}] = given{bytes.Clone(input), bytes.Clone(orders)}
	e.taken = append(e.taken, at{p, f})
	return nil
}

// make makes an input, with orders of a size that is not 0 or of none.
func (e *script) make(p Player, f Frame, orders int) {
	g := given{bytes.Repeat([]byte{byte(f/3) ^ byte(p)}, e.size), nil}
	for i := range orders {
		g.orders = append(g.orders, byte(i)+byte(f))
	}
	e.all[at{p, f}] = g
}

const (
	testOrders = 300
	testAhead  = 90
)

// machine is a store with its engine.
type machine struct {
	*Store
	*script
}

func newMachine(t testing.TB, players, size int, local ...Player) machine {
	e := newScript(t, size)
	s := New(Config{Players: players, Local: local, MaxOrders: testOrders, Ahead: testAhead}, e)
	s.Reset()
	return machine{s, e}
}

// play has a player do something in its next frame.
func (m machine) play(p Player, orders int) (o Orders, apart bool) {
	m.make(p, m.Next(p), orders)
	f := m.Next(p)
	g := m.all[at{p, f}]
	apart = m.Push(p, g.input, g.orders)
	return Orders{Player: p, Frame: f, Bytes: g.orders}, apart
}

// compose returns a datagram to a peer: its header, and what follows.
func (m machine) compose(r *Peer, d Datagram) (h datagram.Header, b []byte) {
	h.HasPlay = true
	block := m.Compose(&h.Play, r, d)
	h.HasOrders = m.CountOrders(&h.Play) > 0
	b = h.Append(nil, r.Send)
	if h.HasOrders {
		b = m.AppendOrders(b, r, &h.Play)
	}
	return h, append(b, block...)
}

var errPlausible = errors.New("it cannot be true")

// receive takes a datagram.
func (m machine) receive(r *Peer, b []byte) (refused bool, err error) {
	var h datagram.Header
	b, err = h.Consume(b, r.Receive, uint32(m.Next(r.List[0])))
	if err != nil {
		return false, err
	}
	if !m.Plausible(r, &h.Play, m.Next(r.List[0])) {
		return false, errPlausible
	}
	if h.HasOrders {
		if b, err = m.ConsumeOrders(b, r, &h.Play); err != nil {
			return false, err
		}
	}
	r.Acknowledge(&h.Play)
	return m.Accept(r, &h, b)
}

// wants fails unless exactly these frames of a player have been taken since the last call.
func (m machine) wants(what string, p Player, frames ...Frame) {
	m.t.Helper()
	var got []Frame
	for _, a := range m.taken {
		if a.p == p {
			got = append(got, a.f)
		}
	}
	if m.taken = nil; !slices.Equal(got, frames) {
		m.t.Fatalf("%s: of player %d, frames %v are taken, want %v", what, p, got, frames)
	}
}

const noLimit = rollback.NoFrame
