package membership

import (
	"fmt"
	"time"
)

// enter begins the slot that the log has reached.
func (c *Core) enter() {
	s := &c.log.state
	in := s.Members[c.low] == c.me && s.IDs[c.low] == c.cfg.ID
	joined := in && c.role == following
	if in {
		c.role = voting
	} else if c.role == voting {
		c.role = removed
	}
	c.idle, c.asked = false, false
	c.claims.begin()
	c.guard.begin()
	rank := time.Duration(0) // the lowest member tries again first
	for p := range s.each() {
		if p <= c.low {
			rank++
		}
	}
	c.synod.begin(rank * c.cfg.retry)
	c.newcomers.begin()
	c.detector.begin(s.All(), joined)
	c.wishes.prune(s, c.low)
}

// step does all that can be done now, slot by slot.
func (c *Core) step() {
	c.idle = false
	for range keep {
		slot := c.log.state.Slot
		if c.role == voting {
			if intent, leading := c.observe(); leading {
				c.propose(intent)
			}
		} else if c.role == following && !c.asked {
			c.asked = true
			c.send(everyone, message{what: tellClaim}) // asks for the next decisions
		}
		if c.log.state.Slot == slot {
			return
		}
	}
}

// observe updates our claim, and sends it if it has changed. It returns the coordinator's intent, and whether we are
// the coordinator. We do our part for the intent; what we have stopped or agreed to remains in force until the slot is
// decided, even if the reason for it disappears.
func (c *Core) observe() (in intent, leading bool) {
	v := c.view()
	mine := v.claims[c.low]
	mine.accused, mine.wishes, mine.ready = c.Accused(), c.wishes, c.newcomers.ready
	c.claims.note(c.low, &mine)
	leader := v.coordinator()
	if leading = leader == c.low; leading {
		in = c.intend(&v)
		mine.intent = in
	} else {
		c.detector.overdue(false, 0, 0)
		in, mine.intent = v.claims[leader].intent, intent{}
	}
	c.guard.stop(mine.accused)
	if in.kind.cuts() && in.players&c.me == 0 {
		c.guard.stop(in.players)
	} else if in.kind == Join && c.newcomers.ready[lowest(in.players)] == in.gate.newcomer {
		c.guard.agree(in.gate)
	}
	for p, m := range v.each() {
		if w := &v.claims[p].wishes; m != c.me && w.leaving {
			c.guard.complete(v.LogState, m, w.leave)
		}
	}
	c.guard.describe(&mine, v.LogState)
	if c.claims.say(c.low, &mine, c.cfg.Lazy) {
		c.send(everyone, message{what: tellClaim, claim: mine})
	}
	return in, leading
}

// intend returns what this peer, as coordinator, wants decided with the others' help. It drops those that it does not
// hear at once, and those in conflict with the others after the grace period, since not all members notice a crash at
// the same time.
func (c *Core) intend(v *view) intent {
	drop := v.claims[c.low].accused
	late := v.All() &^ v.side(c.low, 0) &^ drop
	if c.detector.overdue(late != 0, c.now, c.cfg.grace) {
		drop |= late
	}
	if drop != 0 {
		return intent{kind: Drop, players: drop}
	}
	if k := v.kicked(); k != 0 {
		return intent{kind: Kick, players: k}
	}
	if n := v.nextNewcomer(); n.players != 0 && v.united() {
		return intent{Join, n.players, c.newcomers.propose(v, n, c.soonest())}
	}
	return intent{}
}

// soonest returns the first frame at which a decision made now can take effect.
func (c *Core) soonest() Frame { return max(c.at, c.guard.match.Floor()) }

// propose drives the decision of the slot as far as possible now. Only the coordinator calls it. An attempt is sent to
// members that are known to have reached the slot: before, they could not use it.
func (c *Core) propose(in intent) {
	v := c.view()
	e, ready, needed := v.value(in, c.soonest())
	switch {
	case !needed:
		return
	case e.Kind.cuts() && ready && v.Len() == 2:
		if v.alone {
			c.goOn(e)
		}
		return
	case !v.quorum(v.side(c.low, 0)), v.nextCoordinator() != c.low && c.synod.postponed(c.now, 2*c.cfg.retry):
		return
	}
	if c.synod.prepare(c.me, c.now) {
		c.send(c.claims.heard, c.synod.phase())
	}
	a := &c.synod.attempt
	if a.sent || !v.quorum(a.promises) {
		return
	}
	if a.best.ballot != 0 { // that one may have been decided already
		e, ready = a.best.entry, true
	}
	if ready && c.fits(e) == nil {
		c.send(c.claims.heard, c.synod.propose(e))
		_ = c.accept(a.ballot, e)
	}
}

// goOn removes the other of two members, as e says, without its vote: neither of two is a majority, yet each must be able
// to continue when the other is gone. If we have voted for an entry, we apply that one first, since our vote may have let
// the other member decide it. So the log of one begins with the log of the other, unless both have given each other up.
func (c *Core) goOn(e Entry) {
	if voted := &c.synod.accepted; voted.ballot != 0 {
		if c.learn(voted.entry) != nil || c.log.state.Len() != 2 || c.role != voting {
			return
		}
		c.guard.stop(e.Players) // in this slot as well, so that we still hold the same inputs
	}
	_ = c.learn(e)
}

// accept votes for an entry, unless we have promised a newer attempt. A member votes even for its own removal if
// the remaining members could decide that by themselves. Otherwise an entry that one of them is bound to could
// never be decided after another one crashes.
func (c *Core) accept(b ballot, e Entry) error {
	if b < c.synod.promised {
		c.send(1<<b.by(), c.synod.refusal(b))
		c.synod.refused(b, c.synod.promised, c.now) // if it is ours
		return nil
	}
	if err := c.fits(e); err != nil {
		return err
	}
	v := c.view()
	abstain := e.Kind.cuts() && e.Players&c.me != 0 && !v.quorum(v.All()&^e.Players)
	if voted, err := c.synod.accept(b, e, abstain); !voted {
		return err
	}
	c.send(everyone, message{what: tellAccepted, ballot: b, entry: e})
	return c.count(c.low, vote{b, e})
}

// count records a vote, and learns the entry if that decides it.
func (c *Core) count(from Player, v vote) error {
	if s := &c.log.state; c.cfg.quorum(s, s.Whole(c.synod.count(from, v))) {
		return c.learn(v.entry)
	}
	return nil
}

// fits returns why an entry cannot be decided here, or nil.
func (c *Core) fits(e Entry) error {
	next := c.log.state
	if why := next.apply(e); why != "" {
		return fmt.Errorf("%w: %v cannot be entry %d: %s", errImpossible, e, c.log.state.Slot, why)
	}
	if c.role != voting || e.Players&c.me != 0 {
		return nil
	}
	return c.guard.contradicts(&c.log.state, e)
}

// learn appends a decided entry to the log, and announces it to the members of that slot and to newcomers.
func (c *Core) learn(e Entry) error {
	if err := c.fits(e); err != nil {
		return err
	}
	if c.role == voting {
		c.announce(e)
	}
	c.log.append(e)
	if e.Kind == Join {
		c.newcomers.taken(e.Players)
	}
	c.enter()
	for _, w := range c.claims.early {
		if w.slot == c.log.state.Slot && c.role == voting && c.log.state.Has(w.from) {
			_ = c.takeClaim(w.from, &w.claim) // an impossible claim is ignored
		}
	}
	return nil
}

// announce sends the decision of the slot to its members, and to newcomers.
func (c *Core) announce(e Entry) {
	s := &c.log.state
	m := message{what: tellChosen, slot: s.Slot, entry: e}
	for p := range maxPlayers {
		if other := s.Members[p]; other != 0 && other != c.me {
			c.box.add(other, &m)
		}
		if n := c.newcomers.ready[p]; n.players&^s.All() != 0 {
			c.box.add(n.players, &m)
		}
	}
}
