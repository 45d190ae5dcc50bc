package sequencer

import "time"

// maxMargins is how many margins of a player may wait to be reported.
const maxMargins = 16

// Margin is how early the first copy of an input arrived, relative to when its tick was due. It is negative if it
// was late.
type Margin struct {
	Tick  Frame
	Early time.Duration
}

// margins holds the margins that wait to be reported, oldest first, in a ring.
type margins struct {
	list        [maxMargins]Margin
	first, size int
}

// push appends a margin. If there is no room, the earliest of all margins is dropped: the later ones determine
// how far a client has to lead. Inputs that arrive in one burst have similar margins anyway.
func (q *margins) push(m Margin) {
	if q.size == maxMargins {
		q.remove(q.earliest())
	}
	q.list[(q.first+q.size)%maxMargins] = m
	q.size++
}

// earliest returns the index of the margin that was earliest, the first of them if there are several.
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

// drop removes the newest one.
func (q *margins) drop() { q.size -= min(q.size, 1) }

func (q *margins) pop() (m Margin, ok bool) {
	if q.size == 0 {
		return Margin{}, false
	}
	m = q.list[q.first]
	q.first, q.size = (q.first+1)%maxMargins, q.size-1
	return m, true
}
