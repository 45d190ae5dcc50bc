package recording

import (
	"iter"
	"sync/atomic"
	"time"
)

const (
	// maxQueued is the maximum number of bytes that wait to be written, and maxStates the maximum number of states
	// among them. A writer that falls further behind is too slow.
	maxQueued = 8 << 20
	maxStates = 2
	// maxBatches is the maximum number of batches that wait.
	maxBatches = 1 << 14
	// spareBatches is the number of batches that are kept for reuse.
	spareBatches = 16
)

// queue passes batches from the goroutine that plays to the one that writes.
type queue struct {
	waits    bool // whether put waits for room
	catching bool // it waits for now, since much comes at once
	patience time.Duration
	batches  chan *batch
	spare    chan *batch
	done     chan struct{} // closed when no more batches are taken
	bytes    atomic.Int64  // the bytes that are waiting
	states   atomic.Int32  // the states that are waiting
	made     time.Time
	moved    atomic.Int64 // when the last batch was written, since made
}

func newQueue(waits bool, patience time.Duration) *queue {
	room := maxBatches
	if waits {
		room = spareBatches
	}
	return &queue{
		waits: waits, patience: patience, made: time.Now(),
		batches: make(chan *batch, room), spare: make(chan *batch, spareBatches), done: make(chan struct{}),
	}
}

// put adds a batch. It returns false if the writer is too slow.
func (q *queue) put(l *batch) bool {
	if q.catching {
		q.catchUp()
	}
	if q.waits || q.catching {
		q.bytes.Add(l.size())
		select {
		case q.batches <- l:
		case <-q.done: // the writer has failed
		}
		return true
	}
	if q.late() || q.bytes.Add(l.size()) > maxQueued {
		return false
	}
	select {
	case q.batches <- l:
		return true
	default:
		return false
	}
}

// catchUp waits until the writer has written nearly everything, or has failed. That happens once in a match, and what is
// waited for is a disk.
func (q *queue) catchUp() {
	for q.states.Load() >= maxStates || q.bytes.Load() > maxQueued/2 {
		select {
		case <-q.done:
			return
		case <-time.After(100 * time.Microsecond):
		}
	}
}

// late reports whether one batch has kept the writer busy for too long.
func (q *queue) late() bool {
	now := time.Since(q.made)
	if q.bytes.Load() == 0 {
		q.moved.Store(int64(now)) // the writer is idle
		return false
	}
	return now-time.Duration(q.moved.Load()) > q.patience
}

// putState adds a state to a batch before it is put. It returns false if the writer is too slow.
func (q *queue) putState(l *batch, encoded []byte) bool {
	if q.catching {
		q.catchUp()
	}
	if q.states.Load() >= maxStates && !q.waits {
		return false
	}
	q.states.Add(1)
	l.state, l.counted = encoded, true
	return true
}

// another returns an empty batch for the frames from first on.
func (q *queue) another(first uint32) (l *batch) {
	select {
	case l = <-q.spare:
	default:
		l = new(batch)
	}
	l.first = first
	return l
}

// all yields the batches as they arrive, until the queue is closed. Each is reused once the next one is requested.
func (q *queue) all() iter.Seq[*batch] {
	return func(yield func(*batch) bool) {
		for l := range q.batches {
			if l.counted {
				q.states.Add(-1)
			}
			if !yield(l) {
				return
			}
			q.moved.Store(int64(time.Since(q.made)))
			q.bytes.Add(-l.size())
			*l = batch{frames: l.frames[:0], bytes: l.bytes[:0], effects: l.effects[:0], stats: l.stats[:0]}
			select {
			case q.spare <- l:
			default:
			}
		}
	}
}
