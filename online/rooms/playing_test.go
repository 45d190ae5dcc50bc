//go:build !js

package rooms

import (
	"errors"
	"testing"
)

// A member that has closed the page during a match does not prevent the others from
// playing the next one.
func TestTheNextMatchDoesNotWaitForWhoIsAway(t *testing.T) {
	_, url := serve(t, Config{})
	a := enter(t, url, Entry{Seats: 2})
	b := enter(t, url, Entry{Room: a.State().Room})
	a.Start()
	sees(t, a, "a match", func(s *State) bool { return s.Match == 1 })
	b.Abandon()
	sees(t, a, "b away", func(s *State) bool { return !s.Members[1].Connected })
	a.Start()
	if e := hears(t, a, Refused); !errors.Is(e.Err, ErrNotReady) {
		t.Errorf("while it is played: %v", e.Err)
	}
	a.Ended(1)
	a.Start()
	sees(t, a, "the next match", func(s *State) bool { return s.Match == 2 && len(s.Starters) == 1 })
}

// A member that stops playing while the server is out of reach reports it when it is back:
// the next match can begin.
func TestTheEndOfAMatchIsToldLater(t *testing.T) {
	s, url := serve(t, Config{})
	a := enter(t, url, Entry{Seats: 2})
	b := enter(t, url, Entry{Room: a.State().Room})
	sees(t, a, "two", func(s *State) bool { return len(s.Members) == 2 })
	for _, err := range []error{a.Start(), a.Ended(1)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []*Client{a, b} {
		sees(t, c, "a match that only b plays", func(s *State) bool { return s.Match == 1 && s.Members[0].Playing == 0 })
	}
	breakOff(s, b.You())
	hears(t, b, Away)
	if err := b.Ended(1); err != nil {
		t.Fatal(err)
	}
	sees(t, a, "the end of the match", func(s *State) bool { return s.Match == 0 })
	if err := a.Start(); err != nil {
		t.Fatal(err)
	}
	sees(t, b, "the next one", func(s *State) bool { return s.Match == 2 })
	// Of the next match it has reported nothing yet.
	breakOff(s, b.You())
	hears(t, b, Away)
	hears(t, b, Back)
	b.SetSettings("") // refused, when all messages of b have arrived
	hears(t, b, Refused)
	if me := b.Me(); me.Playing != 2 {
		t.Errorf("who was away for a moment plays %d", me.Playing)
	}
}

// A late report that a match has ended does not end the next one, and a late report of
// playing does no harm.
func TestLateNewsOfAMatchSayNothingOfTheNext(t *testing.T) {
	_, url := serve(t, Config{})
	a := enter(t, url, Entry{Seats: 2})
	b := enter(t, url, Entry{Room: a.State().Room})
	a.Start()
	for _, c := range []*Client{a, b} {
		sees(t, c, "a match", func(s *State) bool { return s.Match == 1 })
	}
	b.Ended(1)
	a.Ended(1)
	sees(t, a, "the end", func(s *State) bool { return s.Match == 0 })
	a.Start()
	sees(t, b, "the next one", func(s *State) bool { return s.Match == 2 })
	b.Ended(1)
	b.Playing(1)
	b.SetStatus("done")
	sees(t, a, "all of it", func(s *State) bool { return s.Members[1].Status == "done" })
	if s := a.State(); s.Members[1].Playing != 2 || s.Starters[1].Gone {
		t.Errorf("match %d, %+v, %+v", s.Match, s.Members[1], s.Starters)
	}
	b.Ended(2)
	b.Playing(2)
	sees(t, a, "b joining", func(s *State) bool { return s.Members[1].Playing == 2 && s.Starters[1].Gone })
	b.Playing(3)
	if e := hears(t, b, Refused); !errors.Is(e.Err, ErrNotReady) {
		t.Errorf("a match that there is not: %v", e.Err)
	}
}

// A member that starts with others, and is reloaded or leaves, is gone from the match that
// has begun; one that loses the connection is not.
func TestAStarterIsGone(t *testing.T) {
	s, url := serve(t, Config{})
	a := enter(t, url, Entry{Seats: 3})
	b := enter(t, url, Entry{Room: a.State().Room})
	c := enter(t, url, Entry{Room: a.State().Room})
	gone := func(who ...bool) func(s *State) bool {
		return func(s *State) bool {
			return len(s.Starters) == 3 && s.Starters[0].Gone == who[0] && s.Starters[1].Gone == who[1] && s.Starters[2].Gone == who[2]
		}
	}
	a.Start()
	sees(t, a, "all three", gone(false, false, false))
	breakOff(s, c.You())
	hears(t, c, Back)
	enter(t, url, Entry{Ticket: b.Ticket()})
	sees(t, a, "who was loaded again", gone(false, true, false))
	c.Close()
	sees(t, a, "who has left", gone(false, true, true))
}
