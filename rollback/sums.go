package rollback

// sum is the hash of a state.
type sum struct {
	state Frame // the number of the state; NoFrame if there is no hash
	hash  uint64
}

// sums holds the hashes of some of the newest states: by number, modulo their number, a power of two.
type sums []sum

func (s sums) slot(f Frame) *sum { return &s[f&Frame(len(s)-1)] }

// get returns the hash of state f, if it is here. Nil has none.
func (s sums) get(f Frame) (hash uint64, ok bool) {
	if len(s) == 0 {
		return 0, false
	}
	n := s.slot(f)
	return n.hash, n.state == f
}

// put adds the hash of state f; drop removes it.
func (s sums) put(f Frame, hash uint64) { *s.slot(f) = sum{f, hash} }

func (s sums) drop(f Frame) {
	if len(s) > 0 {
		s.slot(f).state = NoFrame
	}
}

// reset removes all hashes.
func (s sums) reset() {
	for i := range s {
		s[i].state = NoFrame
	}
}
