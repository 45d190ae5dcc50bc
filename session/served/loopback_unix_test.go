//go:build unix

package served

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/transport/udp"
	"github.com/tickback/tickback/wire/datagram"
)

// loopbackMatches is how many matches a process serves, of 16 clients each.
const loopbackMatches = 64

// loadVariable makes a process run the clients: "full" or "partial", and the addresses of the servers.
const loadVariable = "TICKBACK_LOOPBACK_LOAD"

// BenchmarkLoopback measures the cost of a client to a server per tick on real sockets of the loopback
// interface: two received datagrams, a share of the tick, and one datagram sent. It is the processor time
// of the process, including system calls; the clients are in another process, and run no game.
func BenchmarkLoopback(b *testing.B) {
	for _, c := range []struct {
		look, loop string
		serve      func(*hall)
	}{{"full", "each", (*hall).serveEach}, {"partial", "each", (*hall).serveEach}, {"full", "one", (*hall).serveAll}, {"partial", "one", (*hall).serveAll}} {
		b.Run(c.look+"/"+c.loop, func(b *testing.B) {
			var spent, clientTicks float64
			for b.Loop() {
				h := startHall(b, c.look, c.serve)
				time.Sleep(4 * time.Second)
				ticks, before := h.ticks(), processorTime(b)
				time.Sleep(8 * time.Second)
				spent += (processorTime(b) - before).Seconds()
				clientTicks += float64(h.ticks()-ticks) * 16
				h.stop()
			}
			b.ReportMetric(spent/clientTicks*1e9, "ns/client-tick")
			b.ReportMetric(clientTicks/spent/tanks.TicksPerSecond, "clients/core")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// hall is a process with many matches.
type hall struct {
	b      *testing.B
	load   *exec.Cmd
	pipe   io.Closer // the clients go when it is closed
	tables []*table
	epoch  time.Time
	done   sync.WaitGroup
}

// table is a match in a hall, with a socket of its own.
type table struct {
	conn   *udp.Conn
	to     []netip.AddrPort
	out    [][]byte
	buffer [2048]byte
	due    time.Duration
	mu     sync.Mutex
	s      *Server[tanks.State, tanks.Input]
	stop   bool
}

func startHall(b *testing.B, look string, serve func(*hall)) *hall {
	h := &hall{b: b, epoch: time.Now()}
	addresses := look
	for i := range uint64(loopbackMatches) {
		conn, err := udp.Listen("127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		t := &table{conn: conn}
		if t.s, err = NewServer(tanks.Game(1), ServerConfig{Game: crowdGame, Random: rand.New(rand.NewPCG(i, 2)).Uint64}, ServerHooks[tanks.State, tanks.Input]{Sight: looks[look], Start: startTanks}); err != nil {
			b.Fatal(err)
		}
		h.tables = append(h.tables, t)
		addresses += " " + conn.LocalAddr().String()
	}
	serve(h)
	h.load = exec.Command(os.Args[0], "-test.run", "^TestLoadOfLoopback$")
	h.load.Env = append(os.Environ(), loadVariable+"="+addresses)
	h.load.Stderr = os.Stderr
	pipe, err := h.load.StdinPipe()
	if err == nil {
		h.pipe, err = pipe, h.load.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	return h
}

// serveEach gives each match a goroutine, with the loop of a front door, which sleeps until the match is due.
func (h *hall) serveEach() {
	for _, t := range h.tables {
		h.done.Go(func() {
			for h.run(t) {
				t.conn.Wait(t.due-time.Since(h.epoch), false)
			}
		})
	}
}

// beat is the least time between two rounds of a loop for all matches.
const beat = time.Millisecond

// serveAll has one loop for all matches, which sleeps until one is due, and at least for a beat.
func (h *hall) serveAll() {
	h.done.Go(func() {
		for {
			next := time.Since(h.epoch) + time.Second
			for _, t := range h.tables {
				if t.due <= time.Since(h.epoch) && !h.run(t) {
					return
				}
				next = min(next, t.due)
			}
			h.tables[0].conn.Wait(max(next-time.Since(h.epoch), beat), false)
		}
	})
}

// run does what is due in a match, and reports whether the hall is still open.
func (h *hall) run(t *table) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.due = t.turn(time.Since(h.epoch), func(at time.Time) time.Duration { return at.Sub(h.epoch) })
	return !t.stop
}

// turn does what is due.
func (t *table) turn(now time.Duration, since func(time.Time) time.Duration) (next time.Duration) {
	for n, from, at, ok := t.conn.Receive(t.buffer[:]); ok; n, from, at, ok = t.conn.Receive(t.buffer[:]) {
		t.s.Receive(since(at), from, t.buffer[:n])
	}
	next = t.s.Update(now)
	t.to, t.out = t.to[:0], t.out[:0]
	for to, datagram := range t.s.Outgoing() {
		t.to, t.out = append(t.to, to), append(t.out, datagram)
	}
	_ = t.conn.SendBatch(t.to, t.out) // what fails counts as lost
	t.s.Effects()
	t.s.Events()
	return next
}

// ticks returns how many ticks have run in all matches, each of which must be full.
func (h *hall) ticks() (n int) {
	for _, t := range h.tables {
		t.mu.Lock()
		n += int(t.s.Frame())
		if got := t.s.Members().Len(); got != 16 {
			h.b.Fatalf("%d clients play", got)
		}
		if s, ok := t.s.Client(0); !ok || s.Behind < 0 || s.Inputs < s.Replaced {
			h.b.Fatalf("the machine is too slow for so many clients: %+v", s)
		}
		t.mu.Unlock()
	}
	return n
}

func (h *hall) stop() {
	h.pipe.Close()
	h.load.Wait()
	for _, t := range h.tables {
		t.mu.Lock()
		t.stop = true
		t.mu.Unlock()
	}
	h.done.Wait()
	for _, t := range h.tables {
		t.conn.Close()
	}
}

// TestLoadOfLoopback is the other process of BenchmarkLoopback.
func TestLoadOfLoopback(t *testing.T) {
	what := strings.Fields(os.Getenv(loadVariable))
	if len(what) < 2 {
		t.Skip("it is run by BenchmarkLoopback")
	}
	for m, server := range what[1:] {
		for i := range 16 {
			l := &load{random: rand.New(rand.NewPCG(uint64(m), uint64(i)))}
			if err := l.dial(what[0], netip.MustParseAddrPort(server), uint64(100*m+i+1)); err != nil {
				t.Fatal(err)
			}
			go l.run()
		}
	}
	bufio.NewReader(os.Stdin).ReadByte() // until the hall closes
}

// load is a client that runs no game: it acknowledges every state, and sends inputs like those of busy
// bots.
type load struct {
	random *rand.Rand
	cfg    ClientConfig
	out    peer.Outbox
	remote serverLink
	conn   *net.UDPConn
	epoch  time.Time
	down   serverBody
	input  [4]byte
	known  uint32
}

func (l *load) dial(look string, server netip.AddrPort, id uint64) (err error) {
	if err := l.prepare(look, server, id); err != nil {
		return err
	}
	l.conn, err = net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(server))
	return err
}

// prepare makes a client without a socket.
func (l *load) prepare(look string, server netip.AddrPort, id uint64) error {
	real, err := NewClient(tanks.Game(1), ClientConfig{Server: server, Game: crowdGame, ID: id, Random: l.random.Uint64}, ClientHooks[tanks.State, tanks.Input]{
		Start: startTanks,
		Sight: looks[look], Sample: func(Player) (in tanks.Input) { return in },
	})
	if err != nil {
		return err
	}
	l.cfg, l.out.Most, l.epoch = real.cfg, maxOutgoing, time.Now()
	l.remote = serverLink{cfg: &l.cfg, items: real.server.items, out: &l.out, ours: upstream{size: real.server.ours.size}}
	return nil
}

// run answers each datagram of the server, and again half a tick later.
func (l *load) run() {
	var buffer [datagram.MaxSize]byte
	l.remote.begin(l.now())
	for again := false; l.remote.err == nil; {
		l.remote.update(l.now())
		l.send()
		l.conn.SetReadDeadline(time.Now().Add(tanks.Tick / 2))
		n, err := l.conn.Read(buffer[:])
		if err == nil {
			l.hear(l.remote.receive(l.now(), l.cfg.Server, buffer[:n]))
			again = true
		}
		if l.remote.whole.here {
			l.remote.whole.here, l.known = false, max(l.known, uint32(l.remote.whole.number))
		}
		if l.remote.placed && (err == nil || again) {
			l.remote.send(l.now(), clientBody{any: l.known > 0, state: l.known, next: l.remote.ours.inputs.Next()})
			again = err == nil
		}
	}
	fmt.Fprintln(os.Stderr, "a client ends:", l.remote.err)
}

func (l *load) now() time.Duration { return time.Since(l.epoch) + time.Second }

func (l *load) send() {
	for _, b := range l.out.All() {
		l.conn.Write(b)
	}
}

// hear handles a body, and makes inputs up to three ticks ahead of it.
func (l *load) hear(body []byte) {
	if body == nil || l.down.consume(body, l.known) != nil || !l.remote.placed {
		return
	}
	l.remote.ours.told(&l.down)
	if l.down.update != nil {
		l.known = max(l.known, l.down.next)
	}
	if !l.remote.ours.began {
		l.remote.ours.begin(Frame(l.down.next))
	}
	for l.remote.ours.inputs.Next() < l.down.next+3 {
		if l.remote.ours.inputs.Next()%3 == uint32(l.remote.from)%3 {
			turn := [...]int{-127, 127, 0}[l.random.IntN(3)] + l.random.IntN(49) - 24
			l.input = [4]byte{byte(int8(min(max(turn, -127), 127))), byte(64 + l.random.IntN(64)), byte(l.random.IntN(8) / 7)}
		}
		l.remote.ours.push(Frame(l.remote.ours.inputs.Next()), l.input[:])
	}
}
