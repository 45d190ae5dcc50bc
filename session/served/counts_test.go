package served

import (
	"testing"
	"time"
)

// Rule: each figure of a server and of a client is the one that its name says.
func TestEachFigureIsItself(t *testing.T) {
	f := newFixture(t)
	h := f.server.Host
	late, replaced := f.server.Counts().Late, f.server.Counts().Replaced
	h.counts = counts{strangers: 1, rejected: 2, broken: 3, refused: 4, uninvited: 5, crowded: 6, spent: 7, doubled: 8, moved: 9, skipped: 10}
	h.clients.past = Faults{1, 2, 3, 4, 5, 6, 7, 8}
	if got, want := f.server.Counts(), (ServerCounts{
		Faults: Faults{1, 2, 3, 4, 5, 6, 7, 8}, Late: late, Replaced: replaced, Strangers: 1, Broken: 3, Refused: 4, Uninvited: 5, Crowded: 6, Spent: 7, Doubled: 8, Moved: 9, Skipped: 10,
	}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if s := f.server.Stats(nil); s.Strangers != 1 || s.Rejected != 2 || s.Blocked != 10 || s.Confirmed != s.Frame || s.Agreed != s.Frame || s.Nominal != period || s.Period != period || s.PendingEvents != 2 || s.DroppedEvents != 0 {
		t.Errorf("%+v", s)
	}
	var sent, bytes uint64
	for _, l := range f.server.Stats(nil).Links {
		sent, bytes = sent+l.Sent, bytes+l.SentBytes
		if l.Addr != honestAddr && l.Addr != otherAddr || l.Limit == 0 || l.ReceivedBytes < l.Received || l.SentBytes < l.Sent || l.RoundTrip > 25*time.Millisecond {
			t.Errorf("%+v", l)
		}
	}
	if s := f.server.Stats(nil); s.Datagrams != sent || s.Bytes != bytes {
		t.Errorf("%d datagrams of %d bytes, and %d of %d to all", s.Datagrams, s.Bytes, sent, bytes)
	}

	c := f.other
	c.clientMatch.counts = knownCounts{updates: 1, fullStates: 2, corrected: 3, stale: 4}
	c.timing.stalls, c.timing.skipped, c.server.strangers = 5, 6, 7
	if got, want := c.Counts(), (ClientCounts{Updates: 1, Wholes: 2, Corrected: 3, Stale: 4, Stalls: 5, Skipped: 6}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	s := c.Stats(nil)
	if n := c.server.pipe.Counts; s.Stalls != 5 || s.Blocked != 5 || s.Strangers != 7 || s.Match != 1 || s.Datagrams != n.Sent || s.Bytes != n.SentBytes || s.Frame != c.Frame() || s.Agreed != c.engine.Agreed() || s.Nominal != period {
		t.Errorf("%+v", s)
	}
	if l := s.Links[0]; len(s.Links) != 1 || l.Sent != s.Datagrams || l.SentBytes != s.Bytes || l.Received < 100 || l.Limit == 0 || l.RoundTrip != c.server.pipe.RoundTrip.Smoothed || l.Deviation != c.server.pipe.RoundTrip.Deviation {
		t.Errorf("%+v", l)
	}
}
