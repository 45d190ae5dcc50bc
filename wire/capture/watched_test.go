package capture_test

import (
	"bytes"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// watchedState is a state of several chunks.
type watchedState struct {
	Sum   gameState
	Field [3000]uint64
}

// watched is everything that hosts and spectators have sent each other, and what there was to watch.
type watched struct {
	sent    []sentDatagram // between peer 0 or 1, and spectators from 2 on
	agreed  []rollback.Agreed[wideInput]
	outcome session.Outcome
}

const watchedFrames = 500

func watchedGame() rollback.Game[watchedState, wideInput] {
	return rollback.Game[watchedState, wideInput]{
		Init: func(s *watchedState) {
			for i := range s.Field {
				s.Field[i] = uint64(i) * 0x9E3779B97F4A7C15
			}
		},
		Step: func(s *watchedState, t *rollback.Tick[wideInput]) {
			for p := range t.Players() {
				s.Sum.add(appendWide(nil, t.Input(p)))
				s.Sum.add(t.Orders(p))
			}
			if t.Frame()+1 == watchedFrames {
				t.Finish(0x1122334455667788)
			}
		},
	}
}

func watchedAddr(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 9, 0, byte(i)}), 7)
}

type watchedNode struct {
	update   func(now time.Duration)
	receive  func(now time.Duration, from netip.AddrPort, b []byte)
	outgoing func(send func(to netip.AddrPort, b []byte))
}

// watchedToken is the token that the spectators have to know.
var watchedToken = []byte("a token of those who watch")

// recordWatched records a match of two, one of whom leaves, with three spectators: from the beginning, from a state,
// and over a path that loses much, from one host and then from the other.
func recordWatched(t *testing.T) *watched {
	t.Helper()
	w := &watched{}
	var nodes []watchedNode
	var hosts []*session.Session[watchedState, wideInput]
	for i := range 2 {
		n, count := uint64(i+1), 0
		s, err := session.New(watchedGame(), session.Config{
			GameID: "watched", Players: 2, Local: rollback.SetOf(rollback.Player(i)), MaxOrders: 200, OnLeave: session.Continue,
			Peers:  []session.Peer{{Players: rollback.SetOf(rollback.Player(1 - i)), Addr: watchedAddr(1 - i)}},
			Random: func() uint64 { n = n*6364136223846793005 + 1442695040888963407; return n },
			Match:  session.Parameters{Seed: 1, Content: 2, Data: []byte("all")}, Spectators: spectate.Config{Max: 2, Token: watchedToken},
		}, session.Hooks[watchedState, wideInput]{
			Sample: func(p rollback.Player) (in wideInput) {
				count++
				in[count/9%12] = byte(randomOf(p, count/3))
				return in
			},
			Orders: func(p rollback.Player) []byte { return bytes.Repeat([]byte{byte(count)}, count%40/39*(count%200)) },
			Agreed: func(a *rollback.Agreed[wideInput]) {
				if i == 0 {
					c := *a
					c.Inputs, c.Statuses, c.Orders = append([]wideInput(nil), a.Inputs...), append([]rollback.Status(nil), a.Statuses...), nil
					for _, o := range a.Orders {
						c.Orders = append(c.Orders, bytes.Clone(o))
					}
					w.agreed = append(w.agreed, c)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, s)
		nodes = append(nodes, watchedNode{
			func(now time.Duration) { s.Update(now); s.Events() }, s.Receive,
			func(send func(netip.AddrPort, []byte)) {
				for to, b := range s.Outgoing() {
					send(to, b)
				}
			},
		})
	}
	watch := func(at ...int) *session.Spectator[watchedState, wideInput] {
		n := uint64(100 + len(nodes))
		c := session.SpectatorConfig{GameID: "watched", MaxOrders: 200, Token: watchedToken, Random: func() uint64 { n = n*6364136223846793005 + 1442695040888963407; return n }}
		for _, h := range at {
			c.Hosts = append(c.Hosts, watchedAddr(h))
		}
		s, err := session.NewSpectator(watchedGame(), c, session.SpectatorHooks[watchedState, wideInput]{})
		if err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, watchedNode{func(now time.Duration) { s.Update(now); s.Events() }, s.Receive, func(send func(netip.AddrPort, []byte)) {
			for to, b := range s.Outgoing() {
				send(to, b)
			}
		}})
		return s
	}
	now, lost := time.Duration(0), uint64(0)
	run := func(d time.Duration) {
		for end := now + d; now < end; now += 4 * time.Millisecond {
			for i := range nodes {
				nodes[i].update(now)
				nodes[i].outgoing(func(to netip.AddrPort, b []byte) {
					j := int(to.Addr().As4()[3])
					if i > 1 || j > 1 {
						w.sent = append(w.sent, sentDatagram{i, j, bytes.Clone(b)})
						if lost++; i+j == 4 && randomOf(3, int(lost))%4 == 0 {
							return
						}
					}
					nodes[j].receive(now, watchedAddr(i), bytes.Clone(b))
				})
			}
		}
	}
	watch(0) // from the beginning
	run(3500 * time.Millisecond)
	watch(0) // from a state
	watch(0) // for whom there is no room
	run(1500 * time.Millisecond)
	watch(1, 0) // whose first host leaves
	run(time.Second)
	hosts[1].Leave("enough")
	run(6 * time.Second)
	out, over := hosts[0].Outcome()
	if !over || out.Frames != watchedFrames {
		t.Fatalf("%v %+v", over, out)
	}
	w.outcome = out
	hosts[0].Leave("")
	run(time.Second)
	return w
}
