package tickback_test

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

// silence makes a pair whose second peer stops sending at some moment. From then on its clock advances by itself, each
// time it is read.
func silence(t *testing.T, before int, change func(o *tickback.Options[counter, uint32])) *tickback.Match[counter, uint32] {
	t.Helper()
	var w *watch
	alone := false
	peers, _, clock := pair(t, func(me int, o *tickback.Options[counter, uint32]) {
		o.Timeouts.Linger = 60 * time.Millisecond
		now := o.Advanced.Now
		o.Advanced.Now = func() time.Time {
			if alone {
				w.advance(5 * time.Millisecond)
			}
			return now()
		}
		if change != nil {
			change(o)
		}
	})
	w = clock
	for range before {
		for _, p := range peers {
			update(t, p)
		}
		w.advance(2 * time.Millisecond)
	}
	alone = true
	return peers[0]
}

// After Close nothing panics, and calls that would continue the session return that it is closed: in every phase, and
// also if the other side is silent for ever, so that only the time to linger ends it.
func TestNothingPanicsAfterClose(t *testing.T) {
	for name, prepare := range map[string]func() *tickback.Match[counter, uint32]{
		"nobody has come": func() *tickback.Match[counter, uint32] { return silence(t, 0, nil) },
		"in the lobby": func() *tickback.Match[counter, uint32] {
			return silence(t, 100, func(o *tickback.Options[counter, uint32]) { o.Lobby = true })
		},
		"playing": func() *tickback.Match[counter, uint32] { return silence(t, 500, nil) },
		"a match is over": func() *tickback.Match[counter, uint32] {
			return silence(t, 700, func(o *tickback.Options[counter, uint32]) { o.Match.Frames = 30 })
		},
		"frame by frame": func() *tickback.Match[counter, uint32] {
			m := silence(t, 500, nil)
			for range 10 {
				if _, err := m.Advance(); err != nil {
					t.Fatal(err)
				}
			}
			return m
		},
		"alone": func() *tickback.Match[counter, uint32] {
			m, w, _ := local(t, tickback.Options[counter, uint32]{Players: 2})
			for range 100 {
				update(t, m)
				w.advance(5 * time.Millisecond)
			}
			return m
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := prepare()
			frame := m.View().Frame
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if _, err := m.Update(); !errors.Is(err, session.ErrClosed) {
					t.Errorf("Update: %v", err)
				}
				if _, err := m.Advance(); !errors.Is(err, session.ErrClosed) {
					t.Errorf("Advance: %v", err)
				}
				if err := m.Poll(); !errors.Is(err, session.ErrClosed) {
					t.Errorf("Poll: %v", err)
				}
				if v := m.View(); v.Current == nil || v.Previous == nil || v.Running || v.Fraction != 1 || v.Frame != frame {
					t.Errorf("the view is %+v, at frame %d before", v, frame)
				}
				m.Stats()
				m.Events()
				m.Effects()
				m.Outcome()
				_ = m.SetDelay(0, 2)
				if err := m.Close(); err != nil {
					t.Errorf("closed again: %v", err)
				}
			}
		})
	}
}

// Hellos that seem to come from the peer's address, two hundred in each tick period, do not silence the match: a
// session datagram is still sent in every period, and nobody is lost.
func TestSpoofedHellosDoNotSilenceTheMatch(t *testing.T) {
	peers, ends, w := pair(t, nil)
	flood := datagram.Hello{Version: datagram.Version, Nonce: 42}.Append(nil)
	const step = period / 2
	last, began := w.now, w.now
	for ; w.now.Sub(began) < 11*time.Second; w.advance(step) {
		attacked := w.now.Sub(began) > time.Second
		for range 100 {
			if attacked {
				_ = ends[1].Send(netip.AddrPort{}, flood)
			}
		}
		if _, err := peers[0].Update(); err != nil {
			t.Fatal(err)
		}
		for _, b := range ends[1].queue {
			if datagram.IsSession(b) {
				last = w.now
			}
		}
		if gap := w.now.Sub(last); attacked && gap > period*3/2+step {
			t.Fatalf("nothing has left for %v", gap)
		}
		if _, err := peers[1].Update(); err != nil {
			t.Fatal(err)
		}
		for _, p := range peers {
			for _, e := range p.Events() {
				if e.What == tickback.Silent || e.What == tickback.Lost {
					t.Fatal(e)
				}
			}
		}
	}
	for i, p := range peers {
		if f := p.View().Frame; f < 600 {
			t.Errorf("peer %d is at frame %d after 11 s", i, f)
		}
		if n := p.Stats().DroppedDatagrams; n != 0 {
			t.Errorf("peer %d: %d datagrams had no room", i, n)
		}
	}
}

// late is a tube that delays everything.
type late struct {
	*tube
	way     time.Duration
	waiting []arrival
}

type arrival struct {
	at    time.Time
	bytes []byte
}

func (l *late) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	var b [2048]byte
	for {
		n, _, at, ok := l.tube.Receive(b[:])
		if !ok {
			break
		}
		l.waiting = append(l.waiting, arrival{at.Add(l.way), append([]byte(nil), b[:n]...)})
	}
	if len(l.waiting) == 0 || l.waiting[0].at.After(l.now()) {
		return 0, from, at, false
	}
	a := l.waiting[0]
	l.waiting = l.waiting[1:]
	return copy(buf, a.bytes), l.other.here, a.at, true
}

// The drawn moment never goes back: the fraction grows to 1 with each frame, and stays there while the last frame waits
// to be agreed.
func TestTheViewNeverGoesBack(t *testing.T) {
	const frames = 120
	peers, _, w := pair(t, func(_ int, o *tickback.Options[counter, uint32]) {
		o.Match.Frames = frames
		o.Transport = &late{tube: o.Transport.(*tube), way: 100 * time.Millisecond}
	})
	var last [2]tickback.View[counter]
	waited, over := 0, 0
	for range 10000 {
		over = 0
		for i, p := range peers {
			update(t, p)
			v := p.View()
			if before := last[i]; before.Running && (v.Frame < before.Frame || v.Frame == before.Frame && v.Fraction < before.Fraction) {
				t.Fatalf("peer %d: frame %d, fraction %v, after frame %d, fraction %v", i, v.Frame, v.Fraction, before.Frame, before.Fraction)
			}
			if v.Running && v.Frame == frames {
				if waited++; v.Fraction != 1 {
					t.Fatalf("peer %d: the fraction is %v while the last frame waits", i, v.Fraction)
				}
			}
			if last[i] = v; !v.Running && v.Frame == frames {
				over++
			}
		}
		if over == 2 {
			break
		}
		w.advance(time.Millisecond)
	}
	if over < 2 || waited < 100 {
		t.Errorf("%d are through, and have waited for %d ms", over, waited)
	}
}

// IPv4 addresses in IPv6 form, in options or on arrival, are those of the same peer.
func TestMappedAddressesConnect(t *testing.T) {
	mapped := func(a netip.AddrPort) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom16(a.Addr().As16()), a.Port())
	}
	for _, given := range []bool{false, true} {
		for _, arriving := range []bool{false, true} {
			peers, ends, w := pair(t, func(_ int, o *tickback.Options[counter, uint32]) {
				for i := range o.Peers {
					if given {
						o.Peers[i].Addr = mapped(o.Peers[i].Addr)
					}
				}
			})
			for _, e := range ends {
				if arriving {
					e.here = mapped(e.here)
				}
			}
			for range 500 {
				update(t, peers[0])
				update(t, peers[1])
				w.advance(2 * time.Millisecond)
			}
			for i, p := range peers {
				if v := p.View(); !v.Running || v.Frame < 30 {
					t.Errorf("given mapped %v, arriving mapped %v: peer %d is at frame %d, %d strangers", given, arriving, i, v.Frame, p.Stats().Strangers)
				}
			}
		}
	}
}
