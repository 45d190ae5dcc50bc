package session

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/rate"
)

// consoleRates are those of a NES with NTSC and with PAL, and of a Game Boy: 60.0988, 50.0069 and 59.7275.
var consoleRates = []Rate{{Frames: 39375000, Seconds: 655171}, {Frames: 322445, Seconds: 6448}, {Frames: 262144, Seconds: 4389}}

// At a rate that is no integer an hour has exactly as many frames as the rate says, and each of them begins when it
// says, to the nanosecond: nothing is rounded, and nothing adds up.
func TestAnHourHasTheFramesThatTheRateSays(t *testing.T) {
	for i, r := range consoleRates {
		samples := uint32(0)
		s, err := New(sumGame(), Config{GameID: "sum", Players: 1, Rate: r}, Hooks[sum, uint16]{Sample: func(Player) uint16 { samples++; return 1 }})
		if err != nil {
			t.Fatal(err)
		}
		const length = time.Hour
		first := time.Duration(-1)
		for now := time.Duration(0); first < 0 || now < first+length; {
			frame := uint32(s.Frame())
			now = s.Update(now)
			s.Events()
			switch {
			case uint32(s.Frame()) == frame+1 && first < 0:
				first = now - rate.Length(1, 0, r)
			case first >= 0 && s.Phase() == Playing && now != first+rate.Length(uint32(s.Frame()), 0, r):
				t.Fatalf("at %v frame %d is due at %d, want %d", r, s.Frame(), now-first, rate.Length(uint32(s.Frame()), 0, r))
			}
		}
		if want := rate.Count(length, 0, r); uint32(s.Frame()) != want || samples != want {
			t.Errorf("at %v there are %d frames in %v, and %d samples; want %d", r, s.Frame(), length, samples, want)
		}
		if want := [...]uint32{216_356, 180_026, 215_020}[i]; uint32(s.Frame()) != want {
			t.Errorf("at %v there are %d frames in an hour, want %d", r, s.Frame(), want)
		}
	}
}

// Configurations take an exact rate in any terms, and only if it is one.
func TestExactRatesAreSettled(t *testing.T) {
	for _, c := range []struct {
		whole   int
		exact   Rate
		want    int
		settled Rate
	}{
		{0, consoleRates[0], 60, consoleRates[0]},
		{60, consoleRates[0], 60, consoleRates[0]},
		{0, Rate{Frames: 78750000, Seconds: 1310342}, 60, consoleRates[0]},
		{0, Rate{Frames: 240, Seconds: 4}, 60, Rate{}},
		{0, Rate{}, DefaultTickRate, Rate{}},
	} {
		peers, watcher := twoPeers(), SpectatorConfig{Hosts: []netip.AddrPort{addrOf(1)}, Random: func() uint64 { return 4 }}
		peers.TickRate, peers.Rate, watcher.TickRate, watcher.Rate = c.whole, c.exact, c.whole, c.exact
		if err := errors.Join(peers.complete(), watcher.complete()); err != nil {
			t.Errorf("%d and %v: %v", c.whole, c.exact, err)
		}
		if peers.TickRate != c.want || peers.Rate != c.settled || watcher.TickRate != c.want || watcher.Rate != c.settled {
			t.Errorf("%d and %v are %d and %v, and %d and %v", c.whole, c.exact, peers.TickRate, peers.Rate, watcher.TickRate, watcher.Rate)
		}
	}
	for _, r := range []Rate{{Frames: 60}, {Seconds: 60}, {Frames: 1, Seconds: 2}, {Frames: 2001, Seconds: 2}} {
		peers, watcher := twoPeers(), SpectatorConfig{Hosts: []netip.AddrPort{addrOf(1)}, Random: func() uint64 { return 4 }}
		peers.Rate, watcher.Rate = r, r
		for _, err := range []error{peers.complete(), watcher.complete()} {
			if !errors.Is(err, ErrConfig) || !errors.Is(err, rate.ErrRate) {
				t.Errorf("%v: %v", r, err)
			}
		}
	}
	c := twoPeers()
	if c.TickRate, c.Rate = 50, consoleRates[0]; !errors.Is(c.complete(), rate.ErrRate) {
		t.Error("50 and 60.0988 are taken")
	}
}
