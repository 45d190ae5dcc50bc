package membership

import "github.com/tickback/tickback/wire/datagram"

// claim is everything a member says about itself in a slot. Whenever it changes, the
// member sends it again in full; the newest one counts.
type claim struct {
	accused PlayerSet            // the members that it does not hear now
	stopped PlayerSet            // members whose inputs and messages it ignores in this slot
	whole   PlayerSet            // leaving members whose inputs it has in full
	held    [maxPlayers]Frame    // the first frame that it lacks, for the players in stopped and whole
	ready   [maxPlayers]newcomer // the newcomers that it is ready for, by lowest player
	wishes  wishes               // what it wants for itself
	intent  intent               // as coordinator: what it wants to have decided
	gate    gate                 // it runs no frame from there on until the newcomer has joined
}

// newcomer is a peer that is not a member yet.
type newcomer struct {
	players PlayerSet
	id      uint64
}

// wishes are what a member wants for itself.
type wishes struct {
	leaving       bool
	leave         Frame // the first frame for which it has no input
	kick          PlayerSet
	pause, resume bool
}

// intent is a decision for which a coordinator needs the other members.
type intent struct {
	kind    Kind // Drop, Kick, Join, or None
	players PlayerSet
	gate    gate // Join
}

// gate is a newcomer and the first frame with it. The zero gate means no newcomer.
type gate struct {
	newcomer
	frame Frame
}

// holds reports whether the member has the inputs of a leaving one before a frame, and accepts none from there on.
func (c *claim) holds(leaver PlayerSet, at Frame) bool {
	for p := range leaver.All() {
		if !c.whole.Has(p) || c.held[p] != at {
			return false
		}
	}
	return true
}

func (c *claim) append(b []byte, sets datagram.Sets) []byte {
	for _, set := range [...]PlayerSet{c.accused, c.stopped, c.whole} {
		b = sets.Append(b, uint16(set))
	}
	for p := range (c.stopped | c.whole).All() {
		b = appendFrame(b, c.held[p])
	}
	var ready PlayerSet
	for p, n := range c.ready {
		if n.players != 0 {
			ready |= 1 << p
		}
	}
	b = sets.Append(b, uint16(ready))
	for p := range ready.All() {
		b = c.ready[p].append(b, sets)
	}
	b = c.wishes.append(b, sets)
	b = append(b, byte(c.intent.kind))
	if c.intent.kind == Join {
		b = c.intent.gate.append(b, sets)
	} else if c.intent.kind != None {
		b = sets.Append(b, uint16(c.intent.players))
	}
	b = appendTruth(b, c.gate != gate{})
	if c.gate != (gate{}) {
		b = c.gate.append(b, sets)
	}
	return b
}

func (n *newcomer) append(b []byte, sets datagram.Sets) []byte {
	return le.AppendUint64(sets.Append(b, uint16(n.players)), n.id)
}

func (g *gate) append(b []byte, sets datagram.Sets) []byte {
	return appendFrame(g.newcomer.append(b, sets), g.frame)
}

func (w *wishes) append(b []byte, sets datagram.Sets) []byte {
	b = appendTruth(b, w.leaving)
	if w.leaving {
		b = appendFrame(b, w.leave)
	}
	return appendTruth(appendTruth(sets.Append(b, uint16(w.kick)), w.pause), w.resume)
}

func (r *reader) claim() (c claim) {
	c.accused, c.stopped, c.whole = r.set(), r.set(), r.set()
	for p := range (c.stopped | c.whole).All() {
		c.held[p] = r.frame()
	}
	for p := range r.set().All() {
		c.ready[p] = r.newcomer()
		r.check(lowest(c.ready[p].players) == p)
	}
	c.wishes = r.wishes()
	switch c.intent.kind = Kind(r.byte()); c.intent.kind {
	case None:
	case Join:
		c.intent.gate = r.gate()
		c.intent.players = c.intent.gate.players
	case Drop, Kick:
		c.intent.players = r.set()
		r.check(c.intent.players != 0)
	default:
		r.bad = true
	}
	if r.truth() {
		c.gate = r.gate()
	}
	return c
}

func (r *reader) newcomer() newcomer {
	n := newcomer{r.set(), r.uint64()}
	r.check(n.players != 0 && n.id != 0)
	return n
}

func (r *reader) gate() gate { return gate{r.newcomer(), r.frame()} }

func (r *reader) wishes() (w wishes) {
	if w.leaving = r.truth(); w.leaving {
		w.leave = r.frame()
	}
	w.kick, w.pause, w.resume = r.set(), r.truth(), r.truth()
	return w
}
