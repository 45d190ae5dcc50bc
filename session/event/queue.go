package event

const (
	// maxEvents bounds the events that wait for the application. Of all kinds but messages, each
	// peer causes a few a second at most.
	maxEvents = 256
	// maxMessages and maxMessageBytes bound the messages of other applications among them, so
	// that they do not push out the rest.
	maxMessages     = 128
	maxMessageBytes = 1 << 20
)

// Queue holds the events since the application last took them. The zero value is empty.
type Queue struct {
	// Observe, if not nil, is called with every event at once.
	Observe func(Event)

	list, given     []Event
	messages, bytes int // among those in list
	dropped         uint64
}

// Message adds a copy of a message of another application, unless too many wait.
func (q *Queue) Message(from PlayerSet, b []byte) {
	if q.messages == maxMessages || q.bytes+len(b) > maxMessageBytes {
		q.dropped++
		return
	}
	q.messages++
	q.bytes += len(b)
	q.Add(Event{What: Message, Players: from, Data: append([]byte(nil), b...)})
}

// Add adds an event. If too many wait, the oldest one is dropped.
func (q *Queue) Add(e Event) {
	if q.Observe != nil {
		q.Observe(e)
	}
	if len(q.list) == maxEvents {
		copy(q.list, q.list[1:])
		q.list = q.list[:maxEvents-1]
		q.dropped++
	}
	q.list = append(q.list, e)
}

// Take returns the events, which are valid until the next call.
func (q *Queue) Take() []Event {
	q.list, q.given = q.given[:0], q.list
	q.messages, q.bytes = 0, 0
	return q.given
}

// Len returns how many events wait.
func (q *Queue) Len() int { return len(q.list) }

// Dropped returns how many events were dropped, or not added.
func (q *Queue) Dropped() uint64 { return q.dropped }
