package trace

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// Writer writes one trace. It may be used by several goroutines at once.
type Writer struct {
	mu      sync.Mutex
	events  buffers
	begun   bool // the file has content, or will have
	dated   bool // epoch is known
	closed  bool
	epoch   time.Time // the time of the first event
	ids     int64     // the last ID of a process or track; all are different
	first   *Process  // for events of the writer itself
	dropped uint64
	untold  uint64 // dropped events not yet reported in the trace
	err     error
	failed  atomic.Bool
	done    chan struct{}
}

// NewWriter begins a trace, which is written to dst by a goroutine until Close. The
// caller closes dst after that.
func NewWriter(dst io.Writer) *Writer {
	w := &Writer{events: newBuffers(), done: make(chan struct{})}
	go w.drain(dst)
	return w
}

// drain writes the buffers handed over. After an error it only discards them.
func (w *Writer) drain(dst io.Writer) {
	defer close(w.done)
	for b := range w.events.full {
		if !w.failed.Load() {
			n, err := dst.Write(b)
			if err == nil && n < len(b) {
				err = io.ErrShortWrite
			}
			if err != nil {
				w.fail(err)
			}
		}
		w.events.free <- b[:0]
	}
}

func (w *Writer) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = err
	w.failed.Store(true)
}

// Err returns the reason why the trace ended before Close, or nil. A call costs little.
func (w *Writer) Err() error {
	if !w.failed.Load() {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Dropped returns how many events were dropped because there were more than could be written.
func (w *Writer) Dropped() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dropped
}

// Flush hands over all events so far, without waiting until they are written.
func (w *Writer) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over() {
		w.events.handOver(w.events.flushed)
	}
}

// Close ends the trace, and waits until everything has been written, however long dst takes. It returns the error that
// ended the trace earlier, if there is one. Events for a closed writer are ignored; closing twice is not an error.
func (w *Writer) Close() error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		<-w.done
		return w.Err()
	}
	if w.untold > 0 {
		w.tell(0)
	}
	last := "\n]\n"
	if w.closed = true; !w.begun {
		last = "[" + last
	}
	w.events.end(last)
	w.mu.Unlock()
	<-w.done
	return w.Err()
}

// over reports whether the writer has stopped writing.
func (w *Writer) over() bool { return w.closed || w.failed.Load() }

// lock begins an event, and reports whether there is room for it. If it returns true, the caller has to unlock.
func (w *Writer) lock(at time.Time) bool {
	if w.failed.Load() {
		return false
	}
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return false
	}
	if !w.dated {
		w.date(at)
	}
	now := w.since(at)
	if !w.events.room(now) {
		w.dropped++
		w.untold++
		w.mu.Unlock()
		return false
	}
	if w.untold > 0 {
		w.tell(now)
	}
	return true
}

// date makes the time of the first event time 0 of the trace, and writes its date and time.
func (w *Writer) date(at time.Time) {
	w.dated, w.epoch = true, at
	w.first.events.mark(0, `,"s":"g"`, "trace begins", []Arg{Text("time", at.UTC().Format(time.RFC3339Nano))})
}

func (w *Writer) since(at time.Time) time.Duration { return max(at.Sub(w.epoch), 0) }

// tell adds an event that says that events are missing before this one.
func (w *Writer) tell(now time.Duration) {
	w.first.events.mark(now, `,"s":"g"`, "events dropped", []Arg{Int("events", int64(w.untold))})
	w.untold = 0
}
