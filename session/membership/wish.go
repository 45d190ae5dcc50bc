package membership

import "fmt"

// Wish is a request of this member: Leave with its Frame, Kick with its Players, Pause, or Resume.
type Wish struct {
	Kind    Kind
	Players PlayerSet
	Frame   Frame
}

// WishError is returned by [Core.Ask] for a wish that cannot be granted.
type WishError struct {
	Wish Wish
	Why  string
}

// Error names the wish and the reason.
func (e *WishError) Error() string {
	return fmt.Sprintf("membership: %v of %v cannot be asked for: %s", e.Wish.Kind, e.Wish.Players, e.Why)
}

// Ask makes a request, which stands until it is decided, becomes impossible or is withdrawn. Leaving is final: the
// frame is the first one for which this member has no input, and cannot change. The error is a [*WishError].
func (c *Core) Ask(w Wish) error {
	why := "this peer is not a member"
	if c.role == voting {
		why = c.wishes.ask(w, &c.log.state, c.me, c.cfg.Kickers&c.me != 0)
	}
	if why != "" {
		return &WishError{w, why}
	}
	c.idle = false
	return nil
}

// Withdraw withdraws a wish, except leaving. It may still be granted.
func (c *Core) Withdraw(k Kind) { c.wishes.withdraw(k) }

// ask adds a wish of a member, or returns why it cannot be granted.
func (w *wishes) ask(wish Wish, s *LogState, me PlayerSet, kicker bool) string {
	switch wish.Kind {
	case Leave:
		leave := s.present(me, wish.Frame)
		if wish.Frame == NoFrame || w.leaving && w.leave != leave {
			return "the frame is missing, or differs from the one before"
		}
		w.leaving, w.leave = true, leave
	case Kick:
		switch {
		case wish.Players == 0 || wish.Players&me != 0 || s.Whole(wish.Players) != wish.Players:
			return "they are not all players of other members"
		case !kicker:
			return "this peer may not kick"
		}
		w.kick |= wish.Players
	case Pause:
		if s.Pauses[lowest(me)] >= MaxPauses {
			return "it has used up its pauses"
		}
		w.pause, w.resume = true, false
	case Resume:
		w.pause, w.resume = false, true
	default:
		return "this cannot be asked for"
	}
	w.prune(s, lowest(me))
	return ""
}

func (w *wishes) withdraw(k Kind) {
	switch k {
	case Kick:
		w.kick = 0
	case Pause:
		w.pause = false
	case Resume:
		w.resume = false
	}
}

// prune removes wishes that have been granted or no longer can be.
func (w *wishes) prune(s *LogState, low Player) {
	w.kick = s.Whole(w.kick)
	w.pause = w.pause && !s.Paused && s.Pauses[low] < MaxPauses
	w.resume = w.resume && s.Paused
}
