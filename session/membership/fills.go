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
		if c.role != voting || c.slot.stopped == 0 {
			return
		}
		for to, m := range c.slot.of(&c.s.Members) {
			if m == 0 || m == c.me {
				continue
			}
			lacks := &c.slot.claims[to]
			for p := range (lacks.stopped & c.slot.stopped).All() {
				from, end := max(lacks.held[p], c.slot.filled[to][p]), c.held(p)
				if from >= end || c.others(Player(to), p, end) {
					continue
				}
				c.slot.filled[to][p] = end
				if !yield(Fill{m, p, from, end}) {
					return
				}
			}
		}
	}
}

// others reports whether a lower member sends member to the inputs of player p that it lacks.
func (c *Core) others(to, p Player, end Frame) bool {
	for q, m := range c.s.Members[:c.low] {
		claim := &c.slot.claims[q]
		able := m != 0 && Player(q) != to && claim.stopped.Has(p) && claim.held[p] >= end
		if able && c.slot.stopped&m == 0 && c.slot.claims[to].stopped&m == 0 {
			return true
		}
	}
	return false
}

// Takes reports whether inputs of player p may be accepted from another member now: only if p is stopped and that
// member is not.
func (c *Core) Takes(from PlayerSet, p Player) bool {
	return c.role == voting && c.s.Has(from) && c.slot.stopped.Has(p) && c.slot.stopped&from == 0
}
