package classic_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/classic/rbn1"
)

// The joiner says HELLO every half second until it hears ACK, then START until
// there are inputs, and only then plays.
func TestJoinersHandshake(t *testing.T) {
	s := script{t: t, m: newMatch(t, duelConfig(t, false, 0, newPlayer(1))), now: epoch}
	s.want("for 1.2 s", s.wait(1200*time.Millisecond), []string{"HELLO", "HELLO", "HELLO"})
	s.want("on ACK", s.from(hostAt, "ACK"), []string{"START"})
	s.want("for 1.2 s more", s.wait(1200*time.Millisecond), []string{"START", "START"})
	s.want("on ACK again", s.from(hostAt, "ACK"), []string{"START"})
	if s.m.Phase() != classic.Starting || s.m.Frame() != 0 {
		t.Errorf("%v, frame %d", s.m.Phase(), s.m.Frame())
	}
	s.from(hostAt, packet(0, 1, rbn1.NoFrame, 0))
	got := s.wait(100 * time.Millisecond)
	if len(got) != 6 || !strings.HasPrefix(got[0], "RBN1") || s.m.Phase() != classic.Playing {
		t.Errorf("%d datagrams in 100 ms, %v", len(got), s.m.Phase())
	}
	s.want("on ACK in play", s.from(hostAt, "ACK"), nil)
	if i := s.m.Stats().Ignored; i != (classic.Ignored{}) {
		t.Errorf("%+v", i)
	}
}

// The host says nothing but ACK, to every HELLO, also in play. It begins on START.
func TestHostsHandshake(t *testing.T) {
	s := script{t: t, m: newMatch(t, duelConfig(t, true, 0, newPlayer(1))), now: epoch}
	s.want("alone", s.wait(2*time.Second), nil)
	for range 3 {
		s.want("on HELLO", s.from(joinAt, "HELLO"), []string{"ACK"})
	}
	s.want("on START", s.from(joinAt, "START"), nil)
	if got := s.wait(100 * time.Millisecond); len(got) != 6 {
		t.Errorf("%d datagrams in 100 ms", len(got))
	}
	s.want("on START in play", s.from(joinAt, "START"), nil)
	s.want("on HELLO in play", s.from(joinAt, "HELLO"), []string{"ACK"})
	if s.m.Phase() != classic.Playing {
		t.Error(s.m.Phase())
	}
}

// If START is lost, the host begins with the first inputs.
func TestHostBeginsOnInputs(t *testing.T) {
	s := script{t: t, m: newMatch(t, duelConfig(t, true, 0, newPlayer(1))), now: epoch}
	s.from(joinAt, packet(40, 1, rbn1.NoFrame, 0)) // of some other match
	s.from(joinAt, packet(0, 1, 7, 0))
	if p := s.m.Phase(); p != classic.Waiting || s.m.Stats().Ignored.Unexpected != 2 {
		t.Errorf("%v", p)
	}
	s.from(joinAt, packet(0, 3, rbn1.NoFrame, 0))
	if got := s.wait(time.Millisecond); len(got) != 1 || decode(t, got[0]).AckFrame != 2 {
		t.Errorf("%q", got)
	}
}

// Nobody answers, or joins, or goes on: the match fails, when it was said.
func TestNobodyThere(t *testing.T) {
	for _, c := range []struct {
		host  bool
		after string
	}{{true, ""}, {false, ""}, {false, "ACK"}} {
		for _, wait := range []time.Duration{0, 3200 * time.Millisecond, classic.Forever} {
			cfg := duelConfig(t, c.host, 0, newPlayer(1))
			cfg.Handshake = wait
			s := script{t: t, m: newMatch(t, cfg), now: epoch}
			s.wait(time.Millisecond)
			if c.after != "" {
				s.from(hostAt, c.after)
			}
			limit := wait
			if wait == 0 {
				limit = classic.DefaultHandshake
			}
			if wait == classic.Forever {
				s.wait(time.Hour)
				if s.m.Done() {
					t.Error("it gave up: ", s.m.Err())
				}
				continue
			}
			s.wait(limit - time.Millisecond)
			if s.m.Done() {
				t.Errorf("it gave up before %v", limit)
			}
			s.wait(2 * time.Millisecond)
			if !is(s.m.Err(), classic.ErrNobody) || !s.m.Done() {
				t.Errorf("after %v: %v", limit, s.m.Err())
			}
		}
	}
}

// A host without a Peer takes the first who says HELLO, keeps to it, and takes
// another when that one has said nothing for two seconds.
func TestHostTakesTheFirst(t *testing.T) {
	cfg := duelConfig(t, true, 0, newPlayer(1))
	cfg.Peer = netip.AddrPort{}
	s := script{t: t, m: newMatch(t, cfg), now: epoch}
	s.want("START out of nothing", s.from(awayAt, "START"), nil)
	s.want("the first", s.from(joinAt, "HELLO"), []string{"ACK"})
	if s.m.Peer() != joinAt || s.to[0] != joinAt {
		t.Errorf("the peer is %v, the answer went to %v", s.m.Peer(), s.to)
	}
	s.wait(1900 * time.Millisecond)
	s.want("a second", s.from(awayAt, "HELLO"), nil)
	s.want("the first again", s.from(netip.AddrPortFrom(netip.MustParseAddr("::ffff:192.0.2.2"), 7000), "HELLO"), []string{"ACK"})
	s.wait(1900 * time.Millisecond)
	s.want("a second again", s.from(awayAt, "HELLO"), nil)
	s.wait(100 * time.Millisecond)
	s.want("the second, as the first is gone", s.from(awayAt, "HELLO"), []string{"ACK"})
	s.from(joinAt, "START")
	if s.m.Phase() != classic.Waiting || s.m.Stats().Ignored.Strangers != 4 {
		t.Errorf("%v, %+v", s.m.Phase(), s.m.Stats().Ignored)
	}
	s.from(awayAt, "START")
	s.wait(3 * time.Second)
	s.want("in play", s.from(joinAt, "HELLO"), nil)
	if s.m.Peer() != awayAt || s.m.Phase() != classic.Playing {
		t.Errorf("%v, %v", s.m.Peer(), s.m.Phase())
	}
}

// Each side has datagrams that it has no use for.
func TestHandshakeOfTheOtherSideIsIgnored(t *testing.T) {
	host := script{t: t, m: newMatch(t, duelConfig(t, true, 0, newPlayer(1))), now: epoch}
	host.want("the host, on ACK", host.from(joinAt, "ACK"), nil)
	join := script{t: t, m: newMatch(t, duelConfig(t, false, 0, newPlayer(1))), now: epoch}
	join.want("the joiner, on HELLO", join.from(hostAt, "HELLO"), nil)
	join.want("the joiner, on START", join.from(hostAt, "START"), nil)
	join.want("the joiner, on inputs before ACK", join.from(hostAt, packet(0, 1, rbn1.NoFrame, 0)), nil)
	if a, b := host.m.Stats().Ignored.Unexpected, join.m.Stats().Ignored.Unexpected; a != 1 || b != 3 {
		t.Errorf("%d and %d datagrams ignored, want 1 and 3", a, b)
	}
	if host.m.Phase() != classic.Waiting || join.m.Phase() != classic.Greeting {
		t.Errorf("%v, %v", host.m.Phase(), join.m.Phase())
	}
	if host.m.Local() != 0 || join.m.Local() != 1 {
		t.Errorf("players %d and %d", host.m.Local(), join.m.Local())
	}
}

// A joiner says HELLO twice a second, and START as often once it is answered.
func TestTheHandshakeIsRepeatedTwiceASecond(t *testing.T) {
	cfg := duelConfig(t, false, 0, newPlayer(1))
	cfg.Handshake = classic.Forever
	s := script{t: t, m: newMatch(t, cfg), now: epoch}
	count := func(what string) (n int) {
		for _, b := range s.wait(30*time.Second - 20*time.Millisecond) {
			if string(b) == what {
				n++
			}
		}
		return n
	}
	if n := count("HELLO"); n != 60 {
		t.Errorf("%d times HELLO in 30 s", n)
	}
	s.from(hostAt, "ACK")
	if n := count("START"); n < 59 || n > 60 {
		t.Errorf("%d times START in 30 s", n)
	}
}
