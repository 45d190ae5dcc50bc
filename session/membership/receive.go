package membership

import "fmt"

// Receive handles a message from the peer with these players: a member, a newcomer, or a former member. While a
// member has a player, only messages from that member's connection may be passed for the player, not those of a
// newcomer that wants its place. The errors wrap [ErrMalformed], [ErrImpossible] and [ErrConflict]; the message has
// then changed nothing.
func (c *Core) Receive(from PlayerSet, b []byte) error {
	m, err := parse(b, c.cfg.Sets)
	if err != nil {
		return err
	}
	if c.role == removed || from == 0 || from == c.me {
		return nil
	}
	c.slot.stirred = c.slot.stirred || m.what != tellClaim || m.claim != claim{}
	err = c.take(from, &m)
	c.step()
	return err
}

// take dispatches messages by slot.
func (c *Core) take(from PlayerSet, m *message) error {
	switch {
	case m.slot < c.s.Slot:
		return c.takeOld(from, m)
	case m.slot > c.s.Slot:
		c.takeEarly(from, m)
		return nil
	case !c.s.Has(from):
		return nil
	case m.what == tellChosen:
		return c.learn(m.entry)
	case c.role == following:
		return nil
	default:
		return c.takeVoting(from, m)
	}
}

// takeOld handles a message about a slot that is decided. If the sender does not know the decision, it gets it: it
// may be a newcomer, or a member that was not in the match yet. A member that has reached our slot knows it.
func (c *Core) takeOld(from PlayerSet, m *message) error {
	e, kept := c.entryOf(m.slot)
	member := c.s.Has(from)
	switch {
	case !kept:
	case m.what == tellChosen && member && c.role == voting && m.entry != e:
		return fmt.Errorf("%w: entry %d is %v there and %v here", ErrConflict, m.slot, m.entry, e)
	case m.what == tellClaim && (!member || m.slot < c.since[lowest(from)] || c.slot.heard&from == 0):
		c.box.add(from, &message{what: tellChosen, slot: m.slot, entry: e})
	}
	return nil
}

// takeEarly handles a message about a slot that this peer has not reached. A member's claim is kept for later. Any
// other message will be sent again, or the preceding decision makes it unnecessary. Only a newcomer may have missed
// that decision, and asks for it.
func (c *Core) takeEarly(from PlayerSet, m *message) {
	if c.role == following && c.s.Has(from) {
		c.tell(lowest(from), message{what: tellClaim})
		return
	}
	if m.what == tellClaim {
		c.pending[lowest(from)] = early{from, m.slot, m.claim}
	}
}

// takeVoting handles a message from another member about the slot to be decided.
func (c *Core) takeVoting(from PlayerSet, m *message) error {
	own := m.what == tellPrepare || m.what == tellAccept
	s := &c.slot
	if own && m.ballot.by() != lowest(from) {
		return fmt.Errorf("%w: attempt %d of %v", ErrImpossible, m.ballot, from)
	}
	most := max(s.promised.round(), s.attempt.highest) + maxJump
	if max(m.ballot.round(), m.previous.round()) > most && m.what != tellAccepted { // a vote does not make a number known
		// That does not make the sender a liar: a malicious member may have sent it, but not us, a round as far
		// ahead as allowed, from which an honest member continues. So the attempt is refused, or treated as a
		// refusal of ours, and the known numbers advance here, so that the next attempt can be accepted.
		s.attempt.highest = most
		if promised := newBallot(most, c.low); own {
			c.tell(lowest(from), message{what: tellRefuse, ballot: m.ballot, previous: promised})
		} else if m.ballot == s.attempt.ballot {
			c.refused(promised)
		}
		return nil
	}
	switch m.what {
	case tellClaim:
		return c.takeClaim(from, &m.claim)
	case tellPrepare:
		c.promise(lowest(from), m.ballot)
	case tellPromise:
		return c.promisedBy(from, m)
	case tellRefuse:
		if m.ballot == s.attempt.ballot {
			c.refused(m.previous)
		}
	case tellAccept:
		return c.accept(m.ballot, m.entry)
	case tellAccepted:
		return c.count(lowest(from), vote{m.ballot, m.entry})
	}
	return nil
}

// takeClaim handles a member's claim. The first one shows that the member has reached the slot, so our attempt is
// sent to it.
func (c *Core) takeClaim(from PlayerSet, claim *claim) error {
	p := lowest(from)
	if why := c.falseClaim(from, claim); why != "" {
		return fmt.Errorf("%w: %v claims %s", ErrImpossible, from, why)
	}
	c.slot.claims[p] = *claim
	if first := c.slot.heard&from == 0; first {
		if c.slot.heard |= from; c.slot.attempt.ballot != 0 {
			c.tell(p, c.phase())
		}
	}
	return nil
}

// falseClaim returns what is impossible in a claim, or "".
func (c *Core) falseClaim(from PlayerSet, claim *claim) string {
	old := &c.slot.claims[lowest(from)]
	for _, set := range [...]PlayerSet{claim.accused, claim.stopped, claim.whole, claim.wishes.kick} {
		if set&from != 0 || c.s.Whole(set) != set {
			return "something that is not about other members"
		}
	}
	switch {
	case claim.intent.kind.cuts() && c.s.Whole(claim.intent.players) != claim.intent.players:
		return "an intent that is not about members"
	case old.stopped&^claim.stopped != 0 || old.whole&^claim.whole != 0:
		return "to have taken back a stop"
	case old.wishes.leaving && (!claim.wishes.leaving || claim.wishes.leave != old.wishes.leave):
		return "another frame to leave at"
	}
	for p := range from.All() {
		if back := c.s.Absent[p].Back; claim.wishes.leaving && back != NoFrame && claim.wishes.leave < back {
			return "to leave before it has joined"
		}
	}
	for p := range (claim.stopped | claim.whole).All() {
		back := c.s.Absent[p].Back
		if claim.held[p] < old.held[p] || back != NoFrame && claim.held[p] < back {
			return "to hold less than it must"
		}
	}
	return ""
}
