package ggpo_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/compat/ggpo"
	"github.com/tickback/tickback/netem"
)

// Two players on one machine: the inputs of both count in the frame for which they are given, in which order they may
// come.
func TestTwoLocalPlayers(t *testing.T) {
	for _, machines := range [][]int{{2, 1}, {1, 2}, {2, 2}, {2}} {
		w, players := meet(t, plan{machines: machines, link: lossy, seed: 10})
		for i, p := range players {
			if i == 0 && len(p.handles) == 2 {
				p.handles[0], p.handles[1] = p.handles[1], p.handles[0]
			}
			first := p.handles[0] - 1
			if i == 0 && len(p.handles) == 2 {
				first = p.handles[1] - 1
			}
			given := map[uint32][]byte{}
			keys := p.keys
			p.keys = func(h ggpo.PlayerHandle, f uint32) []byte {
				in := keys(h, f)
				if given[f] == nil {
					given[f] = make([]byte, p.size*len(p.handles))
				}
				if len(p.inputs) <= int(f) && p.waited == 0 {
					copy(given[f][p.size*int(h-1-first):], in)
				}
				return in
			}
			p.onStep = func() {
				if len(p.inputs) > int(p.s.Frame)-1 || p.waited > 0 {
					return
				}
				all, _ := p.backend.SyncInput(nil)
				for j := range p.handles {
					if want := given[p.s.Frame-1][p.size*j:][:p.size]; string(all[int(first)+j]) != string(want) {
						t.Fatalf("%v: frame %d, player %d: %x, want %x", machines, p.s.Frame-1, int(first)+j+1, all[int(first)+j], want)
					}
				}
			}
		}
		w.run(6*time.Second, loopsOf(players), func() {
			for _, p := range players {
				if p.count(ggpo.EventCodeRunning) == 0 {
					p.waited = 0
				}
			}
		})
		if len(machines) == 1 {
			if len(players[0].sums) < 350 {
				t.Errorf("%v: %d frames", machines, len(players[0].sums))
			}
			continue
		}
		equal(t, 250, players...)
		healthy(t, players...)
	}
}

// Inputs have 1 to 64 bytes, and arrive whole.
func TestInputSizes(t *testing.T) {
	for _, size := range []int{1, 4, 5, 16, 17, 63, 64} {
		w, players := meet(t, plan{size: size, machines: []int{1, 1}, link: netem.Link{Delay: 10 * ms}, seed: uint64(size)})
		for _, p := range players {
			p.keys = func(h ggpo.PlayerHandle, f uint32) []byte {
				in := make([]byte, size+1) // longer than it is said to be
				in[int(f)%size], in[size] = byte(h), 0xff
				return in
			}
		}
		w.run(2*time.Second, loopsOf(players), nil)
		equal(t, 40, players...)
		healthy(t, players...)
		for f, all := range players[0].inputs[:40] {
			want := make([]byte, 2*size)
			want[f%size], want[size+f%size] = 1, 2
			if string(all) != string(want) {
				t.Fatalf("inputs of %d bytes, frame %d: %x, want %x", size, f, all, want)
			}
		}
	}
}

// The callback that returns without advancing is counted and told, and the match goes on.
func TestACallbackThatDoesNotAdvance(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 11})
	skipped := 0
	p := players[1]
	p.onAdvance = func() bool {
		if skipped == 3 || p.s.Frame < 100 {
			return false
		}
		skipped++
		return true
	}
	p.onEvent = func(e *ggpo.Event) {
		if e.Code == ggpo.EventCodeFrameNotAdvanced && (e.Count != p.count(e.Code) || e.NumFrameOfDesync < 100 || e.NumFrameOfDesync > 200) {
			t.Errorf("%+v", *e)
		}
	}
	frames := 0
	p.onStep = func() {
		frames = len(p.sums)
		p.sums, p.inputs, p.flags = append(p.sums, 0, 0, 0, 0), append(p.inputs, nil, nil, nil, nil), append(p.flags, 0, 0, 0, 0)
	}
	w.run(6*time.Second, loopsOf(players), nil)
	b := p.backend.(*ggpo.Peer)
	if skipped != 3 || b.NotAdvanced() != 3 || p.count(ggpo.EventCodeFrameNotAdvanced) != 3 || b.Stats().Frame < 300 || frames < 300 {
		t.Errorf("skipped %d, counted %d, told %d, %d frames", skipped, b.NotAdvanced(), p.count(ggpo.EventCodeFrameNotAdvanced), b.Stats().Frame)
	}
}

// A frame that the game leaves open stays open: the next AddLocalInput changes nothing, and SyncInput returns its inputs
// again.
func TestAFrameLeftOpen(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1}, link: netem.Link{Delay: 10 * ms}, seed: 12})
	w.run(2*time.Second, loopsOf(players), nil)
	p := players[0]
	ok(t, p.backend.AddLocalInput(1, []byte{1, 2, 3}, 3))
	first, err := p.backend.SyncInput(nil)
	ok(t, err)
	for range 3 {
		ok(t, p.backend.Idle(1))
		ok(t, p.backend.AddLocalInput(1, []byte{4, 5, 6}, 3))
		again, err := p.backend.SyncInput(nil)
		ok(t, err)
		if fmt.Sprint(again) != fmt.Sprint(first) || string(again[0]) != "\x01\x02\x03" {
			t.Errorf("%v, and then %v", first, again)
		}
		again[0][0] = 9 // it belongs to the caller
	}
	p.frame()
	w.run(2*time.Second, loopsOf(players), nil)
	equal(t, 150, players...)
	healthy(t, players...)
}

// SetFrameDelay after AddPlayer and during the match: the input counts so many frames later.
func TestFrameDelay(t *testing.T) {
	for _, delay := range []int{0, 3} {
		w, players := meet(t, plan{machines: []int{1, 1}, link: netem.Link{Delay: 10 * ms}, seed: 13, delay: delay})
		p := players[0]
		pressed := -1
		p.keys = func(_ ggpo.PlayerHandle, f uint32) []byte {
			if f == 60 {
				pressed = int(f)
				return []byte{7, 0, 0}
			}
			return []byte{0, 0, 0}
		}
		w.run(3*time.Second, loopsOf(players), nil)
		for f := 50; f < 80; f++ {
			if want := f == 60+delay; (p.inputs[f][0] == 7) != want || pressed < 0 {
				t.Errorf("delay %d: the input of frame %d is %v", delay, f, p.inputs[f])
			}
		}
		ok(t, p.backend.SetFrameDelay(1, 5))
		w.run(2*time.Second, loopsOf(players), nil)
		if d := p.backend.(*ggpo.Peer).Stats().Delay[0]; d != 5 {
			t.Errorf("the delay is %d", d)
		}
		equal(t, 200, players...)
	}
}

// A program that calls Start before it adds players, as the first games did, plays as well; and calls that come too
// early say what is missing.
func TestStartBeforePlayers(t *testing.T) {
	w := newWorld(t, 2, 14, netem.Link{Delay: 10 * ms})
	var players []*player
	for i := range 2 {
		p := newPlayer(t, 3, uint64(i))
		b := ggpo.NewPeer(p, 7000, 2, 3)
		p.backend = &b
		ok(t, b.InitializeConnection(w.ports[i]))
		b.Start()
		ok(t, b.Idle(0))
		for n := 1; n <= 2; n++ {
			who := ggpo.NewRemotePlayer(20, n, ip(n-1), 7000)
			if n == i+1 {
				who = ggpo.NewLocalPlayer(20, n)
			}
			var h ggpo.PlayerHandle
			ok(t, b.AddPlayer(&who, &h))
			if n == i+1 {
				p.handles = append(p.handles, h)
				if err := b.AddLocalInput(h, []byte{1, 2, 3}, 3); n == 1 && !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeNotSynchronized}) {
					t.Error(err)
				}
			}
		}
		if i == 0 {
			ok(t, b.SetOptions(w.ports[i].options(uint64(i))))
			ok(t, b.SetDisconnectTimeout(3000))
			ok(t, b.SetDisconnectNotifyStart(1000))
			ok(t, b.SetFrameDelay(p.handles[0], 1))
		}
		players = append(players, p)
	}
	// The second one was built by its AddLocalInput, with a clock of real time, so it only shows that this is too late.
	for call, err := range map[string]error{
		"SetOptions":           players[1].backend.(*ggpo.Peer).SetOptions(ggpo.Options{}),
		"SetDisconnectTimeout": players[1].backend.SetDisconnectTimeout(3000),
		"AddSpectator":         players[1].backend.AddSpectator("10.0.0.9", 7000),
	} {
		if err == nil {
			t.Errorf("%s works after the match was built", call)
		}
	}
	closeAll(t, players[:1])
}
