package math32

import "github.com/tickback/tickback/portable"

// MulComplex returns x*y, as Go computes it without fusing: in complex128.
func MulComplex(x, y complex64) complex64 {
	return complex64(portable.MulComplex(complex128(x), complex128(y)))
}

// QuoComplex returns x/y, as Go computes it without fusing: in complex128. See [portable.QuoComplex].
func QuoComplex(x, y complex64) complex64 {
	return complex64(portable.QuoComplex(complex128(x), complex128(y)))
}
