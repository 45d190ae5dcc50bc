package reach

import (
	"fmt"
	"time"
)

// lease hands back what ends it, and no step takes one.
type lease struct{ from int64 }

func (l *lease) taken() (from int64, done func()) {
	l.from = time.Now().Unix()
	return l.from, func() { l.from = time.Now().Unix() } // what its callers call, and nobody else
}

func (l *lease) String() string {
	from, done := l.taken()
	defer done()
	return fmt.Sprint(from)
}

var leased fmt.Stringer = &lease{}

type effects struct{ later []func() }

//tickback:deterministic
func laterThan(s *state) {
	var e effects
	e.later = append(e.later, func() { s.n++ })
	for _, f := range e.later {
		f()
	}
	all := []func(){func() { s.n++ }}
	for _, f := range all {
		f()
	}
}

// bench hands back what cleans up.
type bench struct{ used int32 }

func (b *bench) workspace(s *state) (n int32, restore func()) {
	if s.n == 0 {
		return 0, nil
	}
	return b.used, func() { s.l = time.Now().Unix() } // want clock
}

var shown fmt.Stringer = &bench{}

func (b *bench) String() string { return "a bench" }

//tickback:deterministic
func cleansUp(s *state) {
	var b bench
	n, restore := b.workspace(s)
	if restore != nil {
		defer restore()
	}
	s.n = n
}

// keeping hands back what one of its callers keeps, so that another call may lead there.
type keeping struct{}

func (k *keeping) handed(s *state) (n int32, restore func()) {
	return 1, func() { s.l = time.Now().Unix() } // want clock
}

type closing struct{ last func() }

//tickback:deterministic
func keepsAndCalls(s *state) {
	var k keeping
	var c closing
	_, c.last = k.handed(s)
	run(&c)
}

func run(c *closing) { c.last() }

// rows are copied into each other: an element of a list of lists is no field.
//
//tickback:deterministic
func rowsAreCopied(s *state) {
	rows := [][]int32{{1}, {2}}
	copy(rows[0], s.list)
	copy(s.list, rows[1])
}
