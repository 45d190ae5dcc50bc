package served

// view tracks which states a client holds.
type view struct {
	any    bool  // it holds a state
	newest Frame // the newest state that it holds
	plain  bool  // updates must not rely on the client's step
	wrong  bool  // plain for good: a state of the client differed, and it has forgotten what it held
	anew   bool  // it has requested a whole state
	let    Frame // if anew: the newest state that it has given up, or a newer one
	told   told
}

// acknowledge handles the client's acknowledgement and reports whether it is valid. A state that was not sent to
// the client, because it does not exist yet or was skipped, does not count. late says that a later datagram of the
// client has already been read.
func (v *view) acknowledge(u *clientBody, late bool) bool {
	switch {
	case v.wrong:
	case u.plain && !u.any:
		*v = view{plain: true, wrong: true, told: v.told}
	case u.plain && Frame(u.state) < v.newest && !late: // it holds another state since it has forgotten the earlier ones
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
	case v.anew && Frame(u.state) <= v.let: // a datagram from before the request
	case !v.any || Frame(u.state) > v.newest:
		v.any, v.newest = true, Frame(u.state)
	}
	return true
}

// dropBaselines notes that the client accepts no updates relative to the states that it holds, up to this one.
func (v *view) dropBaselines(f Frame) {
	if v.anew && f <= v.let || v.any && v.newest > f {
		return // it made the request before it held the newest one
	}
	v.any, v.anew, v.let = false, true, f
}
