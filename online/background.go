package online

import "sync"

// Background makes update fit for an engine that stands still while its page is hidden, as
// those do that wait for the next picture (Ebitengine is one): call what it returns where
// update was to be called. While the page is hidden the room calls update itself, as soon
// as something has arrived, and at least about once a second, until it is closed; so others
// do not wait for somebody who looks at another page. Calls never overlap.
//
// After an error update is not called any more, and each call returns that error. Natively
// it is the engine alone that calls update.
func (r *Room) Background(update func() error) func() error {
	b := &background{room: r, update: update}
	b.watch()
	return b.call
}

// background is an update that is called by two.
type background struct {
	room   *Room
	mu     sync.Mutex
	update func() error
	err    error
}

func (b *background) call() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = b.update()
	}
	return b.err
}
