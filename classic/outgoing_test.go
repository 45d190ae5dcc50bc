package classic_test

import (
	"slices"
	"testing"
)

// Datagrams that nobody fetches are bounded, and the newest is kept; a flood of
// HELLO does not displace packets.
func TestOutgoingIsBounded(t *testing.T) {
	s := playing(t, nil)
	flood := func() {
		for range 100 {
			s.m.Receive(s.now, joinAt, []byte("HELLO"))
		}
	}
	flood()
	for range 20 {
		s.now = s.m.Advance(s.now)
	}
	flood()
	got := s.sent()
	if len(got) != 32 || len(decode(t, got[31]).Buttons) != 20 {
		t.Errorf("%d datagrams", len(got))
	}
	if n := len(slices.DeleteFunc(got, func(b string) bool { return b == "ACK" })); n != 20 {
		t.Errorf("%d packets, want 20", n)
	}
}

// A loop over what is to be sent may end early, and go on later.
func TestOutgoingCanBeInterrupted(t *testing.T) {
	s := playing(t, nil)
	s.now = s.m.Advance(s.now)
	s.m.Advance(s.now)
	n := 0
	for range 3 {
		for range s.m.Outgoing() {
			n++
			break
		}
	}
	if n != 2 {
		t.Errorf("%d datagrams, want 2", n)
	}
}
