//go:build !js

package webrtc

import (
	"testing"
	"time"
)

// BenchmarkDatagram sends a datagram of a usual size from one transport to another on
// loopback, and waits until it arrives.
func BenchmarkDatagram(b *testing.B) {
	x := newExchange()
	from, err := New(Config{Self: 1, Signaler: desk{x, 1}, Loopback: true})
	if err != nil {
		b.Fatal(err)
	}
	defer from.Close()
	to, err := New(Config{Self: 2, Signaler: desk{x, 2}, Loopback: true})
	if err != nil {
		b.Fatal(err)
	}
	defer to.Close()
	x.all[1], x.all[2] = from, to
	from.SetPeers(2)
	to.SetPeers(1)
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for !connected(from, 1) || !connected(to, 1) {
		<-ticker.C
	}
	var datagram, buf [100]byte
	lost := 0
	b.ReportAllocs()
	for b.Loop() {
		for sent := false; ; {
			if !sent {
				err := from.Send(AddrOf(2), datagram[:])
				if sent = err == nil; err != nil && err != ErrCongested {
					b.Fatal(err)
				}
			}
			if _, _, _, ok := to.Receive(buf[:]); ok {
				break
			}
			select {
			case <-to.Notify():
			case <-ticker.C: // it has been lost, or could not be sent
				sent = false
				if lost++; lost > 10_000 {
					b.Fatal("datagrams get lost")
				}
			}
		}
	}
	b.ReportMetric(float64(lost)/float64(b.N), "lost/op")
	b.ReportMetric(float64(from.Stats().Congested), "congested")
}
