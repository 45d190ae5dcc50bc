//go:build amd64.v3

package fast

// Axpy is a*x + y.
//
//go:noescape
func Axpy(a, x, y float64) float64
