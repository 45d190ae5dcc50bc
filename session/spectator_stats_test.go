package session_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// Figures that count from the beginning of the session continue with the next host;
// those of the match start again with each match.
func TestStatisticsOfASpectator(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.Lobby = true })
	th.watch(smallGame(), []int{0, 1}, nil)
	var before session.LinkStats
	look := func() bool {
		s := th.watchers[0].Stats(nil)
		l := s.Links[0]
		if l.Received < before.Received || l.Sent < before.Sent || l.SentBytes < before.SentBytes {
			t.Fatalf("after %+v comes %+v", before, l)
		}
		before = l
		return false
	}
	th.rematch(300)
	th.until(2*time.Second, look)
	first := before
	th.tap = func(from, to int, _ []byte) bool { return from+to != 2 } // from 0 to 2, and back
	th.until(10*time.Second, look)
	if before.Addr == first.Addr || before.Received <= first.Received || before.Sent <= first.Sent || first.SentBytes == 0 {
		t.Fatalf("after %+v comes %+v", first, before)
	}
	if s := th.watchers[0].Stats(nil); s.Prepared != 1 || s.Stalls == 0 || s.Period != time.Second/60 || s.Nominal != s.Period {
		t.Fatalf("of the first match: %+v", s)
	}
	th.rematch(300)
	th.until(2*time.Second, look)
	if s := th.watchers[0].Stats(nil); s.Prepared != 2 || s.Stalls != 0 {
		t.Fatalf("of the second match: %+v", s)
	}
}
