//go:build unix

package tickback_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/transport/udp"
)

var tailOf = flag.Duration("tail", time.Minute, "how long a match of BenchmarkTail lasts")

// disturbed is a real match for two over loopback whose first machine is this process, with the usual load of a game:
// it allocates 1 MB a second, the match is recorded, a spectator comes every five seconds, and after a third of the
// time the machines get different states, which they then explain. The other machine and the spectators are in another
// process.
type disturbed struct {
	tb     testing.TB
	conn   *udp.Conn
	others *exec.Cmd
	pipe   io.Closer  // to the other process, which ends with it
	waste  [64][]byte // what the game holds for a while
	frames int

	took    []time.Duration // Update, in each frame
	control []time.Duration // the same amount of arithmetic, in the same frames
	sum     uint64          // of it
}

// machineOf starts a machine of such a match.
func machineOf(tb testing.TB, conn *udp.Conn, me int, other netip.AddrPort, desyncAt uint64, record io.Writer) *tickback.Match[nearlyEmpty, uint32] {
	game := nearlyEmpty{}.game()
	step := game.Step
	game.Step = func(s *nearlyEmpty, t *rollback.Tick[uint32]) {
		if step(s, t); me == 1 && uint64(t.Frame()) == desyncAt {
			s.Sum++
		}
	}
	m, err := tickback.P2P(game, tickback.Options[nearlyEmpty, uint32]{
		Transport: conn, Peers: tickback.Mesh(tickback.Player(me), other),
		Spectators: tickback.Spectators{Max: 4}, Record: record,
		Sample: func(p tickback.Player) uint32 { return uint32(time.Now().UnixMilli()/150+int64(p)) % 16 },
	})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func polledSocket(tb testing.TB) *udp.Conn {
	c, err := udp.ListenPolled("127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// othersVariable makes a process play the others: it has the address of the first machine, and the frame in which the
// states begin to differ.
const othersVariable = "TICKBACK_TAIL_OTHERS"

// TestOthersOfTail is the other process of BenchmarkTail. It ends with its standard input.
func TestOthersOfTail(t *testing.T) {
	var first string
	var desyncAt uint64
	if _, err := fmt.Sscan(os.Getenv(othersVariable), &first, &desyncAt); err != nil {
		t.Skip("it is for BenchmarkTail")
	}
	stop := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(stop)
	}()
	conn, host := polledSocket(t), netip.MustParseAddrPort(first)
	fmt.Println("others at", conn.LocalAddr())
	m := machineOf(t, conn, 1, host, desyncAt, nil)
	go watchAgain(host, stop)
	for wait := time.Duration(0); ; m.Wait(wait) {
		select {
		case <-stop:
			_ = m.Close()
			return
		default:
		}
		wait, _ = m.Update()
	}
}

// watchAgain makes a spectator come, watch for two seconds and leave, again and again.
func watchAgain(host netip.AddrPort, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(3 * time.Second):
		}
		conn, err := udp.ListenPolled("127.0.0.1:0")
		if err != nil {
			return
		}
		s, err := tickback.Spectate(nearlyEmpty{}.game(), tickback.SpectatorOptions[nearlyEmpty, uint32]{
			Hosts: []netip.AddrPort{host}, Transport: conn,
		})
		if err != nil {
			return
		}
		for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
			wait, err := s.Update()
			if err != nil {
				break
			}
			s.Wait(wait)
		}
		_ = s.Close()
	}
}

// begin starts the other process, and returns the address of the other machine.
func (d *disturbed) begin(desyncAt uint64) netip.AddrPort {
	self, err := os.Executable()
	if err != nil {
		d.tb.Fatal(err)
	}
	d.others = exec.Command(self, "-test.run=^TestOthersOfTail$", "-test.timeout=0")
	d.others.Env = append(os.Environ(), fmt.Sprintf("%s=%v %d", othersVariable, d.conn.LocalAddr(), desyncAt))
	d.others.Stderr = os.Stderr
	in, err := d.others.StdinPipe()
	if err != nil {
		d.tb.Fatal(err)
	}
	out, err := d.others.StdoutPipe()
	if err == nil {
		err = d.others.Start()
	}
	if err != nil {
		d.tb.Fatal(err)
	}
	d.pipe = in
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, at, ok := strings.Cut(lines.Text(), "others at "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return netip.MustParseAddrPort(at)
		}
	}
	d.tb.Fatal("the others did not begin")
	return netip.AddrPort{}
}

// controlSteps take about as long as Update does.
const controlSteps = 60_000

// compute does arithmetic that needs no memory. If it is slow, the machine is the reason: another program has the
// processor.
func (d *disturbed) compute() time.Duration {
	start := time.Now()
	for n := range uint64(controlSteps) {
		d.sum = d.sum*31 + n
	}
	return time.Since(start)
}

// play measures Update of the first machine whenever a frame has run, and reports whether the desync was explained.
func (d *disturbed) play(length time.Duration) (reported bool) {
	d.conn = polledSocket(d.tb)
	file, err := os.Create(filepath.Join(d.tb.TempDir(), "match.tbr"))
	if err != nil {
		d.tb.Fatal(err)
	}
	defer file.Close()
	desyncAt := uint64(length/3) * 60 / uint64(time.Second)
	m := machineOf(d.tb, d.conn, 0, d.begin(desyncAt), desyncAt, file)
	frame, seconds := tickback.Frame(0), time.Now()
	for end := time.Now().Add(length); time.Now().Before(end); {
		begin := time.Now()
		wait, err := m.Update()
		spent := time.Since(begin)
		if err != nil {
			d.tb.Fatal(err)
		}
		if f := m.View().Frame; f != frame && begin.Sub(seconds) > time.Second {
			frame = f
			d.took, d.control = append(d.took, spent), append(d.control, d.compute())
			for range 17 { // 1 MB a second
				d.waste[d.frames%len(d.waste)] = make([]byte, 1000)
				d.frames++
			}
		}
		for _, e := range m.Events() {
			reported = reported || e.What == tickback.Reported
		}
		m.Wait(wait)
	}
	_ = d.pipe.Close()
	_ = m.Close()
	if err := d.others.Wait(); err != nil {
		d.tb.Errorf("the others: %v", err)
	}
	return reported
}

// BenchmarkTail measures how long Update takes in the frames of a real match, at the median and at higher percentiles;
// and as a control, how long arithmetic takes in the same frames.
func BenchmarkTail(b *testing.B) {
	d := &disturbed{tb: b}
	for b.Loop() {
		if !d.play(*tailOf) {
			b.Error("the machines differ, and nobody reports it")
		}
	}
	b.ReportMetric(float64(len(d.took)), "frames")
	reportTail(b, "", d.took)
	reportTail(b, "control-", d.control)
	b.ReportMetric(0, "ns/op")
}

func reportTail(b *testing.B, name string, all []time.Duration) {
	slices.Sort(all)
	at := func(share float64) float64 { return float64(all[int(share*float64(len(all)-1))].Nanoseconds()) / 1000 }
	b.ReportMetric(at(0.5), name+"p50-us")
	b.ReportMetric(at(0.99), name+"p99-us")
	b.ReportMetric(at(0.999), name+"p99.9-us")
	b.ReportMetric(at(1), name+"worst-us")
}
