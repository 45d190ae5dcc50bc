package udp

// byLength has the members of a port that have datagrams in their queues, sorted by the length of the queue. So the
// one with the most is found immediately, no matter how many members there are or how a flood is spread over them.
type byLength struct {
	first [memberQueue + 1]*Member // a list for each length; none for length 0
	top   int                      // the length of the longest queue
}

// place is the position of a member in a list.
type place struct{ before, after *Member }

// fullest returns a member with the most datagrams; nil if none has any.
func (b *byLength) fullest() *Member { return b.first[b.top] }

// moved updates the lists for a member whose queue had the length from before.
func (b *byLength) moved(m *Member, from int) {
	to := len(m.queue)
	if from > 0 {
		b.leave(m, from)
	}
	if to > 0 {
		b.enter(m, to)
	}
	for b.top = max(b.top, to); b.top > 0 && b.first[b.top] == nil; b.top-- {
	}
}

func (b *byLength) leave(m *Member, length int) {
	if m.place.before != nil {
		m.place.before.place.after = m.place.after
	} else {
		b.first[length] = m.place.after
	}
	if m.place.after != nil {
		m.place.after.place.before = m.place.before
	}
	m.place = place{}
}

func (b *byLength) enter(m *Member, length int) {
	if m.place.after = b.first[length]; m.place.after != nil {
		m.place.after.place.before = m
	}
	b.first[length] = m
}
