package membership

// Of two members neither is a majority, and whoever stays must be able to go on when the
// other one is gone. So two members have a rule of their own:
//
//   - Both have to vote for an entry. Whatever was voted for first in a slot is then the
//     only entry that can be voted for in it: a later attempt needs the promise of both,
//     and so hears of it.
//   - But each may remove the other by itself, with a Drop or a Kick. If it has voted for
//     an entry in the slot, it applies that one first, since the other may have decided
//     it by this very vote, and removes the other in the slot behind it, at once. With a
//     newcomer by that entry they are three, and there is nothing that it can do alone.
//
// So the log of each begins that of the other, unless each of them has given the other
// up. Then they play two matches.

// pair reports whether there are two members.
func (c *Core) pair() bool { return c.s.Len() == 2 }

// arrived reports whether we have all inputs of the others before the frame with which
// we have come. One that has just come, and has not, cannot go on alone: between the
// others' last frame and its own first one nobody would be there.
func (c *Core) arrived() bool {
	came := c.s.Absent[c.low].Back
	if came == NoFrame {
		return true
	}
	for p := range (c.s.All() &^ c.me).All() {
		if c.held(p) < came {
			return false
		}
	}
	return true
}

// goOn removes the other one of two, as e says, by ourselves.
func (c *Core) goOn(e Entry) {
	if !c.arrived() {
		return
	}
	if voted := &c.slot.accepted; voted.ballot != 0 {
		if c.learn(voted.entry) != nil || !c.pair() || c.role != voting {
			return
		}
		c.slot.stopped |= e.Players // still, and so we hold the same of them
	}
	_ = c.learn(e)
}
