package trace

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// bufferSize is the size at which a buffer is handed over; an event may be longer than the room left then.
	bufferSize = 64 << 10
	// maxBuffers bounds the memory: 2 MiB, which is half a minute of a match.
	maxBuffers = 32
	// flushEvery bounds how much is missing in the file of a program that was killed.
	flushEvery = time.Second
)

// Writer writes one trace. It may be used by several goroutines at once.
type Writer struct {
	mu      sync.Mutex
	buffer  []byte // events not yet handed over
	made    int    // buffers
	begun   bool   // there is something in the file, or will be
	dated   bool   // epoch is known
	closed  bool
	epoch   time.Time     // of the first event
	flushed time.Duration // when the buffer was last handed over
	ids     int64         // of processes and tracks, all different
	first   *Process      // for events of the writer itself
	dropped uint64
	untold  uint64 // dropped events not yet reported in the trace
	err     error
	failed  atomic.Bool

	full, free chan []byte
	done       chan struct{}
}

// NewWriter begins a trace, which is written to dst by a goroutine until Close. The
// caller closes dst after that.
func NewWriter(dst io.Writer) *Writer {
	w := &Writer{
		buffer: newBuffer(), made: 1,
		full: make(chan []byte, maxBuffers), free: make(chan []byte, maxBuffers),
		done: make(chan struct{}),
	}
	go w.drain(dst)
	return w
}

// newBuffer returns a buffer with room for the event that makes it full.
func newBuffer() []byte { return make([]byte, 0, bufferSize+bufferSize/8) }

// drain writes the buffers handed over. After an error it only discards them.
func (w *Writer) drain(dst io.Writer) {
	defer close(w.done)
	for b := range w.full {
		if !w.failed.Load() {
			n, err := dst.Write(b)
			if err == nil && n < len(b) {
				err = io.ErrShortWrite
			}
			if err != nil {
				w.fail(err)
			}
		}
		w.free <- b[:0]
	}
}

func (w *Writer) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = err
	w.failed.Store(true)
}

// Err returns why the trace ended before Close, or nil. It is cheap.
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
	if !w.over() && len(w.buffer) > 0 {
		w.handOver(w.flushed)
	}
}

// Close ends the trace, and waits until everything is written, as long as dst takes. It returns the error that ended
// the trace earlier, if there is one. Events for a closed writer are ignored; closing twice is not an error.
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
	if w.closed = true; !w.begun {
		w.buffer = append(w.buffer, '[')
	}
	last := append(w.buffer, "\n]\n"...)
	w.buffer = nil
	w.mu.Unlock()
	w.full <- last // there is room for all buffers
	close(w.full)
	<-w.done
	return w.Err()
}

// over reports whether nothing is written any more.
func (w *Writer) over() bool { return w.closed || w.failed.Load() }

// lock begins an event, and reports whether there is room for it; then the caller
// unlocks.
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
	if full := len(w.buffer) >= bufferSize; full || now-w.flushed >= flushEvery && len(w.buffer) > 0 {
		if !w.handOver(now) && full {
			w.dropped++
			w.untold++
			w.mu.Unlock()
			return false
		}
	}
	if w.untold > 0 {
		w.tell(now)
	}
	return true
}

// date makes the first event time 0, and writes the date and time of that event.
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

// handOver hands over the buffer for writing, if there is another buffer.
func (w *Writer) handOver(now time.Duration) bool {
	var next []byte
	select {
	case next = <-w.free:
	default:
		if w.made == maxBuffers {
			return false
		}
		w.made++
		next = newBuffer()
	}
	w.full <- w.buffer // there is room for all buffers
	w.buffer, w.flushed = next, now
	return true
}
