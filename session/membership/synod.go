package membership

import (
	"fmt"
	"time"
)

// attempt is our newest attempt to decide the slot.
type attempt struct {
	ballot   ballot    // 0 if there is none
	promises PlayerSet // from these members
	best     vote      // the newest entry that any of them had accepted before
	sent     bool      // whether value was sent for acceptance
	value    Entry
	tries    int
	highest  uint64        // the highest round that refused us
	retryAt  time.Duration // Never unless it was refused
}

// propose drives the decision of the slot as far as possible now. Only the coordinator calls it.
func (c *Core) propose(in intent) {
	wanted, ready, needed := c.value(in)
	if !needed {
		return
	}
	e := wanted // e escapes to the heap, and nearly always there is nothing to decide
	switch {
	case e.Kind.cuts() && ready && c.pair():
		c.goOn(e)
		return
	case !c.quorum(c.side(c.low)) || c.early():
		return
	}
	a := &c.slot.attempt
	if a.ballot == 0 || c.now >= a.retryAt {
		c.prepare()
	}
	if a.sent || !c.quorum(a.promises) {
		return
	}
	if a.best.ballot != 0 {
		e, ready = a.best.entry, true
	}
	if ready && c.fits(e) == nil {
		a.sent, a.value = true, e
		c.toHeard(c.phase())
		_ = c.accept(a.ballot, e)
	}
}

// prepare begins a new attempt, including our own promise.
func (c *Core) prepare() {
	s := &c.slot
	round := max(s.attempt.highest, s.promised.round()) + 1
	s.promised = newBallot(round, c.low)
	s.attempt = attempt{
		ballot: s.promised, promises: c.me, best: s.accepted,
		tries: s.attempt.tries + 1, highest: round, retryAt: Never,
	}
	c.toHeard(c.phase())
}

// phase returns the message of our attempt that others have to answer now. It is sent to members that are known to
// have reached the slot: before, they could not use it.
func (c *Core) phase() message {
	a := &c.slot.attempt
	if a.sent {
		return message{what: tellAccept, ballot: a.ballot, entry: a.value}
	}
	return message{what: tellPrepare, ballot: a.ballot}
}

func (c *Core) toHeard(m message) {
	for p, other := range c.slot.of(&c.s.Members) {
		if other&c.slot.heard != 0 {
			c.tell(Player(p), m)
		}
	}
}

// refused waits before another attempt, longer each time, so that one of several members that interfere with each
// other succeeds.
func (c *Core) refused(promised ballot) {
	a := &c.slot.attempt
	a.highest = max(a.highest, promised.round())
	if a.retryAt == Never {
		rank := 1
		for p, m := range c.slot.of(&c.s.Members) {
			if m != 0 && Player(p) < c.low {
				rank++
			}
		}
		a.retryAt = c.now + time.Duration(rank)*c.cfg.Retry<<min(a.tries-1, 6)
	}
}

// promise answers an attempt by member from.
func (c *Core) promise(from Player, b ballot) {
	if b <= c.slot.promised {
		c.tell(from, message{what: tellRefuse, ballot: b, previous: c.slot.promised})
		return
	}
	c.slot.promised = b
	v := &c.slot.accepted
	c.tell(from, message{what: tellPromise, ballot: b, previous: v.ballot, entry: v.entry})
}

// promisedBy counts a promise for our attempt.
func (c *Core) promisedBy(from PlayerSet, m *message) error {
	a := &c.slot.attempt
	if m.previous >= m.ballot {
		return fmt.Errorf("%w: a promise for what was promised before", ErrImpossible)
	}
	if m.previous != 0 {
		if err := c.fits(m.entry); err != nil {
			return err // a member that accepted it lies, and we could not propose it
		}
	}
	if m.ballot == a.ballot && !a.sent {
		if a.promises |= from; m.previous > a.best.ballot {
			a.best = vote{m.previous, m.entry}
		}
	}
	return nil
}

// accept votes for an entry, unless we have promised a newer attempt. A member votes even for its own removal if
// the remaining members could decide that by themselves. Otherwise an entry that one of them is bound to could
// never be decided after another one crashes.
func (c *Core) accept(b ballot, e Entry) error {
	s := &c.slot
	if b < s.promised {
		if b.by() == c.low {
			c.refused(s.promised)
		} else {
			c.tell(b.by(), message{what: tellRefuse, ballot: b, previous: s.promised})
		}
		return nil
	}
	if err := c.fits(e); err != nil {
		return err
	}
	if s.accepted.ballot == b && s.accepted.entry != e {
		return fmt.Errorf("%w: two entries in one attempt", ErrImpossible)
	}
	if s.promised = b; e.Kind.cuts() && e.Players&c.me != 0 && !c.quorum(c.s.All()&^e.Players) {
		return nil
	}
	s.accepted = vote{b, e}
	c.broadcast(message{what: tellAccepted, ballot: b, entry: e})
	return c.count(c.low, s.accepted)
}

// count records a vote, and learns the entry if that decides it.
func (c *Core) count(from Player, v vote) error {
	c.slot.votes[from] = v
	var yes PlayerSet
	for p, m := range c.slot.of(&c.s.Members) {
		if m != 0 && c.slot.votes[p] == v {
			yes |= m
		}
	}
	if c.quorum(yes) {
		return c.learn(v.entry)
	}
	return nil
}

// fits returns why an entry cannot be decided here, or nil. An entry must not contradict anything confirmed: we
// must have stopped the members that it removes, and hold exactly the inputs that it keeps.
func (c *Core) fits(e Entry) error {
	if t := c.s; t.Apply(e) != nil {
		return fmt.Errorf("%w: %w", ErrImpossible, t.Apply(e))
	}
	if c.role != voting || e.Players&c.me != 0 {
		return nil
	}
	switch {
	case e.Kind == Join && c.slot.gated > e.Frame:
		return fmt.Errorf("%w: %v, and we agreed to %d", ErrConflict, e, c.slot.gated)
	case e.Kind.cuts() && e.Players&^c.slot.stopped != 0, e.Kind == Leave && e.Players&^c.slot.whole != 0:
		return fmt.Errorf("%w: %v, which we have not stopped", ErrConflict, e)
	case e.Kind.cuts() || e.Kind == Leave:
		for p := range e.Players.All() {
			if held := c.held(p); held != e.Cut(p) {
				return fmt.Errorf("%w: %v, and of player %d we hold %d", ErrConflict, e, p, held)
			}
		}
	}
	return nil
}
