//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"bytes"
	"cmp"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// frameVariable makes a process run frames: a way to wait, a number of peers, and a number of frames.
const frameVariable = "TICKBACK_UDP_FRAMES"

// framesOfARound is how many frames at 60 a second a process of BenchmarkFrame runs.
const framesOfARound = 120

// BenchmarkFrame measures the processor time of what a frame needs from the system: to wait for a sixtieth of a second,
// to receive a datagram from each peer, and to send one to each. Each way is a process of its own, which sends to itself,
// and all run at the same time, so that they have the same neighbours. A socket waits in the two ways of Wait, which are "kept" and "parked", and "notified" is parked with a
// goroutine that reads; "timer" polls the socket and sleeps by a timer of Go. "bare" does what a program in C or Rust does:
// the thread sleeps, receives until there is no more, and sends, each by a call of the system, and nothing of Go's
// scheduler runs.
func BenchmarkFrame(b *testing.B) {
	ways := []string{"bare", "kept", "parked", "notified", "timer"}
	for _, peers := range []int{1, 3} {
		b.Run(fmt.Sprintf("%d_players", peers+1), func(b *testing.B) {
			spent, times, switches := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
			for b.Loop() {
				var running []*frames
				for _, way := range ways {
					running = append(running, startFrames(b, way, peers))
				}
				bare := 0.0
				for i, way := range ways {
					us, sw := running[i].wait(b)
					if way == "bare" {
						bare = us
					}
					spent[way], times[way], switches[way] = append(spent[way], us), append(times[way], us/bare), append(switches[way], sw)
				}
			}
			for _, way := range ways {
				b.ReportMetric(median(spent[way]), way+"-us/frame")
				if way != "bare" {
					b.ReportMetric(median(times[way]), way+"/bare")
					b.ReportMetric(slices.Min(times[way]), way+"/bare-least")
					b.ReportMetric(slices.Max(times[way]), way+"/bare-most")
				}
				b.ReportMetric(median(switches[way]), way+"-switches/frame")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median[T cmp.Ordered](values []T) T {
	s := slices.Sorted(slices.Values(values))
	return s[len(s)/2]
}

// frames is a process that runs frames.
type frames struct {
	command *exec.Cmd
	out     bytes.Buffer
}

func startFrames(b *testing.B, way string, peers int) *frames {
	f := &frames{command: exec.Command(os.Args[0], "-test.run", "^TestFramesOfAProcess$", "-test.v")}
	f.command.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %d", frameVariable, way, peers, framesOfARound))
	f.command.Stdout = &f.out
	if err := f.command.Start(); err != nil {
		b.Fatal(err)
	}
	return f
}

// wait returns the processor time of a frame, and how often the process has waited in it.
func (f *frames) wait(b *testing.B) (us, switches float64) {
	if err := f.command.Wait(); err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(f.out.String()) {
		if n, _ := fmt.Sscanf(line, "frames: %f %f", &us, &switches); n == 2 {
			return us, switches
		}
	}
	b.Fatalf("no figures in %q", f.out.String())
	return 0, 0
}

// TestFramesOfAProcess is a process of BenchmarkFrame.
func TestFramesOfAProcess(t *testing.T) {
	var way string
	var peers, frames int
	if n, _ := fmt.Sscan(os.Getenv(frameVariable), &way, &peers, &frames); n != 3 {
		t.Skip("it is run by BenchmarkFrame")
	}
	open := ListenPolled
	if way == "notified" {
		open = Listen
	}
	c := opened(t, open, "127.0.0.1:0")
	if way == "notified" {
		c.Notify()
	}
	to, out, buf := slices.Repeat([]netip.AddrPort{c.LocalAddr()}, peers), slices.Repeat([][]byte{make([]byte, 20)}, peers), make([]byte, MaxDatagram)
	frame := func(d time.Duration) {
		if way == "timer" {
			time.Sleep(d)
		} else {
			c.Wait(d, false)
		}
		for ok := true; ok; {
			_, _, _, ok = c.Receive(buf)
		}
		_ = c.SendBatch(to, out)
	}
	switch way {
	case "parked":
		c.backlog.alarm.keep.longest = 0
	case "bare":
		frame = bareFrame(c, peers)
	}
	next := time.Now()
	run := func(n int) {
		for range n {
			next = next.Add(time.Second / 60)
			frame(time.Until(next))
		}
	}
	c.Wait(100*time.Millisecond, false) // the runtime's monitor goes to sleep
	next = time.Now()
	run(20)
	before := usage(t)
	run(frames)
	after := usage(t)
	spent := after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano()
	fmt.Printf("frames: %f %f\n", float64(spent)/1000/float64(frames), float64(after.Nvcsw-before.Nvcsw)/float64(frames))
}

// bareFrame returns a function that does the same with nothing but calls of the system, as another language would.
func bareFrame(c *Conn, peers int) func(time.Duration) {
	runtime.LockOSThread()
	fd, buf, names := uintptr(c.backlog.fd), make([]byte, MaxDatagram), naming{}
	var to, from syscall.RawSockaddrInet6
	size := names.write(&to, c.LocalAddr())
	return func(d time.Duration) {
		if d > 0 {
			spec := syscall.NsecToTimespec(int64(d))
			syscall.RawSyscall6(syscall.SYS_CLOCK_NANOSLEEP, clockMonotonic, 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
		}
		for errno := syscall.Errno(0); errno == 0; {
			room := uint32(unsafe.Sizeof(from))
			_, _, errno = syscall.RawSyscall6(syscall.SYS_RECVFROM, fd, uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)), syscall.MSG_DONTWAIT, uintptr(unsafe.Pointer(&from)), uintptr(unsafe.Pointer(&room)))
		}
		for range peers {
			syscall.RawSyscall6(syscall.SYS_SENDTO, fd, uintptr(unsafe.Pointer(&buf[0])), 20, 0, uintptr(unsafe.Pointer(&to)), size)
		}
	}
}
