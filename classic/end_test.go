package classic_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/rollback"
)

// advance calls a match every 10 ms up to a moment.
func (s *script) advance(to time.Duration) {
	for ; s.now < to; s.now += 10 * time.Millisecond {
		s.m.Advance(s.now)
		s.sent()
	}
}

// A match ends at the moment at which its time-out has passed, and not before; it says how
// long it has waited, for what.
func TestTheMomentOfATimeOut(t *testing.T) {
	for what, c := range map[string]struct {
		s     *script
		limit time.Duration
		err   error
		why   string
	}{
		"nobody joins": {
			&script{t: t, m: newMatch(t, duelConfig(t, true, 0, newPlayer(1))), now: epoch},
			classic.DefaultHandshake, classic.ErrNobody, "classic: nobody is there: waiting for 30s",
		},
		"nothing comes": {playing(t, nil), classic.DefaultSilence, classic.ErrLost, "classic: the other side is lost: nothing new since frame 0 for 5s"},
	} {
		s := c.s
		end := s.now + c.limit
		if s.advance(end); s.m.Done() {
			t.Errorf("%s: it has ended: %v", what, s.m.Err())
		}
		if s.m.Advance(end - 1); s.m.Done() {
			t.Errorf("%s: it has ended a moment too early", what)
		}
		s.m.Advance(end)
		if !is(s.m.Err(), c.err) || s.m.Err().Error() != c.why {
			t.Errorf("%s: %v", what, s.m.Err())
		}
	}
}

// If all inputs are here and only acknowledgements are missing, the result is known, and the
// error says so.
func TestTheResultIsKnownToOneSide(t *testing.T) {
	for _, frames := range []rollback.Frame{1, 3} {
		s := playing(t, func(c *config) { c.Frames = frames })
		s.advance(s.now + 100*time.Millisecond)
		s.from(joinAt, packet(0, uint32(frames), rbn1.NoFrame, 0))
		s.advance(s.now + 6*time.Second)
		want := map[rollback.Frame]string{
			1: "classic: the other side is lost: the result is known, but for 5s it has not acknowledged the last 1 inputs",
			3: "classic: the other side is lost: the result is known, but for 5s it has not acknowledged the last 3 inputs",
		}[frames]
		if _, known := s.m.Result(); !known || s.m.Err() == nil || s.m.Err().Error() != want {
			t.Errorf("%v, the result is known: %v", s.m.Err(), known)
		}
	}
}

// A match of a single frame ends like any other.
func TestAMatchOfOneFrame(t *testing.T) {
	s := playing(t, func(c *config) { c.Frames = 1 })
	s.advance(s.now + 50*time.Millisecond)
	s.from(joinAt, packet(0, 1, 0, 0))
	s.advance(s.now + 50*time.Millisecond)
	if _, known := s.m.Result(); !known || s.m.Phase() != classic.Lingering || s.m.Frame() != 1 {
		t.Errorf("it is %v at frame %d", s.m.Phase(), s.m.Frame())
	}
	if s.advance(s.now + 2*time.Second); s.m.Phase() != classic.Over || s.m.Err() != nil {
		t.Errorf("it is %v: %v", s.m.Phase(), s.m.Err())
	}
}
