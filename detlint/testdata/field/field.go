// Package field has cases that came up in code that was not written for the corpus: in games of
// this repository with faults in them, and in modules of others. A line with a comment "want RULE"
// has a finding, and no other line has one.
package field

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback"
)

type state struct {
	n       int64
	f       float64
	x       fixed.Num
	list    []int64
	present rollback.PlayerSet
}

// What is reached: a method expression, a method value, the body of a loop over an iterator whose
// code is not examined, a closure of a package variable.

type clock struct{ n int64 }

func (c clock) get() int64   { return time.Now().Unix() + c.n } // want clock
func (c *clock) next() int64 { return time.Now().Unix() + c.n } // want clock

func apply[T any](x T, f func(T) int64) int64 { return f(x) }

//tickback:deterministic
func methodExpression(s *state) { s.n = apply(clock{}, clock.get) }

//tickback:deterministic
func methodValue(s *state) {
	c := &clock{}
	f := c.next
	s.n = f()
}

//tickback:deterministic
func overIterator(s *state) {
	for p := range s.present.All() {
		s.n = time.Now().Unix() + int64(p) // want clock
	}
}

var next = func() func() int64 {
	n := int64(0)
	return func() int64 {
		n++ // want closure
		return n
	}
}()

//tickback:deterministic
func closureOfVariable(s *state) { s.n = next() }

// A loop over an iterator changes variables around it, and ends with them.
//
//tickback:deterministic
func bodyOfLoop(s *state) {
	sum := int64(0)
	for p := range s.present.All() {
		sum += int64(p)
	}
	s.n = sum
}

// What initialises a variable may change it.
var squares [64]int64

func init() {
	for i := range squares {
		squares[i] = 1 << i
	}
}

//tickback:deterministic
func readsTable(s *state) { s.n = squares[3] }

// Printing into memory is no output, and a writer is not what is written.
//
//tickback:deterministic
func prints(s *state) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", s.n)
	var out bytes.Buffer
	if binary.Write(&out, binary.LittleEndian, s.n) != nil {
		s.n = int64(b.Len())
	}
}

// A list without elements lets go of its memory; one with elements would lose them.
//
//tickback:deterministic
func release(s *state) {
	s.list = s.list[:0]
	if cap(s.list) > 1024 {
		s.list = nil
	}
}

//tickback:deterministic
func loses(s *state) {
	if cap(s.list) > 1024 { // want capacity
		s.list = nil
	}
}

//tickback:deterministic
func emptied(s *state) { s.list = empty(s.list) }

func empty(list []int64) []int64 {
	if cap(list) > 1024 {
		return nil
	}
	return list[:0]
}

// Twice a float is exact, so that it does not matter whether it is fused.
//
//tickback:deterministic
func twice(s *state) { s.f = 2*s.f + 1.5 }

//tickback:deterministic
func thrice(s *state) { s.f = 3*s.f + 1.5 } // want fusedfloat

// A Num that counts is no Num.
//
//tickback:deterministic
func around(s *state) {
	step := 2 * fixed.Pi / fixed.Num(5)
	for i := range fixed.Num(5) {
		s.x = fixed.Sin(step * i)
	}
	s.x /= 2
}
