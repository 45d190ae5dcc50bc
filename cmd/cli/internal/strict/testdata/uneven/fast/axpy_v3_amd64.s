//go:build amd64.v3

#include "textflag.h"

// func Axpy(a, x, y float64) float64
TEXT ·Axpy(SB), NOSPLIT, $0-32
	MOVSD a+0(FP), X0
	MOVSD x+8(FP), X1
	MOVSD y+16(FP), X2
	VFMADD231SD X0, X1, X2
	MOVSD X2, ret+24(FP)
	RET
