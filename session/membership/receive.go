package membership

import "fmt"

// Receive handles a message from the peer with these players: a member, a newcomer, or a former member. While a
// member has a player, only messages from that member's connection may be passed for the player, not those of a
// newcomer that wants its place. An error means that the peer violates the protocol, by a malformed or an impossible
// message or by a decision that conflicts with another one: give it up. The message has then changed nothing.
func (c *Core) Receive(from PlayerSet, b []byte) error {
	m, err := parse(b, c.cfg.Sets)
	if err != nil {
		return err
	}
	if c.role == removed || from == 0 || from == c.me {
		return nil
	}
	c.claims.stir(&m)
	err = c.take(from, &m)
	c.step()
	return err
}

// take dispatches messages by slot.
//
// A claim for a slot that this peer has not reached is kept for later. Any other message about it will be sent again,
// or the preceding decision makes it unnecessary. Only a newcomer may have missed that decision, and asks for it.
func (c *Core) take(from PlayerSet, m *message) error {
	s := &c.log.state
	switch member := s.Has(from); {
	case m.slot < s.Slot:
		return c.takeOld(from, m)
	case m.slot > s.Slot && c.role == following && member:
		c.send(from, message{what: tellClaim})
	case m.slot > s.Slot && m.what == tellClaim:
		c.claims.postpone(from, m.slot, &m.claim)
	case m.slot > s.Slot || !member:
	case m.what == tellChosen:
		return c.learn(m.entry)
	case m.what == tellClaim && c.role == voting:
		return c.takeClaim(from, &m.claim)
	case c.role == voting:
		return c.takeVoting(from, m)
	}
	return nil
}

// takeOld handles a message about a slot that is decided. If the sender does not know the decision, it gets it: it
// may be a newcomer, or a member that was not in the match yet. A member that has reached our slot knows it.
func (c *Core) takeOld(from PlayerSet, m *message) error {
	e, kept := c.log.entry(m.slot)
	member := c.log.state.Has(from)
	switch {
	case !kept:
	case m.what == tellChosen && member && c.role == voting && m.entry != e:
		return fmt.Errorf("%w: entry %d is %v there and %v here", errConflict, m.slot, m.entry, e)
	case m.what == tellClaim && (!member || m.slot < c.log.since[lowest(from)] || c.claims.heard&from == 0):
		c.box.add(from, &message{what: tellChosen, slot: m.slot, entry: e})
	}
	return nil
}

// takeClaim handles a member's claim. The first one shows that the member has reached the slot, so our attempt is
// sent to it.
func (c *Core) takeClaim(from PlayerSet, claim *claim) error {
	v := c.view()
	if why := v.falseClaim(from, claim); why != "" {
		return fmt.Errorf("%w: %v claims %s", errImpossible, from, why)
	}
	if c.claims.take(from, claim) && c.synod.attempt.ballot != 0 {
		c.send(from, c.synod.phase())
	}
	return nil
}

// takeVoting handles a message from another member about an attempt to decide the slot.
//
// A round too far ahead does not make the sender a liar: a malicious member may have sent it, but not us, a round as
// far ahead as allowed, from which an honest member continues. So the attempt is refused, or treated as a refusal of
// ours.
func (c *Core) takeVoting(from PlayerSet, m *message) error {
	own := m.what == tellPrepare || m.what == tellAccept
	if own && m.ballot.by() != lowest(from) {
		return fmt.Errorf("%w: attempt %d of %v", errImpossible, m.ballot, from)
	}
	if last, beyond := c.synod.beyond(m); beyond {
		if c.synod.refused(m.ballot, last, c.now); own {
			c.send(from, message{what: tellRefuse, ballot: m.ballot, previous: last})
		}
		return nil
	}
	switch m.what {
	case tellPrepare:
		c.send(from, c.synod.promise(m.ballot))
	case tellPromise:
		if m.previous >= m.ballot {
			return fmt.Errorf("%w: a promise for what was promised before", errImpossible)
		}
		if m.previous != 0 {
			if err := c.fits(m.entry); err != nil {
				return err // a member that accepted it lies, and we could not propose it
			}
		}
		c.synod.promisedBy(from, m)
	case tellRefuse:
		c.synod.refused(m.ballot, m.previous, c.now)
	case tellAccept:
		return c.accept(m.ballot, m.entry)
	case tellAccepted:
		return c.count(lowest(from), vote{m.ballot, m.entry})
	}
	return nil
}
