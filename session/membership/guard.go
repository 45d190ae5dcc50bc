package membership

import "fmt"

// guard is what this member does not accept or run until the slot is decided, because of its claims: so no decision
// takes back what is confirmed.
type guard struct {
	match   Match
	stopped PlayerSet // members whose inputs and messages are ignored
	whole   PlayerSet // leaving members whose inputs are all here
	gated   Frame     // no frame runs from there on: the lowest that we agreed to
	gate    gate      // the newest gate that we agreed to
}

// begin begins a slot.
func (g *guard) begin() { *g = guard{match: g.match, gated: NoFrame} }

// held returns the first frame for which this peer lacks the input of player p.
func (g *guard) held(s *LogState, p Player) Frame { return s.present(1<<p, g.match.Next(p)) }

func (g *guard) stop(players PlayerSet) { g.stopped |= players }

// agree agrees to a gate, or to a later one if frames have run from there on.
func (g *guard) agree(to gate) {
	to.frame = max(to.frame, g.match.Floor())
	g.gate, g.gated = to, min(g.gated, to.frame)
}

// complete notes that all inputs of a member that leaves are here, if they are.
func (g *guard) complete(s *LogState, leaver PlayerSet, at Frame) {
	for p := range leaver.All() {
		if g.held(s, p) != at {
			return
		}
	}
	g.whole |= leaver
}

// describe sets what a claim says about this.
func (g *guard) describe(c *claim, s *LogState) {
	c.stopped, c.whole, c.gate = g.stopped, g.whole, g.gate
	for p := range (g.stopped | g.whole).All() {
		c.held[p] = g.held(s, p)
	}
}

// arrived reports whether we have all inputs of the others before the frame at which we joined. A member that lacks
// some cannot continue alone: between the others' last frame and its own first one there would be no players at
// all.
func (g *guard) arrived(s *LogState, me PlayerSet) bool {
	came := s.present(1<<lowest(me), 0)
	for p := range (s.All() &^ me).All() {
		if g.held(s, p) < came {
			return false
		}
	}
	return true
}

// contradicts returns why an entry about others contradicts what is confirmed here, or nil: we must have stopped the
// members that it removes, and hold exactly the inputs that it keeps.
func (g *guard) contradicts(s *LogState, e Entry) error {
	switch {
	case e.Kind == Join && g.gated > e.Frame:
		return fmt.Errorf("%w: %v, and we agreed to %d", errConflict, e, g.gated)
	case e.Kind.cuts() && e.Players&^g.stopped != 0, e.Kind == Leave && e.Players&^g.whole != 0:
		return fmt.Errorf("%w: %v, which we have not stopped", errConflict, e)
	case e.Kind.cuts() || e.Kind == Leave:
		for p := range e.Players.All() {
			if held := g.held(s, p); held != e.Cut(p) {
				return fmt.Errorf("%w: %v, and of player %d we hold %d", errConflict, e, p, held)
			}
		}
	}
	return nil
}
