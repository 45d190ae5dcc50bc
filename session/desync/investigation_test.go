package desync

import (
	"testing"
	"time"
)

// Rule: a report reaches all, even if the machine that made it leaves after giving it to only
// one of the others, whichever that is; each gets it once.
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

// Rule: machines that have left are not waited for when the report is sent.
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

// Rule: a match may begin while the last one is still being investigated; nothing of that is
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

// Rule: once the investigation has ended, nothing of the match is kept.
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

// Rule: the exact times at which waiting for an answer, and for anything at all, ends.
func TestTheMomentsOfGivingUp(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2)
	v := tb.seats[0].Investigation
	v.Suspect(60, time.Second)
	v.coordination = &coordination{}
	m := v.peers[0]
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

// Rule: data from a peer is not kept in the memory of its message.
func TestAnAnswerIsCopied(t *testing.T) {
	v := New(Setup{Own: 1, Peers: []uint16{2}})
	v.coordination = &coordination{number: 1, step: askState}
	m, why := v.peers[0], []byte("no memory")
	m.awaited = true
	v.answered(m, &answer{number: 1, step: askState, source: 1, why: why})
	if clear(why); string(m.state.why) != "no memory" {
		t.Errorf("it says %q", m.state.why)
	}
	v.coordination.step = askParts
	leaf := []byte("a leaf")
	m.awaited = true
	v.answered(m, &answer{number: 1, step: askParts, parts: [][]byte{leaf}})
	if clear(leaf); string(m.parts[0]) != "a leaf" {
		t.Errorf("a leaf is %q", m.parts[0])
	}
}

// Rule: the states that are searched are the hashed ones after the last state that was equal
// everywhere, up to the one whose comparison showed the difference.
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
		if s.update(); got.from != c.from || got.from+10*uint32(got.count-1) != c.to {
			t.Errorf("%+v: %d from %d on", c, got.count, got.from)
		}
	}
}

// Rule: an answer with fewer hashes than were requested counts as none.
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

// Rule: when it is stopped, the investigation ends without a result, but a report that is there stays.
func TestAnInvestigationIsStopped(t *testing.T) {
	cfg := everyState()
	cfg.Slow = true
	tb := newTable(t, cfg, toy{size: 40, width: 4, lines: true}, 1, 2)
	tb.seats[1].game.wrong = flip(100, 30)
	s := tb.seats[0]
	for range 200 {
		if tb.run(1); s.restoring.stop != nil && !s.restoring.done {
			break
		}
	}
	if s.restoring.done {
		t.Fatal("nothing is simulated again")
	}
	s.Stop()
	if _, why, ok := s.Result(); ok || s.restoring.stop != nil || s.Busy() || s.Quiet() || s.Report() != nil {
		t.Errorf("a result: %v, %q; busy: %v", ok, why, s.Busy())
	}
	tb = newTable(t, cfg, toy{size: 40, width: 4, lines: true}, 1, 2)
	tb.seats[1].game.wrong = flip(100, 30)
	tb.run(300)
	for _, s := range tb.seats {
		s.Stop()
	}
	tb.report()
}
