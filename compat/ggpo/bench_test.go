package ggpo_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/compat/ggpo"
	"github.com/tickback/tickback/netem"
)

// still is a game that takes no time, so that a benchmark measures what is around it.
type still struct {
	backend ggpo.Backend
	saved   [16]uint32
	s       uint32
}

func (g *still) SaveGameState(id int) int { g.saved[id] = g.s; return 0 }
func (g *still) LoadGameState(id int)     { g.s = g.saved[id] }
func (g *still) OnEvent(*ggpo.Event)      {}
func (g *still) AdvanceFrame(int)         { g.frame() }

func (g *still) frame() {
	inputs, err := g.backend.SyncInput(nil)
	if err != nil {
		return
	}
	for _, in := range inputs {
		g.s = g.s*31 + uint32(in[0])
	}
	_ = g.backend.AdvanceFrame(g.s)
}

// BenchmarkSyncTestFrame is a frame of a sync test of 7 frames: 8 steps, 9 calls of SaveGameState, and one of LoadGameState.
func BenchmarkSyncTestFrame(b *testing.B) {
	g := &still{}
	s := ggpo.NewSyncTest(g, 2, 7, 4, true)
	g.backend = &s
	s.Start()
	for n := 1; n <= 2; n++ {
		p, h := ggpo.NewLocalPlayer(20, n), ggpo.PlayerHandle(0)
		if err := s.AddPlayer(&p, &h); err != nil {
			b.Fatal(err)
		}
	}
	in := make([]byte, 4)
	b.ReportAllocs()
	for b.Loop() {
		for h := range ggpo.PlayerHandle(2) {
			if err := s.AddLocalInput(h, in, 4); err != nil {
				b.Fatal(err)
			}
		}
		g.frame()
		in[0]++
	}
}

// BenchmarkFrame is a frame of one of two peers at a distance of 2 frames, of which each rolls back 2 frames: Idle, and
// what a loop does. The network is virtual.
func BenchmarkFrame(b *testing.B) {
	net, err := netem.NewDatagrams(2, 1, 0)
	if err != nil {
		b.Fatal(err)
	}
	if err := net.SetAll(netem.Link{Delay: 33 * ms}); err != nil {
		b.Fatal(err)
	}
	w := &world{net: net, ports: []*port{{id: 0}, {id: 1}}}
	var games [2]still
	for i := range games {
		w.ports[i].world = w
		p := ggpo.NewPeer(&games[i], 7000, 2, 4)
		games[i].backend = &p
		_ = p.SetOptions(w.ports[i].options(uint64(i)))
		_ = p.InitializeConnection(w.ports[i])
		for n := 1; n <= 2; n++ {
			who, h := ggpo.NewRemotePlayer(20, n, ip(n-1), 7000), ggpo.PlayerHandle(0)
			if n == i+1 {
				who = ggpo.NewLocalPlayer(20, n)
			}
			if err := p.AddPlayer(&who, &h); err != nil {
				b.Fatal(err)
			}
		}
		p.Start()
	}
	in := make([]byte, 4)
	frame := func(i int) bool {
		g := &games[i]
		_ = g.backend.Idle(0)
		if g.backend.AddLocalInput(ggpo.PlayerHandle(i+1), in, 4) != nil {
			return false
		}
		g.frame()
		return true
	}
	for ran := 0; ran < 100; {
		for i := range games {
			if frame(i) {
				ran++
			}
		}
		in[0]++
		w.pass(time.Second / 60)
	}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		frame(n % 2)
		if n%2 == 1 {
			in[0]++
			w.pass(time.Second / 60)
		}
	}
	s := games[0].backend.(*ggpo.Peer).Stats()
	b.ReportMetric(float64(s.Engine.Resimulated)/float64(s.Frame), "again/frame")
}
