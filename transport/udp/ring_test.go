package udp

import (
	"net/netip"
	"testing"
	"time"
)

var (
	somewhere = netip.MustParseAddrPort("192.0.2.1:7000")
	someTime  = time.Unix(1_000_000, 0)
)

// popAll returns the first byte of each datagram that is in the ring.
func popAll(r *ring) (got []byte) {
	buf := make([]byte, MaxDatagram)
	for {
		_, _, _, ok, _ := r.pop(buf)
		if !ok {
			return got
		}
		got = append(got, buf[0])
	}
}

// When the ring is full, the oldest datagrams are dropped, and each is reported.
func TestFullRingDropsTheOldest(t *testing.T) {
	r := newRing(4, new(correspondents))
	dropped := 0
	for i := range byte(10) {
		if r.push([]byte{i}, somewhere, someTime) {
			dropped++
		}
	}
	if got := popAll(r); string(got) != "\x06\x07\x08\x09" {
		t.Errorf("left are %v, want 6 to 9", got)
	}
	if dropped != 6 {
		t.Errorf("%d dropped, want 6", dropped)
	}
}

// Datagrams come out in order and complete, with sender and time, however pushes and pops alternate.
func TestRingKeepsOrder(t *testing.T) {
	r, buf, next := newRing(4, new(correspondents)), make([]byte, MaxDatagram), byte(0)
	for i := range byte(100) {
		at := someTime.Add(time.Duration(i))
		from := netip.AddrPortFrom(somewhere.Addr(), uint16(i)+1)
		r.push(append([]byte{i}, make([]byte, i)...), from, at)
		if i%3 == 0 {
			continue
		}
		for range 2 {
			n, from, at, ok, _ := r.pop(buf)
			if !ok {
				break
			}
			if buf[0] != next || n != int(next)+1 || from.Port() != uint16(next)+1 || !at.Equal(someTime.Add(time.Duration(next))) {
				t.Fatalf("datagram %d with %d bytes from %v at %v, want %d", buf[0], n, from, at, next)
			}
			next++
		}
	}
	if next < 90 {
		t.Errorf("only %d came out", next)
	}
}

// A value is in the channel after a pop that found nothing and then a push, and never more than one.
func TestRingNotifiesAfterAnEmptyPop(t *testing.T) {
	r := newRing(4, new(correspondents))
	notified := func() bool {
		select {
		case <-r.notify:
			return true
		default:
			return false
		}
	}
	if notified() {
		t.Error("notified of nothing")
	}
	r.push([]byte{1}, somewhere, someTime)
	r.push([]byte{2}, somewhere, someTime)
	if !notified() || notified() {
		t.Error("want one notification of two datagrams")
	}
	r.push([]byte{3}, somewhere, someTime)
	if notified() {
		t.Error("notified again before anybody looked")
	}
	popAll(r)
	r.push([]byte{4}, somewhere, someTime)
	popAll(r) // without taking the value
	r.push([]byte{5}, somewhere, someTime)
	if !notified() {
		t.Error("a datagram came and nobody is told")
	}
}

// A datagram that does not fit is dropped and counted, not truncated.
func TestDatagramLongerThanTheBufferIsDropped(t *testing.T) {
	r := newRing(4, new(correspondents))
	r.push(make([]byte, 11), somewhere, someTime)
	r.push(make([]byte, 10), somewhere, someTime)
	n, _, _, ok, tooLong := r.pop(make([]byte, 10))
	if n != 10 || !ok || tooLong != 1 {
		t.Errorf("%d bytes, %v, %d too long; want 10, true, 1", n, ok, tooLong)
	}
}

// Nothing goes in or out of a closed ring.
func TestClosedRingIsEmpty(t *testing.T) {
	r := newRing(4, new(correspondents))
	r.push([]byte{1}, somewhere, someTime)
	r.close()
	r.push([]byte{2}, somewhere, someTime)
	if got := popAll(r); got != nil {
		t.Errorf("%v came out", got)
	}
}

// Rule: a caller that waits with a datagram in the ring does not block, although nothing is notified before a pop has
// found nothing.
func TestARingThatIsNotEmptyKeepsNobodyWaiting(t *testing.T) {
	r := newRing(4, new(correspondents))
	buf := make([]byte, 10)
	from := netip.MustParseAddrPort("10.0.0.1:7000")
	for range 2 {
		r.push([]byte("x"), from, time.Time{})
	}
	<-r.notify
	r.pop(buf)
	if !r.arm() {
		t.Error("one is there")
	}
	r.pop(buf)
	if r.arm() {
		t.Error("none is there")
	}
	r.push([]byte("x"), from, time.Time{})
	select {
	case <-r.notify:
	default:
		t.Error("the next one is not notified")
	}
}
