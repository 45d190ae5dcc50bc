package predict

import "iter"

// queue holds the moves that the server has not acknowledged, oldest first, by
// ascending tick. Its memory is allocated once.
type queue[I comparable] struct {
	moves []Move[I] // a ring
	first int       // where the oldest is
	count int
}

func newQueue[I comparable](room int) queue[I] {
	return queue[I]{moves: make([]Move[I], room)}
}

func (q *queue[I]) full() bool { return q.count == len(q.moves) }

// at returns the i-th oldest move.
func (q *queue[I]) at(i int) *Move[I] { return &q.moves[(q.first+i)%len(q.moves)] }

// push adds the newest move. There must be room.
func (q *queue[I]) push(m Move[I]) {
	q.count++
	*q.at(q.count - 1) = m
}

// acknowledge removes the moves up to a tick, and returns how many there were.
func (q *queue[I]) acknowledge(upTo Tick) int {
	before := q.count
	for q.count > 0 && q.at(0).Tick <= upTo {
		q.first = (q.first + 1) % len(q.moves)
		q.count--
	}
	return before - q.count
}

// all yields the moves, oldest first, without removing any.
func (q *queue[I]) all() iter.Seq[Move[I]] {
	return func(yield func(Move[I]) bool) {
		for i := range q.count {
			if !yield(*q.at(i)) {
				return
			}
		}
	}
}
