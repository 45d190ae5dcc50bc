package tickback_test

import (
	"bytes"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/rate"
)

// somewhere is an address at which nobody is.
var somewhere = netip.MustParseAddrPort("10.0.1.9:7")

// palRate is the rate of a console, 50.0069 frames a second.
var palRate = tickback.Rate{Frames: 322445, Seconds: 6448}

// A match and a server at a rate that is no integer write it into their recordings, exactly; such a recording is played
// again at that rate. Defaults that stand for a time go by the integer next to it.
func TestARateThatIsNoIntegerIsRecorded(t *testing.T) {
	var match, served bytes.Buffer
	w := newWatch()
	m, err := tickback.Local(counting, tickback.Options[counter, uint32]{
		Rate: palRate, Match: tickback.Parameters{Frames: 100}, Sample: func(tickback.Player) uint32 { return 1 },
		Record: &match, Recording: tickback.RecordOptions{Wait: true}, Advanced: tickback.Advanced{Now: w.Now},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := tickback.Serve(counting, tickback.ServerOptions[counter, uint32]{
		Players: 2, Rate: palRate, Match: tickback.Parameters{Frames: 100}, Transport: newHall().door(),
		Record: &served, Recording: tickback.RecordOptions{Wait: true}, Advanced: tickback.Advanced{Now: w.Now},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		w.advance(10 * time.Millisecond)
		_, ours := m.Update()
		_, theirs := s.Update()
		for _, err := range []error{ours, theirs} {
			if err != nil && !errors.Is(err, tickback.ErrEnd) {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(m.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"match": match.Bytes(), "server": served.Bytes()} {
		r, err := tbr.Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		h := r.Header()
		if h.Rate != palRate || h.TickRate != 50 || h.HashEvery != 50 || r.Next() != 100 || h.Period() != 19_997_208 {
			t.Errorf("%s: %v, about %d, %d frames with a hash every %d, and a period of %d", name, h.Rate, h.TickRate, r.Next(), h.HashEvery, h.Period())
		}
	}
}

// A rate that is none is refused with a typed error, by whatever takes one.
func TestARateThatIsNoneIsRefused(t *testing.T) {
	sample := func(tickback.Player) uint32 { return 1 }
	for _, r := range []tickback.Rate{{Frames: 60}, {Seconds: 1}, {Frames: 1, Seconds: 2}, {Frames: 1 << 31, Seconds: 2}} {
		_, local := tickback.Local(counting, tickback.Options[counter, uint32]{Rate: r, Sample: sample})
		_, server := tickback.Serve(counting, tickback.ServerOptions[counter, uint32]{Players: 2, Rate: r, Transport: newHall().door()})
		_, client := tickback.Connect(counting, tickback.ClientOptions[counter, uint32]{Players: 2, Rate: r, Transport: newHall().door(), Server: somewhere, Sample: sample})
		_, watcher := tickback.Spectate(counting, tickback.SpectatorOptions[counter, uint32]{Rate: r, Transport: newHall().door(), Hosts: []netip.AddrPort{somewhere}})
		for what, err := range map[string]error{"Local": local, "Serve": server, "Connect": client, "Spectate": watcher} {
			if !errors.Is(err, rate.ErrRate) || !errors.Is(err, tickback.ErrOptions) {
				t.Errorf("%s at %v: %v", what, r, err)
			}
		}
	}
}
