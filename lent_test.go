package tickback_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback"
)

// loans is what the methods of a session have returned, and lent is a copy of it at that time.
type loans struct {
	what []any
	lent []string
}

func (l *loans) add(what any) {
	l.what = append(l.what, what)
	l.lent = append(l.lent, fmt.Sprintf("%T %+v", what, what))
}

// borrow calls all methods of a session whose results belong to the session.
func borrow(s tickback.Session[counter]) *loans {
	l, v := new(loans), s.View()
	l.add(v.Current)
	l.add(v.Previous)
	l.add(s.Effects())
	l.add(s.Events())
	l.add(s.Stats().Links)
	if m, ok := s.(*tickback.Match[counter, uint32]); ok {
		l.add(m.Log())
		settled, _ := m.Settled()
		l.add(settled)
	}
	return l
}

// Rule: the results of a session's methods do not change until the same method is called again, or one that drives the
// session, whatever other methods are called, in matches and replays.
func TestWhatIsLentStays(t *testing.T) {
	given := map[string]bool{} // by type, of what is not empty
	look := func(s tickback.Session[counter]) {
		t.Helper()
		l := borrow(s)
		s.View()
		s.Outcome()
		if m, ok := s.(*tickback.Match[counter, uint32]); ok {
			m.Paused()
			m.DesyncReport()
		}
		for i, what := range l.what {
			now := fmt.Sprintf("%T %+v", what, what)
			if now != l.lent[i] {
				t.Fatalf("%s has become %s", l.lent[i], now)
			}
			if now[len(now)-2:] != "[]" {
				given[fmt.Sprintf("%T", what)] = true
			}
		}
	}
	n := uint32(0)
	peers, _, w := pair(t, func(_ int, o *tickback.Options[counter, uint32]) {
		o.OnLeave, o.Match.Frames = tickback.Continue, 300
		o.Sample = func(tickback.Player) uint32 { n++; return n } // never as predicted
	})
	for i := range 4000 {
		var err error
		switch i {
		case 1000:
			err = peers[1].Pause()
		case 1500:
			err = peers[1].Unpause()
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range peers {
			update(t, m)
			look(m)
		}
		w.advance(2 * time.Millisecond)
	}
	for _, m := range peers {
		if _, over := m.Outcome(); !over {
			t.Error("the match is not over")
		}
	}
	file, _ := tour(t)
	again, clock := replaying(t, file, tickback.ReplayOptions[counter, uint32]{})
	for range 300 {
		update(t, again)
		look(again)
		clock.advance(20 * time.Millisecond)
	}
	if len(given) != 5 {
		t.Errorf("only these have lent something: %v", given)
	}
}
