package window

import "syscall/js"

// resolve makes the canvas coarser, or finer again: the browser enlarges it. That takes a
// quarter of what it takes to enlarge a picture on the canvas.
func resolve(scale float64) { js.Global().Call("tickbackResolution", scale) }

// enlarged returns by how much a picture is enlarged on the canvas, and what coordinates
// of the devices are to be multiplied with.
func enlarged(scale float64) (picture, devices float64) { return 1, scale }
