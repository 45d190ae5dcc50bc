package served

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/wire/datagram"
)

// busy is a match of tanks with partial sight, whose clients are played by hand.
func busy(t testing.TB, clients int) *storm[tanks.State, tanks.Input] {
	bot := tanks.Bot{Seed: 3, Mood: tanks.Busy}
	s := newStorm(t, 3, tanks.Game(3), Game{ID: "tanks", Players: 6, TickRate: 20}, ServerHooks[tanks.State, tanks.Input]{Sight: tanks.Sight, Start: startTanks},
		func(c *Client[tanks.State, tanks.Input], p Player) tanks.Input {
			return bot.Input(p, c.Frame(), c.State())
		})
	s.places = s.places[:clients]
	for range 2000 {
		s.live()
	}
	return s
}

// Rule: the server does not simulate from a state that a client has held for long: an update is
// plain instead. So a tick costs the server no more for a client that acknowledges nothing new.
func TestOldBaselinesAreNotRunOn(t *testing.T) {
	s := busy(t, 2)
	sim := s.server.world
	for _, c := range []struct {
		age   Frame
		plain bool
	}{{1, false}, {11, false}, {12, false}, {13, true}, {40, true}} {
		b, ok := sim.update(nil, 0, s.server.Frame()-c.age, false, 1<<12)
		if !ok || Frame(b[0]&63) != c.age || b[0]>>6&1 == 1 != c.plain {
			t.Errorf("%d ticks ago: %v, % x", c.age, ok, b[:min(len(b), 4)])
		}
	}
	for rate, want := range map[int]Frame{1: 12, 20: 12, 60: 36, 240: 144} {
		cfg := ServerConfig{Game: Game{Players: 2, TickRate: rate}}
		sim, err := newSimulation(countGame(), &cfg, ServerHooks[count, uint16]{})
		if err != nil || sim.stepped != want {
			t.Errorf("at %d ticks a second %d, %v; want %d", rate, sim.stepped, err, want)
		}
	}
	full := newFixture(t)
	if b, ok := full.server.world.update(nil, 0, full.server.Frame()-30, false, 1<<12); !ok || b[0]>>6&1 == 1 {
		t.Error("with full sight nothing is run, and an old baseline is as good as another one")
	}
}

// BenchmarkHostileClient measures the cost of a client to its server per tick: of one that plays,
// and of one that sends as much as is read from it, in datagrams of the maximum size, and never
// acknowledges a newer state.
func BenchmarkHostileClient(b *testing.B) {
	for _, hostile := range []bool{false, true} {
		name := map[bool]string{false: "honest", true: "hostile"}[hostile]
		b.Run(name, func(b *testing.B) {
			s := busy(b, 2)
			p := s.places[1]
			c := s.server.clients.at(p.at)
			held := uint32(c.view.newest)
			for b.Loop() {
				next := uint32(s.server.Frame())
				for range map[bool]int{false: 2, true: readEach}[hostile] {
					u := clientBody{any: true, state: uint32(c.view.told.newest), next: next}
					var block []byte
					if hostile {
						u.state = held
						u.next = c.inputs.Next()
						u.count = min(u.next, datagram.HistoryFrames-1)
						block = make([]byte, p.server.pipe.Room()-20)
						for i := range block {
							block[i] = 0xF0
						}
						block = block[:min(len(block), int(u.count/16))]
					}
					d := p.server.pipe.AppendBody(nil, s.now, append(u.append(nil), block...))
					s.server.Receive(s.now, p.at, d)
				}
				s.now += 50 * time.Millisecond
				s.server.Update(s.now)
				for range s.server.Outgoing() {
				}
				if s.server.clients.at(p.at) != c {
					b.Fatal("it was removed")
				}
			}
		})
	}
}
