package session

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// calls updates a machine exactly when it asks for that, and reports when it sends.
func calls(p *Session[sum, uint16], until time.Duration, sent func(at time.Duration, b []byte)) {
	for now := time.Duration(0); now < until; {
		next := p.Update(now)
		for _, b := range p.Outgoing() {
			sent(now, b)
		}
		now = max(next, now+time.Nanosecond)
	}
}

// Rule (docs/reference/wire.md): a peer that does not answer gets a Hello every 25 ms in the first second, every 100 ms
// up to the fifth, and then every 250 ms; from the first second on also a small Hello after each large one.
func TestHellosGetRare(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.ConnectTimeout = time.Minute })
	var large, small []time.Duration
	calls(tr.peers[0], 50*time.Second, func(at time.Duration, b []byte) {
		switch {
		case b[0] != datagram.KindHello || len(b) != datagram.MaxSize && len(b) != datagram.MinSize:
			t.Fatalf("at %v it sends %d bytes", at, len(b))
		case len(b) == datagram.MaxSize:
			large = append(large, at)
		case len(large) == 0 || large[len(large)-1] != at:
			t.Errorf("at %v the small one goes first", at)
		default:
			small = append(small, at)
		}
	})
	var want []time.Duration
	for at := time.Duration(0); at < 50*time.Second; {
		want = append(want, at)
		switch {
		case at < time.Second:
			at += 25 * time.Millisecond
		case at < 5*time.Second:
			at += 100 * time.Millisecond
		default:
			at += 250 * time.Millisecond
		}
	}
	if !slices.Equal(large, want) {
		t.Errorf("it asks at %v, not at %v", large, want)
	}
	if late := slices.DeleteFunc(want, func(at time.Duration) bool { return at < time.Second }); !slices.Equal(small, late) {
		t.Errorf("with small ones at %v, not at %v", small, late)
	}
}

// Rule (docs/reference/wire.md): a large Hello probes whether a narrow path now carries one: a quarter of a second
// after the peer has proved to be there, and then at intervals that double each time, up to 32 s.
func TestProbesGetRare(t *testing.T) {
	m := newMesh(t, 2, 0, func(_ int, c *Config) { c.Match.Frames = 0 })
	var probes []time.Duration
	newNarrow(m, everywhere)
	narrow := m.loses
	m.loses = func(from, to netip.AddrPort, b []byte) bool {
		if from == addrOf(0) && b[0] == datagram.KindHello && len(b) == datagram.MaxSize && m.nodes[0].Phase() == Playing {
			probes = append(probes, m.now)
		}
		return narrow(from, to, b)
	}
	m.playing()
	m.run(70 * time.Second)
	want := 250 * time.Millisecond
	for i := 1; i < len(probes); i++ {
		if want = min(2*want, 32*time.Second); i == 1 {
			want = (probes[1] - probes[0]).Round(250 * time.Millisecond) // the first may have come before the match
		}
		if gap := probes[i] - probes[i-1]; gap < want || gap > want+50*time.Millisecond {
			t.Errorf("probe %d comes %v after the one before, want %v", i, gap, want)
		}
	}
	if len(probes) < 6 || len(probes) > 9 {
		t.Errorf("probes at %v", probes)
	}
}

// Rule: a call runs one frame, and says that the next one is due at once. After a pause there are thirty at most; the rest is
// dropped.
func TestAPauseIsCaughtUpInParts(t *testing.T) {
	for _, c := range []struct {
		periods int
		want    int // calls that run a frame
	}{
		{1, 1}, {7, 7}, {8, 8}, {9, 9}, {30, 30}, {31, 30}, {500, 30},
	} {
		s, err := New(sumGame(), Config{Players: 1}, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 1 }})
		if err != nil {
			t.Fatal(err)
		}
		s.Update(0)
		now := s.Update(0) - time.Nanosecond // just before the next frame
		if s.Update(now); s.Frame() != 1 {
			t.Fatalf("frame %d before it is due", s.Frame())
		}
		now += time.Nanosecond + time.Duration(c.periods-1)*s.nominal
		got := 0
		for calls := 1; ; calls++ {
			before := s.Frame()
			next := s.Update(now)
			if n := s.Frame() - before; n > 1 || (next <= now) != (calls < c.want) {
				t.Errorf("after %d periods call %d runs %d frames, and the next one is due in %v", c.periods, calls, n, next-now)
			} else if got += int(n); n == 0 {
				break
			}
		}
		if got != c.want {
			t.Errorf("after %d periods the calls run %d frames, want %d", c.periods, got, c.want)
		}
	}
}

// A peer that has proved to have an answer gets another one at most every 10 ms, however many Hellos arrive in its
// name.
func TestAnswersToHellosGetRare(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	tr.reach(Lobby)
	tr.run(time.Second)
	var answers []time.Duration
	for range 100 {
		tr.now += time.Millisecond
		tr.peers[0].Poll(tr.now)
		tr.peers[0].Receive(tr.now, addrOf(1), datagram.Hello{Version: datagram.Version, Nonce: tr.way(1, 0).Nonce}.Append(nil))
		for _, b := range tr.sentTo(0, addrOf(1)) {
			if b[0] == datagram.KindWelcome {
				answers = append(answers, tr.now)
			}
		}
	}
	if len(answers) != 10 {
		t.Fatalf("answers at %v", answers)
	}
	for i := 1; i < len(answers); i++ {
		if answers[i]-answers[i-1] != 10*time.Millisecond {
			t.Errorf("answers at %v", answers)
		}
	}
}
