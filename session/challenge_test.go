package session

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// The next challenge for the same peer comes 50 ms after the previous one, not sooner.
func TestHowOftenAPeerIsChallenged(t *testing.T) {
	tr := moving(t)
	challengeAt(t, tr, elsewhere)
	challenged := func(at time.Duration) bool {
		tr.peers[0].Receive(at, elsewhere, tr.fresh(1, 0))
		return len(tr.sentTo(0, elsewhere)) > 0
	}
	for range 3 { // what comes pays for the next one
		if challenged(tr.now) {
			t.Fatal("it is challenged twice at once")
		}
	}
	if challenged(tr.now + 50*time.Millisecond - 1) {
		t.Error("it is challenged before 50 ms have passed")
	}
	if !challenged(tr.now + 50*time.Millisecond) {
		t.Error("it is not challenged after 50 ms")
	}
}

// The results of challenges and answers: an answer, a move, a count, or nothing.
func TestWhatComesOfAChallenge(t *testing.T) {
	const kindAnswer, kindChallenge = datagram.KindAnswer, datagram.KindChallenge
	type outcome struct {
		answers             int // to where it came from
		strangers, rejected uint64
		dropped             uint64
		moved               bool
	}
	path := func(kind byte, size int) func(tr *trio, token uint64) []byte {
		return func(tr *trio, token uint64) []byte {
			b := append(datagram.Challenge{Kind: kind, Token: token}.Append(nil), make([]byte, 9)...)
			return tr.way(1, 0).Out.Seal(b[:size], 0, 0)
		}
	}
	const whole = datagram.PathSize - datagram.TagSize
	gone := func(tr *trio) { tr.way(0, 1).state = gone }
	full := func(tr *trio) {
		for p := tr.peers[0]; !p.out.Full(); {
			p.out.Seal(append(p.out.Bytes, 0), addrOf(2))
		}
	}
	home := addrOf(1)
	for _, c := range []struct {
		what string
		make func(tr *trio, token uint64) []byte
		from netip.AddrPort
		with func(tr *trio)
		want outcome
	}{
		{"a challenge", path(kindChallenge, whole), home, nil, outcome{answers: 1}},
		{"a challenge from elsewhere", path(kindChallenge, whole), elsewhere, nil, outcome{}},
		{"a challenge from another peer", path(kindChallenge, whole), addrOf(2), nil, outcome{}},
		{"a challenge of who is gone", path(kindChallenge, whole), home, gone, outcome{rejected: 1}},
		{"a challenge of who is gone from elsewhere", path(kindChallenge, whole), elsewhere, gone, outcome{strangers: 1}},
		{"a challenge when there is no room", path(kindChallenge, whole), home, full, outcome{dropped: 1}},
		{"a challenge that is cut", path(kindChallenge, whole-1), home, nil, outcome{rejected: 1}},
		{"a challenge that is cut from elsewhere", path(kindChallenge, whole-1), elsewhere, nil, outcome{strangers: 1}},
		{"a challenge with another byte", path(kindChallenge, whole+1), home, nil, outcome{rejected: 1}},
		{"an answer", path(kindAnswer, whole), elsewhere, nil, outcome{moved: true}},
		{"an answer from where the peer has been", path(kindAnswer, whole), home, nil, outcome{}},
		{"an answer from another peer", path(kindAnswer, whole), addrOf(2), nil, outcome{}},
		{"an answer of who is gone", path(kindAnswer, whole), elsewhere, gone, outcome{strangers: 1}},
	} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby = true })
		tr.reach(Playing)
		tr.abused = true
		challengeAt(t, tr, elsewhere)
		if c.with != nil {
			c.with(tr)
		}
		before, waits := tr.stats(0), tr.peers[0].out.Len()
		tr.peers[0].Receive(tr.now, c.from, c.make(tr, tr.way(0, 1).Path.Token))
		s := tr.stats(0)
		got := outcome{s.PendingDatagrams - waits, s.Strangers - before.Strangers, s.Rejected - before.Rejected, s.DroppedDatagrams - before.DroppedDatagrams, tr.way(0, 1).Addr == elsewhere}
		for range got.answers {
			if n := len(tr.sentTo(0, c.from)); n != got.answers {
				t.Errorf("%s: %d of %d answers go there", c.what, n, got.answers)
			}
		}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}

// A peer that moves is followed, whichever others are gone.
func TestWhoIsGoneHidesNoMove(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
	tr.reach(Playing)
	tr.peers[1].Leave("")
	tr.run(time.Second)
	if tr.way(0, 1).state != gone || tr.peers[0].Phase() != Playing {
		t.Fatalf("it is %v", tr.peers[0].Phase())
	}
	for range 4 {
		tr.peers[0].Receive(tr.now, elsewhere, tr.fresh(2, 0))
	}
	list := tr.sentTo(0, elsewhere)
	if len(list) != 1 {
		t.Fatalf("%d challenges", len(list))
	}
	tr.peers[2].Receive(tr.now, addrOf(0), list[0])
	tr.peers[0].Receive(tr.now, elsewhere, tr.sentTo(2, addrOf(0))[0])
	if l := tr.way(0, 2); l.Addr != elsewhere {
		t.Errorf("it is thought to be at %v", l.Addr)
	}
}

// If there is no room for a datagram, it is not queued, and counts as dropped.
func TestHellosNeedRoom(t *testing.T) {
	tr := newTrio(t, 3, nil)
	p, l := tr.peers[0], tr.way(0, 1)
	for !p.out.Full() {
		p.out.Seal(append(p.out.Bytes, 0), addrOf(2))
	}
	waiting, dropped := p.out.Len(), p.out.Dropped
	if l.Hello(p.now, p.cfg.DropAfter, &p.out); p.out.Len() != waiting || p.out.Dropped != dropped+1 {
		t.Errorf("%d datagrams wait, %d before; %d were dropped", p.out.Len(), waiting, p.out.Dropped-dropped)
	}
}
