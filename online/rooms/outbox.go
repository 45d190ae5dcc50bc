package rooms

import (
	"context"
	"sync"
)

// maxOutbox bounds what waits to be sent. Signals are repeated by their senders; the
// rest is rare.
const maxOutbox = 1024

// outbox holds messages until they are sent.
type outbox struct {
	mu   sync.Mutex
	list [][]byte
	wake chan struct{}
	last bool // nothing comes after the list
}

func newOutbox() *outbox { return &outbox{wake: make(chan struct{}, 1)} }

// add queues a message, unless there are too many.
func (o *outbox) add(b []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last || len(o.list) >= maxOutbox {
		return false
	}
	o.list = append(o.list, b)
	o.signal()
	return true
}

// finish lets nothing more in.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = true
	o.signal()
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) next() (b []byte, last bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.list) == 0 {
		return nil, o.last
	}
	b = o.list[0]
	o.list = o.list[1:]
	return b, false
}

// send sends until ctx ends, or all is sent and nothing more comes; it reports false if
// the connection has ended.
func (o *outbox) send(ctx context.Context, s socket) bool {
	for {
		b, last := o.next()
		switch {
		case last:
			return true
		case b != nil:
			if s.write(ctx, b) != nil {
				return false
			}
		default:
			select {
			case <-ctx.Done():
				return true
			case <-o.wake:
			}
		}
	}
}
