package hosted

import (
	"bytes"
	"fmt"
)

// Cause is the reason why a client has corrected what it showed of its own player.
type Cause uint8

// The causes. In the first group, the input of the player was not what its client had assumed.
const (
	// Replaced means that the input came too late, and the server replaced it.
	Replaced Cause = iota
	// Skipped means that the client left out the tick, because it had hitched or was late.
	Skipped
	// Carried means that a late input was merged into this one.
	Carried
	// Refused means that the game's Check did not allow the input.
	Refused
	// Ordered means that orders came too late, and took effect in a later tick.
	Ordered
	// Seated means that the player was not in the match yet, or no longer.
	Seated
	// Touched means that other players have influenced it with something that the client could not know yet.
	Touched
	// Both means inputs of the client's own player and of others.
	Both
	// Hidden means that something that the player must not know had an influence, or that something it knew is hidden
	// now.
	Hidden
	// Resumed means that the client had received nothing for so long that it continued from a whole state.
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

// Causes has a count for each cause.
type Causes [causes]uint64

// Sum returns the sum of all counts.
func (c *Causes) Sum() (n uint64) {
	for _, k := range c {
		n += k
	}
	return n
}

// String lists the counts that are not 0.
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

// explain finds out why the client's own part of state f has changed between two states of its knowledge, was and now.
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
	// The inputs that the client was told lead to another state, and the state that it was told confirms that.
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

// overriddenInput returns the reason why the input of the client's own player was not what the client had assumed.
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
