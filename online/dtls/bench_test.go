//go:build unix

package dtls

import (
	"net/netip"
	"syscall"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/transport/udp"
)

// BenchmarkDatagram sends datagrams from one socket to another on loopback, each when the one before has been received:
// over UDP, and encrypted. An operation is a block of 100 of each, in turn, so that a busy machine affects both. The
// reported values are per datagram, sent and received: the processor time of this process, and the latency.
func BenchmarkDatagram(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"60B", 60}, {"1200B", 1200}} {
		b.Run(size.name, func(b *testing.B) {
			plain, encrypted := openPlain(b), openEncrypted(b)
			datagram := make([]byte, size.bytes)
			for b.Loop() {
				plain.block(b, datagram)
				encrypted.block(b, datagram)
			}
			n := float64(b.N * blockDatagrams)
			b.ReportMetric(float64(plain.cpu)/n, "cpu-ns/udp")
			b.ReportMetric(float64(encrypted.cpu)/n, "cpu-ns/dtls")
			b.ReportMetric(float64(encrypted.cpu)/float64(plain.cpu), "cpu-ratio")
			b.ReportMetric(float64(plain.wall)/n, "ns/udp")
			b.ReportMetric(float64(encrypted.wall)/n, "ns/dtls")
		})
	}
}

const blockDatagrams = 100

// course is a path from one transport to another, with its costs.
type course struct {
	from, into tickback.Transport
	to         netip.AddrPort
	cpu, wall  time.Duration
}

func openPlain(b *testing.B) *course {
	from, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { from.Close() })
	into, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { into.Close() })
	return &course{from: from, into: into, to: into.LocalAddr()}
}

func openEncrypted(b *testing.B) *course {
	token := tickback.NewToken()
	from, err := Listen("127.0.0.1:0", Config{Token: token})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { from.Close() })
	into, err := Listen("127.0.0.1:0", Config{Token: token})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { into.Close() })
	for from.Send(into.LocalAddr(), []byte("x")) != nil {
		time.Sleep(time.Millisecond)
	}
	c := &course{from: from, into: into, to: into.LocalAddr()}
	c.await()
	return c
}

// await waits until something has arrived; on loopback nothing is lost.
func (c *course) await() {
	var buf [MaxDatagram]byte
	for {
		if _, _, _, ok := c.into.Receive(buf[:]); ok {
			return
		}
		<-c.into.Notify()
	}
}

func (c *course) block(b *testing.B, datagram []byte) {
	began, used := time.Now(), processorTime(b)
	for range blockDatagrams {
		if err := c.from.Send(c.to, datagram); err != nil {
			b.Fatal(err)
		}
		c.await()
	}
	c.wall += time.Since(began)
	c.cpu += processorTime(b) - used
}

// processorTime returns the processor time that this process has used so far.
func processorTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
