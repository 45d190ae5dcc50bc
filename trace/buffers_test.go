package trace

import (
	"testing"
	"time"
)

// There is room for events until all buffers wait to be written, and again as soon as one is free. A buffer is handed
// over when it is full, or after a second, unless it is empty.
func TestBuffers(t *testing.T) {
	b := newBuffers()
	if !b.room(time.Hour) || len(b.full) != 0 {
		t.Error("an empty buffer is handed over")
	}
	b.put(append(b.current, "event"...))
	if !b.room(flushEvery-1) || len(b.full) != 0 {
		t.Error("it is handed over early")
	}
	if !b.room(flushEvery) || len(b.full) != 1 || len(b.current) != 0 || b.flushed != flushEvery {
		t.Error("it is not handed over after a second")
	}
	fill := func() { b.put(b.current[:bufferSize]) }
	for fill(); b.room(flushEvery); fill() {
	}
	if len(b.full) != maxBuffers-1 || b.made != maxBuffers {
		t.Errorf("%d of %d buffers wait, want %d", len(b.full), b.made, maxBuffers-1)
	}
	b.put(b.current[:5])
	if !b.room(time.Hour) || len(b.full) != maxBuffers-1 {
		t.Error("there is no room in a buffer that is not full")
	}
	b.free <- (<-b.full)[:0]
	if fill(); !b.room(flushEvery) || len(b.current) != 0 {
		t.Error("a free buffer is not used")
	}
	b.put(append(b.current, "last"...))
	b.end("!")
	var last []byte
	for last = range b.full {
	}
	if string(last) != "last!" {
		t.Errorf("the end is %q", last)
	}
}
