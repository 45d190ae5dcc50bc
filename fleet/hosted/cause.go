package hosted

import (
	"bytes"
	"fmt"
)

// Cause is why a client has corrected what it showed of its own player.
type Cause uint8

// The causes. In the first group, what the player did was another thing in truth than at its client.
const (
	// Replaced: the input came too late, and the server replaced it.
	Replaced Cause = iota
	// Skipped: the client had left the tick out, since it had hitched, or was late.
	Skipped
	// Carried: a late input was merged into this one.
	Carried
	// Refused: the game's Check did not allow it.
	Refused
	// Ordered: orders came too late, and counted in a later tick.
	Ordered
	// Seated: the player was not in the match yet, or not any more.
	Seated
	// Touched: others have done something that the client could not know yet, and that has had an
	// influence.
	Touched
	// Both: what the own player did and what others did.
	Both
	// Hidden: something that the player may not know has had an influence, or what it knew is
	// hidden now.
	Hidden
	// Resumed: the client had heard nothing for so long that it went on from a whole state.
	Resumed

	causes
	unexplained
)

var causeNames = [causes]string{"replaced", "skipped", "carried", "refused", "ordered", "seated", "touched", "both", "hidden", "resumed"}

// String names the cause in lower case.
func (c Cause) String() string {
	if c < causes {
		return causeNames[c]
	}
	return "unexplained"
}

// Causes are counts by cause.
type Causes [causes]uint64

// Sum is the sum of all.
func (c *Causes) Sum() (n uint64) {
	for _, k := range c {
		n += k
	}
	return n
}

// String lists those that there are.
func (c Causes) String() string {
	text := ""
	for i, n := range c {
		if n > 0 {
			text += fmt.Sprintf(", %d %v", n, Cause(i))
		}
	}
	if text == "" {
		return "none"
	}
	return text[2:]
}

// explain finds out why state f of a client has another own part than it had, when it knew was, and
// knows now what it knows.
func (g *clientRun[S, I]) explain(was, now *knowledge[S, I], f Frame, is *S) (c Cause, why string) {
	n := &g.naive
	told := min(now.newest, f)
	leads := func(own, others bool) bool {
		s, err := n.course(was, f, fork[S, I]{now, told, own, others})
		return err == nil && g.same(s, is)
	}
	switch {
	case leads(true, false):
		return g.overriddenInput(was, told)
	case leads(false, true):
		return Touched, ""
	case leads(true, true):
		return Both, ""
	case n.sight == nil:
		return unexplained, "all that was told does not lead there"
	}
	if told == now.newest {
		if s, err := n.course(now, f, fork[S, I]{}); err != nil || !g.same(s, is) {
			return unexplained, "the state that was told does not lead there"
		}
	}
	// What was told of the inputs leads somewhere else, and the state that was told says so.
	s, err := n.course(was, told, fork[S, I]{now, told, true, true})
	if err != nil {
		return unexplained, err.Error()
	}
	n.truth.knows(n.sight, told, n.player, &n.state)
	if n.truth.values.Equal(s, &n.state) {
		return unexplained, "nothing hidden has had an influence"
	}
	return Hidden, ""
}

// overriddenInput says why the own player has done something else than its client supposed.
func (g *clientRun[S, I]) overriddenInput(was *knowledge[S, I], told Frame) (c Cause, why string) {
	n, last := &g.naive, was.last[g.naive.player]
	for f := was.newest; f < told; f++ {
		m, d := n.truth.at(f), n.deeds.at(f)
		var orders []byte
		if d != nil {
			last, orders = d.in, d.orders
		}
		p := n.player
		switch {
		case m.gone.Has(p) != was.gone.Has(p):
			return Seated, ""
		case m.inputs[p] == last && bytes.Equal(m.orders[p], orders):
			continue
		case m.because.refused.Has(p):
			return Refused, ""
		case m.inputs[p] == last:
			return Ordered, ""
		case d == nil:
			return Skipped, ""
		case m.because.replaced.Has(p):
			return Replaced, ""
		case m.because.carried.Has(p):
			return Carried, ""
		}
		return unexplained, fmt.Sprintf("in tick %d its player does %v, and has done %v, which came in time", f, m.inputs[p], last)
	}
	return unexplained, "its player has done what it has supposed"
}
