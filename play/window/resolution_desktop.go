//go:build desktop && !js

package window

// resolve does nothing: a window has as many pixels as it is large.
func resolve(float64) {}

// enlarged returns by how much a picture is enlarged in the window, and what coordinates
// of the devices are to be multiplied with.
func enlarged(scale float64) (picture, devices float64) { return scale, 1 }
