package membership

// Wish is what this member asks for: Leave with its Frame, Kick with its Players,
// Pause, or Resume.
type Wish struct {
	Kind    Kind
	Players PlayerSet
	Frame   Frame
}

// Ask asks for something, until it is decided, or impossible, or withdrawn. To leave
// is final: the frame is the first for which this member has no input, and cannot
// change. The error is a [*WishError].
func (c *Core) Ask(w Wish) error {
	if why := c.refusal(w); why != "" {
		return &WishError{w, why}
	}
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
	c.forgetVain()
	return nil
}

func (c *Core) refusal(w Wish) string {
	switch {
	case c.role != voting:
		return "this peer is no member"
	case w.Kind == Leave && (w.Frame == NoFrame || c.wishes.leaving && c.wishes.leave != c.afterReturn(w.Frame)):
		return "the frame is none, or another one than before"
	case w.Kind == Kick && (w.Players == 0 || w.Players&c.me != 0 || c.s.Whole(w.Players) != w.Players):
		return "they are not all players of other members"
	case w.Kind == Kick && c.cfg.Kickers&c.me == 0:
		return "this peer may not kick"
	case w.Kind == Pause && c.s.Pauses[c.low] >= MaxPauses:
		return "it has had its pauses"
	case w.Kind != Leave && w.Kind != Kick && w.Kind != Pause && w.Kind != Resume:
		return "it is no wish"
	}
	return ""
}

// afterReturn returns a frame that is not before our players have come.
func (c *Core) afterReturn(f Frame) Frame {
	for p := range c.me.All() {
		if back := c.s.Absent[p].Back; back != NoFrame {
			f = max(f, back)
		}
	}
	return f
}

// Withdraw takes back a wish of a kind, but that to leave. It may be decided all the same.
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

// forgetVain forgets the wishes that have come true or cannot.
func (c *Core) forgetVain() {
	w := &c.wishes
	w.kick = c.s.Whole(w.kick)
	w.pause = w.pause && !c.s.Paused && c.s.Pauses[c.low] < MaxPauses
	w.resume = w.resume && c.s.Paused
}
