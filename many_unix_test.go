//go:build unix

package tickback_test

import (
	"fmt"
	"net/netip"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/transport/udp"
)

// nearlyEmpty is a game whose step takes almost no time.
type nearlyEmpty struct{ Sum uint64 }

func (nearlyEmpty) game() rollback.Game[nearlyEmpty, uint32] {
	return rollback.Game[nearlyEmpty, uint32]{
		Init: func(*nearlyEmpty) {},
		Step: func(s *nearlyEmpty, t *rollback.Tick[uint32]) {
			for p := range t.Players() {
				s.Sum = s.Sum*31 + uint64(t.Input(p))
			}
		},
	}
}

// house is one process that plays many matches for two, with all first players at one port, and all second ones at
// another.
type house struct {
	ports   [2]*udp.Port
	matches []*tickback.Match[nearlyEmpty, uint32]
	due     []time.Time
}

func newHouse(tb testing.TB, matches int) *house {
	h := new(house)
	for i := range h.ports {
		p, err := udp.ListenPort("127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { p.Close() })
		h.ports[i] = p
	}
	for n := range matches {
		for i, p := range h.ports {
			h.add(tb, p, uint32(n), tickback.Player(i), h.ports[1-i].LocalAddr())
		}
	}
	return h
}

func (h *house) add(tb testing.TB, port *udp.Port, number uint32, me tickback.Player, other netip.AddrPort) {
	member, err := port.Channel(number)
	if err != nil {
		tb.Fatal(err)
	}
	frame := uint32(0)
	m, err := tickback.P2P(nearlyEmpty{}.game(), tickback.Options[nearlyEmpty, uint32]{
		Transport: member, Peers: tickback.Mesh(me, other),
		Sample: func(p tickback.Player) uint32 {
			frame++
			return (frame/8 + uint32(p)) % 16 // held for a while, as keys are
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	h.matches, h.due = append(h.matches, m), append(h.due, time.Now())
}

// turn is one round of the loop, at most one per millisecond.
func (h *house) turn(tb testing.TB) {
	for _, p := range h.ports {
		p.Poll()
	}
	now := time.Now()
	for i, m := range h.matches {
		if now.Before(h.due[i]) {
			continue
		}
		wait, err := m.Update()
		if err != nil {
			tb.Fatal(err)
		}
		h.due[i] = now.Add(max(wait, time.Millisecond))
	}
	_ = h.ports[0].Flush()
	h.ports[1].Wait(time.Until(now.Add(time.Millisecond)), false)
}

// run runs the loop until all matches have run the given number of frames, and returns how many frames they ran in
// total.
func (h *house) run(tb testing.TB, frames tickback.Frame, limit time.Duration) (ran int) {
	from := make([]tickback.Frame, len(h.matches))
	for i, m := range h.matches {
		from[i] = m.View().Frame
	}
	for end := time.Now().Add(limit); ; {
		for range 16 {
			h.turn(tb)
		}
		least := tickback.Frame(1 << 30)
		ran = 0
		for i, m := range h.matches {
			n := m.View().Frame - from[i]
			least, ran = min(least, n), ran+int(n)
		}
		if least >= frames {
			return ran
		}
		if time.Now().After(end) {
			tb.Fatalf("a match has run %d frames, and not %d", least, frames)
		}
	}
}

// leave closes all matches, each in a separate goroutine, outside of the loop.
func (h *house) leave(tb testing.TB) {
	done := make(chan error, len(h.matches))
	for _, m := range h.matches {
		go func() { done <- m.Close() }()
	}
	for range h.matches {
		if err := <-done; err != nil {
			tb.Error(err)
		}
	}
	for _, p := range h.ports {
		if s := p.Stats(); s.Members != 0 || s.Overflowed != 0 || s.Malformed != 0 {
			tb.Errorf("%+v", s)
		}
	}
}

// Rule: many matches can be played over two ports in one loop, and can be ended without it.
func TestManyMatchesShareAPort(t *testing.T) {
	h := newHouse(t, 20)
	h.run(t, 30, 20*time.Second)
	h.leave(t)
}

// BenchmarkManyMatches plays many matches for two, both of whose sessions are in this process, at 60 frames a second. It
// reports the processor time of the process, including system calls, and the heap. On a machine that is too busy,
// several frames run at once, with one datagram: then fewer than one datagram is sent per frame. frames/s is the rate of
// a session: 60 if it keeps pace.
func BenchmarkManyMatches(b *testing.B) {
	for _, matches := range []int{25, 100, 1000} {
		if testing.Short() && matches > 25 {
			break // these take minutes
		}
		b.Run(fmt.Sprintf("%d", matches), func(b *testing.B) { playMany(b, matches) })
	}
}

func playMany(b *testing.B, matches int) {
	var spent, passed time.Duration
	var frames, bytes, datagrams float64
	for b.Loop() {
		empty := heapInUse()
		h := newHouse(b, matches)
		h.run(b, 120, time.Minute)
		bytes = float64(heapInUse()-empty) / float64(2*matches)
		start, before, sent := time.Now(), processorTime(b), h.sent()
		frames += float64(h.run(b, 300, time.Minute))
		spent, passed = spent+processorTime(b)-before, passed+time.Since(start)
		datagrams += float64(h.sent() - sent)
		h.leave(b)
	}
	b.ReportMetric(float64(spent.Nanoseconds())/frames, "ns/frame")
	b.ReportMetric(datagrams/frames, "datagrams/frame")
	b.ReportMetric(frames/spent.Seconds()/60/2, "matches/core")
	b.ReportMetric(frames/passed.Seconds()/2/float64(matches), "frames/s")
	b.ReportMetric(bytes, "B/session")
	b.ReportMetric(0, "ns/op")
}

// sent returns how many datagrams the matches have sent.
func (h *house) sent() (n uint64) {
	for _, p := range h.ports {
		n += p.Stats().Socket.Sent
	}
	return n
}

func heapInUse() int64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
