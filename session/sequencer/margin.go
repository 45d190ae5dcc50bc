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

// push appends one. If there is no room, the one that came earliest gives way: a client has to lead by what the
// others took. Inputs that come many at once have margins that are all alike otherwise.
func (q *margins) push(m Margin) {
	if q.size == maxMargins {
		q.remove(q.earliest())
	}
	q.list[(q.first+q.size)%maxMargins] = m
	q.size++
}

// earliest returns which one came earliest, the first of them.
func (q *margins) earliest() (most int) {
	for i := range q.size {
		if q.at(i).Early > q.at(most).Early {
			most = i
		}
	}
	return most
}

func (q *margins) at(i int) *Margin { return &q.list[(q.first+i)%maxMargins] }

func (q *margins) remove(i int) {
	for ; i > 0; i-- {
		*q.at(i) = *q.at(i - 1)
	}
	q.pop()
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
