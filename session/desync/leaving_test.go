package desync

import (
	"testing"
)

// everyState is a configuration with which all states are kept.
func everyState() Config { return Config{HashEvery: 1, Every: 60, Budget: 1 << 20} }

func smallToy() toy { return toy{size: 200, width: 4} }

// silentFrom makes a machine drop its messages of a kind about a step and later ones.
func silentFrom(k Kind, from step) func(Kind, []byte) bool {
	return func(kind Kind, body []byte) bool { return kind == k && step(body[4]) >= from }
}

// Rule: the coordinator may leave at any moment. The others still finish, all with the
// same result, and with a report if they differ among themselves.
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
				if why := tb.none(); three || why != "all peers with the hashes of those states have the same ones" {
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

// Rule: nobody waits for a machine that has left, or sends it anything.
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

// Rule: a machine that has left is not queried, and one that was silent once is not
// waited for again, even if there are more queries for hashes.
func TestNobodyIsWaitedForTwice(t *testing.T) {
	for _, leaves := range []bool{true, false} {
		tb := newTable(t, Config{HashEvery: 1, Every: 1200, Budget: 1 << 20}, smallToy(), 1, 2, 4)
		tb.seats[1].game.wrong = flip(1000, 51) // its hash is in the second answer
		if leaves {
			tb.leave(2)
		}
		tb.seats[2].silent = silentFrom(Answer, askHashes)
		tb.run(1209)
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

// Rule: the hashes of a machine that falls silent between two queries for hashes count for the first one only.
func TestHashesOfOtherStatesDoNotCount(t *testing.T) {
	tb := newTable(t, Config{HashEvery: 1, Every: 1920, Budget: 1 << 20}, smallToy(), 1, 2, 4)
	tb.seats[1].game.wrong = flip(1000, 51)
	answers := 0
	tb.seats[2].silent = func(kind Kind, _ []byte) bool {
		if kind == Answer {
			answers++
		}
		return kind == Answer && answers > 1
	}
	tb.run(1920 + 150)
	if p := tb.report().Peers[2]; p.Group != None || p.Why != "it did not send its hashes" || answers != 2 {
		t.Errorf("%d answers: %+v", answers, p)
	}
}

// Rule: a machine that does not answer a query is waited for once, for a limited time,
// and the report says what it did not send.
func TestSilenceIsWaitedForOnce(t *testing.T) {
	for _, c := range []struct {
		from step
		why  string
	}{
		{askHashes, "it did not send its hashes"},
		{askState, "it did not answer"},
		{askParts, ""},
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
		if r.AtLeast != (c.from == askParts) || len(r.Fields) == 0 {
			t.Errorf("silent from step %d: fields %v, at least %v", c.from, r.Fields, r.AtLeast)
		}
		if took := tb.seats[0].results[0].at - began; took <= tablePatience || took > tablePatience+20*tick {
			t.Errorf("silent from step %d: it took %v", c.from, took)
		}
	}
}
