//go:build desktop && !js

package window

// resolve only calls done: the window has its full resolution, and the program enlarges the picture.
func resolve(_ float64, done func()) { done() }

// devices returns the factor for coordinates of the devices, which are those of the window.
func devices(float64) float64 { return 1 }

// fingers reports whether the machine is made for touch.
func fingers() bool { return false }
