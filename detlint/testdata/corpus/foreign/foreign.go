// Package foreign has code without a body in Go.
package foreign

import (
	"strings"
	_ "unsafe" // for linkname
)

type state struct {
	n int32
	l int64
	s string
}

func add(a, b int32) int32

//go:linkname nanotime runtime.nanotime
func nanotime() int64

//tickback:deterministic
func assembly(s *state) { s.n = add(s.n, 1) } // want foreign

//tickback:deterministic
func linked(s *state) { s.l = nanotime() } // want foreign

func ticks() int64 { return nanotime() } // want foreign

//tickback:deterministic
func linkedInHelper(s *state) { s.l = ticks() }

//tickback:deterministic
func assemblyByValue(s *state) {
	f := add
	s.n = f(s.n, 1) // want foreign
}

func apply(f func(a, b int32) int32, n int32) int32 { return f(n, n) }

//tickback:deterministic
func assemblyPassed(s *state) { s.n = apply(add, s.n) } // want foreign

//tickback:deterministic
func goPassed(s *state) { s.n = apply(plain, s.n) }

//tickback:deterministic
func assemblyOfTheLibrary(s *state) { s.n = int32(strings.IndexByte(s.s, 'x')) }

func plain(a, b int32) int32 { return a + b }

//tickback:deterministic
func inGo(s *state) { s.n = plain(s.n, 1) }
