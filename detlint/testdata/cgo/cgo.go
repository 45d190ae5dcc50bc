// Package cgo calls C.
package cgo

// static int add(int a, int b) { return a + b; }
import "C"

type state struct{ n int32 }

//tickback:deterministic
func called(s *state) { s.n = int32(C.add(1, 2)) } // want foreign

func plain(a, b int32) int32 { return a + b }

//tickback:deterministic
func notCalled(s *state) { s.n = plain(s.n, 1) }
