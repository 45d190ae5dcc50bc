package rollback

// absence is the time during which a player is away, from one frame to another. Frames in it count as known, with zero
// inputs. cut is the frame of the latest Disconnect in it: from, or the frame at which the player should have come
// back and did not.
type absence struct{ from, back, cut Frame }

// present is the value for a player that is never away.
var present = absence{NoFrame, NoFrame, NoFrame}

// absences holds the latest absence of each player.
type absences [MaxPlayers]absence

// lastCut returns the frame at which the last of n players left or failed to come back, or frame f if that is later.
func (a *absences) lastCut(f Frame, n int) Frame {
	for p := range n {
		f = max(f, a[p].cut)
	}
	return f
}

func (a absence) covers(f Frame) bool { return a.from <= f && f < a.back }

// Disconnect says that player p is gone from a frame on, as all peers have agreed: from there on its input is zero, its
// status is [Disconnected], and no input is expected. Missing inputs below the frame are still expected.
//
// No confirmed input is taken back: a frame below [Engine.Next] is a [*ConflictError]. If frames from there on have
// run with predictions, the next tick rolls back; if they are no longer held, the error is a [*TooOldError]. If the
// player is away already, the error is a [*PlayerError]. A player that will come back ([Engine.Connect]) may be
// disconnected again even before it does. If the frame is that of the return itself, the player was never back: its
// absence goes on, and it may come back in any frame after the one in which it left. If the frame is a later one, the
// error is a [*PlayerError] if inputs from before the absence are missing, or if the return is so far ahead that there
// is no room for inputs of that frame.
func (e *core[I]) Disconnect(p Player, from Frame) error {
	err := e.inputs.disconnect(p, from)
	if err == nil && from <= e.inputs.frame {
		e.sampling.excuse(p)
	}
	return err
}

// disconnect marks a player as gone from a frame on.
func (n *inputs[I]) disconnect(p Player, from Frame) error {
	switch {
	case !n.roster.all.Has(p):
		return n.roster.refuse(p, "")
	case n.away[p].back == NoFrame && n.away[p].from != NoFrame:
		return &PlayerError{p, "is disconnected already"}
	case n.away[p].back != NoFrame && n.away[p].back != from && (n.next[p] < n.away[p].back || n.farAhead(n.away[p].back)):
		return &PlayerError{p, "has not come back yet"}
	case from >= lastFrame:
		return ErrFrames
	case from < n.ring.base:
		return n.outside(p, from)
	case from < n.next[p]:
		return &ConflictError{p, from, "cut"}
	}
	if a := &n.away[p]; a.back == from {
		if a.back, a.cut = NoFrame, from; n.next[p] == from {
			n.next[p] = NoFrame
		}
	} else {
		*a = absence{from, NoFrame, from}
	}
	n.irregular |= p.bit()
	for f := from; n.ring.holds(f); f++ {
		if n.ring.row(f).early().Has(p) { // an input that came early is dropped
			n.early[p]--
		}
		n.markGone(p, f)
	}
	n.outdated.addAll(from, n.frame)
	n.skip(p)
	n.count()
	return nil
}

// farAhead reports whether frame f may have no row yet. Once f has a row, the rows before it record the absence that
// ends there, so another absence may replace that in n.away.
func (n *inputs[I]) farAhead(f Frame) bool {
	ahead := n.ring.mask - n.history - n.history/reserveShare - 1 // so many frames, from the current one on, are certain to have a row
	return f > n.frame && f-n.frame >= ahead
}

// markGone marks player p as gone in frame f: the input is zero, and there are no orders.
func (n *inputs[I]) markGone(p Player, f Frame) {
	n.ring.mark(f, n.ring.row(f).without(p))
	n.ring.set(p, f, *new(I), nil)
}

// markAbsent marks the players that are away, in the frames from f on, which have just got their rows.
func (n *inputs[I]) markAbsent(f Frame) {
	for ; n.ring.holds(f); f++ {
		for absent := n.irregular; absent != 0; absent &= absent - 1 {
			if p := absent.first(); n.away[p].covers(f) {
				n.markGone(p, f)
			}
		}
	}
}

// absent returns the players that are gone in the next frame.
func (n *inputs[I]) absent() PlayerSet { return n.ring.row(n.frame).gone() }

// Connect says that player p, who is disconnected, is present from a frame on, as all peers have agreed: no peer has
// run or confirmed that frame before it learns of the return. Inputs of other players for that frame and later ones may
// have arrived already, as happens with an input delay: they stay.
//
// If [Engine.Confirmed] was beyond that frame, it goes back to it, since the input of p is needed from there on. If p
// is local, samples begin with that frame, and the delay starts anew: until the first sample takes effect, the inputs
// are zero. Errors: [*PlayerError]; [*ConflictError] if the frame has run or is agreed without the player, or is not
// after the frame in which the player left.
func (e *core[I]) Connect(p Player, at Frame) error {
	err := e.inputs.connect(p, at, e.Agreed())
	if err == nil && at == e.inputs.frame {
		e.sampling.ask(p)
	}
	return err
}

// connect ends the absence of a player. Frames below agreed are agreed without it.
func (n *inputs[I]) connect(p Player, at, agreed Frame) error {
	switch {
	case !n.roster.all.Has(p):
		return n.roster.refuse(p, "")
	case n.away[p].from == NoFrame || n.away[p].back != NoFrame:
		return &PlayerError{p, "is not disconnected"}
	case at >= lastFrame:
		return ErrFrames
	case at <= n.away[p].from || at < max(n.frame, agreed):
		return &ConflictError{p, at, "cut"}
	}
	n.admit(p, at)
	return nil
}

// admit ends the absence of player p: it is present from frame at on.
func (n *inputs[I]) admit(p Player, at Frame) {
	n.away[p].back = at
	for f := max(at, n.ring.base); n.ring.holds(f); f++ {
		n.ring.mark(f, n.ring.row(f).open(p))
	}
	if n.next[p] == NoFrame {
		n.next[p] = at
		n.count()
	}
}

// forgetAbsences forgets absences that are over: the rows record all that is needed.
func (n *inputs[I]) forgetAbsences() {
	for p := range n.away {
		if back := n.away[p].back; back < min(n.frame, n.next[p]) {
			n.away[p] = present
			if n.early[p] == 0 {
				n.irregular &^= Player(p).bit() &^ n.supposing
			}
		}
	}
}
