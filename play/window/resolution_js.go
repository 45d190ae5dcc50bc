package window

import "syscall/js"

// resolve lowers or raises the resolution of the canvas, which the browser enlarges. That costs a quarter of enlarging
// a picture on the canvas.
func resolve(scale float64) { js.Global().Call("tickbackResolution", scale) }

// enlarged returns by how much a picture is enlarged on the canvas, and the factor for coordinates of the devices.
func enlarged(scale float64) (picture, devices float64) { return 1, scale }

// fingers reports whether the machine is made for fingers, so that touch buttons are there before the first touch.
func fingers() bool {
	return js.Global().Call("matchMedia", "(pointer: coarse)").Get("matches").Bool()
}
