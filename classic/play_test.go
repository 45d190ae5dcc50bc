package classic_test

import (
	"encoding/hex"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// The bytes of the first packets are part of the protocol.
func TestFrozenFirstPackets(t *testing.T) {
	cfg := duelConfig(t, true, 0, newPlayer(1))
	cfg.Delay = 2
	held := duel.Input(0x0100)
	cfg.Sample = func(rollback.Player) duel.Input { held++; return held }
	s := script{t: t, m: newMatch(t, cfg), now: epoch}
	s.from(joinAt, "START")
	got := s.wait(17 * time.Millisecond)
	s.from(joinAt, packet(0, 1, 2, 8))
	got = append(got, s.wait(17*time.Millisecond)...)
	want := []string{
		"52424e31010000000000" + "03" + "ffffffff" + "000000000101",
		"52424e31010000000000" + "04" + "ffffffff" + "0000000001010201",
		"52424e31010103000000" + "02" + "00000000" + "00000000" + "1aa34ea5" + "02010301",
	}
	for i, b := range got {
		if i >= len(want) || hex.EncodeToString([]byte(b)) != want[i] {
			t.Errorf("packet %d is %x", i, b)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d packets", len(got))
	}
}

// At 32 own inputs that are not acknowledged the side stalls. It goes on sending a
// packet in each period, always the same, and goes on with the next acknowledgement.
func TestStallAtThirtyTwo(t *testing.T) {
	for delay := range 3 {
		s := playing(t, func(c *config) { c.Delay = 10 * delay })
		got := s.wait(2 * time.Second)
		if len(got) != 120 {
			t.Errorf("%d packets in 2 s, want 120", len(got))
		}
		if p := decode(t, got[119]); p.StartFrame != 0 || len(p.Buttons) != 32 || p.AckFrame != rbn1.NoFrame {
			t.Errorf("%+v", p)
		}
		if st := s.m.Stats(); st.Frames != rollback.Frame(32-10*delay) || st.Stalls != 1 || st.StalledPeriods != 120-uint64(st.Frames) {
			t.Errorf("%d frames, %d stalls, %d periods", st.Frames, st.Stalls, st.StalledPeriods)
		}
		s.from(joinAt, packet(0, 1, 9, 0)) // ten of them have arrived
		got = s.wait(time.Second)
		if p := decode(t, got[59]); p.StartFrame != 10 || len(p.Buttons) != 32 || p.AckFrame != 0 {
			t.Errorf("%+v", p)
		}
		if st := s.m.Stats(); st.Frames != rollback.Frame(42-10*delay) || st.Stalls != 2 {
			t.Errorf("%d frames, %d stalls", st.Frames, st.Stalls)
		}
	}
}

// The window is the other limit, and it is sampled once for the frame that waits.
func TestStallAtTheWindow(t *testing.T) {
	p := newPlayer(1)
	s := playing(t, func(c *config) { c.Window, c.Sample = 5, p.sample })
	s.wait(time.Second)
	if s.m.Frame() != 5 || len(p.samples) != 6 {
		t.Errorf("frame %d, %d samples, want 5 and 6", s.m.Frame(), len(p.samples))
	}
}

// Time that goes back stands still, and is not taken for sleep when it comes again.
func TestTimeDoesNotGoBack(t *testing.T) {
	s := playing(t, nil)
	for range 52 {
		s.wait(100 * time.Millisecond)
		s.m.Receive(s.now-time.Hour, awayAt, nil)
		if next := s.m.Advance(s.now - time.Hour); !s.m.Done() && next <= s.now-100*time.Millisecond {
			t.Fatalf("it wants to be called at %v, which was long ago", next)
		}
	}
	if !is(s.m.Err(), classic.ErrLost) {
		t.Errorf("after 5.2 s of silence: %v", s.m.Err())
	}
}

// At the end all effects are confirmed.
func TestEffectsAreConfirmedAtTheEnd(t *testing.T) {
	const frames = 30
	spark := effects.OneShot[uint8](1, "spark")
	game := rollback.Game[duel.State, duel.Input]{
		Effects: []effects.Declaration{spark},
		Step: func(_ *duel.State, tick *rollback.Tick[duel.Input]) {
			spark.Emit(tick.Effects(), 0, uint8(tick.Input(0)+tick.Input(1)))
		},
	}
	w := newWorld(1, lan)
	confirmed := [2]int{}
	for p := range confirmed {
		cfg := duelConfig(t, p == 0, frames, newPlayer(uint64(p)))
		cfg.Game = game
		w.add([2]netip.AddrPort{hostAt, joinAt}[p], newMatch(t, cfg))
	}
	w.until(time.Minute, func() bool {
		for p, n := range w.nodes {
			for _, e := range n.side.(*match).Effects() {
				if e.What == effects.Confirmed {
					confirmed[p]++
				}
			}
		}
		return w.nodes[0].Done() && w.nodes[1].Done()
	})
	if confirmed != [2]int{frames, frames} {
		t.Errorf("%v effects are confirmed, want %d on both sides", confirmed, frames)
	}
}

// The match is over when everything has arrived and been acknowledged, not before;
// then the newest input is repeated for one second, and nothing follows.
func TestGracefulEnd(t *testing.T) {
	s := playing(t, func(c *config) { c.Frames = 5 })
	s.wait(200 * time.Millisecond)
	s.from(joinAt, packet(0, 5, 3, 1))
	s.wait(time.Second)
	if _, ok := s.m.Result(); s.m.Phase() != classic.Playing || ok {
		t.Errorf("%v, %v without the last acknowledgement", s.m.Phase(), ok)
	}
	s.from(joinAt, packet(4, 1, 4, 1))
	got := s.wait(2 * time.Second)
	if len(got) < 60 || len(got) > 62 {
		t.Errorf("%d packets after the end, want 60 and the one of the period of the end", len(got))
	}
	for _, b := range got[1:] {
		if p := decode(t, b); p.StartFrame != 4 || len(p.Buttons) != 1 || p.AckFrame != 4 {
			t.Fatalf("%+v", p)
		}
	}
	if _, ok := s.m.Result(); s.m.Phase() != classic.Over || !ok {
		t.Errorf("%v, %v", s.m.Phase(), ok)
	}
	s.want("HELLO after the end", s.from(joinAt, "HELLO"), nil)
	if s.m.Stats().Ignored.Late != 1 {
		t.Errorf("%+v", s.m.Stats().Ignored)
	}
}

// A hitch is made up for by a few periods, not all.
func TestCatchUpIsBounded(t *testing.T) {
	s := playing(t, nil)
	s.wait(50 * time.Millisecond)
	s.now += 10 * time.Second
	s.m.Advance(s.now)
	if got := s.sent(); len(got) != 8 {
		t.Errorf("%d packets after a hitch, want 8", len(got))
	}
	if got := s.wait(time.Second); len(got) < 59 || len(got) > 60 {
		t.Errorf("%d packets in the second after", len(got))
	}
	if s.m.Done() {
		t.Error("the time that this machine slept counted: ", s.m.Err())
	}
}

// What RBN1 cannot carry is lost on both sides alike.
func TestLocalInputIsWhatTheOtherSideSees(t *testing.T) {
	var seen []duel.Input
	s := playing(t, func(c *config) {
		c.Buttons = func(i duel.Input) uint16 { return uint16(i & duel.Buttons) }
		c.Sample = func(rollback.Player) duel.Input { return 0xFF00 | duel.Right }
		c.Game = rollback.Game[duel.State, duel.Input]{
			Step: func(_ *duel.State, t *rollback.Tick[duel.Input]) { seen = append(seen, t.Input(0)) },
		}
	})
	s.wait(10 * time.Millisecond)
	if !slices.Equal(seen, []duel.Input{duel.Right}) {
		t.Errorf("the step saw %v", seen)
	}
}

// A game with its own memory plays in lockstep.
func TestOwnMemoryInLockstep(t *testing.T) {
	w := newWorld(1, lan)
	var sides [2]*match
	for p := range sides {
		cfg := duelConfig(t, p == 0, 100, newPlayer(uint64(p)))
		game, err := duel.Game(1)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Game = rollback.OwnMemory[duel.State, duel.State, duel.Input]{Init: game.Init, Step: game.Step}
		cfg.Window, cfg.Delay = -1, 3
		sides[p] = newMatch(t, cfg)
	}
	w.add(hostAt, sides[0])
	w.add(joinAt, sides[1])
	w.over(t)
	want, _ := sides[0].Result()
	wantResult(t, sides[0], want)
	wantResult(t, sides[1], want)
	if st := sides[0].Stats(); st.Health != classic.Healthy || st.Rollback.Rollbacks != 0 {
		t.Errorf("%+v", st)
	}
}

// A frame of a match, with its datagrams, allocates nothing.
func TestPlayAllocatesNothing(t *testing.T) {
	cfg := [2]config{duelConfig(t, true, 0, newPlayer(1)), duelConfig(t, false, 0, newPlayer(2))}
	var sides [2]*match
	for p := range sides {
		cfg[p].Sample = func(rollback.Player) duel.Input { return duel.Input(cfg[p].Delay + p) }
		sides[p] = newMatch(t, cfg[p])
	}
	at := [2]netip.AddrPort{hostAt, joinAt}
	now := epoch
	exchange := func() {
		for p, m := range sides {
			m.Advance(now)
			for _, b := range m.Outgoing() {
				sides[1-p].Receive(now, at[p], b)
			}
		}
		now += 5 * time.Millisecond
	}
	for range 100 {
		exchange()
	}
	before := sides[0].Frame()
	if n := testing.AllocsPerRun(500, exchange); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if sides[0].Frame() < before+100 {
		t.Error("the match did not go on")
	}
	// Nor does a stall.
	if n := testing.AllocsPerRun(500, func() {
		sides[0].Advance(now)
		now += 5 * time.Millisecond
		for range sides[0].Outgoing() {
		}
	}); n != 0 || sides[0].Stats().Stalls == 0 {
		t.Errorf("%v allocations while it stalls, %d stalls", n, sides[0].Stats().Stalls)
	}
}
