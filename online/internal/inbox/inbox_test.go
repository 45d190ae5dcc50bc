package inbox_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/peers"
)

// Who floods loses its own datagrams, the oldest first; the others are served in turn.
func TestAFloodTakesNothingFromOthers(t *testing.T) {
	q := inbox.New()
	loud, quiet := q.Join(peers.AddrOf(1)), q.Join(peers.AddrOf(2))
	lost := 0
	q.Push(quiet, []byte{7}, time.Time{})
	for i := range 10 * inbox.PerPeer {
		if q.Push(loud, []byte{byte(i), byte(i >> 8)}, time.Time{}) {
			lost++
		}
	}
	if lost != 9*inbox.PerPeer {
		t.Errorf("%d are lost", lost)
	}
	var buf [inbox.MaxDatagram]byte
	seen := map[byte]int{}
	for i := range inbox.PerPeer + 1 {
		n, from, _, ok, _ := q.Pop(buf[:])
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
	if _, _, _, ok, _ := q.Pop(buf[:]); ok {
		t.Error("one too many")
	}
}

// Half a datagram does not look like a whole one; a value comes once for all that have arrived.
func TestQueue(t *testing.T) {
	q := inbox.New()
	r := q.Join(peers.AddrOf(1))
	q.Push(r, []byte("abc"), time.Time{})
	q.Push(r, []byte("de"), time.Time{})
	<-q.Notify()
	var buf [2]byte
	n, _, _, ok, tooLong := q.Pop(buf[:])
	if !ok || n != 2 || string(buf[:]) != "de" || tooLong != 1 {
		t.Errorf("%q, %v, %d too long", buf[:n], ok, tooLong)
	}
	select {
	case <-q.Notify():
		t.Error("a value for nothing")
	default:
	}
	q.Pop(buf[:])
	q.Push(r, nil, time.Time{})
	<-q.Notify()
	q.Close()
	q.Push(r, nil, time.Time{})
	if _, _, _, ok, _ := q.Pop(buf[:]); ok {
		t.Error("a datagram of a queue that is closed")
	}
}

// Rule: what a peer has sent before it went is received, a goodbye say; nothing is taken from it after that, and of those
// that have gone only the last ones are remembered.
func TestLastWordsAreReceived(t *testing.T) {
	q := inbox.New()
	stays := q.Join(peers.AddrOf(1))
	var rings []*inbox.Ring
	for i := range byte(inbox.MaxGone + 3) {
		r := q.Join(peers.AddrOf(uint32(i) + 2))
		q.Push(r, []byte{i}, time.Time{})
		rings = append(rings, r)
	}
	for _, r := range append(rings[1:], rings[0]) { // the first one goes last
		q.Leave(r)
		q.Push(r, []byte{99}, time.Time{})
	}
	q.Push(stays, []byte{100}, time.Time{})
	var buf [inbox.MaxDatagram]byte
	got := map[byte]bool{}
	for {
		n, _, _, ok, _ := q.Pop(buf[:])
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
	q.Push(stays, []byte{100}, time.Time{})
	q.Push(rings[5], []byte{5}, time.Time{})
	if n, _, _, ok, _ := q.Pop(buf[:]); !ok || n != 1 || buf[0] != 100 {
		t.Errorf("after that %v %d", ok, buf[0])
	}
	if _, _, _, ok, _ := q.Pop(buf[:]); ok {
		t.Error("one that has gone is heard")
	}
}

// Receiving allocates nothing.
func TestTheQueueAllocatesNothing(t *testing.T) {
	q := inbox.New()
	r := q.Join(peers.AddrOf(1))
	b, buf := make([]byte, inbox.MaxDatagram), make([]byte, inbox.MaxDatagram)
	q.Push(r, b, time.Time{})
	if n := testing.AllocsPerRun(1000, func() {
		q.Push(r, b, time.Time{})
		q.Pop(buf)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
