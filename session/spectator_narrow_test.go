package session_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

// narrowLan carries datagrams of 576 bytes with their headers.
func narrowLan() netem.Link {
	return netem.Link{Delay: 20 * time.Millisecond, MTU: 576, Overhead: netem.OverheadIPv4}
}

// Over a path that carries only small datagrams, in one direction or both, a spectator can
// watch from the beginning, and a late one gets a large state. Nothing that is too large is
// sent, except for probes.
func TestASpectatorOnANarrowPath(t *testing.T) {
	for name, c := range map[string]struct{ to, from bool }{"both ways": {true, true}, "from the host": {false, true}, "to the host": {true, false}} {
		t.Run(name, func(t *testing.T) {
			th := open(t, bigGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames = 1500 })
			probes := 0
			narrow := func(w int) {
				if c.from {
					th.link(0, w, narrowLan())
				}
				if c.to {
					th.link(w, 0, narrowLan())
				}
			}
			th.tap = func(from, to int, b []byte) bool {
				if from > 1 && datagram.IsWatch(b) && len(b) > datagram.MinSize {
					t.Errorf("a spectator sends %d bytes", len(b))
				}
				if from == 0 && to > 1 && c.from && len(b) > datagram.MinSize {
					if probes++; len(b) != datagram.MaxSize || !datagram.IsWatch(b) || b[0]&0x10 != 0 {
						t.Fatalf("%d bytes are sent, % x...", len(b), b[:8])
					}
				}
				return true
			}
			narrow(2)
			early := th.watch(bigGame(), []int{0}, nil)
			th.run(10 * time.Second)
			narrow(3)
			late := th.watch(bigGame(), []int{0}, nil)
			if !th.until(10*time.Second, func() bool { return th.saw(late, session.Live) != nil }) {
				th.log(late)
				t.Fatal("the late one is not live after 10 s")
			}
			th.run(30 * time.Second)
			th.sameStream(early, 1500)
			th.sameStream(late, 100)
			th.sameEnd(0, 0)
			th.sameEnd(1, 0)
			if c.from != (probes > 0) || probes > 20 {
				t.Errorf("%d probes", probes)
			}
			if s := th.watchers[0].Stats(nil); s.Links[0].Limit > datagram.MinSize {
				t.Errorf("the limit is %d", s.Links[0].Limit)
			}
		})
	}
}

// On a wide path the host finds out immediately that it is wide, and a spectator catches up
// with large datagrams.
func TestASpectatorOnAWidePathGetsLargeDatagrams(t *testing.T) {
	th := open(t, bigGame(), 2, netem.Link{Delay: 20 * time.Millisecond, Loss: 2 * netem.Percent}, func(_ int, c *session.Config) { c.Match.Frames = 0 })
	th.run(3 * time.Second)
	large, small := 0, 0
	th.tap = func(from, to int, b []byte) bool {
		switch {
		case to != 2 || b[0]&0x10 == 0:
		case len(b) > 900:
			large++
		case len(b) > 400:
			small++
		}
		return true
	}
	w := th.watch(bigGame(), []int{0}, nil)
	if !th.until(20*time.Second, func() bool { return th.saw(w, session.Live) != nil }) {
		th.log(w)
		t.Fatal("it is not live")
	}
	if large < 5*small || large == 0 {
		t.Errorf("%d large datagrams, and %d small ones", large, small)
	}
}

// wide is an input of the maximum width, all of which changes at once.
type wide [datagram.MaxWidth]byte

// If several players share a machine, and their inputs and orders for one frame do not fit
// into a small datagram, they are sent in turn.
func TestManyWithWideInputsPlayOverANarrowPath(t *testing.T) {
	for _, orders := range []int{0, 120} {
		t.Run(fmt.Sprintf("%d bytes of orders", orders), func(t *testing.T) {
			type count struct{ Total uint64 }
			game := rollback.Game[count, wide]{Step: func(s *count, t *rollback.Tick[wide]) {
				for p := range t.Players() {
					in := t.Input(p)
					for _, c := range in {
						s.Total = s.Total*31 + uint64(c)
					}
					for _, c := range t.Orders(p) {
						s.Total = s.Total*37 + uint64(c)
					}
				}
			}}
			const players = 8
			var peers [2]*session.Session[count, wide]
			seats := [2]session.PlayerSet{0b01111111, 0b10000000}
			for i := range peers {
				n := uint64(i + 1)
				random := func() uint64 { n = n*6364136223846793005 + 1442695040888963407; return n }
				hooks := session.Hooks[count, wide]{Sample: func(session.Player) (in wide) {
					for i := range in {
						in[i] = byte(random() >> 32)
					}
					return in
				}}
				if orders > 0 {
					hooks.Orders = func(session.Player) []byte { return make([]byte, orders) }
				}
				s, err := session.New(game, session.Config{
					GameID: "wide", Players: players, Local: seats[i], MaxOrders: orders, Random: random,
					Peers: []session.Peer{{Players: seats[1-i], Addr: nodeAddr(1 - i)}}, Match: session.Parameters{Frames: 150},
				}, hooks)
				if err != nil {
					t.Fatal(err)
				}
				peers[i] = s
			}
			for now := time.Duration(0); now < 60*time.Second; now += 4 * time.Millisecond {
				for i, p := range peers {
					p.Update(now)
					p.Events()
					for _, b := range p.Outgoing() {
						if len(b) <= datagram.MinSize {
							peers[1-i].Receive(now, nodeAddr(i), b)
						} else if b[0] != datagram.KindHello {
							t.Fatalf("%v: %d bytes", now, len(b))
						}
					}
				}
			}
			a, over := peers[0].Outcome()
			b, too := peers[1].Outcome()
			if !over || !too || a.Frames != 150 || a.Hash != b.Hash || a.Health != session.Healthy {
				t.Errorf("%+v, and %+v", a, b)
			}
		})
	}
}
