// Package suppress has comments that suppress findings, and ones that are wrong.
package suppress

import (
	"os"
	"time"
)

type state struct {
	m map[int32]int32
	n int32
	l int64
}

//tickback:deterministic
func onTheLine() {
	time.Sleep(1) //detlint:ignore clock this case shows a reason
}

//tickback:deterministic
func onTheLineBefore() {
	//detlint:ignore clock this case shows a reason
	time.Sleep(1)
}

//tickback:deterministic
func twoRules(s *state) {
	//detlint:ignore clock,environment this case shows both
	s.l = time.Now().Unix() + int64(len(os.Args))
}

func stamp() int64 { return time.Now().Unix() }

//tickback:deterministic
func atTheCall(s *state) {
	s.l = stamp() //detlint:ignore clock what is called is about to change
}

//tickback:deterministic
func useless(s *state) {
	s.n++ //detlint:ignore clock there is no clock // want ignore
}

//tickback:deterministic
func withoutReason(s *state) {
	// want+1 clock ignore
	s.l = time.Now().Unix() //detlint:ignore clock
}

//tickback:deterministic
func noSuchRule(s *state) {
	s.n++ //detlint:ignore wallclock it is a test // want ignore
}

//tickback:deterministic
func anotherRule(s *state) {
	s.l = time.Now().Unix() //detlint:ignore random it is a test // want clock ignore
}

//tickback:deterministic
func twoLinesBefore(s *state) {
	//detlint:ignore clock it is a test // want ignore
	s.n++
	s.l = time.Now().Unix() // want clock
}

//tickback:deterministic
func noRule(s *state) {
	// want+1 ignore
	s.n++ //detlint:ignore
}

// unreachedHere is for other roots, which the comment is meant for.
func unreachedHere(s *state) {
	s.l = time.Now().Unix() //detlint:ignore clock nothing reaches it from here
}

func unreachedUseless(s *state) {
	s.n++ //detlint:ignore clock there is none, whatever the roots are // want ignore
}

// unreachedCall may be about what is called.
func unreachedCall(s *state) {
	s.l = stamp() //detlint:ignore clock nothing reaches it from here
}

//detlint:ignore clock nothing reaches the function from here
func unreachedFunction(s *state) {
	s.n++
	f := func() { s.l = time.Now().Unix() }
	f()
}
