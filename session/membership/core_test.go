package membership

import (
	"errors"
	"testing"
	"time"
)

// newTrio returns three members who have heard of each other, and hold 10 inputs of
// all players.
func newTrio() []*local { return newLocals(Config{Kickers: 1}, 1, 2, 4) }

func newLocals(cfg Config, members ...PlayerSet) []*local {
	var list []*local
	for _, m := range members {
		l := &local{up: true, floor: 5}
		for p := range l.next {
			l.next[p] = 10
		}
		l.core = New(m, Begin(members, 1<<7), l, cfg)
		list = append(list, l)
	}
	exchange(list...)
	return list
}

// exchange polls peers and carries what they send among them, until all is quiet.
func exchange(list ...*local) {
	for range 50 {
		for _, l := range list {
			l.core.Poll(l.core.now, modelAt)
		}
		carry(list...)
	}
}

func carry(list ...*local) {
	for _, from := range list {
		for _, s := range from.drain() {
			for _, to := range list {
				if to.core.me == s.to {
					if err := to.receive(from.core.me, s.packet); err != nil {
						panic(err)
					}
				}
			}
		}
	}
}

// wait lets the time pass at all of them.
func wait(d time.Duration, list ...*local) {
	for _, l := range list {
		l.core.Poll(l.core.now+d, modelAt)
	}
	exchange(list...)
}

// log returns the entries that peers have decided, which must be equal.
func log(t *testing.T, list ...*local) []Entry {
	t.Helper()
	for _, l := range list[1:] {
		if l.core.log.state != list[0].core.log.state {
			t.Fatalf("%v and %v are in different states: %v and %v", list[0].core.me, l.core.me, list[0].core.log.kept, l.core.log.kept)
		}
	}
	return list[0].core.log.kept
}

// expect compares the whole log of peers with the expected one.
func expect(t *testing.T, want string, list ...*local) {
	t.Helper()
	got := ""
	for _, e := range log(t, list...) {
		got += e.String() + "; "
	}
	if got != want {
		t.Errorf("the log is %q, want %q", got, want)
	}
}

// A silent member is dropped where the last input ends that any survivor has, and all
// survivors then have the inputs up to there.
func TestTheSilentAreDroppedAtWhatAnyoneHas(t *testing.T) {
	n := newTrio()
	n[0].next[2], n[1].next[2] = 17, 14
	n[1].core.Accuse(4)
	exchange(n[:2]...)
	expect(t, "", n[:2]...) // one of them hears it still
	n[0].core.Accuse(4)
	exchange(n[:2]...)
	expect(t, "drop player 2 at 17; ", n[:2]...)
	if n[1].next[2] != 17 {
		t.Errorf("it has inputs to %d", n[1].next[2])
	}
}

// A member that is the only one not to hear another has to leave, if that lasts.
func TestOfTwoInConflictTheHigherGoesAfterGrace(t *testing.T) {
	n := newTrio()
	n[2].core.Accuse(1)
	exchange(n...)
	expect(t, "", n...)
	if limit := n[2].core.Limit(0); limit != 10 {
		t.Errorf("it takes inputs to %d", limit)
	}
	wait(3*time.Second, n...)
	expect(t, "drop player 2 at 10; ", n...)
	if n[2].core.Member() || n[2].core.Quorate() {
		t.Error("it does not know")
	}
}

// If they hear each other again in time, what was stopped goes on.
func TestWhatWasStoppedGoesOnWithTheNextSlot(t *testing.T) {
	n := newTrio()
	n[2].core.Accuse(1)
	exchange(n...)
	n[2].core.Accuse(0)
	n[2].core.Poll(0, modelAt)
	if n[2].core.Limit(0) == NoFrame || n[2].core.Stopped() != 1 {
		t.Error("a stop was taken back")
	}
	exchange(n...)
	expect(t, "none; ", n...)
	if n[2].core.Limit(0) != NoFrame {
		t.Error("it is still stopped")
	}
}

// A side without a quorum is frozen, and goes on when it hears the others again.
func TestTheLesserSideIsFrozen(t *testing.T) {
	n := newLocals(Config{}, 1, 2, 4, 8)
	n[2].core.Accuse(3)
	n[3].core.Accuse(3)
	exchange(n[2:]...)
	wait(time.Minute, n[2:]...)
	expect(t, "", n[2:]...)
	if n[2].core.Quorate() || !n[1].core.Quorate() {
		t.Error("the wrong side is frozen")
	}
	n[2].core.Accuse(0)
	n[3].core.Accuse(0)
	exchange(n...)
	wait(time.Second, n...)
	for _, l := range n {
		if l.core.Stopped() != 0 || l.core.log.state.Len() != 4 {
			t.Errorf("%v: %v", l.core.me, l.core.log.kept)
		}
	}
}

// Others' inputs are accepted only for a stopped player, and only from a member that is
// not stopped; each is given once, to a member that lacks it.
func TestFillsComeFromThoseWhoRemain(t *testing.T) {
	n := newLocals(Config{}, 1, 2, 4, 8)
	n[0].next[2] = 15
	c := n[0].core
	c.Accuse(0b1100)
	n[1].core.Accuse(0b1100)
	c.Poll(0, modelAt)
	n[1].core.Poll(0, modelAt)
	for _, k := range []struct {
		from PlayerSet
		p    Player
		want bool
	}{{2, 2, true}, {2, 3, true}, {4, 3, false}, {4, 2, false}, {2, 1, false}, {16, 2, false}} {
		if c.Takes(k.from, k.p) != k.want {
			t.Errorf("of player %d from %v: %v", k.p, k.from, !k.want)
		}
	}
	carry(n[1], n[1]) // what it has told is lost
	n[1].core.Poll(0, modelAt)
	m := message{what: tellClaim, claim: n[1].core.claims.said}
	if err := c.Receive(2, m.append(nil, ofAll)); err != nil {
		t.Fatal(err)
	}
	var fills []Fill
	for range 2 {
		for f := range c.Fills() {
			fills = append(fills, f)
		}
	}
	if want := (Fill{2, 2, 10, 15}); len(fills) != 1 || fills[0] != want {
		t.Errorf("%v, want %v once", fills, want)
	}
}

// If there are two members, each goes on alone.
func TestTheLastOneDecidesAlone(t *testing.T) {
	for i := range 2 {
		n := newLocals(Config{}, 1, 2)
		n[i].core.Accuse(PlayerSet(1) << (1 - i))
		if !n[i].core.Quorate() {
			t.Error("it is frozen")
		}
		n[i].core.Poll(0, modelAt)
		if len(n[i].core.log.kept) != 1 || n[i].core.log.state.Len() != 1 {
			t.Errorf("%d: %v", i, n[i].core.log.kept)
		}
		if err := n[i].core.Ask(Wish{Kind: Pause}); err != nil {
			t.Error(err)
		}
		n[i].core.Poll(0, modelAt)
		if !n[i].core.log.state.Paused {
			t.Error("it cannot pause")
		}
	}
}

// A wish lasts until it is fulfilled, and is heard whichever member has it.
func TestWishesComeTrue(t *testing.T) {
	n := newTrio()
	ask := func(i int, w Wish) {
		t.Helper()
		if err := n[i].core.Ask(w); err != nil {
			t.Error(err)
		}
		exchange(n...)
	}
	ask(2, Wish{Kind: Pause})
	ask(1, Wish{Kind: Resume})
	ask(0, Wish{Kind: Kick, Players: 2})
	expect(t, "pause player 2 at 20; resume player 1 at 20; kick player 1 at 10; ", n...)
	ask(0, Wish{Kind: Leave, Frame: 12})
	expect(t, "pause player 2 at 20; resume player 1 at 20; kick player 1 at 10; ", n[0], n[2])
	n[2].next[0] = 12
	exchange(n...)
	if s := n[2].core.State(); s.Len() != 1 || n[0].core.Member() {
		t.Error("it has not left when all its inputs were there")
	}
}

func TestWishesThatCannotComeTrueAreRefused(t *testing.T) {
	n := newTrio()
	for i, w := range []Wish{
		{Kind: Kick, Players: 1}, {Kind: Kick}, {Kind: Kick, Players: 8}, {Kind: Leave, Frame: NoFrame}, {Kind: Join}, {Kind: Drop}, {},
	} {
		var refused *WishError
		if err := n[0].core.Ask(w); !errors.As(err, &refused) || refused.Wish != w {
			t.Errorf("%d: %v", i, err)
		}
	}
	if err := n[1].core.Ask(Wish{Kind: Kick, Players: 4}); err == nil {
		t.Error("who may not kick does")
	}
	if n[0].core.Ask(Wish{Kind: Leave, Frame: 50}) != nil || n[0].core.Ask(Wish{Kind: Leave, Frame: 51}) == nil {
		t.Error("it leaves at two frames")
	}
}

// Claims of a member that may not kick, that it wants others kicked, have no effect.
func TestOnlyKickersHaveOthersKicked(t *testing.T) {
	n := newTrio()
	n[1].core.wishes.kick = 4 // it does not ask
	exchange(n...)
	expect(t, "", n...)
	if s := n[0].core.State(); s.Len() != 3 {
		t.Error("somebody is out")
	}
}

// A newcomer joins at a frame that no member has passed, and learns the log from then on.
func TestNewcomersComeWhenAllAreReady(t *testing.T) {
	n := newTrio()
	n[1].floor = 24
	c := &local{up: true, next: n[0].next}
	c.core = New(1<<7, *n[0].core.State(), c, Config{ID: 9})
	n[0].core.Ready(1<<7, 9)
	n[1].core.Ready(1<<7, 9)
	exchange(append(n, c)...)
	expect(t, "", append(n, c)...)
	if n[0].core.Gate() != NoFrame {
		t.Error("it waits for one for whom not all are ready")
	}
	n[2].core.Ready(1<<7, 9)
	exchange(append(n, c)...)
	expect(t, "join player 7 at 24, 9; ", append(n, c)...)
	if !c.core.Member() || n[0].core.Gate() != NoFrame || n[0].core.MayJoin(1<<7, 9) {
		t.Error("it has not come")
	}
}

// Rule: a member that has agreed to the first frame of a newcomer knows that it may still join, until the slot is decided,
// whether or not the member is ready for it any more.
func TestWhoHasAFirstFrameMayJoin(t *testing.T) {
	c := newTrio()[0].core
	if c.MayJoin(1<<7, 9) || c.MayJoin(0, 0) {
		t.Error("nobody has agreed")
	}
	c.Ready(1<<7, 9)
	c.guard.agree(gate{newcomer{1 << 7, 9}, 24})
	c.Unready(1 << 7)
	c.observe()
	if !c.MayJoin(1<<7, 9) || c.MayJoin(1<<7, 8) || c.MayJoin(1<<6, 9) {
		t.Error("it has agreed, to this one alone")
	}
	if c.enter(); c.MayJoin(1<<7, 9) {
		t.Error("the slot is over")
	}
}

// A newcomer that is behind gets the entries that it has missed, one by one.
func TestNewcomersCatchUp(t *testing.T) {
	n := newTrio()
	c := &local{up: true, next: n[0].next}
	c.core = New(1<<7, *n[0].core.State(), c, Config{ID: 9})
	for range 3 {
		_ = n[0].core.Ask(Wish{Kind: Pause})
		exchange(n...)
		_ = n[0].core.Ask(Wish{Kind: Resume})
		exchange(n...)
	}
	exchange(append(n, c)...)
	log(t, append(n, c)...)
	if len(c.core.log.kept) != 6 {
		t.Errorf("it knows %v", c.core.log.kept)
	}
}

// A message that contradicts the log, or anything confirmed, is an error, and changes nothing.
func TestLiesAreRefused(t *testing.T) {
	n := newTrio()
	_ = n[0].core.Ask(Wish{Kind: Pause})
	exchange(n...)
	was := *n[1].core.State()
	for i, c := range []struct {
		m    message
		want error
	}{
		{message{what: tellChosen, slot: 0}, errConflict},
		{message{what: tellChosen, slot: 1, entry: Entry{Kind: Drop, Players: 1}}, errConflict},
		{message{what: tellChosen, slot: 1, entry: Entry{Kind: Pause, Players: 1, Frame: 9}}, errImpossible},
		{message{what: tellAccept, slot: 1, ballot: newBallot(1, 2), entry: Entry{Kind: Drop, Players: 1, Cuts: [maxPlayers]Frame{10}}}, errConflict},
		{message{what: tellAccept, slot: 1, ballot: newBallot(1, 0)}, errImpossible},
		{message{what: tellPromise, slot: 1, ballot: newBallot(1, 1), previous: newBallot(2, 1)}, errImpossible},
		{message{what: tellPromise, slot: 1, ballot: newBallot(2, 1), previous: newBallot(1, 2), entry: Entry{Kind: Drop, Players: 1}}, errConflict},
		{message{what: tellClaim, slot: 1, claim: claim{accused: 4}}, errImpossible},
		{message{what: tellClaim, slot: 1, claim: claim{stopped: 8}}, errImpossible},
		{message{what: tellClaim, slot: 1, claim: claim{intent: intent{kind: Kick, players: 8}}}, errImpossible},
	} {
		if err := n[1].core.Receive(4, c.m.append(nil, ofAll)); !errors.Is(err, c.want) {
			t.Errorf("%d: %v, want %v", i, err, c.want)
		}
		if *n[1].core.State() != was {
			t.Fatalf("%d: the log has changed", i)
		}
	}
}

// While nothing is to be decided, polling allocates nothing and asks for no time.
func TestPollingForNothingIsCheap(t *testing.T) {
	n := newTrio()
	c := n[0].core
	at := Frame(100)
	if allocs := testing.AllocsPerRun(100, func() {
		at++
		if c.Poll(time.Duration(at)*time.Second, at) != Never {
			t.Error("it wants to be called")
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func BenchmarkPoll(b *testing.B) {
	c := newLocals(Config{}, 1, 2, 4, 8, 16, 32, 64)[0].core
	for b.Loop() {
		c.Poll(0, 100)
	}
}

// A newcomer does not accuse a member that it has not heard before it was a member itself.
func TestANewcomerAccusesAnew(t *testing.T) {
	n := newLocals(Config{}, 1)
	c := &local{up: true, next: n[0].next}
	c.next[0] = 30 // it has all that it needs to go on alone
	c.begin(1<<7, *n[0].core.State(), Config{ID: 9})
	c.core.Accuse(1)
	n[0].core.Ready(1<<7, 9)
	exchange(n[0], c)
	expect(t, "join player 7 at 20, 9; ", n[0], c)
	c.core.Accuse(1)
	c.poll()
	if got := c.core.log.kept[len(c.core.log.kept)-1]; got.Kind != Drop || got.Players != 1 {
		t.Errorf("it has then decided %v", got)
	}
}

// A join forgets the other newcomers that wanted one of the same seats, and no others.
func TestAJoinForgetsWhoWantedTheSame(t *testing.T) {
	n := newLocals(Config{}, 1, 2)
	for _, l := range n {
		l.core.Ready(1<<7, 9)
		l.poll()
		l.core.newcomers.ready[6] = newcomer{1<<6 | 1<<7, 5} // it wants a seat of the same, and another one
		l.core.newcomers.ready[5] = newcomer{1 << 5, 6}
	}
	exchange(n...)
	for _, l := range n {
		if e, _ := l.core.log.entry(0); e.Kind != Join {
			t.Fatalf("it begins with %v", e)
		}
		taken := l.core.log.state.All()
		for p, r := range l.core.newcomers.ready {
			if r.players&taken != 0 {
				t.Errorf("%v is ready for %v at %d, of whom some are there: %v", l.core.me, r.players, p, taken)
			}
		}
		if l.core.newcomers.ready[5].players != 1<<5 {
			t.Errorf("%v has forgotten who wants another seat", l.core.me)
		}
	}
}

// A newcomer joins at the farthest frame that any member has agreed to for it, but no
// farther than members can be apart: a member that claims to be farther away cannot put it
// off for ever.
func TestNewcomersAreNotPutOffForEver(t *testing.T) {
	n := newcomer{1 << 7, 9}
	for _, k := range []struct {
		who  newcomer
		from PlayerSet
		by   Frame
		want Frame
	}{
		{n, 2, 1, modelAt + 1},
		{n, 2, maxRaise, modelAt + maxRaise},
		{n, 2, maxRaise + 1, modelAt},
		{newcomer{1 << 7, 8}, 2, 5, modelAt}, // for another one
		{n, 1 << 6, 5, modelAt},              // by no member
	} {
		c := newLocals(Config{}, 1, 2)[0].core
		c.claims.by[lowest(k.from)].gate = gate{k.who, modelAt + k.by}
		v := c.view()
		if got := c.newcomers.propose(&v, n, modelAt); got.frame != k.want || got.newcomer != n {
			t.Errorf("%v claims %d frames more: %+v, want %d", k.from, k.by, got, k.want)
		}
	}
}
