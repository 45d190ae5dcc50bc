package desync

import (
	"bytes"
	"testing"
	"time"
)

// everyState is a configuration with which all states are kept.
func everyState() Config { return Config{HashEvery: 1, Every: 60, Budget: 1 << 20} }

func smallToy() toy { return toy{size: 200, width: 4} }

// silentFrom lets a machine say nothing of a kind about a step and the ones behind it.
func silentFrom(k Kind, from step) func(Kind, []byte) bool {
	return func(kind Kind, body []byte) bool { return kind == k && step(body[4]) >= from }
}

// Rule: whoever coordinates may leave at any moment. The others still come to an end, all to
// the same one, and to a report if they differ among themselves.
func TestACoordinatorMayLeaveAtAnyMoment(t *testing.T) {
	for _, three := range []bool{false, true} {
		reports, total := 0, 40
		for leaves := range total {
			tb := newTable(t, everyState(), smallToy(), 1, 2, 4)
			tb.seats[0].glitch = flip(100, 50)
			if three {
				tb.seats[1].game.wrong = flip(100, 51)
			}
			messages := 0
			tb.seats[0].silent = func(Kind, []byte) bool {
				messages++
				return messages > leaves
			}
			for range 300 {
				if tb.run(1); messages >= leaves && !tb.seats[1].Quiet() && !tb.seats[0].gone {
					tb.leave(0)
				}
			}
			if tb.seats[1].Report() == nil {
				if why := tb.none(); three || why != "those who have the hashes of the states have the same ones" {
					t.Errorf("after %d messages: %s", leaves, why)
				}
				continue
			}
			reports++
			r := tb.report()
			if p := r.Peers[0]; p.Group == None && p.Why != "it is gone" {
				t.Errorf("of who has gone: %q", p.Why)
			}
		}
		if three && reports != total || !three && (reports == 0 || reports == total) {
			t.Errorf("%d reports", reports)
		}
	}
}

// Rule: who leaves is not waited for; nobody sends it anything.
func TestNobodyWaitsForWhoHasLeft(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2, 4)
	tb.seats[1].game.wrong = flip(100, 51)
	tb.seats[2].silent = func(kind Kind, _ []byte) bool { return kind == Answer }
	tb.run(135)
	sent := tb.seats[0].sent
	tb.leave(2)
	if tb.run(12); tb.report().Peers[2].Why != "it is gone" {
		t.Error(tb.report().Peers[2])
	}
	if n := tb.seats[0].sent[Ask] - sent[Ask]; n == 0 || tb.seats[0].pieces[tb.seats[0].peer(2)] > 0 {
		t.Errorf("%d questions, %v", n, tb.seats[0].pieces)
	}
}

// Rule: who has left before is not asked, and who was silent once is not waited for again,
// also where there are more questions about hashes.
func TestNobodyIsWaitedForTwice(t *testing.T) {
	for _, leaves := range []bool{true, false} {
		tb := newTable(t, Config{HashEvery: 1, Every: 600, Budget: 1 << 20}, smallToy(), 1, 2, 4)
		tb.seats[1].game.wrong = flip(100, 51)
		if leaves {
			tb.leave(2)
		}
		tb.seats[2].silent = silentFrom(Answer, askHashes)
		tb.run(609)
		began := tb.now
		tb.run(150)
		r := tb.report()
		took, want := tb.seats[0].results[0].at-began, 20*tick
		if !leaves {
			want += tablePatience
		}
		if took > want || r.Peers[2].Group != None {
			t.Errorf("it leaves: %v; it took %v", leaves, took)
		}
	}
}

// Rule: a single state may be all there is to look at.
func TestASingleStateIsLookedAt(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2)
	tb.suspect = false
	tb.seats[1].game.wrong = flip(60, 51)
	tb.run(80)
	tb.seats[1].Suspect(61, tb.now)
	tb.run(30)
	r, err := Decode(tb.seats[0].Report())
	if err != nil || r.State != 61 || r.Equal != 60 || r.Noticed != 61 {
		t.Errorf("%v: %+v", err, r)
	}
}

// Rule: who does not answer a question is waited for so long, once, and the report says what
// it has not told.
func TestSilenceIsWaitedForOnce(t *testing.T) {
	for _, c := range []struct {
		from step
		why  string
	}{
		{askHashes, "it has not told its hashes"},
		{askState, "it has not answered"},
		{askNodes, ""},
		{askLeaves, ""},
	} {
		tb := newTable(t, everyState(), smallToy(), 1, 2, 4)
		tb.seats[1].glitch = flip(100, 51)
		tb.seats[2].glitch = flip(100, 52)
		tb.seats[2].silent = silentFrom(Answer, c.from)
		tb.run(130)
		began := tb.now
		tb.run(100)
		r := tb.report()
		if why := r.Peers[2].Why; why != c.why || (r.Peers[2].Group == None) != (c.from == askHashes) {
			t.Errorf("silent from step %d: %q, group %d", c.from, why, r.Peers[2].Group)
		}
		if r.AtLeast != (c.from >= askNodes) || len(r.Fields) == 0 {
			t.Errorf("silent from step %d: fields %v, at least %v", c.from, r.Fields, r.AtLeast)
		}
		if took := tb.seats[0].results[0].at - began; took <= tablePatience || took > tablePatience+20*tick {
			t.Errorf("silent from step %d: it took %v", c.from, took)
		}
	}
}

// Rule: if all others are silent, or have nothing, there is no report, and all know why.
func TestThereMayBeNoReport(t *testing.T) {
	for why, change := range map[string]func(tb *table){
		"nobody else has the hashes of those states": func(tb *table) {
			for _, s := range tb.seats[1:] {
				s.silent = silentFrom(Answer, askHashes)
			}
		},
		"nothing is kept to find it: Evidence is off": func(tb *table) {
			tb.seats[0].evidence = Evidence{}
			tb.seats[0].evidence.Init(Config{}, &tb.seats[0].past)
		},
		"it took too long": func(tb *table) {
			tb.seats[0].silent = func(kind Kind, _ []byte) bool { return kind == Piece }
			tb.seats[0].busy = true
			for _, s := range tb.seats[1:] {
				s.silent = func(kind Kind, _ []byte) bool { return kind == Answer }
			}
		},
	} {
		tb := newTable(t, everyState(), smallToy(), 1, 2, 4)
		change(tb)
		tb.seats[0].glitch = flip(100, 50)
		tb.run(130)
		began := tb.now
		tb.run(int(13 * tablePatience / tick))
		if why == "it took too long" {
			for _, s := range tb.seats[1:] {
				if took := s.results[0].at - began; took <= 12*tablePatience-tick || took > 12*tablePatience+2*tick {
					t.Errorf("it took %v", took)
				}
			}
			tb.seats[0].gone = true
		}
		if got := tb.none(); got != why {
			t.Errorf("%q, and not %q", got, why)
		}
		for _, s := range tb.seats {
			if !s.gone && (s.Busy() || s.Quiet()) {
				t.Errorf("seat %d: busy %v, quiet %v", s.index, s.Busy(), s.Quiet())
			}
		}
	}
}

// Rule: who has no evidence is left out, and the others explain it.
func TestWhoKeepsNothingIsLeftOut(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2, 4)
	tb.seats[1].evidence.Init(Config{Shape: tb.cfg.Shape}, &tb.seats[1].past)
	tb.seats[2].glitch = flip(100, 50)
	tb.run(160)
	if p := tb.report().Peers[1]; p.Group != None || p.Why != "it has not told its hashes" {
		t.Errorf("%+v", p)
	}
}

// Rule: a suspicion of what was equal, or of no state, comes to nothing. There is one
// investigation in a match, and the next match may have its own.
func TestFalseSuspicions(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2)
	tb.run(200)
	s := tb.seats[1]
	if s.Suspect(0, tb.now); !s.Quiet() || s.Busy() {
		t.Error("state 0 is the same for all")
	}
	s.Suspect(190, tb.now)
	if s.Quiet() || !s.Busy() {
		t.Error("nothing is looked at")
	}
	if tb.run(30); tb.none() != "those who have the hashes of the states have the same ones" {
		t.Error(tb.none())
	}
	if s.sent[Suspect] != 1 || tb.seats[0].sent[Suspect] != 1 {
		t.Errorf("%d and %d suspicions are told", s.sent[Suspect], tb.seats[0].sent[Suspect])
	}
	s.Suspect(200, tb.now)
	if tb.run(30); s.Busy() || len(s.results) != 1 {
		t.Error("it is looked at twice")
	}
	tb.begin(2)
	if _, _, ok := s.Result(); ok || !s.Quiet() || s.Report() != nil {
		t.Error("something is left of the last match")
	}
	tb.run(200)
	s.Suspect(60, tb.now)
	if tb.run(30); tb.none() != "no hashed state was compared since all were equal" {
		t.Error(tb.none())
	}
	tb.begin(3)
	tb.seats[0].game.wrong = flip(100, 77)
	if tb.run(200); tb.report().Match != 3 {
		t.Error("it is another match")
	}
}

// Rule: the report comes in pieces, as many as it needs, when there is room for them.
func TestAReportComesInPieces(t *testing.T) {
	tb := newTable(t, everyState(), toy{size: 9000, width: 8}, 1, 2, 4)
	tb.seats[0].glitch = flip(100, 50)
	tb.seats[0].busy = true
	tb.run(170)
	if b := tb.seats[0].Report(); b == nil || tb.seats[0].sent[Piece] > 0 || !tb.seats[0].Busy() {
		t.Fatal("the report is not ready, or sent too early")
	}
	tb.seats[0].busy = false
	began := tb.now
	tb.run(20)
	tb.report()
	pieces := (len(tb.seats[0].Report()) + 2047) / 2048
	if n := tb.seats[0].sent[Piece]; n != 2*pieces || pieces < 4 {
		t.Errorf("it is sent in %d pieces, and not %d", n, 2*pieces)
	}
	for _, s := range tb.seats[1:] {
		if took := s.results[0].at - began; took < time.Duration(pieces)*tick || took > time.Duration(pieces+2)*tick {
			t.Errorf("%d pieces take %v", pieces, took)
		}
		if s.Busy() || s.sent[Piece] > 0 {
			t.Error("the report goes on and on")
		}
	}
}

// Rule: who asks for what is known gets the report again.
func TestWhoAsksGetsTheReport(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2)
	tb.seats[0].glitch = flip(100, 50)
	tb.run(170)
	r, s := tb.seats[0].Report(), tb.seats[1]
	a := ask{number: 1, step: askHashes, from: 61, to: 120, per: 1}
	if err := s.Receive(0, Ask, a.append(nil), tb.now); err != nil || !s.Busy() {
		t.Fatal(err)
	}
	tb.letters = nil
	var got []byte
	for range 20 {
		tb.now += tick
		s.update()
		for _, l := range tb.letters {
			if l.kind != Piece {
				t.Fatalf("a message of kind %d", l.kind)
			}
			got = append(got, l.body[8:]...)
		}
		tb.letters = nil
	}
	if !bytes.Equal(got, r) {
		t.Errorf("%d bytes, and not %d", len(got), len(r))
	}
}
