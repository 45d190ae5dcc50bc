package desync

import (
	"testing"
	"time"
)

// Rule: a report reaches all, also if whoever has made it leaves when it has given it to one of
// the others only, and whichever that is; each gets it once.
func TestAReportThatOneHasReachesAll(t *testing.T) {
	for first := range 3 { // the peer of seat 0 that gets the report
		tb := newTable(t, everyState(), smallToy(), 1, 2, 4, 8)
		tb.seats[1].game.wrong = flip(100, 51)
		tb.seats[0].setup.Ready = func(peer int) bool { return peer == first }
		for range 300 {
			if tb.run(1); !tb.seats[0].gone && tb.seats[first+1].Report() != nil {
				tb.leave(0)
			}
		}
		if tb.report(); !tb.seats[0].gone {
			t.Error("nobody has the report")
		}
	}
	tb := newTable(t, everyState(), smallToy(), 1, 2, 4, 8)
	tb.seats[1].game.wrong = flip(100, 51)
	tb.run(400)
	tb.report()
	if pieces := (len(tb.seats[0].Report()) + pieceSize - 1) / pieceSize; tb.seats[0].sent[Piece] != 3*pieces {
		t.Errorf("%d pieces are sent, and %d are enough", tb.seats[0].sent[Piece], 3*pieces)
	}
}

// Rule: whoever is gone is not waited for with the report.
func TestNobodyIsBusyWithWhoIsGone(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2)
	tb.seats[1].game.wrong = flip(100, 51)
	for tb.seats[0].Report() == nil {
		tb.seats[0].busy = true // no piece has room
		tb.run(1)
	}
	if !tb.seats[0].Busy() {
		t.Error("it does not give its report")
	}
	if tb.leave(1); tb.seats[0].Busy() {
		t.Error("it waits for a peer that is gone")
	}
}

// Rule: a match may begin while something is looked for in the last one, of which nothing is
// left then.
func TestAnotherMatchBeginsInTheMiddle(t *testing.T) {
	for after := 70; after < 90; after++ {
		tb := newTable(t, everyState(), smallToy(), 1, 2, 4)
		tb.seats[1].game.wrong = flip(30, 51)
		tb.run(after)
		tb.begin(2)
		tb.seats[1].game.wrong = flip(100, 51)
		if tb.run(200); tb.report().Match != 2 {
			t.Errorf("after %d frames: it is another match", after)
		}
	}
}

// Rule: once it has come to an end, nothing is kept of the match.
func TestNothingIsKeptAfterTheEnd(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2)
	tb.seats[1].game.wrong = flip(100, 51)
	tb.run(200)
	r := tb.report()
	for _, s := range tb.seats {
		if _, held := s.evidence.HashOf(r.State); held {
			t.Errorf("seat %d holds the hash of state %d", s.index, r.State)
		}
		for n := range uint32(300) {
			if s.evidence.Wants(n) {
				t.Fatalf("seat %d wants state %d", s.index, n)
			}
		}
	}
}

// Rule: the moments at which an answer is no longer waited for, and nothing is.
func TestTheMomentsOfGivingUp(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2)
	v := tb.seats[0].Investigation
	v.Suspect(60, time.Second)
	v.coordination = &coordination{}
	m := &v.members[0]
	m.awaited, m.since = true, time.Second
	if v.now = time.Second + tablePatience; !v.awaits() || m.mute {
		t.Error("an answer is not waited for long enough")
	}
	if v.now++; v.awaits() || !m.mute {
		t.Error("an answer is waited for too long")
	}
	v = tb.seats[1].Investigation
	tb.seats[1].working = true
	v.Suspect(60, time.Second)
	if v.Update(time.Second + 12*tablePatience); !v.Busy() {
		t.Error("it ends too early")
	}
	if v.next = 0; v.Update(time.Second+12*tablePatience+1) == 0 || v.Busy() {
		t.Error("it ends too late")
	}
}

// Rule: what a peer has sent is not kept in the memory of its message.
func TestAnAnswerIsCopied(t *testing.T) {
	v := New(Setup{Own: 1, Peers: []uint16{2}})
	v.coordination = &coordination{number: 1, step: askState}
	m, why := &v.members[0], []byte("no memory")
	m.awaited = true
	v.answered(m, &answer{number: 1, step: askState, source: 1, why: why})
	if clear(why); string(m.state.why) != "no memory" {
		t.Errorf("it says %q", m.state.why)
	}
	v.coordination.step = askLeaves
	leaf := []byte("a leaf")
	m.awaited = true
	v.answered(m, &answer{number: 1, step: askLeaves, leaves: [][]byte{leaf}})
	if clear(leaf); string(m.parts.leaves[0]) != "a leaf" {
		t.Errorf("a leaf is %q", m.parts.leaves[0])
	}
}

// Rule: the states that are looked at are those that were hashed, behind the last one that was
// the same everywhere, up to the one in which a difference was noticed.
func TestWhichStatesAreLookedAt(t *testing.T) {
	for _, c := range []struct{ horizon, noticed, from, to uint32 }{
		{0, 60, 10, 60}, {60, 120, 70, 120}, {60, 125, 70, 120}, {60, 129, 70, 120}, {60, 130, 70, 130}, {60, 70, 70, 70},
	} {
		tb := newTable(t, Config{HashEvery: 10, Every: 60, Budget: 1 << 20}, smallToy(), 1, 2)
		s := tb.seats[0]
		s.evidence.horizon = c.horizon
		var got ask
		s.silent = func(kind Kind, body []byte) bool {
			if kind == Ask {
				_ = got.consume(body)
			}
			return true
		}
		s.Suspect(c.noticed, tb.now)
		if s.update(); got.from != c.from || got.to != c.to {
			t.Errorf("%+v: from %d to %d", c, got.from, got.to)
		}
	}
}

// Rule: an answer with fewer hashes than were asked for counts as none.
func TestAnAnswerThatIsTooShortCountsAsNone(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2, 4)
	tb.seats[0].game.wrong = flip(100, 51)
	liar := tb.seats[2]
	liar.silent = func(kind Kind, body []byte) bool {
		var a answer
		if kind != Answer || a.consume(body) != nil || len(a.entries) < 2 {
			return false
		}
		a.entries = a.entries[:1]
		tb.letters = append(tb.letters, letter{tb.now + tick, 2, 0, Answer, a.append(nil)})
		return true
	}
	tb.run(300)
	r, err := Decode(tb.seats[1].Report())
	if err != nil {
		t.Fatal(err)
	}
	if r.State != 101 || r.Peers[2].Group != None || r.Peers[2].Origin != Unavailable {
		t.Errorf("state %d, and of the liar: %+v", r.State, r.Peers[2])
	}
}
