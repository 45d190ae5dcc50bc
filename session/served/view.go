package served

// view is what a client holds of the states.
type view struct {
	any    bool  // it holds one
	newest Frame // the newest of these
	plain  bool  // updates shall not rely on its step
	told   told
}

// acknowledge takes what a client says that it holds, and reports whether it may. A state that it was
// not told, because there is none yet or it is nothing to it, does not count.
func (v *view) acknowledge(u *upward) bool {
	if u.plain && !v.plain {
		*v = view{plain: true, told: v.told} // it has forgotten what it held
	}
	switch {
	case !u.any || u.plain != v.plain:
	case !v.told.may(Frame(u.state)):
		return false
	case !v.any || Frame(u.state) > v.newest:
		v.any, v.newest = true, Frame(u.state)
	}
	return true
}
