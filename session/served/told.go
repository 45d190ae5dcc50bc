package served

import "github.com/tickback/tickback/session/sight"

// told is which states a client was told, of the newest ones. It may acknowledge no others.
type told struct {
	newest Frame
	mask   uint64 // bit i: the state i before the newest one
}

// toldTicks is for how many states it is known: for as many as can be a baseline, which a mask has bits for.
const toldTicks = sight.Keep

// add notes that a state is told, which is not older than any before.
func (t *told) add(f Frame) {
	t.mask = t.mask<<min(f-t.newest, toldTicks) | 1
	t.newest = f
}

// may reports whether the client may hold a state. Of one that is too old to be a baseline it is
// not known.
func (t *told) may(f Frame) bool {
	switch {
	case t.mask == 0 || f > t.newest:
		return false
	case t.newest-f >= toldTicks:
		return true
	}
	return t.mask>>(t.newest-f)&1 != 0
}
