package online

import (
	"syscall/js"
	"time"
)

// hiddenEvery is the interval at which a hidden page is updated when nothing arrives. Browsers lengthen it to a
// second; arrivals are handled at once.
const hiddenEvery = 15 * time.Millisecond

// watch calls update whenever the page is hidden, until the room is closed.
func (b *background) watch() {
	document := js.Global().Get("document")
	if !document.Truthy() {
		return // there is no page
	}
	hidden := func() bool { return document.Get("hidden").Bool() }
	changed := make(chan struct{}, 1)
	listener := js.FuncOf(func(js.Value, []js.Value) any {
		select {
		case changed <- struct{}{}:
		default:
		}
		return nil
	})
	document.Call("addEventListener", "visibilitychange", listener)
	go func() {
		defer func() {
			document.Call("removeEventListener", "visibilitychange", listener)
			listener.Release()
		}()
		for {
			for hidden() && b.look() {
			}
			select {
			case <-changed:
			case <-b.room.stop:
				return
			}
		}
	}()
}

// look updates a hidden page if there is something to do. It reports whether the room is open.
func (b *background) look() bool {
	var arrived <-chan struct{}
	b.room.mu.Lock()
	if t := b.room.transport; t != nil {
		arrived = t.Notify()
	}
	b.room.mu.Unlock()
	timer := time.NewTimer(hiddenEvery)
	defer timer.Stop()
	select {
	case <-arrived:
	case <-timer.C:
	case <-b.room.stop:
		return false
	}
	_ = b.call() // the next call returns the error
	return true
}
