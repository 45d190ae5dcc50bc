package online

import "syscall/js"

// onLeaving calls f when the page is left, because it is closed, loaded again, or makes way
// for another one, until stop is called. There is no time to wait for anything then: what f
// does before it blocks is what is done.
func onLeaving(f func()) (stop func()) {
	window := js.Global().Get("window")
	if !window.Truthy() {
		return func() {}
	}
	const event = "pagehide"
	listener := js.FuncOf(func(js.Value, []js.Value) any {
		f()
		return nil
	})
	window.Call("addEventListener", event, listener)
	return func() {
		window.Call("removeEventListener", event, listener)
		listener.Release()
	}
}
