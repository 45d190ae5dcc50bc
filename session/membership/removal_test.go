package membership

import (
	"testing"
	"time"
)

// apart returns two of three members; the third is silent. The first has more of its inputs
// than the second, and the second has stopped the first and takes nothing from it.
func apart() []*local {
	n := newTrio()
	n[0].next[2] = 15
	n[1].core.Accuse(1)
	n[1].core.Poll(0, modelAt)
	n[1].core.Accuse(4)
	n[0].core.Accuse(4)
	return n[:2]
}

// If the remaining members cannot come to hold the same, since one has stopped another, an
// empty entry ends the slot and with it the stops; the next entry removes the members that
// they want gone.
func TestAnEmptyEntryEndsStopsThatAreInTheWay(t *testing.T) {
	n := apart()
	for range 2 {
		exchange(n...)
		wait(time.Second, n...)
	}
	expect(t, "none; drop player 2 at 15; ", n...)
}

// As long as the two conditions do not hold together, an empty entry would not help: the
// next slot would begin with the same stops.
func TestNoEmptyEntryWhileTheConflictLasts(t *testing.T) {
	for conflict, want := range map[bool]bool{false: true, true: false} {
		n := apart()
		carry(n...)
		c := n[0].core
		c.claims.by[1] = claim{accused: 4, stopped: 1 | 4, held: [maxPlayers]Frame{10, 10, 10}}
		if conflict {
			c.claims.by[1].accused |= 1
		}
		c.claims.by[0] = claim{accused: 4, stopped: 4, held: [maxPlayers]Frame{10, 10, 15}}
		v := c.view()
		if e, ready := v.removal(intent{kind: Drop, players: 4}); ready != want || e.Kind != None {
			t.Errorf("conflict %v: %v, ready %v", conflict, e, ready)
		}
	}
}

// A member that is asked to vote itself out votes, too, if the others could decide without
// its vote. If they could not, its vote might be the one by which a minority goes on.
func TestWhoVotesForAnEntryThatRemoves(t *testing.T) {
	for _, c := range []struct {
		me, goes PlayerSet
		votes    bool
	}{
		{2, 2, true},      // 0, 2 and 3 remain
		{2, 2 | 4, true},  // 0 and 3
		{2, 1 | 2, false}, // 2 and 3, without the lowest
		{2, 2 | 4 | 8, false},
		{2, 1 | 4, true}, // it stays itself
		{1, 2 | 4 | 8, true},
	} {
		core := newLocals(Config{}, 1, 2, 4, 8)[lowest(c.me)].core
		core.guard.stopped = c.goes &^ c.me
		e := Entry{Kind: Drop, Players: c.goes}
		for p := range c.goes.All() {
			e.Cuts[p] = 10
		}
		if err := core.accept(newBallot(1, 0), e); err != nil {
			t.Fatal(err)
		}
		if got := core.synod.accepted.ballot != 0; got != c.votes {
			t.Errorf("%v on %v: has voted %v", c.me, e, got)
		}
	}
}

// The member that a coordinator has begun to kick goes first: a later wish for a lower
// member does not change that, unless the first wish is withdrawn.
func TestAKickThatHasBegunGoesFirst(t *testing.T) {
	for _, withdrawn := range []bool{false, true} {
		n := newTrio()
		ask := func(players PlayerSet) {
			if err := n[0].core.Ask(Wish{Kind: Kick, Players: players}); err != nil {
				t.Fatal(err)
			}
			n[0].poll()
		}
		ask(4)
		if withdrawn {
			n[0].core.Withdraw(Kick)
		}
		if ask(2); n[0].core.claims.by[0].intent.players != map[bool]PlayerSet{false: 4, true: 2}[withdrawn] {
			t.Errorf("withdrawn %v: it kicks %v", withdrawn, n[0].core.claims.by[0].intent.players)
		}
		exchange(n...)
		if e, _ := n[0].core.log.entry(0); withdrawn && e.Players&4 != 0 {
			t.Errorf("it has kicked all the same: %v", e)
		}
	}
}

// Withdrawing a wish ends that wish, and no other.
func TestWithdraw(t *testing.T) {
	all := wishes{kick: 4, pause: true, resume: true, leaving: true, leave: 20}
	for k, want := range map[Kind]wishes{
		Kick:   {pause: true, resume: true, leaving: true, leave: 20},
		Pause:  {kick: 4, resume: true, leaving: true, leave: 20},
		Resume: {kick: 4, pause: true, leaving: true, leave: 20},
		Leave:  all,
		Drop:   all,
	} {
		c := newTrio()[0].core
		c.wishes = all
		if c.Withdraw(k); c.wishes != want {
			t.Errorf("%v: %+v", k, c.wishes)
		}
	}
}

// The grace period counts from when members last began to disagree, even within a slot.
func TestGraceBeginsAnewAfterAgreement(t *testing.T) {
	n := newLocals(Config{}, 1, 2, 4, 8, 16) // three of them say nothing for a while
	two := []*local{n[0], n[4]}
	disagree := func(yes bool) {
		n[4].core.Accuse(map[bool]PlayerSet{true: 1}[yes])
		exchange(two...)
	}
	disagree(true)
	wait(1900*time.Millisecond, two...)
	disagree(false)
	disagree(true)
	wait(1900*time.Millisecond, two...)
	if in := n[0].core.claims.by[0].intent; in.kind != None {
		t.Errorf("after 1.9 s of conflict it wants to %v %v", in.kind, in.players)
	}
	wait(200*time.Millisecond, two...)
	if in := n[0].core.claims.by[0].intent; in.kind != Drop || in.players != 16 {
		t.Errorf("after 2.1 s of conflict it wants to %v %v", in.kind, in.players)
	}
}

// Inputs are filled for others, once each, even if the caller takes them in two steps; and
// never for oneself.
func TestFillsCanBeTakenInParts(t *testing.T) {
	l := newLocals(Config{}, 1, 2, 4, 8)[0]
	c := l.core
	c.Accuse(0b1100)
	l.poll()
	for p := range 2 {
		c.claims.by[p] = claim{stopped: 0b1100, held: [maxPlayers]Frame{10, 10, 10, 10}}
	}
	l.next[2], l.next[3] = 12, 13
	var got []Fill
	for range 3 {
		for f := range c.Fills() {
			got = append(got, f)
			break
		}
	}
	if len(got) != 2 || got[0] != (Fill{2, 2, 10, 12}) || got[1] != (Fill{2, 3, 10, 13}) {
		t.Errorf("%+v", got)
	}
}
