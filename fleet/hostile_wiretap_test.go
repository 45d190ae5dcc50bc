package fleet

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// reelLength is the number of newest datagrams that a wiretap keeps.
const reelLength = 2048

// wiretap hears every datagram of a match. It learns the nonces, which travel in
// clear, and so the keys: it can forge what a peer would have to send.
type wiretap struct {
	reel   [reelLength]tape
	heard  int // datagrams, of which the newest are in the reel
	nonces [rollback.MaxPlayers][rollback.MaxPlayers]uint64
	next   [rollback.MaxPlayers][rollback.MaxPlayers]uint64 // number of the next datagram
	bodies [rollback.MaxPlayers][rollback.MaxPlayers][]byte // the newest one in play, without its tag

	count          bool // what is sent now is an answer
	answers, bytes int
}

// tap puts a wiretap on a match.
func (l *lab) tap() *wiretap {
	w := new(wiretap)
	l.OnSend = w.hear
	return w
}

func (w *wiretap) hear(from, to int, b []byte) {
	if w.count {
		w.answers++
		w.bytes += len(b)
	}
	d := &w.reel[w.heard%reelLength]
	d.from, d.to, d.bytes = from, to, append(d.bytes[:0], b...)
	w.heard++
	switch {
	case b[0] == datagram.KindHello:
		if h, err := datagram.ConsumeHello(b); err == nil {
			w.nonces[from][to] = h.Nonce
		}
	case b[0] == datagram.KindWelcome:
		if v, err := datagram.ConsumeWelcome(b[:len(b)-datagram.TagSize]); err == nil {
			w.nonces[from][to] = v.Nonce
		}
	case datagram.IsSession(b):
		sequence, _ := datagram.SequenceOf(b, w.next[from][to])
		w.next[from][to] = max(w.next[from][to], sequence+1)
		w.bodies[from][to] = append(w.bodies[from][to][:0], b[:len(b)-datagram.TagSize]...)
	}
}

// any returns one of the datagrams in the reel, or nil.
func (w *wiretap) any(r *rand.Rand) *tape {
	if w.heard == 0 {
		return nil
	}
	return &w.reel[r.IntN(min(w.heard, reelLength))]
}

// key is that of a direction.
func (w *wiretap) key(from, to int) datagram.Key {
	return datagram.KeyOf(w.nonces[from][to], w.nonces[to][from])
}

// forge sends a body, which must have a header, a number and its tag.
func (w *wiretap) forge(from, to int, body []byte, sequence uint64) []byte {
	body[1], body[2] = byte(sequence), byte(sequence>>8)
	return w.key(from, to).Seal(body, 0, sequence)
}

// strike delivers a datagram to a peer, as if it came from an address, and
// returns its immediate answers.
func (l *lab) strike(w *wiretap, to int, from netip.AddrPort, b []byte) (answers, bytes int) {
	w.count, w.answers, w.bytes = true, 0, 0
	l.inject(to, from, b)
	w.count = false
	return w.answers, w.bytes
}

// The keys that a wiretap learns are those of the peers: its forgeries are
// accepted.
func TestAWiretapCanForge(t *testing.T) {
	l := newLab(t, 3, delay(10*time.Millisecond))
	w := l.tap()
	l.play()
	l.pass(500 * time.Millisecond)
	for _, d := range w.reel[:min(w.heard, reelLength)] {
		if !datagram.IsSession(d.bytes) {
			continue
		}
		sequence, _ := datagram.SequenceOf(d.bytes, w.next[d.from][d.to])
		if _, ok := w.key(d.from, d.to).Open(d.bytes, sequence); !ok {
			t.Fatalf("from %d to %d: the tag of datagram %d is wrong", d.from, d.to, sequence)
		}
	}
	before := l.Peers[0].Stats(nil).Links[0].Received
	l.inject(0, Addr(1), w.forge(1, 0, []byte{0x80, 0, 0}, w.next[1][0]+3))
	if l.Peers[0].Stats(nil).Links[0].Received != before+1 {
		t.Error("what it has forged is refused")
	}
}
