package session

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/spectate"
)

// lasting is two players and some spectators of the first, on a wire without delay, all
// of which reuse their memory.
type lasting struct {
	now      time.Duration
	players  [2]*Session[sum, uint16]
	watchers []*Spectator[sum, uint16]
}

func watcherAddr(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, byte(i)}), 7000)
}

func newLasting(t *testing.T, watchers int) *lasting {
	t.Helper()
	st := &lasting{}
	for i := range 2 {
		n, samples, orders := uint64(i+1), uint16(0), make([]byte, 20)
		random := func() uint64 { n = n*6364136223846793005 + 1442695040888963407; return n }
		s, err := New(sumGame(), Config{
			GameID: "sum", Players: 2, Local: rollback.SetOf(Player(i)), MaxOrders: 300, Random: random,
			Peers:      []Peer{{rollback.SetOf(Player(1 - i)), addrOf(1 - i)}},
			Spectators: spectate.Config{Max: 8, LogBytes: 64 << 10},
		}, Hooks[sum, uint16]{
			Sample: func(Player) uint16 { samples++; return samples / 4 },
			Orders: func(Player) []byte { return orders[:int(samples)%20/19*20] },
		})
		if err != nil {
			t.Fatal(err)
		}
		st.players[i] = s
	}
	for i := range watchers {
		n := uint64(50 + i)
		random := func() uint64 { n = n*6364136223846793005 + 1442695040888963407; return n }
		s, err := NewSpectator(sumGame(), SpectatorConfig{
			GameID: "sum", MaxOrders: 300, Random: random, Hosts: []netip.AddrPort{addrOf(0)},
		}, SpectatorHooks[sum, uint16]{Agreed: func(*rollback.Agreed[uint16]) {}})
		if err != nil {
			t.Fatal(err)
		}
		st.watchers = append(st.watchers, s)
	}
	return st
}

// frame is a tick period of everybody.
func (st *lasting) frame() {
	st.now += time.Second / 60
	for i, p := range st.players {
		p.Update(st.now)
		for to, b := range p.Outgoing() {
			if ip := to.Addr().As4(); ip[2] == 1 {
				st.watchers[ip[3]].Receive(st.now, addrOf(i), b)
			} else {
				st.players[1-i].Receive(st.now, addrOf(i), b)
			}
		}
		p.Events()
	}
	for i, w := range st.watchers {
		w.Update(st.now)
		for _, b := range w.Outgoing() {
			st.players[0].Receive(st.now, watcherAddr(i), b)
		}
		w.Events()
	}
}

// In the steady state neither players nor spectators allocate.
func TestWatchingAllocatesNothing(t *testing.T) {
	for _, watchers := range []int{0, 8} {
		st := newLasting(t, watchers)
		for range 3000 {
			st.frame()
		}
		for _, w := range st.watchers {
			if st.players[0].Frame() < 2500 || w.Frame()+60 < st.players[0].Frame() || w.Health() != Healthy {
				t.Fatalf("%d watch: one is at frame %d of %d, %v", watchers, w.Frame(), st.players[0].Frame(), w.Health())
			}
		}
		second := func() {
			for range 60 {
				st.frame()
			}
		}
		if n := testing.AllocsPerRun(10, second); n > 0 {
			t.Errorf("%d watch: %v allocations in a second", watchers, n)
		}
	}
}
