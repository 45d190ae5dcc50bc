package membership

// Neither of two members is a majority, yet each must be able to continue when the other is gone. So two members
// have a rule of their own:
//
//   - Both have to vote for an entry. The first entry that gets a vote in a slot is then the
//     only one that can get votes in it: a later attempt needs the promise of both members,
//     and so learns of that entry.
//   - But each may remove the other by itself, with a Drop or a Kick. If it has voted for an
//     entry in the slot, it applies that one first, since its vote may have let the
//     other member decide it, and removes the other one in the next slot, at once. If that
//     entry adds a newcomer, there are three members, and it can do nothing alone.
//
// So the log of one begins with the log of the other, unless both have given each other up. Then they play two
// separate matches.

// pair reports whether there are two members.
func (c *Core) pair() bool { return c.s.Len() == 2 }

// arrived reports whether we have all inputs of the others before the frame at which we joined. A member that lacks
// some cannot continue alone: between the others' last frame and its own first one there would be no players at
// all.
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

// goOn removes the other of two members, as e says, without its vote.
func (c *Core) goOn(e Entry) {
	if !c.arrived() {
		return
	}
	if voted := &c.slot.accepted; voted.ballot != 0 {
		if c.learn(voted.entry) != nil || !c.pair() || c.role != voting {
			return
		}
		c.slot.stopped |= e.Players // stop it in this slot as well, so that we still hold the same inputs
	}
	_ = c.learn(e)
}
