package reliable

// keptWhenEmpty is the capacity in elements up to which an empty fifo keeps its memory: enough that small messages
// allocate nothing after warm-up, but not so much that the buffers of a large transfer stay for the rest of a
// match.
const keptWhenEmpty = 16 << 10

// fifo is a queue whose elements are contiguous in memory. Its capacity stays below three times the maximum that it
// held.
type fifo[T byte | uint32] struct {
	elements []T
	head     int // elements[:head] were dropped
}

func (q *fifo[T]) len() int { return len(q.elements) - q.head }

// at returns n elements from the i-th on, valid until the next push or drop.
func (q *fifo[T]) at(i, n int) []T {
	from := q.head + i
	return q.elements[from : from+n : from+n]
}

func (q *fifo[T]) push(v ...T) {
	// This moves at most three elements for each one that was dropped.
	//detlint:ignore capacity where the elements lie is seen by nobody: they stay the same, in the same order
	if len(q.elements)+len(v) > cap(q.elements) && q.head >= cap(q.elements)/4 {
		q.elements = q.elements[:copy(q.elements, q.elements[q.head:])]
		q.head = 0
	}
	q.elements = append(q.elements, v...)
}

func (q *fifo[T]) drop(n int) {
	q.head += n
	if q.head < len(q.elements) {
		return
	}
	q.head, q.elements = 0, q.elements[:0]
	if cap(q.elements) > keptWhenEmpty {
		q.elements = nil
	}
}
