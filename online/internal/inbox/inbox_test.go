package inbox_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/peers"
)

// A flooding peer loses its own datagrams, the oldest first; the others are served in turn.
func TestAFloodTakesNothingFromOthers(t *testing.T) {
	q := inbox.New()
	loud, quiet := q.Join(), q.Join()
	q.Push(quiet, peers.AddrOf(2), []byte{7}, time.Time{})
	for i := range 10 * inbox.PerPeer {
		q.Push(loud, peers.AddrOf(1), []byte{byte(i), byte(i >> 8)}, time.Time{})
	}
	if n, want := q.Counts(), (inbox.Counts{Received: 10*inbox.PerPeer + 1, ReceivedBytes: 20*inbox.PerPeer + 1, Overflowed: 9 * inbox.PerPeer}); n != want {
		t.Errorf("%+v, want %+v", n, want)
	}
	var buf [inbox.MaxDatagram]byte
	seen := map[byte]int{}
	for i := range inbox.PerPeer + 1 {
		n, from, _, ok := q.Receive(buf[:])
		if !ok {
			t.Fatalf("only %d", i)
		}
		if from == peers.AddrOf(2) {
			seen[buf[0]] = i
			continue
		}
		if k := int(buf[0]) | int(buf[1])<<8; n != 2 || k < 9*inbox.PerPeer {
			t.Fatalf("an old one, %d", k)
		}
	}
	if at, ok := seen[7]; !ok || at > 1 {
		t.Errorf("the quiet one is served as number %d (%v)", at, ok)
	}
	if _, _, _, ok := q.Receive(buf[:]); ok {
		t.Error("one too many")
	}
}

// Half a datagram does not look like a complete one; one value in the channel announces all datagrams that have
// arrived.
func TestQueue(t *testing.T) {
	q := inbox.New()
	r := q.Join()
	q.Push(r, peers.AddrOf(1), []byte("abc"), time.Time{})
	q.Push(r, peers.AddrOf(1), []byte("de"), time.Time{})
	<-q.Notify()
	var buf [2]byte
	n, _, _, ok := q.Receive(buf[:])
	if !ok || n != 2 || string(buf[:]) != "de" || q.Counts().TooLong != 1 {
		t.Errorf("%q, %v, %d too long", buf[:n], ok, q.Counts().TooLong)
	}
	select {
	case <-q.Notify():
		t.Error("a value for nothing")
	default:
	}
	q.Receive(buf[:])
	q.Push(r, peers.AddrOf(1), nil, time.Time{})
	<-q.Notify()
	q.Push(r, peers.AddrOf(1), make([]byte, inbox.MaxDatagram+1), time.Time{})
	if n := q.Counts(); n.TooLong != 2 || n.Received != 3 {
		t.Errorf("with one that is too long: %+v", n)
	}
	q.Close()
	q.Push(r, peers.AddrOf(1), nil, time.Time{})
	if _, _, _, ok := q.Receive(buf[:]); ok {
		t.Error("a datagram of a queue that is closed")
	}
}

// A queue that is closed stays empty, also when a peer that had something in it leaves after that, as those of a transport
// do at its end.
func TestAClosedQueueStaysEmpty(t *testing.T) {
	q := inbox.New()
	r := q.Join()
	q.Push(r, peers.AddrOf(1), []byte{1}, time.Time{})
	q.Close()
	q.Leave(r)
	if n, from, _, ok := q.Receive(make([]byte, inbox.MaxDatagram)); ok {
		t.Errorf("%d bytes from %v are received", n, from)
	}
}

// Rule: datagrams that a peer has sent before it went are received, such as a goodbye; nothing is accepted from it after
// that, and only the last peers that have gone are remembered.
func TestLastWordsAreReceived(t *testing.T) {
	q := inbox.New()
	stays := q.Join()
	var rings []*inbox.Ring
	for i := range byte(inbox.MaxGone + 3) {
		r := q.Join()
		q.Push(r, peers.AddrOf(1), []byte{i}, time.Time{})
		rings = append(rings, r)
	}
	for _, r := range append(rings[1:], rings[0]) { // the first one goes last
		q.Leave(r)
		q.Push(r, peers.AddrOf(1), []byte{99}, time.Time{})
	}
	q.Push(stays, peers.AddrOf(1), []byte{100}, time.Time{})
	var buf [inbox.MaxDatagram]byte
	got := map[byte]bool{}
	for {
		n, _, _, ok := q.Receive(buf[:])
		if !ok {
			break
		}
		if n != 1 || got[buf[0]] {
			t.Fatalf("%d bytes, %d again", n, buf[0])
		}
		got[buf[0]] = true
	}
	if len(got) != inbox.MaxGone+1 || !got[0] || got[1] || got[2] || got[3] || !got[4] || !got[100] {
		t.Errorf("received are %v", got)
	}
	q.Push(stays, peers.AddrOf(1), []byte{100}, time.Time{})
	q.Push(rings[5], peers.AddrOf(1), []byte{5}, time.Time{})
	if n, _, _, ok := q.Receive(buf[:]); !ok || n != 1 || buf[0] != 100 {
		t.Errorf("after that %v %d", ok, buf[0])
	}
	if _, _, _, ok := q.Receive(buf[:]); ok {
		t.Error("one that has gone is heard")
	}
}

// Receiving allocates nothing.
func TestTheQueueAllocatesNothing(t *testing.T) {
	q := inbox.New()
	r := q.Join()
	b, buf := make([]byte, inbox.MaxDatagram), make([]byte, inbox.MaxDatagram)
	q.Push(r, peers.AddrOf(1), b, time.Time{})
	if n := testing.AllocsPerRun(1000, func() {
		q.Push(r, peers.AddrOf(1), b, time.Time{})
		q.Receive(buf)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
