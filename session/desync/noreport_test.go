package desync

import (
	"testing"
)

// Rule: there may be only a single state to search.
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

// Rule: if all others are silent, or have nothing, there is no report, and all know why.
func TestThereMayBeNoReport(t *testing.T) {
	for why, change := range map[string]func(tb *table){
		"no other peer has the hashes of those states": func(tb *table) {
			for _, s := range tb.seats[1:] {
				s.silent = silentFrom(Answer, askHashes)
			}
		},
		"there is no evidence: Evidence is off": func(tb *table) {
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

// Rule: a machine without evidence is left out, and the others explain the desync.
func TestWhoKeepsNothingIsLeftOut(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2, 4)
	tb.seats[1].evidence.Init(Config{Shape: tb.cfg.Shape}, &tb.seats[1].past)
	tb.seats[2].glitch = flip(100, 50)
	tb.run(160)
	if p := tb.report().Peers[1]; p.Group != None || p.Why != "it did not send its hashes" {
		t.Errorf("%+v", p)
	}
}

// Rule: a suspicion about a state that was equal, or about no state, has no result. There
// is one investigation per match, and the next match may have its own.
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
	if tb.run(30); tb.none() != "all peers with the hashes of those states have the same ones" {
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
	if tb.run(30); tb.none() != "no hashed state was compared since the last equal one" {
		t.Error(tb.none())
	}
	tb.begin(3)
	tb.seats[0].game.wrong = flip(100, 77)
	if tb.run(200); tb.report().Match != 3 {
		t.Error("it is another match")
	}
	tb.begin(4)
	if _, _, ok := s.Result(); ok || s.Report() != nil || s.Busy() {
		t.Error("the report of the last match is still there")
	}
}
