package online

import "syscall/js"

// onLeaving calls f when the user leaves the page (by closing or reloading it, or by navigating away), unless stop was
// called before. The browser does not wait for f: it only does what it can before it first blocks.
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
