package rollback

// sum is the hash of a state.
type sum struct {
	state Frame // the number of the state; NoFrame if there is no hash
	hash  uint64
}

// firstSums is for how many hashes of states there is room at first, where the owner reads them: a few frames after they
// are final, unless it is late.
const firstSums = 16

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

// keep is like put, for hashes that take returns once each: it doubles the room, up to most, before it replaces one that
// was not taken.
func (s *sums) keep(f Frame, hash uint64, most int) {
	for n := s.slot(f); n.state != NoFrame && n.state != f && len(*s) < most; n = s.slot(f) {
		s.lengthen()
	}
	s.put(f, hash)
}

// lengthen doubles the room.
func (s *sums) lengthen() {
	held := *s
	*s = make(sums, 2*len(held))
	s.reset()
	for _, n := range held {
		if n.state != NoFrame {
			s.put(n.state, n.hash)
		}
	}
}

// take returns the hash of state f, which is here, and removes it.
func (s sums) take(f Frame) uint64 {
	n := s.slot(f)
	if n.state == f {
		n.state = NoFrame
	}
	return n.hash
}

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
