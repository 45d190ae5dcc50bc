package fleet

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/rate"
)

// ntsc is the rate of a console, 60.0988 frames per second.
var ntsc = rate.Rate{Frames: 39375000, Seconds: 655171}

// Machines whose rates differ by a thousandth do not play together, and each of them names both rates.
func TestRatesThatAreNoIntegersAreCompared(t *testing.T) {
	const whole, exact = "60", "60.0988 (39375000/655171)"
	for _, c := range []struct {
		other rate.Rate
		text  string
	}{{rate.Rate{}, whole}, {rate.Rate{Frames: 601, Seconds: 10}, "60.1000 (601/10)"}} {
		l := newLab(t, 2, withLoss(30*time.Millisecond, 0), configure(func(peer int, cfg *session.Config) {
			if cfg.Rate = ntsc; peer == 1 {
				cfg.TickRate, cfg.Rate = 60, c.other
			}
		}))
		l.pass(5 * time.Second)
		l.mismatch("tick rate")
		for i, want := range [][2]string{{exact, c.text}, {c.text, exact}} {
			var e *session.MismatchError
			if errors.As(l.Peers[i].Err(), &e); e.Ours != want[0] || e.Theirs != want[1] {
				t.Errorf("peer %d says %v", i, e)
			}
		}
	}
}

// Two machines and a spectator play at a rate that is no integer, which each of them gives in other terms, over a path
// that loses datagrams. They stay together, and have the frames that the rate says.
func TestPeersAndSpectatorsPlayAtARateThatIsNoInteger(t *testing.T) {
	length := time.Hour
	if testing.Short() {
		length = 2 * time.Minute
	}
	twice := rate.Rate{Frames: 2 * ntsc.Frames, Seconds: 2 * ntsc.Seconds}
	f, err := New(Setup[ledger, note]{
		Game: ledgerGame(nil), Players: 2, Input: func(_ rollback.Player, n int) note { return note(n) }, Seed: 5,
		Link: netem.Link{Delay: 20 * time.Millisecond, Jitter: 5 * time.Millisecond, Distribution: netem.Uniform, Loss: 2 * netem.Percent},
		Configure: func(peer int, c *session.Config) {
			if c.TickRate, c.Rate = 0, ntsc; peer == 1 {
				c.Rate = twice
			}
			c.Spectators = spectate.Config{Max: 1}
		},
		Spectators:         []SpectatorSetup{{Hosts: []int{0}}},
		ConfigureSpectator: func(_ int, c *session.SpectatorConfig) { c.TickRate, c.Rate = 0, twice },
	})
	if err != nil {
		t.Fatal(err)
	}
	if !f.RunUntil(10*time.Second, func() bool { return f.Peers[0].Frame() > 0 && f.Peers[1].Frame() > 0 && f.Spectators[0].Frame() > 0 }) {
		t.Fatal("no match begins")
	}
	began := f.Peers[0].Frame()
	f.Run(length)
	for i, p := range f.Peers {
		if err := p.Err(); err != nil {
			t.Fatalf("peer %d: %v", i, err)
		}
		got, want := int64(p.Frame()-began), int64(rate.Count(length, 0, ntsc))
		if off := got - want; off < -3 || off > 3 {
			t.Errorf("peer %d has run %d frames in %v, want %d: it is %d off", i, got, length, want, off)
		}
		t.Logf("peer %d: %d frames in %v, want %d", i, got, length, want)
	}
	if a, b := f.Spectators[0].Frame(), f.Peers[0].Frame(); a+rollback.Frame(rate.Count(time.Second, 0, ntsc)) < b || f.Spectators[0].Err() != nil {
		t.Errorf("the spectator has shown %d frames of %d: %v", a, b, f.Spectators[0].Err())
	}
}
