package classic_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// Checksums of the same state are compared, whoever comes to it first. One
// difference is never forgotten, and nothing compared is not healthy.
func TestHealth(t *testing.T) {
	claim := func(f, sum uint32, first, n, ack uint32) string {
		h := rbn1.Header{StartFrame: first, AckFrame: ack, HasChecksum: true, ChecksumFrame: f, Checksum: sum}
		b, err := rbn1.Append(nil, h, make([]uint16, n))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	state, err := duel.New(1)
	if err != nil {
		t.Fatal(err)
	}
	var sums []uint32
	for range 10 {
		sums = append(sums, duel.Checksum(&state))
		duel.Step(&state, [2]duel.Input{})
	}
	s := playing(t, func(c *config) { c.Sample = func(rollback.Player) duel.Input { return 0 } })
	want := func(h classic.Health, compared uint64, f rollback.Frame) {
		t.Helper()
		if st := s.m.Stats(); st.Health != h || st.Compared != compared || st.DesyncFrame != f {
			t.Errorf("%v after %d, frame %d; want %v after %d, frame %d", st.Health, st.Compared, st.DesyncFrame, h, compared, f)
		}
	}
	s.wait(200 * time.Millisecond)
	s.from(joinAt, packet(0, 2, 3, 0))
	want(classic.Unverified, 0, 0)
	s.from(joinAt, claim(5, sums[5], 2, 1, 3)) // not final here yet
	want(classic.Unverified, 0, 0)
	s.from(joinAt, claim(13, 1, 2, 1, 3)) // nor there
	if s.m.Stats().Ignored.BadChecksums != 1 {
		t.Error("a checksum of the future is believed")
	}
	s.from(joinAt, packet(3, 5, 5, 0))
	s.wait(20 * time.Millisecond)
	want(classic.Healthy, 1, 0)
	s.from(joinAt, claim(4, sums[4]+1, 8, 1, 5))
	want(classic.Desynced, 2, 4)
	s.from(joinAt, claim(6, sums[6], 8, 1, 5))
	s.from(joinAt, claim(3, 0, 8, 1, 5))
	s.from(joinAt, claim(6, 0, 8, 1, 5)) // the first word counts
	want(classic.Desynced, 4, 4)
	if s.m.Done() {
		t.Error("the match has ended: that is for its owner to decide")
	}
}

// Two sides whose games differ find out.
func TestDesyncIsFound(t *testing.T) {
	w := newWorld(1, lan)
	var sides [2]*match
	for p := range sides {
		cfg := duelConfig(t, p == 0, 100, newPlayer(uint64(p)))
		cfg.Game = rollback.Game[duel.State, duel.Input]{Step: func(s *duel.State, tick *rollback.Tick[duel.Input]) {
			duel.Step(s, [2]duel.Input{tick.Input(0), tick.Input(1)})
			if p == 1 && s.Frame == 50 {
				s.P[0].Hp--
			}
		}}
		sides[p] = newMatch(t, cfg)
	}
	w.add(hostAt, sides[0])
	w.add(joinAt, sides[1])
	w.over(t)
	for _, m := range sides {
		if st := m.Stats(); st.Health != classic.Desynced || st.DesyncFrame < 50 || st.DesyncFrame > 60 {
			t.Errorf("%v, frame %d", st.Health, st.DesyncFrame)
		}
	}
}

// Whoever sends no checksums leaves the match unverified.
func TestNothingComparedIsUnverified(t *testing.T) {
	w := newWorld(1, lan)
	m := newMatch(t, duelConfig(t, true, 100, newPlayer(1)))
	raw := newRawPeer(1, false, hostAt, 100)
	raw.quiet = true
	w.add(hostAt, m)
	w.add(joinAt, raw)
	w.over(t)
	if st := m.Stats(); st.Health != classic.Unverified || st.Compared != 0 {
		t.Errorf("%v after %d", st.Health, st.Compared)
	}
}

// Phases and verdicts have names.
func TestNames(t *testing.T) {
	var all []string
	for p := classic.Greeting; p <= classic.Failed+1; p++ {
		all = append(all, p.String())
	}
	for h := classic.Unverified; h <= classic.Desynced+1; h++ {
		all = append(all, h.String())
	}
	want := "greeting waiting starting playing lingering over failed unknown unverified healthy desynced unknown"
	if got := strings.Join(all, " "); got != want {
		t.Errorf("%q", got)
	}
}
