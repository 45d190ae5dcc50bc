package rooms

import (
	"context"
	"sync"
)

// maxOutbox is the maximum number of messages that wait to be sent. Lost signals are repeated by their senders; other
// messages are rare.
const maxOutbox = 1024

// outbox holds messages until they are sent.
type outbox struct {
	mu       sync.Mutex
	list     [][]byte
	wake     chan struct{}
	finished bool // nothing more can be added
}

func newOutbox() *outbox { return &outbox{wake: make(chan struct{}, 1)} }

// add queues a message, unless there are too many.
func (o *outbox) add(b []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.finished || len(o.list) >= maxOutbox {
		return false
	}
	o.list = append(o.list, b)
	select {
	case o.wake <- struct{}{}:
	default:
	}
	return true
}

// finish queues a last message.
func (o *outbox) finish(b []byte) {
	o.add(b)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.finished = true
}

// next returns the next message, or nil if there is none.
func (o *outbox) next() (b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.list) > 0 {
		b, o.list = o.list[0], o.list[1:]
	}
	return b
}

// send sends the queued messages until ctx or the connection ends.
func (o *outbox) send(ctx context.Context, s socket) {
	for {
		if b := o.next(); b != nil {
			if s.write(ctx, b) != nil {
				return
			}
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		}
	}
}
