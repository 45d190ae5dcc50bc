package window

import "syscall/js"

// resolve changes the resolution of the canvas, which the browser enlarges, and calls done as soon as the canvas has
// it. That costs a quarter of enlarging a picture on the canvas.
func resolve(share float64, done func()) {
	var call js.Func
	call = js.FuncOf(func(js.Value, []js.Value) any {
		done()
		call.Release()
		return nil
	})
	js.Global().Call("tickbackResolution", share, call)
}

// devices returns the factor that converts coordinates of the page to those of the canvas.
func devices(share float64) float64 { return share }

// fingers reports whether the machine is made for touch, so that touch buttons are shown before the first touch.
func fingers() bool {
	return js.Global().Call("matchMedia", "(pointer: coarse)").Get("matches").Bool()
}
