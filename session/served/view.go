package served

// view is what a client holds of the states.
type view struct {
	any    bool  // it holds one
	newest Frame // the newest of these
	plain  bool  // updates shall not rely on its step
}

// acknowledge takes what a client says that it holds. now is the newest state that there is: what is
// said of a later one does not count.
func (v *view) acknowledge(u *upward, now Frame) {
	if u.plain && !v.plain {
		*v = view{plain: true} // it has forgotten what it held
	}
	if u.any && u.plain == v.plain && Frame(u.state) <= now && (!v.any || Frame(u.state) > v.newest) {
		v.any, v.newest = true, Frame(u.state)
	}
}
