package event

const (
	// maxEvents limits the events waiting for the application. Except for messages, each peer causes at most a few
	// events per second.
	maxEvents = 256
	// maxMessages and maxMessageBytes limit the messages from other applications among them, so that they do not
	// displace the other events.
	maxMessages     = 128
	maxMessageBytes = 1 << 20
)

// Queue holds the events since the application last fetched them. The zero value is empty.
type Queue struct {
	// Observe, if not nil, is called with every event at once.
	Observe func(Event)

	list, given     []Event
	messages, bytes int // among those in list
	dropped         uint64
}

// Message adds a copy of a message from another application, unless too many are waiting.
func (q *Queue) Message(from PlayerSet, b []byte) {
	if q.messages == maxMessages || q.bytes+len(b) > maxMessageBytes {
		q.dropped++
		return
	}
	q.messages++
	q.bytes += len(b)
	q.Add(Event{What: Message, Players: from, Data: append([]byte(nil), b...)})
}

// Add adds an event. If too many are waiting, the oldest one is dropped.
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

// Take returns the events and empties the queue. The result is valid until the next call.
func (q *Queue) Take() []Event {
	q.list, q.given = q.given[:0], q.list
	q.messages, q.bytes = 0, 0
	return q.given
}

// Len returns the number of waiting events.
func (q *Queue) Len() int { return len(q.list) }

// Dropped returns how many events were dropped, or not added.
func (q *Queue) Dropped() uint64 { return q.dropped }
