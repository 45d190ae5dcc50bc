package sequencer

import "time"

// maxMargins is how many margins of a player wait to be reported.
const maxMargins = 16

// Margin is how early the first copy of an input came, against when its tick was due. It is
// negative if it came late.
type Margin struct {
	Tick  Frame
	Early time.Duration
}

// margins are those that wait to be reported, oldest first, in a ring.
type margins struct {
	list        [maxMargins]Margin
	first, size int
}

// push appends one. If there is no room, the oldest gives way: newer ones say more.
func (q *margins) push(m Margin) {
	if q.size == maxMargins {
		q.pop()
	}
	q.list[(q.first+q.size)%maxMargins] = m
	q.size++
}

// drop forgets the newest one.
func (q *margins) drop() { q.size -= min(q.size, 1) }

func (q *margins) pop() (m Margin, ok bool) {
	if q.size == 0 {
		return Margin{}, false
	}
	m = q.list[q.first]
	q.first, q.size = (q.first+1)%maxMargins, q.size-1
	return m, true
}
