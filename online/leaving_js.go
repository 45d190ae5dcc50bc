package online

import "syscall/js"

// onLeaving calls f when the page is left (closed, reloaded or navigated away from), unless stop was called before.
// The browser does not wait for anything then: only what f does before it blocks gets done.
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
