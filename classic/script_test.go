package classic_test

import (
	"errors"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/classic/rbn1"
)

// is compares errors, of which nil is one.
func is(err, want error) bool {
	if want == nil {
		return err == nil
	}
	return errors.Is(err, want)
}

// script plays one side by hand.
type script struct {
	t   testing.TB
	m   *match
	now time.Duration
	to  []netip.AddrPort
}

func (s *script) sent() (all []string) {
	s.to = nil
	for to, b := range s.m.Outgoing() {
		all = append(all, string(b))
		s.to = append(s.to, to)
	}
	return all
}

// wait lets time pass and returns what is sent, by whole periods.
func (s *script) wait(d time.Duration) (all []string) {
	for end := s.now + d; s.now < end; {
		next := s.m.Advance(s.now)
		if next <= s.now {
			s.t.Fatalf("at %v it wants to be called at %v", s.now, next)
		}
		all = append(all, s.sent()...)
		s.now = min(end, next)
	}
	return all
}

// from gives a datagram, and returns what is sent at once.
func (s *script) from(a netip.AddrPort, datagram string) []string {
	s.m.Receive(s.now, a, []byte(datagram))
	return s.sent()
}

func (s *script) want(what string, got, want []string) {
	s.t.Helper()
	if !slices.Equal(got, want) {
		s.t.Errorf("%s: sent %q, want %q", what, got, want)
	}
}

// packet makes one, from somebody who holds the same buttons always.
func packet(first, n, acked uint32, held uint16) string {
	b, err := rbn1.Append(nil, rbn1.Header{StartFrame: first, AckFrame: acked}, slices.Repeat([]uint16{held}, int(n)))
	if err != nil {
		panic(err)
	}
	return string(b)
}

func decode(t testing.TB, b string) rbn1.Packet {
	t.Helper()
	p, err := rbn1.Decode([]byte(b))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// playing is a host in play, whose window is wide.
func playing(t testing.TB, change func(*config)) *script {
	cfg := duelConfig(t, true, 0, newPlayer(1))
	cfg.Window = 100
	if change != nil {
		change(&cfg)
	}
	s := &script{t: t, m: newMatch(t, cfg), now: epoch}
	s.from(joinAt, "START")
	return s
}
