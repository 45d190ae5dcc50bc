package fleet

import (
	"flag"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

var mutatedFlag = flag.Int("fleet.mutated", 0, "how many mutated datagrams TestMutatedDatagrams throws at live matches; 0: some hundred thousand")

// challengeSize is the length of a challenge, which may answer a session datagram that
// is some bytes shorter; there are at most 20 in a second for each peer.
const challengeSize = 17

// mutator makes datagrams from those that were heard, in this match and in earlier
// ones.
type mutator struct {
	*rand.Rand
	w       *wiretap
	foreign []tape // of earlier matches
	b       [2 * datagram.MaxSize]byte
}

// ways are how a datagram is changed.
var mutations = [...]struct {
	name string
	make func(m *mutator, d *tape) []byte
}{
	{"bit flips", func(m *mutator, d *tape) []byte {
		b := append(m.b[:0], d.bytes...)
		for range 1 + m.IntN(3) {
			b[m.IntN(len(b))] ^= 1 << m.IntN(8)
		}
		return b
	}},
	{"truncation", func(m *mutator, d *tape) []byte { return append(m.b[:0], d.bytes[:m.IntN(len(d.bytes))]...) }},
	{"splice", func(m *mutator, d *tape) []byte {
		b := append(m.b[:0], d.bytes[:m.IntN(len(d.bytes)+1)]...)
		tail := m.w.any(m.Rand).bytes
		return append(b, tail[m.IntN(len(tail)):]...)
	}},
	{"replay", func(m *mutator, d *tape) []byte { return d.bytes }},
	{"another match", func(m *mutator, d *tape) []byte {
		if len(m.foreign) == 0 {
			return d.bytes
		}
		return m.foreign[m.IntN(len(m.foreign))].bytes
	}},
	{"header", func(m *mutator, d *tape) []byte {
		b := append(m.b[:0], d.bytes...)
		for i := range min(len(b), 1+m.IntN(8)) {
			b[i] = byte(m.Uint32())
		}
		return b
	}},
	{"random", func(m *mutator, _ *tape) []byte {
		b := m.b[:m.IntN(datagram.MaxSize+100)]
		for i := 0; i < len(b); i += 8 {
			v := m.Uint64()
			for k := range min(8, len(b)-i) {
				b[i+k] = byte(v >> (8 * k))
			}
		}
		return b
	}},
	{"hello", func(m *mutator, _ *tape) []byte {
		return datagram.Hello{Version: byte(m.IntN(2)), Nonce: m.Uint64(), Attempt: byte(m.Uint32())}.Append(m.b[:0])
	}},
}

// target chooses the receiver of a datagram that was made from d, and its apparent
// sender: any peer, and any address. But only an attacker on the path can send a
// handshake in the name of a third peer, since he has seen it, and he can end a
// handshake.
func (m *mutator) target(players int, d *tape, b []byte) (to int, from netip.AddrPort) {
	known := len(b) > 0 && (b[0] == datagram.KindHello || b[0] == datagram.KindWelcome)
	if to = d.to; !known && m.IntN(8) == 0 {
		to = m.IntN(players)
	}
	switch k := m.IntN(4); {
	case k == 0:
		return to, stranger
	case k == 1 && !known:
		return to, Addr(m.IntN(players))
	case k == 2:
		return to, netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 18, byte(m.Uint32()), byte(m.Uint32())}), uint16(m.Uint32()))
	}
	return to, Addr(d.from)
}

// barrage sends a number of mutated datagrams to a match from its start to its end,
// some of them in bursts, and checks that the match is not affected.
func (m *mutator) barrage(t *testing.T, players, total int, seed uint64) (thrown int) {
	l := newLab(t, players, frames(240), withLoss(15*time.Millisecond, 3*netem.Percent), seeded(seed))
	m.w = l.tap()
	for l.Now < 5*time.Second || !l.phases(session.Lobby) {
		if l.pass(5 * time.Millisecond); l.Now > time.Minute {
			l.dump()
			t.Fatalf("%d players, seed %d: the match does not end", players, seed)
		}
		wave := min(total/900, total-thrown) // 900 waves are most of a match
		if m.IntN(50) == 0 {
			wave = min(20*wave, total-thrown)
		}
		for range wave {
			d := m.w.any(m.Rand)
			how := &mutations[m.IntN(len(mutations))]
			b := how.make(m, d)
			to, from := m.target(players, d, b)
			size := len(b) // it may be the reel's own, in which the answer is written
			if n, bytes := l.strike(m.w, to, from, b); n > 1 || bytes > max(size, challengeSize) {
				t.Fatalf("%d players, seed %d: %d datagrams, %d bytes, answer %d bytes (%s)", players, seed, n, bytes, size, how.name)
			}
			thrown++
		}
	}
	l.same(0, l.Peers...)
	l.healthy()
	for i, p := range l.Peers {
		if !l.sampledAll(i) || len(l.agreed[i]) != 1 || len(l.agreed[i][0]) != 240 {
			t.Fatalf("%d players, seed %d: peer %d has not agreed on what was sampled", players, seed, i)
		}
		// An attacker who forwards challenges and answers can move a peer, which moves
		// back.
		for _, w := range []session.What{session.Lost, session.Left, session.Desync, session.Closed, session.Silent} {
			if count(p, w) > 0 {
				l.dump()
				t.Fatalf("%d players, seed %d: peer %d: event %v", players, seed, i, w)
			}
		}
	}
	m.foreign = m.foreign[:0]
	for range 500 {
		d := m.w.any(m.Rand)
		m.foreign = append(m.foreign, tape{d.from, d.to, append([]byte(nil), d.bytes...)})
	}
	return thrown
}

// sampledAll reports whether the inputs of all players, as a peer has agreed on
// them, are the samples 1, 2, 3, ...
func (l *lab) sampledAll(peer int) bool {
	for f, a := range l.agreed[peer][0] {
		for _, in := range a.inputs {
			if in != note(f+1) {
				return false
			}
		}
	}
	return true
}

// heapInUse returns the bytes of the heap that are in use.
func heapInUse() uint64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// Whatever an attacker that is not a peer sends to a match - captured datagrams with
// bits flipped, cut, spliced, sent again from anywhere, out of other matches, with
// other headers, bytes at random, floods of Hellos - nobody panics, notices or answers
// with more than was sent; everybody agrees on what was sampled; nothing is left
// behind.
//
// Seen to fail when a tag is not looked at.
func TestMutatedDatagrams(t *testing.T) {
	total := 400_000
	if testing.Short() {
		total = 40_000
	}
	if *mutatedFlag > 0 {
		total = *mutatedFlag
	}
	seed := seedOf(t, 21)
	m := &mutator{Rand: rand.New(rand.NewPCG(seed, 1))}
	began, goroutines := time.Now(), runtime.NumGoroutine()
	var first uint64
	counts := [...]int{2, 3, 4, 8, 16}
	match := 0
	for done := 0; done < total; match++ {
		done += m.barrage(t, counts[match%len(counts)], min(max(total/4, 1000), 40_000), seed+uint64(match))
		switch match {
		case 9:
			first = heapInUse()
		default:
			if match > 10 && match%10 == 0 {
				if now := heapInUse(); now > first+8<<20 {
					t.Fatalf("%d bytes are in use after %d matches, %d after 10", now, match, first)
				}
			}
		}
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, %d before", n, goroutines)
	}
	if *mutatedFlag > 0 {
		took := time.Since(began)
		t.Logf("%d matches, %d datagrams, %.0f a second, the matches included", match, total, float64(total)/took.Seconds())
	}
}
