package membership

// Wish is a request of this member: Leave with its Frame, Kick with its Players, Pause, or Resume.
type Wish struct {
	Kind    Kind
	Players PlayerSet
	Frame   Frame
}

// Ask makes a request, which stands until it is decided, becomes impossible or is withdrawn. Leaving is final: the
// frame is the first one for which this member has no input, and cannot change. The error is a [*WishError].
func (c *Core) Ask(w Wish) error {
	if why := c.refusal(w); why != "" {
		return &WishError{w, why}
	}
	c.slot.idle = false
	switch w.Kind {
	case Leave:
		c.wishes.leaving, c.wishes.leave = true, c.afterReturn(w.Frame)
	case Kick:
		c.wishes.kick |= w.Players
	case Pause:
		c.wishes.pause, c.wishes.resume = true, false
	case Resume:
		c.wishes.pause, c.wishes.resume = false, true
	}
	c.dropDoneWishes()
	return nil
}

func (c *Core) refusal(w Wish) string {
	switch {
	case c.role != voting:
		return "this peer is not a member"
	case w.Kind == Leave && (w.Frame == NoFrame || c.wishes.leaving && c.wishes.leave != c.afterReturn(w.Frame)):
		return "the frame is missing, or differs from the one before"
	case w.Kind == Kick && (w.Players == 0 || w.Players&c.me != 0 || c.s.Whole(w.Players) != w.Players):
		return "they are not all players of other members"
	case w.Kind == Kick && c.cfg.Kickers&c.me == 0:
		return "this peer may not kick"
	case w.Kind == Pause && c.s.Pauses[c.low] >= MaxPauses:
		return "it has used up its pauses"
	case w.Kind != Leave && w.Kind != Kick && w.Kind != Pause && w.Kind != Resume:
		return "this cannot be asked for"
	}
	return ""
}

// afterReturn returns f, or the first frame at which all our players are back if that is later.
func (c *Core) afterReturn(f Frame) Frame {
	for p := range c.me.All() {
		if back := c.s.Absent[p].Back; back != NoFrame {
			f = max(f, back)
		}
	}
	return f
}

// Withdraw withdraws a wish, except leaving. It may still be granted.
func (c *Core) Withdraw(k Kind) {
	switch k {
	case Kick:
		c.wishes.kick = 0
	case Pause:
		c.wishes.pause = false
	case Resume:
		c.wishes.resume = false
	}
}

// dropDoneWishes removes wishes that have been granted or no longer can be.
func (c *Core) dropDoneWishes() {
	w := &c.wishes
	w.kick = c.s.Whole(w.kick)
	w.pause = w.pause && !c.s.Paused && c.s.Pauses[c.low] < MaxPauses
	w.resume = w.resume && c.s.Paused
}
