package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zeebo/xxh3"
)

// The epoch of the owner's clock does not matter: a session that begins at a
// negative time, at 0, or after days sends the same bytes at the same times, from
// the handshake to the end, over a network with delays, with a pause.
func TestTheEpochDoesNotMatter(t *testing.T) {
	type flying struct {
		at       time.Duration
		from, to int
		bytes    []byte
	}
	run := func(epoch time.Duration) (digest uint64, o Outcome, events []string) {
		tr := newTrio(t, 3, func(c *Config) { c.Match.Frames = 90 })
		h := xxh3.New()
		var air []flying
		for now := time.Duration(0); now < 6*time.Second; now += 2 * time.Millisecond {
			for len(air) > 0 && air[0].at <= now {
				d := air[0]
				air = air[1:]
				tr.peers[d.to].Receive(epoch+d.at, addrOf(d.from), d.bytes)
			}
			for i, p := range tr.peers {
				if i == 1 && now > 1500*time.Millisecond && now < 2800*time.Millisecond {
					continue // it hangs
				}
				next := p.Update(epoch+now) - epoch
				_, _ = h.Write([]byte{byte(i), byte(now / time.Millisecond), byte(next / time.Microsecond)})
				passed, _ := p.Progress(epoch + now)
				_, _ = h.Write([]byte{byte(passed / time.Microsecond)})
				for to, b := range p.Outgoing() {
					_, _ = h.Write(b)
					air = append(air, flying{now + 30*time.Millisecond, i, int(to.Addr().As4()[3]) - 1, slices.Clone(b)})
				}
				for _, e := range p.Events() {
					events = append(events, e.String())
				}
			}
		}
		o, _ = tr.peers[0].Outcome()
		return h.Sum64(), o, events
	}
	digest, outcome, events := run(0)
	if outcome.Frames != 90 || outcome.Health != Healthy || !slices.ContainsFunc(events, func(s string) bool { return strings.HasPrefix(s, "silent") }) {
		t.Fatalf("the match is %+v, events %v", outcome, events)
	}
	for _, epoch := range []time.Duration{-5 * time.Second, -time.Nanosecond, time.Minute, 1_000_000 * time.Second, -1_000_000 * time.Second} {
		if d, o, e := run(epoch); d != digest || o != outcome || !slices.Equal(e, events) {
			t.Errorf("from %v on the digest is %016x, else %016x; %+v, events\n%v\n%v", epoch, d, digest, o, e, events)
		}
	}
}
