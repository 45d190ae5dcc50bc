package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/stream"
)

// Rule: on a clean path all inputs come in time, and every client knows what it may know.
func TestClientsPlayAtAServer(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		h := newHouse(t, 1, 16, netem.Link{Delay: 50 * ms}, look, nil)
		h.run(2 * time.Second)
		for node := range 16 {
			h.join(node + 1)
			h.run(100 * ms)
		}
		h.run(30 * time.Second)
		for node, g := range h.clients {
			if g.Phase() != session.Playing || g.Err() != nil {
				t.Fatalf("client %d is %v: %v; %v", node, g.Phase(), g.Err(), g.Events())
			}
			p, _ := g.Player()
			s, ok := h.server.Client(p)
			t.Logf("client %d: %+v, frame %d of %d, known %d, health %v, compared %d", node, s, g.Frame(), h.server.Frame(), g.Known(), g.Health(), g.compared)
			if !ok || g.Known() < h.server.Frame()-5 {
				t.Errorf("client %d knows %d of %d", node, g.Known(), h.server.Frame())
			}
		}
		t.Log(h.events)
	})
}

// Rule: on any link, with losses, jitter and reordering, with players that join, leave, sleep and come
// back from elsewhere, every state that a client knows is what it may know of the server's, to the bit,
// and nobody is lost.
func TestClientsPlayOverAnyWay(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		seeds, length := uint64(6), 60*time.Second
		if testing.Short() {
			seeds, length = 1, 20*time.Second
		}
		for seed := range seeds {
			h := newHouse(t, seed, 16, netem.Link{}, look, nil)
			for node := range 16 {
				l := netem.Link{
					Delay: time.Duration(10+h.random.IntN(115)) * ms, Jitter: time.Duration(h.random.IntN(50)) * ms, Distribution: netem.Exponential,
					Loss: netem.PPM(h.random.IntN(10)) * netem.Percent, Reorder: true,
				}
				for _, err := range []error{h.net.SetLink(0, node+1, l), h.net.SetLink(node+1, 0, l)} {
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			comes, goes, sleeps := 0, 0, 0
			for h.now < length {
				h.run(time.Duration(h.random.IntN(500)) * ms)
				node := 1 + h.random.IntN(16)
				switch g := h.clients[node-1]; {
				case g == nil:
					h.join(node)
					comes++
				case h.random.IntN(8) == 0:
					g.Leave("bye")
					h.send()
					h.clients[node-1] = nil
					goes++
				case h.random.IntN(8) == 0 && h.wake[node] < h.now+100*ms: // it sleeps
					h.wake[node] = max(h.wake[node], h.now+time.Duration(h.random.IntN(3000))*ms)
					sleeps++
				}
			}
			h.run(15 * time.Second)
			compared := 0
			for node, g := range h.clients {
				if g == nil {
					continue
				}
				if g.Phase() != session.Playing || g.Health() != stream.Healthy || g.Known()+20 < h.server.Frame() {
					t.Errorf("seed %d, client %d: %v, %v, knows %d of %d: %v", seed, node+1, g.Phase(), g.Health(), g.Known(), h.server.Frame(), g.Err())
				}
				compared += g.compared
			}
			t.Logf("seed %d: %d come, %d go, %d sleep, %d states compared; %v", seed, comes, goes, sleeps, compared, h.server.Stats(nil).Members)
			if comes < 5 || compared < 1000 {
				t.Errorf("seed %d: only %d come, %d states are compared", seed, comes, compared)
			}
		}
	})
}

// Rule: after a path was interrupted for three seconds, in either direction or both, the inputs of a
// client come in time again within three more, and it is no further ahead than before.
func TestAWayIsCut(t *testing.T) {
	for name, dirs := range map[string][2]bool{"up": {true, false}, "down": {false, true}, "both": {true, true}} {
		h := newHouse(t, 1, 2, netem.Link{Delay: 50 * ms, Jitter: 5 * ms, Distribution: netem.Exponential}, nil, nil)
		g := h.join(1)
		h.join(2)
		h.run(10 * time.Second)
		lead := g.Frame() - h.server.Frame()
		cut := func(on bool) {
			if dirs[0] {
				h.net.Cut(1, 0, on)
			}
			if dirs[1] {
				h.net.Cut(0, 1, on)
			}
		}
		cut(true)
		h.run(3 * time.Second)
		cut(false)
		h.run(3 * time.Second)
		p, _ := g.Player()
		before, _ := h.server.Client(p)
		h.run(10 * time.Second)
		after, ok := h.server.Client(p)
		if !ok || after.Replaced-before.Replaced > 1 || after.Inputs-before.Inputs < 199 {
			t.Errorf("%s: of 200 inputs %d came, and %d were replaced", name, after.Inputs-before.Inputs, after.Replaced-before.Replaced)
		}
		if now := g.Frame() - h.server.Frame(); now > lead+2 {
			t.Errorf("%s: it is %d ticks ahead, and was %d", name, now, lead)
		}
	}
}

// Rule: a client on a long path that gets nothing for longer than its inputs are repeated, but for less
// than a round trip, knows what the others know as soon as the server can have noticed.
func TestALongWayLosesManyInARow(t *testing.T) {
	const way = 150 * ms
	for lost := 1; lost <= 12; lost++ {
		h := newHouse(t, 1, 2, netem.Link{Delay: way}, nil, nil)
		g := h.join(1)
		h.join(2)
		h.run(10 * time.Second)
		behind := h.server.Frame() - g.Known()
		stale := g.Counts().Stale
		h.net.Cut(0, 1, true)
		h.run(time.Duration(lost) * tanks.Tick)
		h.net.Cut(0, 1, false)
		from := h.now
		for h.server.Frame()-g.Known() > behind {
			if h.run(5 * ms); h.now > from+3*way+4*tanks.Tick {
				t.Fatalf("%d lost: after %v it is %d states behind, and was %d", lost, h.now-from, h.server.Frame()-g.Known(), behind)
			}
		}
		t.Logf("%d lost: %v after the first one that came it knows all; %d were of no use", lost, max(h.now-from-way, 0), g.Counts().Stale-stale)
		if useless := g.Counts().Stale > stale; useless != (lost > 5 && lost < 9) {
			t.Errorf("%d lost, and %d that came were of no use", lost, g.Counts().Stale-stale)
		}
	}
}
