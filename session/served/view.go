package served

// view is what a client holds of the states.
type view struct {
	any    bool  // it holds one
	newest Frame // the newest of these
	plain  bool  // updates shall not rely on its step
	wrong  bool  // for ever: it had another state, and has forgotten what it held
	anew   bool  // it has asked for a whole state
	let    Frame // then: the newest state that it has let go of, or a newer one
	told   told
}

// acknowledge takes what a client says that it holds, and reports whether it may. A state that it was
// not told, because there is none yet or it is nothing to it, does not count. late says that it has said
// something since.
func (v *view) acknowledge(u *clientBody, late bool) bool {
	switch {
	case v.wrong:
	case u.plain && !u.any:
		*v = view{plain: true, wrong: true, told: v.told}
	case u.plain && Frame(u.state) < v.newest && !late: // it has got another one since it has forgotten them
		*v = view{plain: true, wrong: true, told: v.told}
	case !late: // it has no time for ticks, or has time again
		v.plain = u.plain
	}
	switch {
	case u.anew && u.any && u.plain == v.plain && v.told.may(Frame(u.state)):
		v.dropBaselines(Frame(u.state))
	case !u.any || u.plain != v.plain:
	case !v.told.may(Frame(u.state)):
		return false
	case v.anew && Frame(u.state) <= v.let: // a datagram from before
	case !v.any || Frame(u.state) > v.newest:
		v.any, v.newest = true, Frame(u.state)
	}
	return true
}

// dropBaselines notes that the client takes no updates of the states that it holds, up to this one.
func (v *view) dropBaselines(f Frame) {
	if v.anew && f <= v.let || v.any && v.newest > f {
		return // it asked before it held the newest one
	}
	v.any, v.anew, v.let = false, true, f
}
