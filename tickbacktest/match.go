package tickbacktest

import (
	"slices"

	"github.com/tickback/tickback/rollback"
)

// match is everything that decides how a match goes, except for the game itself.
type match[I comparable] struct {
	check    checkID
	depth    int  // the depth of a sync test
	thorough bool // to be examined more closely, at a cost: see below
	players  int
	quiet    int                  // frames without a new state that end the match; 0 if its length is fixed
	inputs   []I                  // ordered by frame, then by player
	orders   [][]byte             // in the same order
	gone     []rollback.PlayerSet // the absent players, by frame
}

// With thorough, twins are also compared on a busy machine, and purity checks the output of Describe in every frame.

// newMatch returns a match with that many frames, in which nothing happens.
func newMatch[I comparable](players, frames int) *match[I] {
	return &match[I]{
		players: players,
		inputs:  make([]I, players*frames),
		orders:  make([][]byte, players*frames),
		gone:    make([]rollback.PlayerSet, frames),
	}
}

// frames returns the length of the match in frames.
func (m *match[I]) frames() int { return len(m.gone) }

// cells returns the range of a frame in inputs and orders.
func (m *match[I]) cells(f int) (from, end int) { return f * m.players, (f + 1) * m.players }

// clone returns a copy that can be changed. Orders are never changed in place.
func (m *match[I]) clone() *match[I] {
	c := *m
	c.inputs, c.orders, c.gone = slices.Clone(m.inputs), slices.Clone(m.orders), slices.Clone(m.gone)
	return &c
}

// tidy clears the inputs of absent players, as the engine does.
func (m *match[I]) tidy() {
	for f, gone := range m.gone {
		for p := range gone.All() {
			i := f*m.players + int(p)
			m.inputs[i], m.orders[i] = *new(I), nil
		}
	}
}

// without returns the match without the frames from from to before end.
func (m *match[I]) without(from, end int) *match[I] {
	c := m.clone()
	c.inputs = slices.Delete(c.inputs, from*m.players, end*m.players)
	c.orders = slices.Delete(c.orders, from*m.players, end*m.players)
	c.gone = slices.Delete(c.gone, from, end)
	return c
}

// maxOrders returns the length of the longest orders.
func (m *match[I]) maxOrders() int {
	most := 0
	for _, o := range m.orders {
		most = max(most, len(o))
	}
	return most
}

// active counts the inputs that are not zero.
func (m *match[I]) active() int {
	n := 0
	for _, in := range m.inputs {
		if in != *new(I) {
			n++
		}
	}
	return n
}

// statuses returns the statuses of the players in a frame; that of players who are present is the given one.
func (m *match[I]) statuses(f int, there rollback.Status) []rollback.Status {
	list := make([]rollback.Status, m.players)
	for p := range list {
		if list[p] = there; m.gone[f].Has(rollback.Player(p)) {
			list[p] = rollback.Disconnected
		}
	}
	return list
}

// frame returns the input of a step in a sandbox. Its orders are copies.
func (m *match[I]) frame(f int) rollback.SandboxFrame[I] {
	from, end := m.cells(f)
	frame := rollback.SandboxFrame[I]{
		Frame:    rollback.Frame(f),
		Inputs:   slices.Clone(m.inputs[from:end]),
		Statuses: m.statuses(f, rollback.Confirmed),
		Orders:   make([][]byte, m.players),
	}
	for p, o := range m.orders[from:end] {
		frame.Orders[p] = slices.Clone(o)
	}
	return frame
}
