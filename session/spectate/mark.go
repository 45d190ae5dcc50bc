package spectate

// mark is the chain value over all states of a match up to a given one.
type mark struct {
	frame uint32 // the number of that state; 0: the mark is unknown
	chain uint64
}

// keptMarks is how many marks are kept of each kind.
const keptMarks = 256

// marks holds the marks of the newest comparisons of the match, in a ring, and those of the newest states.
type marks struct {
	list   [keptMarks]mark
	count  int
	recent recent
}

func (m *marks) add(frame uint32, chain uint64) {
	m.list[m.count%len(m.list)] = mark{frame, chain}
	m.count++
}

// at returns the chain value after the given number of frames.
func (m *marks) at(frame uint32) (chain uint64, ok bool) {
	for i := range min(m.count, len(m.list)) {
		if m.list[i].frame == frame {
			return m.list[i].chain, true
		}
	}
	return 0, false
}

// recent holds the chain at each of the newest states, by number. A newcomer that begins with one of them has its
// chain at once. After the next comparison, it uses that instead.
type recent [keptMarks]mark

func (r *recent) add(frame uint32, chain uint64) { r[frame%keptMarks] = mark{frame, chain} }

// at returns the mark at a state, and whether it is held.
func (r *recent) at(frame uint32) (m mark, held bool) {
	m = r[frame%keptMarks]
	if frame == 0 || m.frame != frame {
		return mark{}, false
	}
	return m, true
}
