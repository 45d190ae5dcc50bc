package fleet_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// mesh is a match without a network: datagrams arrive some ticks later, at least one.
type mesh struct {
	peers []*session.Session[tinyState, uint32]
	boxes [][][]parcel // by tick in which they arrive, in a ring, and by receiver
	ticks int
	now   time.Duration
	n     [session.MaxPlayers]int
}

type parcel struct {
	from  int
	size  int
	bytes [1200]byte
}

// newMesh returns a running match whose datagrams arrive after a number of ticks.
func newMesh(tb testing.TB, players, after int) *mesh {
	m := &mesh{boxes: make([][][]parcel, after+1)}
	for i := range m.boxes {
		m.boxes[i] = make([][]parcel, players)
	}
	for i := range players {
		cfg := session.Config{Players: players, Random: rand.New(rand.NewPCG(1, uint64(i))).Uint64}
		for j := range players {
			if i != j {
				cfg.Peers = append(cfg.Peers, session.Peer{Players: rollback.SetOf(rollback.Player(j)), Addr: fleet.Addr(j)})
			}
		}
		s, err := session.New(tiny, cfg, session.Hooks[tinyState, uint32]{Sample: func(p rollback.Player) uint32 {
			m.n[p]++
			return heldInput(p, m.n[p])
		}})
		if err != nil {
			tb.Fatal(err)
		}
		m.peers = append(m.peers, s)
	}
	for range 100 {
		m.tick()
	}
	if m.peers[0].Phase() != session.Playing {
		tb.Fatal(m.peers[0].Phase())
	}
	for range 600 {
		m.tick()
	}
	return m
}

func (m *mesh) tick() {
	m.now += time.Second / 60
	m.ticks++
	arrive := m.boxes[m.ticks%len(m.boxes)]
	send := m.boxes[(m.ticks+len(m.boxes)-1)%len(m.boxes)]
	for i, s := range m.peers {
		for j := range arrive[i] {
			p := &arrive[i][j]
			s.Receive(m.now-time.Millisecond, fleet.Addr(p.from), p.bytes[:p.size])
		}
		arrive[i] = arrive[i][:0]
		s.Update(m.now)
		for to, b := range s.Outgoing() {
			a := to.Addr().As4()
			box := &send[a[3]-1]
			if len(*box) == cap(*box) {
				*box = append(*box, parcel{})
			} else {
				*box = (*box)[:len(*box)+1]
			}
			p := &(*box)[len(*box)-1]
			p.from, p.size = i, copy(p.bytes[:], b)
		}
	}
}

// alone is the engine of one peer of such a match, without a session.
type alone struct {
	engine *rollback.Engine[tinyState, uint32]
	frame  rollback.Frame
}

func newAlone(tb testing.TB, players int) *alone {
	e, err := rollback.New(tiny, rollback.Config{Players: players, Local: rollback.SetOf(0), Window: 8, Stream: true})
	if err != nil {
		tb.Fatal(err)
	}
	return &alone{engine: e}
}

// run runs frames with the inputs of a mesh: those of the others come one frame
// late.
func (a *alone) run(tb testing.TB, frames int) {
	e := a.engine
	for range frames {
		for p := 1; p < e.Players() && a.frame > 0; p++ {
			if err := e.AddInput(rollback.Player(p), a.frame-1, heldInput(rollback.Player(p), int(a.frame)), nil); err != nil {
				tb.Fatal(err)
			}
		}
		err := e.AddLocal(0, heldInput(0, int(a.frame)+1), nil)
		if err == nil {
			err = e.Tick()
		}
		if err == nil {
			err = e.Agree(e.Confirmed())
		}
		if err != nil {
			tb.Fatal(err)
		}
		for e.NextAgreed() != nil {
		}
		a.frame++
	}
}

// One operation is one frame of one peer: all that it receives, its tick with
// rollback, agreement with the hash of the state, and all that it sends. The floor
// is its engine alone, which gets the inputs of the others one frame late. With an RTT of 100 ms, a datagram
// arrives three frames later than that.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{2, 4, 8, 16} {
		for _, c := range []struct {
			name  string
			after int
		}{{"", 1}, {",_RTT_100_ms", 4}} {
			b.Run(fmt.Sprintf("%d_players%s", n, c.name), func(b *testing.B) {
				m, engine := newMesh(b, n, c.after), newAlone(b, n)
				b.ReportAllocs()
				floor.CompareWhole(b, n, func() { engine.run(b, n) }, m.tick) // a tick is a frame of each peer
			})
		}
	}
}

// One operation is one frame of one peer, with its share of the virtual network.
func BenchmarkFleet(b *testing.B) {
	for _, n := range []int{2, 4, 8, 16} {
		b.Run(fmt.Sprintf("%d_players", n), func(b *testing.B) {
			f, err := fleet.New(fleet.Setup[tinyState, uint32]{
				Game: tiny, Players: n, Seed: 5, Input: heldInput,
				Link: netem.Link{Delay: 20 * time.Millisecond, Jitter: 5 * time.Millisecond, Distribution: netem.Uniform, Loss: netem.Percent},
			})
			if err != nil {
				b.Fatal(err)
			}
			f.Run(2 * time.Second)
			start := f.Now
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%(n*60) == 0 {
					f.Run(time.Second)
				}
			}
			if frames := f.Peers[0].Frame(); int(frames) < int((f.Now-start)/time.Second)*59 {
				b.Fatalf("only %d frames were run in %v", frames, f.Now)
			}
		})
	}
}
