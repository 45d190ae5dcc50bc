package membership

import (
	"errors"
	"testing"
)

// pauseBy is an entry that can be decided at any time.
func pauseBy(m PlayerSet) Entry { return Entry{Kind: Pause, Players: m, Frame: modelAt} }

// Rule: a member that has promised an attempt votes in no older one, even if it has voted
// in none yet, and says what it has promised.
func TestAPromiseRulesOutOlderAttempts(t *testing.T) {
	n := newTrio()[1]
	c, s := n.core, &n.core.synod
	newer, older := newBallot(5, 2), newBallot(4, 0)
	c.send(4, c.synod.promise(newer))
	n.drain()
	if err := c.accept(older, pauseBy(1)); err != nil {
		t.Fatal(err)
	}
	if s.accepted.ballot != 0 || s.promised != newer {
		t.Fatalf("voted in %d after promising %d (now %d)", s.accepted.ballot, newer, s.promised)
	}
	if out := n.drain(); len(out) != 1 || out[0].to != 1 {
		t.Errorf("%d messages: the one who asked has to learn of the promise", len(out))
	}
	c.synod.promise(older)
	if s.promised != newer {
		t.Errorf("promised %d after %d", s.promised, newer)
	}
	if err := c.accept(newer, pauseBy(4)); err != nil || s.accepted != (vote{newer, pauseBy(4)}) {
		t.Errorf("the attempt that was promised: %+v, %v", s.accepted, err)
	}
}

// Rule: an entry that may have been decided already is proposed again: of the entries
// reported with promises, the one accepted in the newest attempt, whatever the coordinator
// wants itself.
func TestAnAcceptedEntryIsProposedAgain(t *testing.T) {
	for _, c := range []struct {
		name     string
		previous []ballot // of members 1 and 2; 0 is none
		want     Entry
	}{
		{"nobody has accepted anything", []ballot{0, 0}, pauseBy(1)},
		{"one has", []ballot{newBallot(1, 1), 0}, pauseBy(2)},
		{"the other has", []ballot{0, newBallot(1, 2)}, pauseBy(4)},
		{"both have", []ballot{newBallot(1, 1), newBallot(1, 2)}, pauseBy(4)},
		{"both have, the first later", []ballot{newBallot(2, 1), newBallot(1, 2)}, pauseBy(2)},
	} {
		n := newTrio()[0]
		core, a := n.core, &n.core.synod.attempt
		core.synod.promised = newBallot(6, 0)
		core.synod.prepare(core.me, core.now)
		core.claims.by[0].wishes.pause = true
		for i, previous := range c.previous {
			m := message{what: tellPromise, ballot: a.ballot, previous: previous}
			if previous != 0 {
				m.entry = pauseBy(2 << i)
			}
			if err := core.takeVoting(2<<i, &m); err != nil {
				t.Fatal(err)
			}
		}
		core.propose(intent{})
		if !a.sent || a.value != c.want {
			t.Errorf("%s: proposed %v (%v), want %v", c.name, a.value, a.sent, c.want)
		}
	}
}

// Rule: a member votes only for the cuts that it holds: no earlier ones, which would take
// back what may be confirmed, and no later ones.
func TestNobodyVotesForAnotherCutThanItHolds(t *testing.T) {
	for cut, ok := range map[Frame]bool{9: false, 10: true, 11: false} {
		n := newTrio()[1]
		n.core.guard.stopped |= 4
		e := Entry{Kind: Drop, Players: 4}
		e.Cuts[2] = cut
		err := n.core.accept(newBallot(3, 0), e)
		if ok && err != nil || !ok && !errors.Is(err, errConflict) {
			t.Errorf("a cut at %d, and it holds 10: %v", cut, err)
		}
		if voted := n.core.synod.accepted.ballot != 0; voted != ok {
			t.Errorf("a cut at %d: voted %v", cut, voted)
		}
	}
}

// Rule: votes count together if they are alike in attempt and entry; a later vote of a member replaces its earlier one.
func TestOnlyVotesThatAreAlikeCount(t *testing.T) {
	s := synod{votes: make([]vote, 4)}
	old, vote := vote{newBallot(1, 0), pauseBy(1)}, vote{newBallot(2, 0), pauseBy(1)}
	other := vote
	other.entry = pauseBy(2)
	s.count(0, old)
	s.count(1, vote)
	s.count(2, other)
	if alike := s.count(3, vote); alike != 0b1010 {
		t.Errorf("%v have voted alike", alike)
	}
	if alike := s.count(0, vote); alike != 0b1011 {
		t.Errorf("and then %v", alike)
	}
}

// Rule: an attempt counts promises for itself alone, and none after it has sent its entry.
func TestWhichPromisesCount(t *testing.T) {
	s := synod{self: 0}
	s.begin(1)
	s.prepare(1, 0)
	b := s.attempt.ballot
	s.promisedBy(2, &message{ballot: newBallot(9, 0)})
	s.promisedBy(4, &message{ballot: b})
	s.propose(Entry{})
	s.promisedBy(8, &message{ballot: b})
	if s.attempt.promises != 1|4 {
		t.Errorf("%v have promised", s.attempt.promises)
	}
}
