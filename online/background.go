package online

import "sync"

// Background is for engines that stop calling update while their page is hidden, such as Ebitengine: call the
// function that it returns instead of update. While the page is hidden, the room itself calls update, as soon as
// something arrives and at least about once a second, until the room is closed. So the others do not have to wait for
// a hidden page. Calls never overlap.
//
// After update has returned an error, it is not called again, and each further call returns that error. Natively only
// the engine calls update.
func (r *Room) Background(update func() error) func() error {
	b := &background{room: r, update: update}
	b.watch()
	return b.call
}

// background wraps an update function that both the engine and the room call.
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
