package admission

import (
	"fmt"
	"testing"
)

// The outcome of an attempt is kept as long as the attempt is among the newest.
func TestSpentAttempts(t *testing.T) {
	var s spent
	if _, known := s.of(0); known {
		t.Error("0 is known from the beginning")
	}
	s.add(5, "")
	if _, known := s.of(0); known {
		t.Error("0 is known since another one was added")
	}
	s = spent{}
	const most = uint64(128)
	for n := range 2 * most {
		s.add(n, fmt.Sprint("reason ", n))
		s.add(n, "another reason")
	}
	s.add(7, "")
	for n := range 2 * most {
		why, known := s.of(n)
		want, kept := fmt.Sprint("reason ", n), n > most
		if n == 7 {
			want, kept = "", true
		}
		if known != kept || known && why != want {
			t.Errorf("%d: %q, %v", n, why, known)
		}
	}
}
