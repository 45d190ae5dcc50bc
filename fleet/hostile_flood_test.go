package fleet

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

// garbage is what a machine that is not a peer can send.
type garbage struct {
	name string
	make func(r *rand.Rand, w *wiretap, b []byte) []byte
}

var allGarbage = []garbage{
	{"random bytes", func(r *rand.Rand, _ *wiretap, b []byte) []byte {
		b = b[:1+r.IntN(datagram.MaxSize)]
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}},
	{"forged datagrams", func(r *rand.Rand, _ *wiretap, b []byte) []byte {
		b = append(b[:0], 0xC1, byte(r.Uint32()), byte(r.Uint32()))
		for range 60 {
			b = append(b, byte(r.Uint32()))
		}
		return b
	}},
	{"hellos", func(r *rand.Rand, _ *wiretap, b []byte) []byte {
		return datagram.Hello{Version: datagram.Version, Nonce: r.Uint64()}.Append(b[:0])
	}},
	{"welcomes", func(r *rand.Rand, _ *wiretap, b []byte) []byte {
		w := datagram.Welcome{Version: datagram.Version, Nonce: r.Uint64(), Items: datagram.Items{Game: "fleet"}}
		return datagram.Key(r.Uint64()).Seal(w.Append(b[:0]), 0, 0)
	}},
	{"challenges", func(r *rand.Rand, _ *wiretap, b []byte) []byte {
		c := datagram.Challenge{Kind: byte(datagram.KindChallenge + r.IntN(2)), Token: r.Uint64()}
		return datagram.Key(r.Uint64()).Seal(c.Append(b[:0]), 0, 0)
	}},
	{"replays", func(r *rand.Rand, w *wiretap, b []byte) []byte {
		// Nothing that is still in flight: that would count.
		return append(b[:0], w.reel[r.IntN(max(1, min(w.heard, reelLength)-200))].bytes...)
	}},
}

// sources are the apparent senders: one address, many, that of a peer.
var sources = []struct {
	name string
	at   func(r *rand.Rand, players int) netip.AddrPort
}{
	{"one stranger", func(*rand.Rand, int) netip.AddrPort { return stranger }},
	{"many strangers", func(r *rand.Rand, _ int) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 18, byte(r.Uint32()), byte(r.Uint32())}), uint16(1+r.IntN(60000)))
	}},
	{"peers", func(r *rand.Rand, players int) netip.AddrPort { return Addr(1 + r.IntN(players-1)) }},
}

// work is what peer 0 does in some seconds of a match.
type work struct {
	agreed, sampled session.Frame
	sent            int
	stalls          uint64
}

// flooded lets a match run for two seconds, and then for five in which a number of
// pieces of garbage arrive at peer 0 in each millisecond.
func flooded(t *testing.T, players, rate int, g *garbage, source int) (w work) {
	l := newLab(t, players, delay(20*time.Millisecond))
	tap := l.tap()
	l.play()
	l.pass(2 * time.Second)
	r := rand.New(rand.NewPCG(9, uint64(source)))
	p := l.Peers[0]
	before, agreed, frame := p.Stats(nil), p.Inspect().Agreed(), p.Frame()
	hear := l.OnSend
	l.OnSend = func(from, to int, b []byte) {
		if from == 0 {
			w.sent++
		}
		if g == nil || g.name != "replays" {
			hear(from, to, b) // replays are of what came before
		}
	}
	buf := make([]byte, 0, 2*datagram.MaxSize)
	for range 5000 {
		l.pass(time.Millisecond)
		for range rate {
			l.inject(0, sources[source].at(r, players), g.make(r, tap, buf))
		}
	}
	for i, p := range l.Peers {
		for _, bad := range []session.What{session.Silent, session.Lost, session.Moved, session.Closed, session.Waiting} {
			if count(p, bad) > 0 {
				l.dump()
				t.Fatalf("peer %d: event %v", i, bad)
			}
		}
	}
	after := p.Stats(nil)
	w.agreed, w.sampled, w.stalls = p.Inspect().Agreed()-agreed, p.Frame()-frame, after.Stalls-before.Stalls
	if after.DroppedDatagrams > 0 {
		t.Errorf("%d datagrams had no room", after.DroppedDatagrams)
	}
	l.same(0, l.Peers...)
	return w
}

// A flood of anything that a machine that is not a peer can send, from one address,
// from many, in the names of peers, neither ends a match nor stalls or slows it: as
// many frames are agreed on in the same time, and the answers are bounded: a hundred
// Welcomes a second to each peer.
//
// Seen to fail with an answer to each Hello while playing.
func TestFloodsSlowNothing(t *testing.T) {
	rate := 3 // a millisecond: 50 times what an honest peer sends
	for _, players := range few(2, 8) {
		calm := flooded(t, players, 0, nil, 0)
		if calm.agreed < 299 || calm.stalls > 0 {
			t.Fatalf("%d players without a flood: %+v", players, calm)
		}
		for i := range allGarbage {
			for s := range sources {
				if testing.Short() && (i+s)%3 > 0 {
					continue
				}
				name := fmt.Sprintf("%d players, %s, %s", players, allGarbage[i].name, sources[s].name)
				got := flooded(t, players, rate, &allGarbage[i], s)
				answers := 0
				if allGarbage[i].name == "hellos" || allGarbage[i].name == "replays" {
					answers = 5*100*(players-1) + 1
				}
				if got.agreed != calm.agreed || got.sampled != calm.sampled || got.stalls != 0 || got.sent > calm.sent+answers {
					t.Errorf("%s: %+v, without a flood %+v", name, got, calm)
				}
			}
		}
	}
}

// heap prepares garbage for the peer of a benchmark.
func heap(g *garbage, w *wiretap) (list [64][]byte) {
	r := rand.New(rand.NewPCG(4, 4))
	for i := range list {
		list[i] = append([]byte(nil), g.make(r, w, make([]byte, 0, 2*datagram.MaxSize))...)
	}
	return list
}

// Garbage costs no memory, whatever it is and wherever it seems to come from.
func TestGarbageAllocatesNothing(t *testing.T) {
	for _, phase := range []string{"connecting", "playing"} {
		l := newLab(t, 3, delay(10*time.Millisecond))
		w := l.tap()
		if l.pass(5 * time.Millisecond); phase == "playing" {
			l.play()
			l.pass(time.Second)
		}
		p := l.Peers[0]
		for i := range allGarbage {
			if phase == "connecting" && allGarbage[i].name == "replays" {
				continue // a Welcome that has not arrived yet connects
			}
			list := heap(&allGarbage[i], w)
			for _, from := range []netip.AddrPort{stranger, Addr(1)} {
				k := 0
				one := func() {
					p.Receive(p.clock.Local(l.Now), from, list[k%len(list)])
					k++
					for range p.Outgoing() {
					}
				}
				one()
				if n := testing.AllocsPerRun(200, one); n > 0 {
					t.Errorf("%s, %s from %v: %v allocations", phase, allGarbage[i].name, from, n)
				}
			}
		}
	}
}

// What a datagram costs that is no good.
func BenchmarkGarbage(b *testing.B) {
	for _, players := range []int{2, 8} {
		for i := range allGarbage {
			for name, from := range map[string]netip.AddrPort{"stranger": stranger, "peer": Addr(1)} {
				b.Run(fmt.Sprintf("%d_players/%s/%s", players, allGarbage[i].name, name), func(b *testing.B) {
					l := newLab(b, players, delay(10*time.Millisecond))
					w := l.tap()
					l.play()
					l.pass(time.Second)
					p, list, k := l.Peers[0], heap(&allGarbage[i], w), 0
					b.ReportAllocs()
					for b.Loop() {
						p.Receive(p.clock.Local(l.Now), from, list[k%len(list)])
						k++
						for range p.Outgoing() {
						}
					}
				})
			}
		}
	}
}
