package served

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/transport/udp"
	"github.com/tickback/tickback/wire/datagram"
)

// BenchmarkTurns is what a client costs a server in a tick on real sockets, as in BenchmarkLoopback, when
// the process does nothing else and never sleeps: servers and clients take turns on one thread, in virtual
// time, and the processor time of the servers' turns counts. Nobody has to be woken up, so that little else
// that runs on the machine shows. "bare" is what the calls of the system cost alone: the same number of
// datagrams of the usual sizes, that mean nothing.
func BenchmarkTurns(b *testing.B) {
	for _, look := range []string{"full", "partial"} {
		b.Run(look, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			h := newTurns(b, look)
			for range 200 {
				h.turn()
			}
			h.spent = 0
			ticks := 0
			for b.Loop() {
				h.turn()
				ticks++
			}
			h.report(ticks)
			h.check()
		})
	}
	b.Run("bare", func(b *testing.B) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		h := newTurns(b, "full")
		h.bare()
		h.spent = 0
		ticks := 0
		for b.Loop() {
			h.bare()
			ticks++
		}
		h.report(ticks)
	})
}

func (h *turns) report(ticks int) {
	each := h.spent.Seconds() / float64(ticks*loopbackMatches*16)
	h.b.ReportMetric(each*1e9, "ns/client-tick")
	h.b.ReportMetric(1/each/tanks.TicksPerSecond, "clients/core")
	h.b.ReportMetric(0, "ns/op")
}

// bare is a turn without a game, and without sessions.
func (h *turns) bare() {
	const up, down = 33, 56 // mean datagrams, with tags
	var buffer [datagram.MaxSize]byte
	for i, c := range h.conns {
		for _, _, _, ok := c.Receive(buffer[:]); ok; _, _, _, ok = c.Receive(buffer[:]) {
		}
		for range 2 {
			if err := c.Send(h.tables[i/16].conn.LocalAddr(), buffer[:up]); err != nil {
				h.b.Fatal(err)
			}
		}
	}
	before := threadTime()
	for _, t := range h.tables {
		t.to, t.out = t.to[:0], t.out[:0]
		for n, from, _, ok := t.conn.Receive(t.buffer[:]); ok; n, from, _, ok = t.conn.Receive(t.buffer[:]) {
			if n != up {
				h.b.Fatalf("%d bytes came", n)
			}
			if len(t.to) < 16 {
				t.to, t.out = append(t.to, from), append(t.out, t.buffer[:down])
			}
		}
		if err := t.conn.SendBatch(t.to, t.out); err != nil || len(t.to) != 16 {
			h.b.Fatalf("%d were sent: %v", len(t.to), err)
		}
	}
	h.spent += threadTime() - before
}

// turns are matches and clients that take turns.
type turns struct {
	b       *testing.B
	now     time.Duration
	tables  []*table
	clients []*load
	conns   []*udp.Conn
	spent   time.Duration // by the servers
}

func newTurns(b *testing.B, look string) *turns {
	h := &turns{b: b, now: time.Second}
	for m := range uint64(loopbackMatches) {
		t := &table{conn: polledConn(b)}
		var err error
		if t.s, err = NewServer(tanks.Game(1), ServerConfig{Game: crowdGame, Random: rand.New(rand.NewPCG(m, 2)).Uint64}, ServerHooks[tanks.State, tanks.Input]{Sight: looks[look], Start: startTanks}); err != nil {
			b.Fatal(err)
		}
		h.tables = append(h.tables, t)
		for i := range uint64(16) {
			l := &load{random: rand.New(rand.NewPCG(m, i))}
			if err := l.prepare(look, t.conn.LocalAddr(), 100*m+i+1); err != nil {
				b.Fatal(err)
			}
			l.remote.begin(h.now)
			h.clients, h.conns = append(h.clients, l), append(h.conns, polledConn(b))
		}
	}
	return h
}

func polledConn(b *testing.B) *udp.Conn {
	c, err := udp.ListenPolled("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return c
}

// turn runs a tick: clients hear what they were told, send twice, and then their servers run.
func (h *turns) turn() {
	for half := range 2 {
		h.now += tanks.Tick / 2
		for i, l := range h.clients {
			h.play(l, h.conns[i], half == 1)
		}
	}
	before := threadTime()
	for _, t := range h.tables {
		t.turn(h.now, func(time.Time) time.Duration { return h.now - tanks.Tick/4 })
	}
	h.spent += threadTime() - before
}

// play hears and sends for a client.
func (h *turns) play(l *load, conn *udp.Conn, again bool) {
	var buffer [datagram.MaxSize]byte
	l.remote.update(h.now)
	for n, from, _, ok := conn.Receive(buffer[:]); ok; n, from, _, ok = conn.Receive(buffer[:]) {
		l.hear(l.remote.receive(h.now, from, buffer[:n]))
	}
	if l.remote.whole.here {
		l.remote.whole.here, l.known = false, max(l.known, uint32(l.remote.whole.number))
	}
	if l.remote.placed {
		l.remote.send(h.now, clientBody{any: l.known > 0, state: l.known, next: l.remote.ours.inputs.Next()})
	}
	for to, b := range l.out.All() {
		if err := conn.Send(to, b); err != nil {
			h.b.Fatal(err)
		}
	}
}

// check fails unless all clients play.
func (h *turns) check() {
	for _, t := range h.tables {
		if got := t.s.Members().Len(); got != 16 {
			h.b.Fatalf("%d clients play", got)
		}
		if s, ok := t.s.Client(0); !ok || s.Behind < 0 || s.Inputs < s.Replaced {
			h.b.Fatalf("%+v", s)
		}
	}
}

// threadTime is the processor time of this thread.
func threadTime() time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		panic(fmt.Sprint("clock_gettime: ", errno))
	}
	return time.Duration(t.Nano())
}
