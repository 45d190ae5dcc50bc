package served

import "github.com/tickback/tickback/session/sight"

// told records which of the newest states were sent to a client. It may acknowledge no others.
type told struct {
	newest Frame
	mask   uint64 // bit i: the state that is i states older than the newest one
}

// toldTicks is the number of states on record: all that can be a baseline, which a mask has bits for.
const toldTicks = sight.Keep

// add records that state f is sent. It must not be older than the previous one.
func (t *told) add(f Frame) {
	t.mask = t.mask<<min(f-t.newest, toldTicks) | 1
	t.newest = f
}

// may reports whether the client may hold a state. For one that is too old to be a baseline, that is unknown, and
// the result is true.
func (t *told) may(f Frame) bool {
	switch {
	case t.mask == 0 || f > t.newest:
		return false
	case t.newest-f >= toldTicks:
		return true
	}
	return t.mask>>(t.newest-f)&1 != 0
}
