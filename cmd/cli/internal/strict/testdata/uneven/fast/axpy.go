//go:build !amd64.v3

// Package fast has one function, which is assembly for one level of amd64, and rounds once there.
package fast

// Axpy is a*x + y.
func Axpy(a, x, y float64) float64 { return float64(a*x) + y }
