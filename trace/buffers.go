package trace

import "time"

const (
	// bufferSize is the size at which a buffer is handed over. The last event may exceed it.
	bufferSize = 64 << 10
	// maxBuffers limits the memory: to 2 MiB, which is enough for half a minute of a match.
	maxBuffers = 32
	// flushEvery limits how much is missing in the file of a program that was killed.
	flushEvery = time.Second
)

// buffers hold events until they are written by another goroutine, which reads from full, and returns buffers to free.
type buffers struct {
	current    []byte        // events not yet handed over
	made       int           // how many buffers there are
	flushed    time.Duration // when the current one was begun
	full, free chan []byte
}

func newBuffers() buffers {
	return buffers{current: newBuffer(), made: 1, full: make(chan []byte, maxBuffers), free: make(chan []byte, maxBuffers)}
}

// newBuffer returns a buffer with room for the event that makes it full.
func newBuffer() []byte { return make([]byte, 0, bufferSize+bufferSize/8) }

// put stores the events of the current buffer, to which one was appended.
func (b *buffers) put(events []byte) { b.current = events }

// room reports whether there is room for an event. It hands the buffer over if that is due.
func (b *buffers) room(now time.Duration) bool {
	full := len(b.current) >= bufferSize
	if full || now-b.flushed >= flushEvery {
		return b.handOver(now) || !full
	}
	return true
}

// handOver hands over the events so far, if there is another buffer to use.
func (b *buffers) handOver(now time.Duration) bool {
	if len(b.current) == 0 {
		return true
	}
	var next []byte
	select {
	case next = <-b.free:
	default:
		if b.made == maxBuffers {
			return false
		}
		b.made++
		next = newBuffer()
	}
	b.full <- b.current // there is room for all buffers
	b.current, b.flushed = next, now
	return true
}

// end hands over what is left, with these last bytes.
func (b *buffers) end(last string) {
	b.full <- append(b.current, last...) // there is room for all buffers
	close(b.full)
	b.current = nil
}
