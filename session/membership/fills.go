package membership

import "iter"

// Fill describes inputs of a stopped player, for the frames from From up to but not including End, that this peer
// has and member To lacks.
type Fill struct {
	To        PlayerSet
	Player    Player
	From, End Frame
}

// Fills yields the inputs to send to other members now, each once. The receiver accepts them if its [Core.Takes]
// says so.
func (c *Core) Fills() iter.Seq[Fill] {
	return func(yield func(Fill) bool) {
		if c.role != voting || c.guard.stopped == 0 {
			return
		}
		v := c.view()
		for to, m := range v.each() {
			if m == c.me {
				continue
			}
			for p := range (v.claims[to].stopped & c.guard.stopped).All() {
				end := c.guard.held(v.LogState, p)
				if v.others(c.guard.stopped, to, p, end) {
					continue
				}
				if from, lacks := c.claims.fill(to, p, end); lacks && !yield(Fill{m, p, from, end}) {
					return
				}
			}
		}
	}
}

// others reports whether a lower member, which nobody concerned has stopped, sends member to the inputs of player p that
// it lacks.
func (v *view) others(stopped PlayerSet, to, p Player, end Frame) bool {
	for q, m := range v.each() {
		claim := &v.claims[q]
		if q < v.low && q != to && claim.stopped.Has(p) && claim.held[p] >= end && (stopped|v.claims[to].stopped)&m == 0 {
			return true
		}
	}
	return false
}

// Takes reports whether inputs of player p may be accepted from another member now: only if p is stopped and that
// member is not.
func (c *Core) Takes(from PlayerSet, p Player) bool {
	return c.role == voting && c.log.state.Has(from) && c.guard.stopped.Has(p) && c.guard.stopped&from == 0
}
