package fleet

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

// Datagrams that were recorded on the path are changed, cut, joined and sent again to
// any machine from any address, in every phase of a match of three: the match is not
// affected, and no answer has more bytes than was sent.
//
// Each thing that happens takes four bytes: what and to whom, which of the newest
// datagrams, and two arguments.
func FuzzRecorded(f *testing.F) {
	for what := range byte(8) {
		f.Add([]byte{5, 10, 0, 0, what, 1, 3, 9, 6, 40, 0, 0, what, 5, 77, 1, what | 0x40, 9, 2, 200, 6, 100, 0, 0, what | 0x20, 3, 1, 1})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l := newLab(t, 3, frames(60), delay(10*time.Millisecond), seeded(uint64(len(data))))
		w := l.tap()
		l.pass(time.Millisecond)
		for n := 0; n+3 < len(data) && n < 4*64; n += 4 {
			l.replayed(w, [4]byte(data[n:]))
		}
		l.end(1, 10*time.Second)
		l.same(0, l.Peers...)
		l.healthy()
		for i := range l.Peers {
			if !l.sampledAll(i) || len(l.agreed[i][0]) != 60 {
				l.dump()
				t.Fatalf("peer %d has not agreed on what was sampled", i)
			}
		}
	})
}

// replayed is one thing that happens.
func (l *lab) replayed(w *wiretap, op [4]byte) {
	l.Helper()
	if w.heard == 0 || op[0]&15 == 6 {
		l.pass(time.Duration(op[1]) * time.Millisecond)
		return
	}
	newest := min(w.heard, 256)
	d := &w.reel[(w.heard-1-int(op[1])%newest)%reelLength]
	b, to := append([]byte(nil), d.bytes...), d.to
	at := (int(op[2])<<8 | int(op[3])) % len(b)
	switch op[0] & 7 {
	case 0:
		b[at] ^= 1 << (op[3] & 7)
	case 1:
		b = b[:at]
	case 2:
		other := &w.reel[(w.heard-1-int(op[3])%newest)%reelLength]
		b = append(b[:at], other.bytes[min(at, len(other.bytes)-1):]...)
	case 3:
		b[at] = op[3]
		b[0] = op[2]
	case 4:
		b = append(b, op[2:]...)
	}
	// An attacker who has seen a handshake, and sends in the name of a third peer, can
	// end it.
	handshake := len(b) > 0 && (b[0] == datagram.KindHello || b[0] == datagram.KindWelcome)
	from := stranger
	switch op[0] >> 5 {
	case 0, 1:
		from = Addr(d.from)
	case 2:
		from = netip.AddrPort{}
	default:
		if !handshake {
			from, to = Addr(int(op[0]>>5)%3), int(op[3])%3
		}
	}
	if n, bytes := l.strike(w, to, from, b); bytes > max(len(b), challengeSize) {
		l.dump()
		l.Fatalf("%d datagrams, %d bytes, answer %d from %v", n, bytes, len(b), from)
	}
	for i, p := range l.Peers {
		if count(p, session.Closed)+count(p, session.Lost) > 0 {
			l.dump()
			l.Fatalf("peer %d has noticed", i)
		}
	}
}
