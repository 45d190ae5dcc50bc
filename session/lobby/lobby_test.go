package lobby

import (
	"bytes"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

const everybody = rollback.PlayerSet(0b111)

func proposed(match uint32) *Proposal {
	return &Proposal{datagram.Offer{Match: match, Frames: 60, Data: []byte("level")}, everybody}
}

// at is a lobby in a stage of match 3.
func at(s Stage) *Lobby {
	var y Lobby
	if s >= Offered {
		y.Offer(*proposed(3))
	}
	if s >= Accepted {
		y.Accept(0b001)
	}
	if s >= Ready {
		y.Ready(time.Second)
	}
	if s >= Begun {
		y.PeerPlays([]rollback.Player{0})
	}
	return &y
}

var stages = []Stage{Idle, Offered, Accepted, Ready, Begun}

// Each stage is entered in its own way, and there is a current match in all of them but Idle.
func TestStages(t *testing.T) {
	for _, s := range stages {
		y := at(s)
		if y.Stage() != s || (y.At() == nil) != (s == Idle) || s != Idle && (y.Number() != 3 || y.At().Offer.Match != 3) {
			t.Errorf("stage %d is %d, of match %d", s, y.Stage(), y.Number())
		}
		number := y.Number()
		if y.Clear(); y.Stage() != Idle || y.At() != nil || y.Number() != number {
			t.Errorf("from stage %d: after the end it is stage %d of match %d", s, y.Stage(), y.Number())
		}
		y = at(s)
		if ok := y.Ready(2 * time.Second); ok != (s == Accepted) || y.Stage() != s && !ok || ok && y.Stage() != Ready {
			t.Errorf("from stage %d it gets ready: %v, stage %d", s, ok, y.Stage())
		}
		want := s
		if s == Ready {
			want = Begun
		}
		y = at(s)
		if y.PeerPlays([]rollback.Player{1}); y.Stage() != want {
			t.Errorf("from stage %d: when a peer plays it is stage %d", s, y.Stage())
		}
		if y.Set(*proposed(4)); y.Stage() != Ready || y.Number() != 4 || y.Missing(everybody) != everybody {
			t.Errorf("from stage %d: with a match of its own it is stage %d", s, y.Stage())
		}
	}
}

// A proposal counts once, whatever happens to it, and its content is kept.
func TestAProposalIsHeardOnce(t *testing.T) {
	for _, s := range stages {
		for match := range uint32(6) {
			p := proposed(match)
			y := at(s)
			if got := y.Receive(p, false); got != (match > y.Number()) || y.Stage() != s || y.Next() != nil {
				t.Errorf("stage %d, match %d is new: %v", s, match, got)
			} else if got {
				y.Offer(*p)
				clear(p.Offer.Data)
				if o := &y.At().Offer; o.Match != match || !bytes.Equal(o.Data, []byte("level")) || y.At().Founders != everybody || y.Stage() != Offered || y.Receive(p, false) {
					t.Errorf("stage %d: it is stage %d with match %d, %q", s, y.Stage(), o.Match, o.Data)
				}
			}
		}
	}
	endless := proposed(1)
	if endless.Offer.Frames = uint32(rollback.NoFrame); new(Lobby).Receive(endless, false) {
		t.Error("a match of no length can be played")
	}
}

// A proposal that arrives during the previous match waits until it arrives again or is
// withdrawn.
func TestAProposalThatComesTooEarly(t *testing.T) {
	for _, withdrawn := range []bool{false, true} {
		y := at(Begun)
		early := proposed(4)
		if y.Receive(early, true) || y.Stage() != Begun || y.Number() != 3 {
			t.Fatalf("it is stage %d of match %d", y.Stage(), y.Number())
		}
		clear(early.Offer.Data)
		if p := y.Next(); p == nil || p.Offer.Match != 4 || string(p.Offer.Data) != "level" || y.Withdraw(3) || y.Withdraw(5) || y.Next() != p {
			t.Fatalf("%+v waits", p)
		}
		if withdrawn {
			if !y.Withdraw(4) || y.Next() != nil || y.Withdraw(4) {
				t.Error("it cannot be taken back")
			}
		}
		if y.Clear(); y.Receive(early, false) == withdrawn || y.Next() != nil {
			t.Errorf("withdrawn %v: it is new again: %v", withdrawn, !withdrawn)
		}
		if !y.Receive(proposed(5), false) {
			t.Error("no other match can be played")
		}
	}
}

// Peers report that they accept the current match, and that they are ready for it. They may be
// ready for a match that has not been proposed here yet; then they are not ready for earlier
// ones.
func TestWhoIsMissing(t *testing.T) {
	y := at(Ready)
	if y.Missing(everybody) != 0b110 || y.Missing(0b010) != 0b010 || y.Missing(0b001) != 0 {
		t.Errorf("with the host ready %v are missing", y.Missing(everybody))
	}
	y.PeerReady(0b010, 2)
	y.PeerReady(0b100, 4)
	if y.Missing(everybody) != 0b110 {
		t.Errorf("with another match %v are missing", y.Missing(everybody))
	}
	y.PeerReady(0b010, 3)
	y.PeerReady(0b100, 3)
	if y.Missing(everybody) != 0b100 {
		t.Errorf("%v are missing", y.Missing(everybody))
	}
	if y.PeerPlays([]rollback.Player{2}); y.Missing(everybody) != 0 {
		t.Errorf("when one plays %v are missing", y.Missing(everybody))
	}
	for _, fresh := range []bool{true, false} {
		if got := y.PeerAccepts(0b110); got != fresh {
			t.Errorf("that they accept is new: %v", got)
		}
	}
	if y.Offer(*proposed(4)); !y.PeerAccepts(0b110) {
		t.Error("they have accepted another match")
	}
}

// A match starts when all present peers are ready, half a round trip later on machines that
// have waited; and any peer that plays it shows that all were.
func TestWhenAMatchStarts(t *testing.T) {
	const trip = 100 * time.Millisecond
	due := time.Second + trip/2
	for _, s := range stages {
		for _, all := range []bool{false, true} {
			y := at(s)
			there := rollback.PlayerSet(0b101)
			if all {
				y.PeerReady(0b100, 3)
			}
			want := s == Begun || s == Ready && all
			if y.Starts(due, there, trip) != want || y.Starts(due-1, there, trip) {
				t.Errorf("stage %d, all are ready %v: it starts %v", s, all, !want)
			}
		}
	}
	if at := at(Ready).StartsAt(trip); at != due {
		t.Errorf("it starts at %v", at)
	}
}

// A proposal is decoded as it was encoded, completely or not at all.
func TestProposalsAreReadAsWritten(t *testing.T) {
	sets := datagram.SetsOf(3)
	b := proposed(7).Append(nil, sets)
	p, err := Consume(b, sets)
	if err != nil || p.Offer.Match != 7 || p.Founders != everybody || string(p.Offer.Data) != "level" {
		t.Errorf("%+v, %v", p, err)
	}
	for n := range len(b) - len(p.Offer.Data) {
		if _, err := Consume(b[:n:n], sets); err == nil {
			t.Errorf("%d bytes of %d are a proposal", n, len(b))
		}
	}
	for n := 1; n <= datagram.MaxPlayers; n++ {
		sets := datagram.SetsOf(n)
		p := proposed(7)
		p.Founders = 1<<n - 1
		if got, err := Consume(p.Append(nil, sets), sets); err != nil || got.Founders != p.Founders || got.Offer.Match != 7 {
			t.Errorf("%d players: %+v, %v", n, got, err)
		}
		p.Founders = 1 << (n - 1)
		if _, err := Consume(p.Append(nil, datagram.SetsOf(sets.Seats())), datagram.SetsOf(n-1)); n != 9 && err == nil {
			t.Errorf("player %d begins a match of %d players", n-1, n-1)
		}
	}
}
