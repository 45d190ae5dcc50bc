//go:build desktop && !js

package window

// resolve does nothing: a window always has its full resolution.
func resolve(float64) {}

// enlarged returns by how much a picture is enlarged in the window, and the factor for coordinates of the devices.
func enlarged(scale float64) (picture, devices float64) { return scale, 1 }

// fingers reports whether the machine is made for fingers.
func fingers() bool { return false }
